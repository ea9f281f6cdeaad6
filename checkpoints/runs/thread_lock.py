"""One runner a thread: politeness between processes. PROTOCOL.md stays the safety.

A session-level advisory lock is free some milliseconds after its process was killed, still held
while the process is suspended, and free when the server ends the session; so it keeps two runners
apart in everyday life and nothing depends on it.

With the lock goes a lease, which the holder renews. Whoever finds the lock taken and its lease over
ends the sessions of the holder's process: it is suspended, or cut off.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any

from psycopg import AsyncConnection, Error, OperationalError
from psycopg.errors import LockNotAvailable
from psycopg.rows import dict_row
from psycopg_pool import PoolTimeout

from daybook.checkpoints.pool import Conn
from daybook.checkpoints.statements import statements
from daybook.state.clock import SYSTEM, Clock
from daybook.state.errors import TakenOver, ThreadBusy
from daybook.state.fault_points import FaultPoint, reached

_LOG = logging.getLogger(__name__)

_BUSY = (
    "Another process works on the thread {} right now. Nothing was done; try again when it has "
    "finished."
)
_SQL = statements("runner.sql")

_WAIT = "2s"
"""How long a lock is waited for whose session was ended just now."""

LEASE = timedelta(seconds=10)
"""A holder that has been silent for longer may be taken over."""

_RENEWALS = 4
"""How often a lease is renewed in its length."""

_SOON = 2.0
"""Seconds that a run which failed waits for the database, to learn whether it was taken over."""


class ThreadLocks:
    """The session locks of this process, all on one direct connection of its own.

    It needs a direct connection: behind a transaction-pooling proxy a session lock means nothing.
    And it is the owner's connection: that may end the session of a holder that has gone silent.

    Args:
        process: by this name the server knows the sessions of this process.
        lease: how long this process may be silent before what it holds is taken over.
    """

    def __init__(
        self,
        url: str,
        tenant_id: str,
        process: str,
        lease: timedelta = LEASE,
        clock: Clock = SYSTEM,
    ) -> None:
        self._url = url
        self._whose = {"tenant_id": tenant_id, "process": process, "lease": lease}
        self._lease, self._clock = lease, clock
        self._conn: Conn | None = None
        self._one_at_a_time = asyncio.Lock()
        self._held: set[str] = set()
        self._renewing: asyncio.Task[None] | None = None

    @property
    def lease(self) -> timedelta:
        """Return how long this process may be silent."""
        return self._lease

    @asynccontextmanager
    async def hold(self, thread_id: str) -> AsyncIterator[None]:
        """Hold a thread for the length of the block.

        A holder whose lease has passed (suspended, or cut off) loses it: its sessions are ended.

        Raises:
            ThreadBusy: another process, or another run of this one, holds it.
            TakenOver: this process was silent for so long that another one took it.
        """
        # Session locks are re-entrant within one session: this set keeps our own runs apart. It is
        # entered before the first await, or two runs would both pass the look.
        if thread_id in self._held:
            raise ThreadBusy(_BUSY.format(thread_id))
        self._held.add(thread_id)
        try:
            taking = asyncio.create_task(self._take(thread_id))
            try:
                epoch = await asyncio.shield(taking)
            except asyncio.CancelledError:
                # What the server grants meanwhile would be nobody's, and the thread busy for ever.
                await asyncio.shield(self._give_back(taking, thread_id))
                raise
            if epoch is None:
                raise ThreadBusy(_BUSY.format(thread_id))
            try:
                self._renew_from_now_on()
                reached(FaultPoint.AFTER_LOCK)
                yield
            except OperationalError as error:
                # Whoever takes a thread over ends the sessions of the one who was silent.
                if await self._is_overtaken(thread_id, epoch):
                    raise TakenOver(thread_id) from error
                raise
            finally:
                # Shielded: a run that is cancelled gives its lock back all the same.
                await asyncio.shield(self._give(thread_id))
        finally:
            self._held.discard(thread_id)

    async def _give_back(self, taking: asyncio.Task[int | None], thread_id: str) -> None:
        with suppress(OperationalError):
            if await taking is not None:
                await self._give(thread_id)

    async def end_silent(self, thread_id: str) -> bool:
        """End the sessions of whoever holds a thread and is silent; tell whether there were any.

        For what waits for a row of the thread without holding it.
        """
        async with self._one_at_a_time:
            return await self._end_silent(await self._answering(), thread_id)

    async def _end_silent(self, conn: Conn, thread_id: str) -> bool:
        found = await conn.execute(_SQL["end_silent"], self._about(thread_id))
        return any(row["ended"] for row in await found.fetchall())

    async def close(self) -> None:
        """Stop renewing, and end the session, every lock with it."""
        if self._renewing is not None:
            self._renewing.cancel()
            await asyncio.gather(self._renewing, return_exceptions=True)
        if self._conn is not None:
            await self._conn.close()
            self._conn = None

    def _renew_from_now_on(self) -> None:
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.create_task(self._renew())

    async def _renew(self) -> None:
        """Renew all leases; not on a connection that the work may use up."""
        while self._held:
            await self._clock.sleep(self._lease.total_seconds() / _RENEWALS)
            try:
                await self._renew_held(list(self._held))
            except (Error, PoolTimeout) as error:
                _LOG.warning("leases could not be renewed: %s", error)

    async def _renew_held(self, threads: list[str]) -> None:
        async with self._one_at_a_time:
            conn = await self._connected()
            await conn.execute(_SQL["renew"], {**self._whose, "threads": threads})

    async def _take(self, thread_id: str) -> int | None:
        """Take a thread's lock with its lease; None where somebody else holds it.

        Returns:
            The epoch of the thread's last run; 0 where nobody has run it.
        """
        async with self._one_at_a_time:
            try:
                return await self._take_on(await self._connected(), thread_id)
            except OperationalError:
                if self._conn is None or not self._conn.closed:
                    raise
                # The server had ended the session, which shows only when it is used.
                return await self._take_on(await self._connected(), thread_id)

    async def _take_on(self, conn: Conn, thread_id: str) -> int | None:
        about = self._about(thread_id)
        row = await (await conn.execute(_SQL["take"], about)).fetchone()
        assert row is not None
        if row["taken"]:
            return int(row["epoch"]) if row["leased"] else None
        if not await self._end_silent(conn, thread_id):
            return None
        try:
            row = await (await conn.execute(_SQL["wait_for"], about)).fetchone()
        except LockNotAvailable:
            # Somebody else was waiting for it too, and was first.
            return None
        assert row is not None
        return int(row["epoch"]) if row["leased"] else None

    async def _is_overtaken(self, thread_id: str, epoch: int) -> bool:
        """Tell whether somebody else took the thread since this process had it; in doubt, no."""
        try:
            async with self._clock.timeout(_SOON):
                return await self._overtaken(thread_id, epoch)
        except (Error, PoolTimeout, TimeoutError):
            return False

    async def _overtaken(self, thread_id: str, epoch: int) -> bool:
        about = {**self._about(thread_id), "epoch": epoch}
        async with self._one_at_a_time:
            conn = await self._answering()
            row = await (await conn.execute(_SQL["is_overtaken"], about)).fetchone()
        return bool(row and row["is_overtaken"])

    def _about(self, thread_id: str) -> dict[str, Any]:
        return {**self._whose, "thread_id": thread_id}

    async def _answering(self) -> Conn:
        """Return a connection that the server knows: that it ended one shows only in its use."""
        conn = await self._connected()
        try:
            await conn.execute("select")
        except OperationalError:
            conn = await self._connected()
        return conn

    async def _connected(self) -> Conn:
        if self._conn is None or self._conn.closed:
            self._conn = await AsyncConnection.connect(
                self._url, autocommit=True, row_factory=dict_row
            )
            await self._conn.execute(f"set lock_timeout = '{_WAIT}'")
            await self._conn.execute(
                "select set_config('daybook.tenant', %(tenant_id)s, false)", self._whose
            )
        return self._conn

    async def _give(self, thread_id: str) -> None:
        async with self._one_at_a_time:
            if self._conn is None or self._conn.closed:
                return
            try:
                await self._conn.execute(_SQL["give"], self._about(thread_id))
            except OperationalError:
                # The session is gone and its locks with it; the next `hold` opens a new one.
                await self._conn.close()
