"""The two that are compared, each opened on a database of its own and driven alike."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from daybook.checkpoints.postgres import open_postgres
from daybook.graph.build import build
from daybook.nodes.running.work import Resources
from daybook.state.agent import STORED_TYPES
from evals.bench.domain import SYSTEM, bench_domain
from evals.bench.script import PacedModel
from evals.bench.world import Kind, World

System = Literal["daybook", "create_agent"]

_APPROVE = {"decisions": [{"type": "approve"}]}


@dataclass(frozen=True)
class Contender:
    """One agent in one thread, and how its model is paced.

    Attributes:
        url: its database.
    """

    system: System
    kind: Kind
    url: str
    graph: CompiledStateGraph[Any, Any, Any, Any]
    model: PacedModel
    thread_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    async def turn(self) -> None:
        """Run one turn: a message, as many steps as the model takes, every approval given."""
        config: RunnableConfig = {
            "configurable": {"thread_id": self.thread_id},
            "recursion_limit": 1000,
        }
        said = {"role": "user", "content": "Go on.", "id": str(uuid.uuid4())}
        given: Any = {"messages": [said]}
        while True:
            result = await self.graph.ainvoke(given, config, durability="sync")
            if "__interrupt__" not in result:
                return
            given = Command(resume=_APPROVE)


@asynccontextmanager
async def open_daybook(url: str, kind: Kind, steps: int) -> AsyncIterator[Contender]:
    """Open Daybook on an empty database, its tables made.

    Args:
        url: a libpq URL, as the owner of the database.
        kind: what its model calls.
        steps: of one turn.
    """
    model = PacedModel(tool=kind, steps=steps)
    domain = bench_domain(model)
    async with open_postgres(url, tenant_id="default", stored_types=STORED_TYPES) as postgres:
        resources = Resources(postgres=postgres, model=model, services=World(), decisions=steps + 1)
        graph = build(domain, lambda: resources, postgres.saver)
        yield Contender("daybook", kind, url, graph, model)


@asynccontextmanager
async def open_create_agent(url: str, kind: Kind, steps: int) -> AsyncIterator[Contender]:
    """Open langchain's agent on an empty database, as its documentation says.

    Args:
        url: a libpq URL, as the owner of the database.
        kind: what its model calls.
        steps: of one turn.
    """
    model = PacedModel(tool=kind, steps=steps)
    asks = [HumanInTheLoopMiddleware({kind.value: True})] if kind is Kind.APPROVED_WRITE else []
    pool: AsyncConnectionPool[AsyncConnection[DictRow]] = AsyncConnectionPool(
        url,
        min_size=1,
        max_size=8,
        open=False,
        kwargs={"autocommit": True, "row_factory": dict_row},
    )
    async with pool:
        saver = AsyncPostgresSaver(pool)
        await saver.setup()
        graph = create_agent(
            model, _tools(World()), system_prompt=SYSTEM, middleware=asks, checkpointer=saver
        )
        yield Contender("create_agent", kind, url, graph, model)


def _tools(world: World) -> list[BaseTool]:
    """Declare the bodies of `evals.bench.domain` as langchain's tools."""

    @tool
    async def fetch(number: int) -> str:
        """Fetch the text of a number."""
        return world.look_up(number)

    @tool
    async def note(number: int) -> str:
        """Note the text of a number."""
        return world.perform(str(number), number)

    @tool
    async def post(number: int) -> str:
        """Post the text of a number, once a person has approved it."""
        return world.perform(str(number), number)

    return [fetch, note, post]
