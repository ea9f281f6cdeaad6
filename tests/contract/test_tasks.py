"""What a `@task` inside a node promises: a cache by position, written at leisure."""

import asyncio
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.func import task
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import RetryPolicy
from typing_extensions import TypedDict

from .database import Pool, rows_of, thread_id
from .killed_in_a_node import charging_graph

CHILD = Path(__file__).with_name("killed_in_a_node.py")


class State(TypedDict, total=False):
    receipts: list[str]


class World:
    """The outside: what was charged, and whether the process dies after it."""

    def __init__(self) -> None:
        self.charged: list[str] = []
        self.orders: list[str] = []
        self.dies = True


def graph_of(
    world: World, saver: AsyncPostgresSaver, retry: RetryPolicy | None = None
) -> CompiledStateGraph[State, None, State, State]:
    """Return a graph whose one node charges every order, each in a task, and then may die."""

    @task
    async def charge(order: str) -> str:
        world.charged.append(order)
        return f"receipt of {order}"

    async def execute(state: State) -> State:
        receipts = [await charge(order) for order in world.orders]
        if world.dies:
            raise ConnectionError("died after the charges")
        return {"receipts": receipts}

    builder = StateGraph(State).add_node("execute", execute, retry_policy=retry)
    return builder.add_edge(START, "execute").compile(checkpointer=saver)


async def test_a_resumed_node_runs_again_but_skips_the_tasks_that_have_finished(
    saver: AsyncPostgresSaver, thread: RunnableConfig
) -> None:
    """`execute` wraps each step in a task, so that a restart repeats no step needlessly."""
    world = World()
    world.orders = ["tea"]
    graph = graph_of(world, saver)
    with pytest.raises(ConnectionError):
        await graph.ainvoke({}, thread, durability="sync")

    world.dies = False
    world.orders = ["tea", "milk"]
    state = await graph.ainvoke(None, thread, durability="sync")

    assert world.charged == ["tea", "milk"]
    assert state == {"receipts": ["receipt of tea", "receipt of milk"]}


async def test_a_finished_task_is_known_by_its_position_and_not_by_its_arguments(
    saver: AsyncPostgresSaver, thread: RunnableConfig
) -> None:
    """The trap: why a task's result is never believed for an effect, but the ledger is asked."""
    world = World()
    world.orders = ["tea"]
    graph = graph_of(world, saver)
    with pytest.raises(ConnectionError):
        await graph.ainvoke({}, thread, durability="sync")

    world.dies = False
    world.orders = ["milk"]
    state = await graph.ainvoke(None, thread, durability="sync")

    assert world.charged == ["tea"]
    assert state == {"receipts": ["receipt of tea"]}, "milk was never charged"


class WaitingSaver(AsyncPostgresSaver):
    """Hold back every task result until the node says that it has it."""

    node_has_it: asyncio.Event

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        await self.node_has_it.wait()
        await super().aput_writes(config, writes, task_id, task_path)


async def test_a_node_has_the_result_of_its_task_before_postgres_has_it(
    pool: Pool, saver: AsyncPostgresSaver, thread: RunnableConfig
) -> None:
    """A task is at least once under `sync` too. Were its result awaited, this would time out."""
    waiting = WaitingSaver(pool)
    waiting.node_has_it = asyncio.Event()
    seen: list[str] = []

    @task
    async def charge() -> str:
        return "receipt"

    async def execute(state: State) -> State:
        seen.append(await charge())
        waiting.node_has_it.set()
        return {"receipts": seen}

    graph = StateGraph(State).add_node("execute", execute).add_edge(START, "execute")
    async with asyncio.timeout(10):
        await graph.compile(checkpointer=waiting).ainvoke({}, thread, durability="sync")

    assert seen == ["receipt"]


async def test_a_process_killed_after_its_task_returned_charges_again_when_resumed(
    url: str, pool: Pool, saver: AsyncPostgresSaver, thread: RunnableConfig
) -> None:
    """The case that the ledger exists for. The child's saver is slow, so that this is certain."""
    async with pool.connection() as connection:
        await connection.execute("CREATE TABLE effect (at timestamptz NOT NULL DEFAULT now())")
    child = await asyncio.create_subprocess_exec(sys.executable, str(CHILD), url, thread_id(thread))
    assert await child.wait() == -signal.SIGKILL
    assert len(await rows_of(pool, thread, "SELECT at FROM effect")) == 1

    graph = charging_graph(url, saver, then=lambda: None)
    state = await graph.ainvoke(None, thread, durability="sync")

    assert state == {"receipt": "receipt"}
    assert len(await rows_of(pool, thread, "SELECT at FROM effect")) == 2


async def test_a_node_without_a_retry_policy_is_not_run_again(
    saver: AsyncPostgresSaver, thread: RunnableConfig
) -> None:
    """No node with an effect has a retry policy; the absence of one must mean one attempt."""
    world = World()
    world.orders = ["tea"]
    with pytest.raises(ConnectionError):
        await graph_of(world, saver).ainvoke({}, thread, durability="sync")

    assert world.charged == ["tea"]


async def test_a_retry_policy_repeats_the_tasks_of_its_node_that_have_finished(
    saver: AsyncPostgresSaver, thread: RunnableConfig
) -> None:
    """And why: three attempts at the node are three charges, finished tasks or not."""
    world = World()
    world.orders = ["tea"]
    retry = RetryPolicy(max_attempts=3, initial_interval=0, jitter=False)
    with pytest.raises(ConnectionError):
        await graph_of(world, saver, retry).ainvoke({}, thread, durability="sync")

    assert world.charged == ["tea", "tea", "tea"]
