"""The application of one process: Aegra's, on the database and services that its runs need.

Beside it, runs that are at work by Aegra's record and that no process holds are given back to its
reaper. A worker that lost its lease, and took the same run up again, gives the second lease back
with the first; the run stays `running` without one. Aegra looks for leases that have run out alone,
so such a thread would be busy for ever.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import Any

from daybook.state.clock import SYSTEM

_LOG = logging.getLogger(__name__)

_EVERY_S = 15.0
"""Longer than Aegra's heartbeats take to end whoever is still at such a run."""


@asynccontextmanager
async def lease_watch() -> AsyncIterator[None]:
    """Look for such runs now and then, for the length of the block."""
    looking = asyncio.create_task(_look())
    try:
        yield
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


async def _look() -> None:
    from aegra_api.settings import settings

    if not settings.redis.REDIS_BROKER_ENABLED:
        # One process without a queue: it holds its runs without a lease.
        return
    before: Collection[str] = ()
    while True:
        await SYSTEM.sleep(_EVERY_S)
        try:
            before = await _end_leases(before)
        except Exception as error:
            # Its database is away, or not open yet: they are looked for again.
            _LOG.warning("runs that nobody holds were not looked for (%s)", type(error).__name__)


_UNHELD = """
select run_id from runs
where status = 'running' and claimed_by is null and lease_expires_at is null"""


async def _end_leases(before: Collection[str]) -> Collection[str]:
    """End the lease, which they lack, of runs that nobody held before; return those of now."""
    from aegra_api.core.orm import Run, get_session_maker

    async with get_session_maker()() as session:
        conn = await session.connection()
        found = {str(row[0]) for row in await conn.exec_driver_sql(_UNHELD)}
        for run_id in found.intersection(before):
            run = await session.get(Run, run_id, with_for_update=True)
            if run is not None and (run.status, run.claimed_by) == ("running", None):
                _LOG.warning("no process holds run %s; another one takes it up", run_id)
                run.lease_expires_at = SYSTEM.now()
        await session.commit()
    return found


def create_app() -> Any:
    """Return Aegra's application; it opens ours first, and closes it last."""
    from aegra_api.main import app

    from daybook.app.server.production.aegra import opened

    lifespan_of_aegra = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(application: Any) -> AsyncIterator[Any]:
        # Before Aegra is started: from then on it takes up runs.
        async with opened(), lease_watch(), lifespan_of_aegra(application) as state:
            yield state

    app.router.lifespan_context = lifespan
    return app
