"""What a run does that is started in an unusual way: with nothing, twice, or at a checkpoint."""

from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.func import task
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

from .database import stored_rows


class State(TypedDict, total=False):
    asked: str
    cart: list[str]
    receipt: str


Graph = CompiledStateGraph[State, None, State, State]


class World:
    """The outside: what was charged, and whether the process dies after it."""

    def __init__(self) -> None:
        self.charged: list[str] = []
        self.dies = False


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def graph(world: World, saver: AsyncPostgresSaver) -> Graph:
    """Return a graph that fills a cart, and then charges in a task."""

    @task
    async def charge(asked: str) -> str:
        world.charged.append(asked)
        return f"receipt of {asked}"

    async def fill(state: State) -> State:
        return {"cart": [*state.get("cart", []), state.get("asked", "nothing")]}

    async def execute(state: State) -> State:
        receipt = await charge(state.get("asked", "nothing"))
        if world.dies:
            raise ConnectionError("died after the charge")
        return {"receipt": receipt}

    builder = StateGraph(State).add_sequence([fill, execute]).add_edge(START, "fill")
    return builder.compile(checkpointer=saver)


async def at_the_head(graph: Graph, thread: RunnableConfig) -> RunnableConfig:
    """Return a config that names the thread's last checkpoint by its id."""
    return (await graph.aget_state(thread)).config


async def run(graph: Graph, thread: RunnableConfig, given: State | Command[None] | None) -> Any:
    return await graph.ainvoke(given, thread, durability="sync")


async def test_nothing_or_an_answer_on_a_finished_thread_runs_nothing(graph, world, pool, thread):
    """The worker may resume a thread that somebody else has finished meanwhile.

    No error tells the client that nothing was pending: GuardedGraph has to.
    """
    finished = await run(graph, thread, {"asked": "tea"})
    before = await stored_rows(pool, thread)
    assert await run(graph, thread, None) == finished
    assert await stored_rows(pool, thread) == before

    assert await run(graph, thread, Command(resume="yes")) == finished
    assert world.charged == ["tea"]
    after = await stored_rows(pool, thread)
    [stray] = [r for r in after["checkpoint_writes"] if r not in before["checkpoint_writes"]]
    assert stray["channel"] == "__resume__"


async def test_a_restart_without_a_checkpoint_id_skips_finished_tasks_and_one_with_it_does_not(
    graph: Graph, world: World, thread: RunnableConfig
) -> None:
    """Naming even the head replays it: only a run without an id is a continuation.

    Time travel is a repeat of the effects: the same operations must meet the ledger.
    """
    world.dies = True
    with pytest.raises(ConnectionError):
        await run(graph, thread, {"asked": "tea"})
    with pytest.raises(ConnectionError):
        await run(graph, thread, None)
    assert world.charged == ["tea"]

    with pytest.raises(ConnectionError):
        await run(graph, await at_the_head(graph, thread), None)
    assert world.charged == ["tea", "tea"]

    world.dies = False
    await run(graph, thread, None)
    history = [snapshot async for snapshot in graph.aget_state_history(thread)]
    older = next(s.config for s in reversed(history) if s.next == ("execute",))
    charged = len(world.charged)
    await run(graph, older, None)
    assert world.charged[charged:] == ["tea"], "every later node runs again"
