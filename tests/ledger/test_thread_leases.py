"""One runner a thread by a row: behind a pooler by the row alone, else by its process's sessions too."""

import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from datetime import timedelta

import pytest

from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.state.errors import ThreadBusy
from daybook.state.session import Session

BRIEF = timedelta(milliseconds=300)


@pytest.fixture
async def two(postgres_url: str) -> AsyncIterator[list[Postgres]]:
    """Open the database as two processes behind a pooler would."""
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


async def test_who_falls_silent_loses_the_thread_and_learns_it(two: list[Postgres]):
    one, other = two
    thread = str(uuid.uuid4())
    async with one.locks.hold(thread):
        # As a process that is suspended: it renews nothing.
        await one.locks.close()
        await one.clock.sleep(2 * BRIEF.total_seconds())
        async with other.locks.hold(thread):
            assert await one.locks._is_overtaken(thread, 0)


@pytest.fixture
async def direct(postgres_url: str) -> AsyncIterator[Postgres]:
    """Open the database as a worker does: with no pooler between."""
    async with open_postgres(
        postgres_url, tenant_id="default", stored_types=(), lease=BRIEF
    ) as postgres:
        yield postgres


async def test_who_connects_directly_leaves_what_is_held_by_a_lease_alone(
    two: list[Postgres], direct: Postgres
):
    thread = str(uuid.uuid4())
    async with two[0].locks.hold(thread):
        await two[0].clock.sleep(2 * BRIEF.total_seconds())
        with pytest.raises(ThreadBusy):
            async with direct.locks.hold(thread):
                pass
    async with direct.locks.hold(thread):
        with pytest.raises(ThreadBusy):
            async with two[0].locks.hold(thread):
                pass
    async with two[0].locks.hold(thread):
        pass


async def test_a_thread_whose_process_has_no_session_any_more_is_taken_over_at_once(
    postgres_url: str, direct: Postgres
):
    thread = str(uuid.uuid4())
    async with AsyncExitStack() as stack:
        async with open_postgres(postgres_url, tenant_id="default", stored_types=()) as gone:
            await stack.enter_async_context(gone.locks.hold(thread))
            with pytest.raises(ThreadBusy):
                async with direct.locks.hold(thread):
                    pass
        # Its lease has nine seconds left.
        async with direct.clock.timeout(5):
            while True:
                with suppress(ThreadBusy):
                    async with direct.locks.hold(thread):
                        break
                await direct.clock.sleep(0.01)


async def test_a_run_behind_a_pooler_has_not_died_but_once_it_is_silent(
    two: list[Postgres], direct: Postgres
):
    session = Session(
        tenant_id="default",
        thread_id=str(uuid.uuid4()),
        user_id="ada",
        author="ada",
        role="customer",
        worker=uuid.uuid4(),
    )
    await two[0].threads.begin(session, "leases", None)
    async with (
        two[0].locks.hold(session.thread_id),
        two[0].runners.run(session, is_news=True),
    ):
        await two[0].clock.sleep(2 * BRIEF.total_seconds())
        assert await found_by(direct) == []
        await two[0].locks.close()
        await direct.clock.sleep(2 * BRIEF.total_seconds())
        assert await found_by(direct) == [(session.thread_id, "silent")]


async def found_by(postgres: Postgres) -> list[tuple[str, str]]:
    async with postgres.stalled.claimed("leases", timedelta(hours=1)) as (found, _):
        return [(one.thread_id, one.why) for one in found]
