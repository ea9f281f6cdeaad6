"""The two that are compared, each opened on a database of its own and driven alike."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool
from pydantic import Field

from daybook import (
    Confirmed,
    Domain,
    EffectContext,
    FlowTable,
    Guarantees,
    Outcome,
    Prompt,
    ReadContext,
    Registry,
    build,
    open_postgres,
    read,
    write,
)
from daybook.domain import Action, Resources
from daybook.state.agent import STORED_TYPES
from daybook.state.clock import SYSTEM

CHARACTERS = 500
"""How much text a tool returns."""


class Kind(StrEnum):
    """What a step calls; the value is the name of the tool."""

    READ = "fetch"
    AUTO_WRITE = "note"
    APPROVED_WRITE = "post"

    @property
    def label(self) -> str:
        """Name the kind in the report."""
        return {"fetch": "read", "note": "auto write", "post": "approved write"}[self.value]


@dataclass
class World:
    """Look texts up and perform effects, each key once."""

    performed: dict[str, str] = field(default_factory=dict)

    def look_up(self, number: int) -> str:
        """Return 500 characters: hex digits, which TOAST cannot compress away."""
        return hashlib.shake_256(str(number).encode()).hexdigest(CHARACTERS // 2)

    def perform(self, key: str, number: int) -> str:
        """Perform an effect, once under each key, and return its 500 characters."""
        return self.performed.setdefault(key, self.look_up(number))


@dataclass(frozen=True)
class Asked:
    """Note one call of the model.

    Attributes:
        at: seconds, of a clock's `monotonic`.
        super_step: number of LangGraph's super-step in the thread.
    """

    at: float
    super_step: int


class PacedModel(BaseChatModel):
    """Call one tool `steps` times in each turn and then answer, whatever the prompt says.

    Attributes:
        tool: called with `number`, which counts the steps of the thread from 1, so that no two
            calls are the same.
        steps: of one turn.
        asked: its calls so far.
    """

    tool: str
    steps: int
    asked: list[Asked] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "paced"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        """Take any tools: it knows which one it calls."""
        return self

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        raise NotImplementedError("the bench is asynchronous")

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        assert run_manager is not None
        self.asked.append(Asked(SYSTEM.monotonic(), run_manager.metadata["langgraph_step"]))
        turn, position = divmod(len(self.asked) - 1, self.steps + 1)
        message = AIMessage("Done.")
        if position < self.steps:
            number = turn * self.steps + position + 1
            call = {"name": self.tool, "args": {"number": number}, "id": str(uuid.uuid4())}
            message = AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=message)])


INSTRUCTIONS = "You fetch, note and post texts by their numbers."

_KEYED = Guarantees(
    honours_key=True,
    stores_failures=True,
    retention=timedelta(days=1),
    settle=timedelta(seconds=1),
    late_sender="harmless",
)

Effect: TypeAlias = EffectContext[World]


@read(lifetime=600, tags=("text:{number}",))
async def fetch(number: int, *, ctx: ReadContext[World]) -> Any:
    """Fetch the text of a number."""
    return {"text": ctx.services.look_up(number)}


@write(approval="never", guarantees=_KEYED)
async def note(number: int, *, ctx: Effect) -> Outcome:
    """Note the text of a number."""
    return Confirmed({"text": ctx.services.perform(ctx.key, number)})


@write(guarantees=_KEYED)
async def post(number: int, *, ctx: Effect) -> Outcome:
    """Post the text of a number, once a person has approved it."""
    return Confirmed({"text": ctx.services.perform(ctx.key, number)})


def bench_domain(model: PacedModel) -> Domain:
    """Build the bench's domain around a model."""
    return Domain(
        name="bench",
        registry=Registry(offered=(fetch, note, post)),
        flow=FlowTable(start="working", moves={}, offered={"working": frozenset(Kind)}),
        prompt=Prompt(system=INSTRUCTIONS, read=_shown_read),
        outcome=_shown_outcome,
        embedded_model=lambda: model,
    )


def _shown_read(tool: str, handle: int, result: Any, hidden: Sequence[str]) -> str:
    return f"r{handle} {tool} ok\n{result['text']}"


def _shown_outcome(action: Action) -> str:
    (step,) = action.steps
    return f"{action.tool} ok\n{(step.result or {})['text']}"


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
            model, _tools(World()), system_prompt=INSTRUCTIONS, middleware=asks, checkpointer=saver
        )
        yield Contender("create_agent", kind, url, graph, model)


def _tools(world: World) -> list[BaseTool]:
    """Declare the bodies of `evals.bench.agents` as langchain's tools."""

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
