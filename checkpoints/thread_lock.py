"""One runner a thread: politeness between processes. PROTOCOL.md stays the safety.

A session-level advisory lock is free some milliseconds after its process was killed, still held
while the process is suspended, and free when the server ends the session; so it keeps two runners
apart in everyday life and nothing depends on it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

from psycopg import AsyncConnection, OperationalError
from psycopg.errors import LockNotAvailable
from psycopg.rows import DictRow, dict_row

from checkpoints.statements import statements
from state.errors import ThreadBusy

_BUSY = (
    "Another process works on the thread {} right now. Nothing was done; try again when it has "
    "finished."
)
_SQL = statements("runner.sql")

_WAIT = "2s"
"""How long a lock is waited for whose session was ended just now."""


class ThreadLocks:
    """Hold the session locks of this process, all on one direct connection of its own.

    It needs a direct connection: behind a transaction-pooling proxy a session lock means nothing.
    And it is the owner's connection: that may end the session of a runner that has gone silent.
    """

    def __init__(self, url: str, tenant_id: str) -> None:
        self._url = url
        self._tenant_id = tenant_id
        self._conn: AsyncConnection[DictRow] | None = None
        self._one_at_a_time = asyncio.Lock()
        self._held: set[str] = set()

    @asynccontextmanager
    async def hold(self, thread_id: str) -> AsyncIterator[None]:
        """Hold a thread for the length of the block.

        A holder whose lease has passed (suspended, or cut off) loses it: its session is ended.

        Raises:
            ThreadBusy: another process, or another run of this one, holds it.
        """
        # Session locks are re-entrant within one session: this set keeps our own runs apart. It is
        # entered before the first await, or two runs would both pass the look.
        if thread_id in self._held:
            raise ThreadBusy(_BUSY.format(thread_id))
        self._held.add(thread_id)
        try:
            taking = asyncio.create_task(self._take(thread_id))
            try:
                taken = await asyncio.shield(taking)
            except asyncio.CancelledError:
                # What the server grants meanwhile would be nobody's, and the thread busy for ever.
                await asyncio.shield(self._give_back(taking, thread_id))
                raise
            if not taken:
                raise ThreadBusy(_BUSY.format(thread_id))
            try:
                yield
            finally:
                # Shielded: a run that is cancelled gives its lock back all the same.
                await asyncio.shield(self._give(thread_id))
        finally:
            self._held.discard(thread_id)

    async def _give_back(self, taking: asyncio.Task[bool], thread_id: str) -> None:
        with suppress(OperationalError):
            if await taking:
                await self._give(thread_id)

    async def close(self) -> None:
        """End the session, and every lock with it."""
        if self._conn is not None:
            await self._conn.close()
            self._conn = None

    async def renew(self, epochs: Mapping[str, int], lease: timedelta) -> None:
        """Renew leases, by thread and epoch; not on a connection that the work may use up."""
        about = {"threads": list(epochs), "epochs": list(epochs.values()), "lease": lease}
        async with self._one_at_a_time:
            conn = await self._connected()
            await conn.execute(_SQL["renew"], about)

    async def _take(self, thread_id: str) -> bool:
        async with self._one_at_a_time:
            try:
                return await self._take_on(await self._connected(), thread_id)
            except OperationalError:
                if self._conn is None or not self._conn.closed:
                    raise
                # The server had ended the session, which shows only when it is used.
                return await self._take_on(await self._connected(), thread_id)

    async def _take_on(self, conn: AsyncConnection[DictRow], thread_id: str) -> bool:
        about = {"thread_id": thread_id}
        row = await (await conn.execute(_SQL["take"], about)).fetchone()
        assert row is not None
        if row["taken"]:
            return True
        ended = await (await conn.execute(_SQL["end_silent"], about)).fetchall()
        if not any(row["ended"] for row in ended):
            return False
        try:
            await conn.execute(_SQL["wait_for"], about)
        except LockNotAvailable:
            # Somebody else was waiting for it too, and was first.
            return False
        return True

    async def _connected(self) -> AsyncConnection[DictRow]:
        if self._conn is None or self._conn.closed:
            self._conn = await AsyncConnection.connect(
                self._url, autocommit=True, row_factory=dict_row
            )
            await self._conn.execute(f"set lock_timeout = '{_WAIT}'")
            await self._conn.execute(
                "select set_config('daybook.tenant', %s, false)", (self._tenant_id,)
            )
        return self._conn

    async def _give(self, thread_id: str) -> None:
        async with self._one_at_a_time:
            if self._conn is None or self._conn.closed:
                return
            try:
                await self._conn.execute(_SQL["give"], {"thread_id": thread_id})
            except OperationalError:
                # The session is gone and its locks with it; the next `hold` opens a new one.
                await self._conn.close()
