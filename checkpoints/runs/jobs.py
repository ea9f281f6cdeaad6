"""Jobs on the same Postgres, with procrastinate: many workers, one job per thread at a time.

A job says which thread is to be looked at, and nothing else: all that counts is decided again from
runner and ledger. So a job is deleted when it ends, however it ends, and one whose worker is gone
is deleted too, not tried again: what still stands still is found again and gets a job of its own.
(Tried again, it would collide forever with a queued job for the same thread.)
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager
from psycopg import AsyncConnection, Error
from psycopg.rows import dict_row

from daybook.checkpoints.pool import Conn, configure
from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.reach import unavailable
from daybook.checkpoints.runs.overdue import Stalled
from daybook.checkpoints.statements import statements
from daybook.state.effects.keys import digest
from daybook.state.errors import DatabaseUnavailable

_LOG = logging.getLogger(__name__)
_SQL = statements("stalled.sql")

_TASK = "finish"

_HEARTBEAT_S = 3.0
_SILENCE = timedelta(seconds=10)
"""A worker that has been silent for longer is suspended or cut off: others get its jobs."""

_PRIORITY = {"died": 1, "silent": 1}
"""Interrupted work goes first: its holds expire, and its user may be waiting."""

_POLL_S = 1.0
_WAIT_S = 2.0
"""How long to wait for a connection before everything is reopened."""

_GRACE_S = 20.0
"""How long running jobs may continue when the worker stops; then they are cancelled."""

Finish = Callable[[str, str], Awaitable[None]]


class Jobs:
    """Give and do the jobs of one tenant, domain and world, by which their queue is named.

    Attributes:
        queue: in which they stand.
    """

    def __init__(self, app: App, queue: str, alive: _Alive) -> None:
        self._app, self._alive, self.queue = app, alive, queue

    async def give(self, threads: Sequence[Stalled], conn: Conn) -> None:
        """Give threads to whichever worker is free, within the transaction that claimed them."""
        jobs = [
            Job(
                queue=self.queue,
                priority=_PRIORITY.get(thread.why, 0),
                task_name=_TASK,
                lock=thread.thread_id,
                queueing_lock=thread.thread_id,
                task_kwargs={"thread_id": thread.thread_id, "why": thread.why},
            )
            for thread in threads
        ]
        if jobs:
            await self._app.job_manager.batch_defer_jobs_async(jobs, connection=conn)

    async def drop_left_behind(self) -> None:
        """Delete the jobs of workers that are gone, which keep their threads from other workers."""
        for job_id in await self._alive.jobs_left_behind(self.queue):
            await self._app.job_manager.finish_job_by_id_async(job_id, Status.FAILED, True)

    async def work(self, concurrency: int) -> None:
        """Do jobs until cancelled; those in progress are ended first.

        Raises:
            DatabaseUnavailable: the database went away.
        """
        try:
            await self._app.run_worker_async(
                queues=[self.queue],
                concurrency=concurrency,
                install_signal_handlers=False,
                delete_jobs="always",
                fetch_job_polling_interval=_POLL_S,
                update_heartbeat_interval=_HEARTBEAT_S,
                shutdown_graceful_timeout=_GRACE_S,
            )
        except ConnectorException as error:
            raise _gone(error) from error
        raise DatabaseUnavailable(
            "The worker lost its database connection. Nothing is lost: committed data is kept. "
            "The worker reconnects."
        )


class _Alive(JobManager):
    """A session lock for as long as the worker's process lives, and its session with it.

    It is free some milliseconds after a SIGKILL; a heartbeat tells of it much later.
    """

    def __init__(self, connector: PsycopgConnector, conn: Conn) -> None:
        super().__init__(connector)
        self._conn = conn

    async def register_worker(self) -> int:
        """Register a worker; it is known to be alive before it is given any job."""
        worker_id = await super().register_worker()
        await self._conn.execute(_SQL["be_alive"], {"worker_id": worker_id})
        return worker_id

    async def finish_job_by_id_async(self, job_id: int, status: Status, delete_job: bool) -> None:
        """Finish a job, which may have been given away meanwhile."""
        try:
            await super().finish_job_by_id_async(job_id, status, delete_job)
        except ConnectorException as error:
            _LOG.info("the job %s was not there to be finished: %s", job_id, error.__cause__)

    async def jobs_left_behind(self, queue: str) -> list[int]:
        """Return the jobs of workers that are gone. Fails when this worker's lock is lost too."""
        about = {"queue": queue, "silence": _SILENCE}
        cursor = await self._conn.execute(_SQL["jobs_left_behind"], about)
        return [row["id"] for row in await cursor.fetchall()]


@asynccontextmanager
async def open_jobs(
    postgres: Postgres, domain: str, world: str | None, finish: Finish
) -> AsyncIterator[Jobs]:
    """Open the jobs of a database.

    Args:
        world: the outside world that this process reaches; None if it is not told.
        finish: looks at a thread, by its id and by why it stands still; raises nothing.

    Raises:
        DatabaseUnavailable: the database went away.
    """

    async def set_up(conn: Conn) -> None:
        await conn.set_autocommit(True)
        await configure(conn, replace(postgres.place, cipher=None))

    connector = PsycopgConnector(
        conninfo=postgres.url,
        min_size=1,
        max_size=3,
        configure=set_up,
        timeout=_WAIT_S,
        reconnect_timeout=_WAIT_S,
    )
    try:
        async with await AsyncConnection.connect(
            postgres.url, autocommit=True, row_factory=dict_row
        ) as conn:
            await set_up(conn)
            app = App(connector=connector)
            app.job_manager = alive = _Alive(connector, conn)
            queue = queue_of(postgres.tenant_id, domain, world)
            app.task(name=_TASK, queue=queue)(finish)
            async with app.open_async():
                yield Jobs(app, queue, alive)
    except ConnectorException as error:
        raise _gone(error) from error


def queue_of(tenant_id: str, domain: str, world: str | None) -> str:
    """Name the queue of a tenant, domain and world; its channel may have 63 letters at most."""
    return digest([tenant_id, domain, world])[:32]


def _gone(error: ConnectorException) -> DatabaseUnavailable:
    cause = error.__cause__
    if isinstance(cause, Error):
        return unavailable(cause)
    return DatabaseUnavailable(
        f"The database cannot be used: {cause or error}. Nothing is lost: committed data is kept."
    )
