"""One runner a thread by rows alone, for a pooler that lends sessions for a transaction each.

Behind such a pooler a session lock is taken on one session and given back on another. A lease is a
row. What is lost: a process that was killed is known by its silence, after the lease, and not some
milliseconds later; and the sessions of a silent one are not ended. PROTOCOL.md stays the safety: it
writes nothing more as the runner of a thread that somebody else has taken (the fence).
"""

from __future__ import annotations

from datetime import timedelta

from psycopg import Error

from daybook.checkpoints.pool import Pool, row_of, rows_of
from daybook.checkpoints.runs.thread_lock import LEASE, ThreadLocks
from daybook.checkpoints.statements import statements
from daybook.state.clock import SYSTEM, Clock

_SQL = statements("runner.sql")

LEASED = "daybook-leased-"
"""So the name begins of a process that holds threads by their leases alone: statements go by it."""


class ThreadLeases(ThreadLocks):
    """The leases of this process, in the pool that everything else runs on."""

    def __init__(
        self,
        pool: Pool,
        tenant_id: str,
        process: str,
        lease: timedelta = LEASE,
        clock: Clock = SYSTEM,
    ) -> None:
        super().__init__("", tenant_id, process, lease, clock)
        self._pool = pool

    async def end_silent(self, thread_id: str) -> bool:
        """Tell that nobody's sessions were ended: they are the pooler's."""
        return False

    async def _take(self, thread_id: str) -> int | None:
        row = await row_of(self._pool, _SQL["take_lease"], self._about(thread_id))
        return int(row["epoch"]) if row is not None else None

    async def _give(self, thread_id: str) -> None:
        try:
            await rows_of(self._pool, _SQL["give_lease"], self._about(thread_id))
        except Error:
            # The lease runs out by itself.
            return

    async def _renew_held(self, threads: list[str]) -> None:
        await rows_of(self._pool, _SQL["renew"], {**self._whose, "threads": threads})

    async def _overtaken(self, thread_id: str, epoch: int) -> bool:
        about = {**self._about(thread_id), "epoch": epoch}
        row = await row_of(self._pool, _SQL["is_overtaken"], about)
        return bool(row and row["is_overtaken"])
