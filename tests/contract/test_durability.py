"""What `durability` promises: a restart asks Postgres, so Postgres must know first."""

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import START, StateGraph
from typing_extensions import TypedDict

from .database import Pool, rows_of


class State(TypedDict, total=False):
    asked: str
    done: str


async def stored_steps(pool: Pool, thread: RunnableConfig) -> list[tuple[int, str | None]]:
    """Return (step, `done`) of every checkpoint that is committed now, oldest first."""
    rows = await rows_of(
        pool,
        thread,
        "SELECT (metadata ->> 'step')::int AS step,"
        " checkpoint -> 'channel_values' ->> 'done' AS done"
        " FROM checkpoints WHERE thread_id = %(thread_id)s ORDER BY checkpoint_id",
    )
    return [(row["step"], row["done"]) for row in rows]


@pytest.mark.parametrize("run", ["ainvoke", "astream"])
async def test_sync_commits_the_input_and_every_finished_step_before_the_next_node_starts(
    pool: Pool, saver: AsyncPostgresSaver, thread: RunnableConfig, run: str
) -> None:
    """GuardedGraph forces `sync`: whatever is killed, a restart finds the last finished node."""
    seen: dict[str, list[tuple[int, str | None]]] = {}

    async def first(state: State) -> State:
        seen["first"] = await stored_steps(pool, thread)
        return {"done": "first"}

    async def second(state: State) -> State:
        seen["second"] = await stored_steps(pool, thread)
        return {"done": "second"}

    graph = StateGraph(State).add_sequence([first, second]).add_edge(START, "first")
    graph = graph.compile(checkpointer=saver)
    if run == "ainvoke":
        await graph.ainvoke({"asked": "tea"}, thread, durability="sync")
    else:
        async for _ in graph.astream({"asked": "tea"}, thread, durability="sync"):
            pass

    assert seen["first"] == [(-1, None), (0, None)]
    assert seen["second"] == [(-1, None), (0, None), (1, "first")]
    assert await stored_steps(pool, thread) == [*seen["second"], (2, "second")]
