"""Threads that nobody finishes: their runner died, something of them is due, a turn was cut off.

Found and claimed by one statement, however many workers look at once. A thread at which many tries
fail in a row is given up, until something new happens in it or someone says so.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from daybook.checkpoints.pool import Conn, Pool, row_of, run_of
from daybook.checkpoints.runs.runners import MOST_TRIES
from daybook.checkpoints.statements import statements

_SQL = statements("stalled.sql")

_WITHOUT_QUEUE = _SQL["claim"].replace("with alive", f"with {_SQL['no_queue']},\nalive", 1)

_QUICK_TRIES = 3
"""How many retries follow immediately, in case a worker died; all retries take eight minutes."""

_AT_ONCE = 100


@dataclass(frozen=True)
class Stalled:
    """A claimed thread.

    Attributes:
        why: "died" or "silent" (its runner), "due: ..." (steps), "cut off" (a turn).
        is_given_up: not to be tried again; it is said once.
    """

    thread_id: str
    why: str
    is_given_up: bool


class StalledThreads:
    """Find and claim threads of one tenant that stand still."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._has_queue = False

    @asynccontextmanager
    async def claimed(
        self,
        domain: str,
        idle: timedelta,
        world: str | None = None,
        queue: str | None = None,
    ) -> AsyncIterator[tuple[list[Stalled], Conn]]:
        """Claim what stands still; the claim is committed when the block ends.

        Args:
            world: and of those that deal with this outside world; None if it is not told.
            idle: how long a turn that was cut off is left alone: its user may try again.
            queue: to which it is given; what waits in it already is not added to without end.

        Yields:
            What was claimed, in the order in which it is to be finished, and the connection whose
            transaction claims it.
        """
        about = {
            "domain": domain,
            "world": world,
            "queue": queue,
            "idle": idle,
            "most": MOST_TRIES,
            "quick": _QUICK_TRIES,
            "at_once": _AT_ONCE,
        }
        async with self._pool.connection() as conn, conn.transaction():
            if not self._has_queue:
                cursor = await conn.execute(_SQL["has_queue"])
                row = await cursor.fetchone()
                self._has_queue = bool(row and row["has_queue"])
            claim = _SQL["claim"] if self._has_queue else _WITHOUT_QUEUE
            rows = await (await conn.execute(claim, about)).fetchall()
            yield [Stalled(**row) for row in rows], conn

    async def is_due(self, thread_id: str) -> bool:
        """Tell whether something of a thread is due, though a question may wait in it."""
        row = await row_of(self._pool, _SQL["is_due"], {"thread_id": thread_id})
        return bool(row and row["is_due"])

    async def rest(self, thread_id: str, *, status: str) -> None:
        """Say that nobody is at work on a thread: it is idle, or waiting for a person."""
        await run_of(self._pool, _SQL["rest"], {"thread_id": thread_id, "status": status})

    async def not_tried(self, thread_id: str) -> None:
        """Take back the try of a thread that someone else was at work on."""
        await run_of(self._pool, _SQL["not_tried"], {"thread_id": thread_id})

    async def again(self, thread_id: str | None) -> int:
        """Let workers try again what was tried in vain, one thread or all; count the threads."""
        return await run_of(self._pool, _SQL["again"], {"thread_id": thread_id})
