"""One runner a thread: politeness between processes. PROTOCOL.md stays the safety.

A session-level advisory lock is free some milliseconds after its process was killed, still held
while the process is suspended, and free when the server ends the session; so it keeps two runners
apart in everyday life and nothing depends on it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from psycopg import AsyncConnection, OperationalError

from state.errors import ThreadBusy

_BUSY = (
    "Another process works on the thread {} right now. Nothing was done; try again when it has "
    "finished."
)
_TAKE = "select pg_try_advisory_lock(hashtextextended(%s, 0))"
_GIVE = "select pg_advisory_unlock(hashtextextended(%s, 0))"


class ThreadLocks:
    """Hold the session locks of this process, all on one direct connection of its own.

    It needs a direct connection: behind a transaction-pooling proxy a session lock means nothing.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._conn: AsyncConnection | None = None
        self._one_at_a_time = asyncio.Lock()
        self._held: set[str] = set()

    @asynccontextmanager
    async def hold(self, thread_id: str) -> AsyncIterator[None]:
        """Hold a thread for the length of the block.

        Raises:
            ThreadBusy: another process, or another run of this one, holds it.
        """
        # Session locks are re-entrant within one session: this set keeps our own runs apart. It is
        # entered before the first await, or two runs would both pass the look.
        if thread_id in self._held:
            raise ThreadBusy(_BUSY.format(thread_id))
        self._held.add(thread_id)
        try:
            if not await self._take(thread_id):
                raise ThreadBusy(_BUSY.format(thread_id))
            try:
                yield
            finally:
                # Shielded: a run that is cancelled gives its lock back all the same.
                await asyncio.shield(self._give(thread_id))
        finally:
            self._held.discard(thread_id)

    async def close(self) -> None:
        """End the session, and every lock with it."""
        if self._conn is not None:
            await self._conn.close()
            self._conn = None

    async def _take(self, thread_id: str) -> bool:
        async with self._one_at_a_time:
            if self._conn is None or self._conn.closed:
                self._conn = await AsyncConnection.connect(self._url, autocommit=True)
            row = await (await self._conn.execute(_TAKE, (thread_id,))).fetchone()
            return bool(row and row[0])

    async def _give(self, thread_id: str) -> None:
        async with self._one_at_a_time:
            if self._conn is None or self._conn.closed:
                return
            try:
                await self._conn.execute(_GIVE, (thread_id,))
            except OperationalError:
                # The session is gone and its locks with it; the next `hold` opens a new one.
                await self._conn.close()
