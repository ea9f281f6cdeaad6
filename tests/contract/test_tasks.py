"""What a `@task` inside a node promises: a cache by position, written at leisure."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.func import task
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import RetryPolicy
from typing_extensions import TypedDict

from daybook.state.clock import SYSTEM


class State(TypedDict, total=False):
    receipts: list[str]


class World:
    """The outside: what was charged, and whether the process dies after it."""

    def __init__(self) -> None:
        self.charged: list[str] = []
        self.orders = ["tea"]
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


@pytest.mark.parametrize(
    ("orders", "charged"), [(["tea", "milk"], ["tea", "milk"]), (["milk"], ["tea"])]
)
async def test_a_resumed_node_skips_what_has_finished_by_its_position(
    saver, thread, orders, charged
):
    """Why a task's result is never believed for an effect, but the ledger is asked.

    A restart repeats no step needlessly; and where the arguments are others, milk is never charged.
    """
    world = World()
    graph = graph_of(world, saver)
    with pytest.raises(ConnectionError):
        await graph.ainvoke({}, thread, durability="sync")

    world.dies, world.orders = False, orders
    state = await graph.ainvoke(None, thread, durability="sync")

    assert world.charged == charged
    assert state == {"receipts": [f"receipt of {order}" for order in charged]}


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


async def test_a_node_has_the_result_of_its_task_before_postgres_has_it(pool, saver, thread):
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
    async with SYSTEM.timeout(10):
        await graph.compile(checkpointer=waiting).ainvoke({}, thread, durability="sync")

    assert seen == ["receipt"]


@pytest.mark.parametrize("attempts", [None, 3])
async def test_only_a_retry_policy_runs_a_node_again_and_then_its_tasks_too(
    saver, thread, attempts
):
    """No node with an effect has one: three attempts are three charges, finished tasks or not."""
    world = World()
    retry = (
        RetryPolicy(max_attempts=attempts, initial_interval=0, jitter=False) if attempts else None
    )
    with pytest.raises(ConnectionError):
        await graph_of(world, saver, retry).ainvoke({}, thread, durability="sync")

    assert world.charged == ["tea"] * (attempts or 1)
