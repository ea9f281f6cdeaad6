"""Who waits for whom in Postgres: the savers of one process, and processes that start at once."""

import asyncio
from collections.abc import Awaitable, Callable
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


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Wait until a fact about the server holds that it announces by no event."""
    async with SYSTEM.timeout(10):
        while not await holds():
            await SYSTEM.sleep(0.01)


async def waiting_for(pool: Pool, event: str) -> int:
    """Return how many other sessions on this schema wait for that kind of lock now."""
    async with pool.connection() as connection:
        cursor = await connection.execute(
            "SELECT count(*) AS n FROM pg_stat_activity"
            " WHERE wait_event_type = 'Lock' AND wait_event = %s"
            " AND datname = current_database() AND application_name = current_schema()",
            (event,),
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

        async def as_many_wait_as_can() -> bool:
            return await waiting_for(locker, "relation") == at_once

        async with (
            asyncio.TaskGroup() as group,
            locker.connection() as connection,
            connection.transaction(),
        ):
            await connection.execute("LOCK TABLE checkpoints")
            reads = [group.create_task(readers[n % savers].aget_tuple(thread)) for n in range(3)]
            await until(as_many_wait_as_can)
            for _ in range(5):  # round trips in which another one could arrive
                assert await as_many_wait_as_can()
        assert all(read.result() for read in reads)


async def test_setup_can_be_repeated_on_tables_in_use(saver, thread):
    """Every start runs it again."""
    await turn(saver, thread)
    await saver.setup()

    assert await turn(saver, thread) == {"turns": 2}


async def test_three_setups_at_once_succeed_when_each_polls_for_a_lock(url, pool, thread):
    """`setup` takes no lock of its own: alone, two first starts at once break each other."""

    async def first_start() -> None:
        async with open_pool(url) as own, own.connection() as connection:

            async def locked() -> bool:
                cursor = await connection.execute("SELECT pg_try_advisory_lock(4711) AS got")
                row = await cursor.fetchone()
                return row is not None and bool(row["got"])

            await until(locked)
            await AsyncPostgresSaver(connection).setup()
            await connection.execute("SELECT pg_advisory_unlock(4711)")

    await asyncio.gather(first_start(), first_start(), first_start())

    assert await turn(AsyncPostgresSaver(pool), thread) == {"turns": 1}


async def test_setup_waits_for_a_session_that_waits_for_a_lock(named_url: str) -> None:
    """Why it has to poll: `setup` would wait for those who wait for it, and nobody would notice.

    CREATE INDEX CONCURRENTLY waits for every session that has a snapshot, and a session blocked
    in `pg_advisory_lock` has one.
    """
    async with open_pool(named_url) as pool, pool.connection() as holder:
        await holder.execute("SELECT pg_advisory_lock(4712)")

        async def blocked_start() -> None:
            async with pool.connection() as connection:
                await connection.execute("SELECT pg_advisory_lock(4712)")
                await connection.execute("SELECT pg_advisory_unlock(4712)")

        async def lock_is_waited_for() -> bool:
            return await waiting_for(pool, "advisory") == 1

        async def setup_waits() -> bool:
            return await waiting_for(pool, "virtualxid") == 1

        async with asyncio.TaskGroup() as group:
            group.create_task(blocked_start())
            await until(lock_is_waited_for)
            setup = group.create_task(AsyncPostgresSaver(pool).setup())
            await until(setup_waits)
            assert not setup.done()
            await holder.execute("SELECT pg_advisory_unlock(4712)")
