"""Who waits for whom in Postgres: the savers of one process."""

import asyncio
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import START, StateGraph
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from typing_extensions import TypedDict

from daybook.state.clock import SYSTEM

from .database import Pool, open_pool


class State(TypedDict, total=False):
    turns: int


async def turn(saver: AsyncPostgresSaver, thread: RunnableConfig) -> Any:
    """Run one turn that counts itself; return the state."""

    async def count(state: State) -> State:
        return {"turns": state.get("turns", 0) + 1}

    graph = StateGraph(State).add_node("count", count).add_edge(START, "count")
    return await graph.compile(checkpointer=saver).ainvoke({}, thread, durability="sync")


async def readers_that_wait(pool: Pool) -> int:
    """Return how many other sessions on this schema wait for the lock of a table now."""
    async with pool.connection() as connection:
        cursor = await connection.execute(
            "SELECT count(*) AS n FROM pg_stat_activity"
            " WHERE wait_event_type = 'Lock' AND wait_event = 'relation'"
            " AND datname = current_database() AND application_name = current_schema()"
        )
        row = await cursor.fetchone()
    assert row is not None
    return int(row["n"])


@pytest.fixture
def named_url(url: str) -> str:
    """Return the URL of this test's schema; its sessions bear the schema's name."""
    schema = conninfo_to_dict(url)["options"]
    assert isinstance(schema, str)
    return make_conninfo(url, application_name=schema.rpartition("=")[2])


@pytest.mark.parametrize(("savers", "at_once"), [(1, 1), (3, 3)])
async def test_one_saver_runs_its_calls_one_after_the_other_and_several_over_one_pool_do_not(
    named_url: str, saver: AsyncPostgresSaver, thread: RunnableConfig, savers: int, at_once: int
) -> None:
    """Why a serving process needs more than one saver: three reads wait, how many in Postgres?"""
    await turn(saver, thread)
    async with open_pool(named_url) as pool, open_pool(named_url) as locker:
        readers = [AsyncPostgresSaver(pool) for _ in range(savers)]
        async with (
            asyncio.TaskGroup() as group,
            locker.connection() as connection,
            connection.transaction(),
        ):
            await connection.execute("LOCK TABLE checkpoints")
            reads = [group.create_task(readers[n % savers].aget_tuple(thread)) for n in range(3)]
            async with SYSTEM.timeout(10):
                while await readers_that_wait(locker) != at_once:
                    await SYSTEM.sleep(0.01)
            for _ in range(5):  # round trips in which another one could arrive
                assert await readers_that_wait(locker) == at_once
        assert all(read.result() for read in reads)
