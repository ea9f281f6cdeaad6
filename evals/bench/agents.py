"""The agents that are compared, each opened on a database of its own and driven alike."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Any, TypeAlias

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.config import get_config
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, interrupt
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool
from typing_extensions import TypedDict

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
from daybook.domain import Resources
from daybook.state.agent import STORED_TYPES
from daybook.state.clock import SYSTEM
from evals.bench import effects
from evals.bench.effects import Turn
from evals.model_server import Deciding


class Kind(StrEnum):
    """What a step calls; the value is the name of the tool."""

    READ = "fetch"
    AUTO_WRITE = "note"
    APPROVED_WRITE = "post"

    @property
    def label(self) -> str:
        """Name the kind in the report."""
        return {"fetch": "read", "note": "auto write", "post": "approved write"}[self.value]


@dataclass(repr=False)  # langchain writes a model's fields down at every call
class Pace:
    """Call one tool `steps` times in each turn and then answer, whatever the prompt says.

    Attributes:
        tool: called with `number`, which counts the steps of the thread from 1, so that no two
            calls are the same.
        steps: of one turn.
        turn: is told each step, from one decision to the next.
    """

    tool: str
    steps: int
    turn: Turn = field(default_factory=Turn)
    _asked: int = 0
    _last: tuple[float, int] = (0.0, 0)

    def decide(self, messages: Sequence[BaseMessage], tools: Sequence[Any]) -> AIMessage:
        """Note when it was asked, and decide."""
        turn, position = divmod(self._asked, self.steps + 1)
        at, super_step = SYSTEM.monotonic(), get_config()["metadata"]["langgraph_step"]
        if position > 0:
            self.turn.ms.append((at - self._last[0]) * 1000)
            self.turn.super_steps.append(super_step - self._last[1])
        self._asked, self._last = self._asked + 1, (at, super_step)
        if position == self.steps:
            return AIMessage("Done.")
        number = turn * self.steps + position + 1
        call = {"name": self.tool, "args": {"number": number}, "id": str(uuid.uuid4())}
        return AIMessage("", tool_calls=[call])


INSTRUCTIONS = "You fetch, note and post texts by their numbers."

_KEYED = Guarantees(
    honours_key=True,
    stores_failures=True,
    retention=timedelta(days=1),
    settle=timedelta(seconds=1),
    late_sender="harmless",
)

Reading: TypeAlias = ReadContext[None]
Acting: TypeAlias = EffectContext[None]


@read(lifetime=600, tags=("text:{number}",))
async def fetch(number: int, *, ctx: Reading) -> Any:
    """Fetch the text of a number."""
    return {"text": effects.look_up(number)}


@write(approval="never", guarantees=_KEYED)
async def note(number: int, *, ctx: Acting) -> Outcome:
    """Note the text of a number."""
    return Confirmed({"text": effects.look_up(number)})


@write(guarantees=_KEYED)
async def post(number: int, *, ctx: Acting) -> Outcome:
    """Post the text of a number, once a person has approved it."""
    return Confirmed({"text": effects.look_up(number)})


_TOOLS = (fetch, note, post)


@dataclass(frozen=True)
class Agent:
    """One agent in one thread, and how its model is paced."""

    graph: CompiledStateGraph[Any, Any, Any, Any]
    pace: Pace
    thread_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    async def turn(self) -> Turn:
        """Run one turn: a message, as many steps as the model takes, every approval given."""
        self.pace.turn = Turn()
        return await self.pace.turn.timed(self._run())

    async def _run(self) -> None:
        about: Any = {"configurable": {"thread_id": self.thread_id}, "recursion_limit": 1000}
        given: Any = {"messages": [{"role": "user", "content": "Go on.", "id": str(uuid.uuid4())}]}
        while "__interrupt__" in await self.graph.ainvoke(given, about, durability="sync"):
            given = Command(resume={"decisions": [{"type": "approve"}]})


@asynccontextmanager
async def open_daybook(url: str, kind: Kind, steps: int) -> AsyncIterator[Agent]:
    """Open Daybook on a database, its tables made.

    Args:
        url: a libpq URL, as the owner of the database.
        kind: what its model calls.
        steps: of one turn.
    """
    pace = Pace(kind, steps)
    model = Deciding(decide=pace.decide)
    domain = Domain(
        name="bench",
        registry=Registry(offered=_TOOLS),
        flow=FlowTable(start="working", moves={}, offered={"working": frozenset(Kind)}),
        prompt=Prompt(
            system=INSTRUCTIONS,
            read=lambda tool, handle, result, hidden: f"r{handle} {tool} ok\n{result['text']}",
        ),
        outcome=lambda action: f"{action.tool} ok\n{(action.steps[0].result or {})['text']}",
    )
    async with open_postgres(url, tenant_id="default", stored_types=STORED_TYPES) as postgres:
        resources = Resources(postgres=postgres, model=model, decisions=steps + 1)
        yield Agent(build(domain, lambda: resources, postgres.saver), pace)


@asynccontextmanager
async def _open_saver(url: str) -> AsyncIterator[AsyncPostgresSaver]:
    """Open LangGraph's checkpointer with a pool, as its documentation says."""
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
        yield saver


@asynccontextmanager
async def open_create_agent(url: str, kind: Kind, steps: int) -> AsyncIterator[Agent]:
    """Open langchain's agent on a database; see `open_daybook`."""
    pace = Pace(kind, steps)
    tools = [
        StructuredTool.from_function(
            coroutine=effects.note, name=one.name, description=one.description
        )
        for one in _TOOLS
    ]
    asks = [HumanInTheLoopMiddleware({kind.value: True})] if kind is Kind.APPROVED_WRITE else []
    async with _open_saver(url) as saver:
        graph = create_agent(
            Deciding(decide=pace.decide),
            tools,
            system_prompt=INSTRUCTIONS,
            middleware=asks,
            checkpointer=saver,
        )
        yield Agent(graph, pace)


class Empty(TypedDict, total=False):
    """What the floor remembers: what it was told."""

    messages: list[Any]


@asynccontextmanager
async def open_floor(url: str, kind: Kind, steps: int) -> AsyncIterator[Agent]:
    """Open a graph of empty nodes, which is what LangGraph costs by itself; see `open_daybook`.

    One of its nodes asks the model. It has as many super-steps a step as the agents, and its
    interrupt where a write is approved.
    """
    pace = Pace(kind, steps)
    model = Deciding(decide=pace.decide)
    is_asked = kind is Kind.APPROVED_WRITE

    async def decide(state: Empty) -> Command[str]:
        decided = await model.ainvoke([])
        return Command(goto=("approve" if is_asked else "act") if decided.tool_calls else END)

    async def approve(state: Empty) -> Command[str]:
        interrupt("")
        return Command(goto="act")

    async def act(state: Empty) -> Command[str]:
        return Command(goto="decide")

    graph = StateGraph(Empty).add_node(decide).add_node(approve).add_node(act)
    graph.add_edge(START, "decide")
    async with _open_saver(url) as saver:
        yield Agent(graph.compile(checkpointer=saver), pace)
