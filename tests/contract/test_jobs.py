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


@pytest.fixture
async def stalled(app: App) -> Job:
    """Give a job that is being done."""
    await given(app)
    job = await fetched(app)
    assert job is not None
    return job


async def test_a_stalled_job_keeps_others_of_its_thread_waiting_and_cannot_be_tried_again(
    app: App, stalled: Job
):
    await given(app)
    assert await fetched(app) is None
    with pytest.raises(UniqueViolation):
        await app.job_manager.retry_job(stalled)


async def test_a_stalled_job_that_is_deleted_lets_the_next_one_go(app: App, stalled: Job):
    await given(app)
    await app.job_manager.finish_job(stalled, Status.FAILED, delete_job=True)
    later = await fetched(app)
    assert later is not None
    assert later.id != stalled.id


async def test_a_job_that_was_deleted_meanwhile_cannot_be_finished(app: App, stalled: Job):
    await app.job_manager.finish_job(stalled, Status.FAILED, delete_job=True)
    with pytest.raises(ConnectorException):
        await app.job_manager.finish_job(stalled, Status.SUCCEEDED, delete_job=True)


async def test_a_heartbeat_tells_of_a_worker_s_death_and_not_at_once(app: App):
    await given(app)
    assert await fetched(app) is not None
    stalled = app.job_manager.get_stalled_jobs
    assert not await stalled(seconds_since_heartbeat=10)
    assert len(list(await stalled(seconds_since_heartbeat=-1))) == 1
