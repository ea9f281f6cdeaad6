"""Who runs which thread: an epoch for each run.

The epoch fences the checkpoints (`daybook.checkpoints.runs.saver`): what a runner that was taken
over still writes does not become the head. The ledger needs none of it: it decides each move again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from enum import StrEnum

from psycopg import AsyncCursor, DatabaseError, Error, OperationalError
from psycopg.rows import DictRow, dict_row

from daybook.checkpoints.pool import Pool, row_of
from daybook.checkpoints.runs.leases import ThreadLeases
from daybook.checkpoints.statements import statements
from daybook.state.errors import ModelUnavailable, ServiceUnavailable, TakenOver
from daybook.state.fault_points import FaultPoint, reached
from daybook.state.session import Session

_LOG = logging.getLogger(__name__)
_SQL = statements("runner.sql")
_PRUNE = statements("prune.sql")["prune"]

_KEPT_OF_A_TURN = 16
"""Checkpoints of the turn that ended, the newest, which stay for time travel."""

_OVERTAKEN = "DB001"

_SOON = 2.0
"""Seconds that a run which ends waits for the database; its person waits to be told."""

MOST_TRIES = 13
"""How often in a row workers try a thread that fails; then it is given up."""


class Ending(StrEnum):
    """How a run ended, as far as it can still say so.

    What was cut short (another side was out of reach, or it was cancelled) is tried for ever.
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
    """A run under way.

    Attributes:
        prunes: its turn has ended, or stops at a question: the older checkpoints go with its end.
    """

    prunes: bool = False


class Runners:
    """The runs of this process; their leases are renewed with the locks of their threads."""

    def __init__(self, pool: Pool, locks: ThreadLeases, process: str) -> None:
        self._pool = pool
        self._locks = locks
        self._process = process
        self._epochs: dict[str, int] = {}

    def epoch_of(self, thread_id: str) -> int | None:
        """Return the epoch in which this process runs a thread; None where it does not."""
        return self._epochs.get(thread_id)

    @asynccontextmanager
    async def run(self, session: Session, *, is_news: bool) -> AsyncIterator[Run]:
        """Be the runner of a thread for the length of the block; under the thread's lock.

        Args:
            is_news: something happens in the thread; else what stood still is gone on with.

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
            await asyncio.shield(self._end(thread_id, row["epoch"], ending, prunes=this.prunes))

    async def _end(self, thread_id: str, epoch: int, ending: Ending, *, prunes: bool) -> None:
        """Write down that a run has ended, in one transaction with what goes then.

        Raises:
            TakenOver: another process runs the thread by now: nothing of it goes.
        """
        about = {"thread_id": thread_id, "epoch": epoch, "ending": ending.value, "most": MOST_TRIES}
        ends = [(_SQL["end_run"], about)]
        if prunes:
            reached(FaultPoint.BEFORE_PRUNE)
            ends = [(_SQL["fence"], about), (_PRUNE, {**about, "keep": _KEPT_OF_A_TURN}), *ends]
        try:
            with refusing(thread_id):
                # What goes through one pipeline is one transaction.
                async with self._pool.connection(_SOON) as conn, conn.pipeline():
                    for statement, row in ends:
                        await conn.execute(statement, row)
        except Error:
            if prunes:
                # It may have been taken over by now, which whoever holds the thread finds out.
                await self._end(thread_id, epoch, Ending.CUT_SHORT, prunes=False)
                raise
            # The lease runs out by itself, and then somebody looks after the thread.
            _LOG.warning("the lease of the thread %s could not be given back", thread_id)


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


@contextmanager
def refusing(thread_id: str) -> Iterator[None]:
    """Tell by its name that the server refuses what a runner writes that was taken over.

    Raises:
        TakenOver: another process runs the thread by now, or it was erased.
    """
    try:
        yield
    except DatabaseError as error:
        if error.sqlstate != _OVERTAKEN:
            raise
        raise TakenOver(thread_id) from error
