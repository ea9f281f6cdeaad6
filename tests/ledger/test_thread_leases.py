"""One runner a thread by rows alone, as behind a pooler that lends sessions for a transaction."""

import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta

import pytest

from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.state.errors import ThreadBusy

BRIEF = timedelta(milliseconds=300)


@pytest.fixture
async def two(postgres_url: str) -> AsyncIterator[list[Postgres]]:
    """Open the database as two processes would, without any session lock."""
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(
                open_postgres(
                    postgres_url,
                    tenant_id="default",
                    stored_types=(),
                    lease=BRIEF,
                    is_pooled=True,
                )
            )
            for _ in range(2)
        ]


async def test_a_thread_that_is_held_is_busy_for_everybody_else_and_free_afterwards(
    two: list[Postgres],
):
    one, other = two
    thread = str(uuid.uuid4())
    async with one.locks.hold(thread):
        with pytest.raises(ThreadBusy):
            async with other.locks.hold(thread):
                pass
        # Renewed: longer than a lease it stays held.
        await one.clock.sleep(2 * BRIEF.total_seconds())
        with pytest.raises(ThreadBusy):
            async with other.locks.hold(thread):
                pass
    async with other.locks.hold(thread):
        pass
    assert await session_locks(one) == 0


async def test_who_falls_silent_loses_the_thread_and_learns_it(two: list[Postgres]):
    one, other = two
    thread = str(uuid.uuid4())
    async with one.locks.hold(thread):
        # As a process that is suspended: it renews nothing.
        await one.locks.close()
        await one.clock.sleep(2 * BRIEF.total_seconds())
        async with other.locks.hold(thread):
            assert await one.locks._is_overtaken(thread, 0)


async def session_locks(postgres: Postgres) -> int:
    async with postgres.pool.connection() as conn:
        found = await conn.execute(
            "select count(*) as n from pg_locks where locktype = 'advisory'"
            " and database = (select oid from pg_database where datname = current_database())"
        )
        row = await found.fetchone()
    assert row is not None
    return int(row["n"])
