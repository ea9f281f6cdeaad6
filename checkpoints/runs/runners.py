"""One runner per thread: a lease is a row that its holder renews; there is no other lock.

A lease is politeness and liveness, docs/protocol.md (Send) stays the safety. A lease that is over
is anybody's. So is one whose process has no session at this server any more, which it has not some
milliseconds after it was killed; a process that shares its sessions (behind a pooler, or with an
application) is known by its silence alone.

Each run has an epoch, which fences the checkpoints (`daybook.checkpoints.runs.saver`): what a
runner that was taken over still writes does not become the head. The ledger needs none of it: it
decides each move again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any

from psycopg import AsyncCursor, Error, OperationalError
from psycopg.rows import DictRow, dict_row

from daybook.checkpoints.pending_writes import Statement, Unstored, refusing
from daybook.checkpoints.pool import Conn, Pool, each_of, row_of, run_of
from daybook.checkpoints.statements import statements
from daybook.state.clock import SYSTEM, Clock
from daybook.state.errors import ModelUnavailable, ServiceUnavailable, TakenOver, ThreadBusy
from daybook.state.fault_points import FaultPoint, reached
from daybook.state.session import Session

_LOG = logging.getLogger(__name__)

_BUSY = (
    "Another process is working on the thread {}. Nothing was done; try again when it has finished."
)
_SQL = statements("runner.sql")

LEASE = timedelta(seconds=10)
"""A holder that has been silent for longer can be taken over."""

SHARES = "daybook-shares-"
"""Prefix of the name of a process whose sessions do not show whether it lives (see `has_ended`)."""

_RENEWALS = 4
"""How often a lease is renewed in its length."""

_REMEMBERED = 1000
"""The threads whose last epoch a process remembers."""

_SOON = 2.0
"""Seconds that a failed run waits for the database, to find out whether it was taken over."""


class ThreadLeases:
    """The leases of this process.

    Args:
        as_owner: connects with the right to end the sessions of a holder that has gone silent.
        process: by this name the server knows the sessions of this process.
        lease: how long this process may be silent before what it holds is taken over.
    """

    def __init__(
        self,
        pool: Pool,
        as_owner: Callable[[], AbstractAsyncContextManager[Conn]],
        process: str,
        lease: timedelta = LEASE,
        clock: Clock = SYSTEM,
    ) -> None:
        self._pool, self._as_owner = pool, as_owner
        self._whose = {"tenant_id": pool.place.tenant_id, "process": process, "lease": lease}
        self.lease, self._clock = lease, clock
        self._held: set[str] = set()
        self._given: set[str] = set()
        self._renewing: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def hold(self, thread_id: str, *asked: Statement) -> AsyncIterator[list[list[DictRow]]]:
        """Hold a thread for the length of the block.

        A holder whose lease has passed (suspended, or cut off) loses it: its sessions are ended.

        Args:
            asked: what is read once it is held, which saves a round trip; the block gets the rows.

        Raises:
            ThreadBusy: another process, or another run of this one, holds it.
            TakenOver: this process was silent for so long that another one took it.
        """
        # Entered before the first await, or two runs of this process would both pass the look.
        if thread_id in self._held:
            raise ThreadBusy(_BUSY.format(thread_id))
        self._held.add(thread_id)
        try:
            taking = asyncio.create_task(self._take(thread_id, asked))
            try:
                taken = await asyncio.shield(taking)
            except asyncio.CancelledError:
                # What the server grants meanwhile would be nobody's until it is over.
                await asyncio.shield(self._give_back(taking, thread_id))
                raise
            if taken is None:
                raise ThreadBusy(_BUSY.format(thread_id))
            epoch, found = taken
            try:
                self._renew_from_now_on()
                reached(FaultPoint.AFTER_LOCK)
                yield found
            except OperationalError as error:
                # Whoever takes a thread over ends the sessions of the one who was silent.
                if await self._is_overtaken(thread_id, epoch):
                    raise TakenOver(thread_id) from error
                raise
            finally:
                if thread_id not in self._given:
                    # Shielded: a run that is cancelled gives its lease back all the same.
                    await asyncio.shield(self._give(thread_id))
        finally:
            self._held.discard(thread_id)
            self._given.discard(thread_id)

    def gave(self, thread_id: str) -> None:
        """Take note that the lease of a thread was given back with the end of its run."""
        self._given.add(thread_id)

    async def end_silent(self, thread_id: str) -> bool:
        """End the sessions of whoever holds a thread and is silent; tell whether there were any.

        One of them may have been suspended in a transaction, with locks.
        """
        about = self._about(thread_id)
        row = await row_of(self._pool, _SQL["silent"], about)
        return row is not None and await self._end(row["process"])

    async def close(self) -> None:
        """Stop renewing."""
        if self._renewing is not None:
            self._renewing.cancel()
            await asyncio.gather(self._renewing, return_exceptions=True)

    async def _take(
        self, thread_id: str, asked: Sequence[Statement]
    ) -> tuple[int, list[list[DictRow]]] | None:
        """Take a lease; None if someone else has it.

        Returns:
            The epoch of the thread's last run, 0 if nobody has run it; and what was asked.
        """
        taken, *found = await each_of(self._pool, (_SQL["take"], self._about(thread_id)), *asked)
        if not taken:
            return None
        [row] = taken
        if row["before"] not in (None, self._whose["process"]):
            await self._end(row["before"])
            # It may have written until then.
            found = await each_of(self._pool, *asked)
        return int(row["epoch"]), found

    async def _end(self, process: str) -> bool:
        if process.startswith(SHARES):
            # They are not its own.
            return False
        async with self._as_owner() as conn:
            found = await conn.execute(_SQL["end_sessions"], {"process": process})
            return any(row["ended"] for row in await found.fetchall())

    async def _give_back(self, taking: asyncio.Task[Any], thread_id: str) -> None:
        with suppress(OperationalError):
            if await taking is not None:
                await self._give(thread_id)

    async def _give(self, thread_id: str) -> None:
        with suppress(Error):  # the lease runs out by itself
            await run_of(self._pool, _SQL["give"], self._about(thread_id))

    def _renew_from_now_on(self) -> None:
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.create_task(self._renew())

    async def _renew(self) -> None:
        while self._held:
            await self._clock.sleep(self.lease.total_seconds() / _RENEWALS)
            about = {**self._whose, "threads": list(self._held)}
            try:
                await run_of(self._pool, _SQL["renew"], about)
            except Error as error:
                _LOG.warning("leases could not be renewed: %s", error)

    async def _is_overtaken(self, thread_id: str, epoch: int) -> bool:
        """Tell whether someone else took the thread since this process had it; in doubt, no."""
        about = {**self._about(thread_id), "epoch": epoch}
        try:
            async with self._clock.timeout(_SOON):
                row = await row_of(self._pool, _SQL["is_overtaken"], about)
        except (Error, TimeoutError):
            return False
        return bool(row and row["is_overtaken"])

    def _about(self, thread_id: str) -> dict[str, Any]:
        return {**self._whose, "thread_id": thread_id}


_PRUNE = statements("prune.sql")["prune"]

_KEPT_OF_A_TURN = 16
"""The newest checkpoints of a finished turn, which are kept for time travel."""

_END_SOON = 2.0
"""Seconds that a finished run waits for the database, while its user waits."""

MOST_TRIES = 13
"""How often workers retry a failing thread before they give it up."""


class Ending(StrEnum):
    """How a run ended, as far as it can still say so.

    What was cut short (a provider was out of reach, or it was cancelled) is tried forever.
    """

    WELL = "well"
    CUT_SHORT = "cut short"
    FAILED = "failed"


_NOT_ITS_FAULT = (
    OperationalError,
    ServiceUnavailable,
    ModelUnavailable,
    asyncio.CancelledError,
    GeneratorExit,
)


@dataclass
class Run:
    """A run in progress.

    Attributes:
        prunes: its turn has ended, or stops at a question: the older checkpoints go with its end.
        gives_back: nothing comes behind it under the thread's lock, which is given back with it.
    """

    prunes: bool = False
    gives_back: bool = False


class Runners:
    """The runs of this process; their leases are renewed with the locks of their threads."""

    def __init__(self, pool: Pool, locks: ThreadLeases, process: str, unstored: Unstored) -> None:
        self._pool, self._unstored = pool, unstored
        self._locks = locks
        self._process = process
        self._epochs: dict[str, int] = {}
        self._last: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def epoch_of(self, thread_id: str) -> int | None:
        """Return the epoch in which this process runs a thread; None if it does not."""
        return self._epochs.get(thread_id)

    def later_epoch(self, thread_id: str, epoch: int | None) -> int | None:
        """Return the newest epoch of a thread, if all since `epoch` were of this process."""
        first, last = self._last.get(thread_id, (0, 0))
        return last if epoch is not None and first <= epoch < last else None

    @asynccontextmanager
    async def run(self, session: Session, *, is_news: bool) -> AsyncIterator[Run]:
        """Be the runner of a thread for the length of the block; under the thread's lock.

        Args:
            is_news: something happens in the thread; else what stood still is continued.

        Raises:
            TakenOver: this process holds the thread no more: it was silent for too long.
        """
        thread_id = session.thread_id
        about = {
            "thread_id": thread_id,
            "tenant_id": session.tenant_id,
            "user_id": session.user_id,
            "process": self._process,
            "lease": self._locks.lease,
            "is_news": is_news,
        }
        reached(FaultPoint.BEFORE_RUN)
        row = await row_of(self._pool, _SQL["begin_run"], about)
        if row is None:
            raise TakenOver(thread_id)
        self._epochs[thread_id] = row["epoch"]
        first, last = self._last.pop(thread_id, (0, 0))
        self._last[thread_id] = first if row["epoch"] == last + 1 else row["epoch"], row["epoch"]
        while len(self._last) > _REMEMBERED:
            self._last.popitem(last=False)
        ending, this = Ending.FAILED, Run()
        try:
            yield this
            ending = Ending.WELL
        except _NOT_ITS_FAULT:
            ending = Ending.CUT_SHORT
            raise
        finally:
            del self._epochs[thread_id]
            # Shielded: a run that is cancelled says so all the same.
            try:
                await asyncio.shield(self._end(about, row["epoch"], ending, this))
            finally:
                self._unstored.end(thread_id)

    async def _end(self, about: Mapping[str, Any], epoch: int, ending: Ending, this: Run) -> None:
        """Write down that a run has ended, in one transaction with what is stored and goes then.

        Raises:
            TakenOver: another process runs the thread by now: nothing of it is stored, or goes.
        """
        thread_id = about["thread_id"]
        about = {**about, "epoch": epoch, "ending": ending.value, "most": MOST_TRIES}
        ends = [(_SQL["end_run"], about)]
        if this.prunes:
            ends = [(_SQL["fence"], about), (_PRUNE, {**about, "keep": _KEPT_OF_A_TURN}), *ends]
        # First: who renews leases locks them in this order too, the lease and then the runner.
        gives = [(_SQL["give"], about)] if this.gives_back else []
        matters = this.prunes or self._unstored.waits(thread_id)
        try:
            with self._unstored.taken(thread_id) as before:
                if this.prunes:
                    reached(FaultPoint.BEFORE_PRUNE)
                # What goes through one pipeline is one transaction.
                async with (
                    self._pool.connection(None if before else _END_SOON) as conn,
                    conn.pipeline(),
                ):
                    for statement, row in (*gives, *before, *ends):
                        await conn.execute(statement, row)
            if this.gives_back:
                self._locks.gave(thread_id)
        except Error:
            if matters:
                # It may have been taken over by now, which whoever holds the thread finds out.
                self._unstored.end(thread_id)
                await self._end(about, epoch, Ending.CUT_SHORT, Run())
                raise
            # The lease runs out by itself, and then someone looks after the thread.
            _LOG.warning("the lease of the thread %s could not be released", thread_id)


@asynccontextmanager
async def fenced(pool: Pool, thread_id: str, epoch: int) -> AsyncIterator[AsyncCursor[DictRow]]:
    """Open a cursor in one transaction with the look whether this is still the thread's epoch.

    Raises:
        TakenOver: another process runs the thread by now, or it was erased.
    """
    with refusing(thread_id):
        async with (
            pool.connection() as conn,
            conn.pipeline(),
            conn.transaction(),
            conn.cursor(binary=True, row_factory=dict_row) as cursor,
        ):
            await conn.execute(_SQL["fence"], {"thread_id": thread_id, "epoch": epoch})
            yield cursor
