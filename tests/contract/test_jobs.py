"""What procrastinate does with a job whose worker is gone: why ours are deleted, not tried again."""

from collections.abc import AsyncIterator

import pytest
from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException, UniqueViolation
from procrastinate.jobs import Job, Status

LOCKED = {"lock": "t-1", "queueing_lock": "t-1"}


@pytest.fixture
async def app(url: str) -> AsyncIterator[App]:
    """Yield an app on a database of its own."""
    app = App(connector=PsycopgConnector(conninfo=url, min_size=1, max_size=2))
    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        yield app


async def given(app: App) -> None:
    await app.configure_task("finish", **LOCKED).defer_async()


async def fetched(app: App) -> Job | None:
    return await app.job_manager.fetch_job(None, await app.job_manager.register_worker())


async def test_a_stalled_job_keeps_others_of_its_thread_waiting_until_it_is_deleted(app: App):
    """It cannot be tried again, nor finished by whoever wakes up after it was deleted."""
    await given(app)
    stalled = await fetched(app)
    assert stalled is not None
    await given(app)
    assert await fetched(app) is None
    with pytest.raises(UniqueViolation):
        await app.job_manager.retry_job(stalled)
    await app.job_manager.finish_job(stalled, Status.FAILED, delete_job=True)
    later = await fetched(app)
    assert later is not None
    assert later.id != stalled.id
    with pytest.raises(ConnectorException):
        await app.job_manager.finish_job(stalled, Status.SUCCEEDED, delete_job=True)


async def test_a_heartbeat_tells_of_a_worker_s_death_and_not_at_once(app: App):
    await given(app)
    assert await fetched(app) is not None
    stalled = app.job_manager.get_stalled_jobs
    assert not await stalled(seconds_since_heartbeat=10)
    assert len(list(await stalled(seconds_since_heartbeat=-1))) == 1
