"""Erase what threads hold beside the chain: payloads, reads, checkpoints.

All of it, where a person is to be forgotten; by its period, some time after a thread's last
activity. The application may not: this runs as the owner of the database. The entries of the ledger
stay, and their chain verifies without the payloads.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from psycopg.rows import DictRow

from daybook.checkpoints.pool import Conn
from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.runs.runners import ThreadLeases
from daybook.checkpoints.statements import statements
from daybook.state.errors import TakenOver, ThreadBusy
from daybook.state.fault_points import FaultPoint, reached
from daybook.state.people.budget import MOST_DAYS
from daybook.state.people.lifecycle import Part

_SQL = statements("erasure.sql")


_ERASES = {
    Part.CHECKPOINTS: ("erase_checkpoints", "erase_blobs", "erase_writes"),
    Part.READS: ("erase_reads", "erase_documents"),
    Part.PAYLOADS: (
        *("erase_payloads", "erase_spending", "erase_outside", "erase_doubts"),
        "erase_notifications",
    ),
}


KEEP_USAGE = timedelta(days=MOST_DAYS + 34)
"""How long model usage is stored; no budget counts a longer period."""


@dataclass(frozen=True)
class Held:
    """What stands of a thread that could be erased.

    Attributes:
        status: active (a turn is in progress), waiting (for a person), idle, closed.
        idle: time since its last activity.
        rows: how many there are of each part; blobs, pending writes and spans count as
            checkpoints.
        kept: why nothing of it may be erased, or "".
    """

    thread_id: str
    status: str
    idle: timedelta
    rows: dict[Part, int]
    kept: str

    @property
    def parts(self) -> frozenset[Part]:
        """Return the parts that it has anything of."""
        return frozenset(part for part, rows in self.rows.items() if rows)

    @property
    def is_erased(self) -> bool:
        """Tell whether nothing of it is left to be erased."""
        return self.status == "closed" and not self.parts


Place = tuple[datetime | str, str]
"""A last activity, and the thread's id among those with the same one."""

BEFORE_ALL: Place = ("-infinity", "")

Choice = Callable[[Held], Collection[Part]]
"""Decides which parts of a thread are erased; called with the thread's locks held."""


def everything(held: Held) -> frozenset[Part]:
    """Choose all parts: the person is to be forgotten."""
    return frozenset(Part)


class Eraser:
    """Find and erase what one tenant's threads hold."""

    def __init__(self, conn: Conn, tenant_id: str, locks: ThreadLeases) -> None:
        self._conn = conn
        self._tenant_id = tenant_id
        self._locks = locks

    async def of_person(self, user_id: str) -> list[Held]:
        """Return what stands of a person's threads, closed ones too, in the order of their age."""
        return await self._held(await self._threads("of_person", user_id=user_id))

    async def outlasted(
        self, keep: Mapping[Part, timedelta], after: Place, most: int
    ) -> tuple[list[Held], Place | None]:
        """Return, of some threads, those idle and closed ones in which a part outlasted its period.

        Args:
            keep: how long each part is kept after the thread's last activity.
            after: begin behind this place; threads come in the order of their last activity.

        Returns:
            And the place to go on from; None if there are no more.
        """
        periods = {part.value: keep[part] for part in Part}
        about = {
            "tenant_id": self._tenant_id,
            "shortest": min(keep.values()),
            "after_at": after[0],
            "after": after[1],
            "most": most,
        }
        rows = await (await self._conn.execute(_SQL["outlasted"], {**periods, **about})).fetchall()
        over = await self._held([row["thread_id"] for row in rows if row["is_outlasted"]])
        return over, (rows[-1]["last_activity"], rows[-1]["thread_id"]) if rows else None

    async def erase(self, thread_id: str, choice: Choice) -> Held:
        """Erase parts of a thread and close it, in one transaction under the thread's locks.

        A thread that lost anything takes nothing more: without its state it would begin again from
        nothing, beside a ledger that remembers.

        Returns:
            What was erased, as its `rows`; with `kept`, nothing was.

        Raises:
            TakenOver: this process was silent for so long that another one took the thread; nothing
                of it was erased here.
        """
        about = {"tenant_id": self._tenant_id, "thread_id": thread_id}
        try:
            async with self._locks.hold(thread_id), self._conn.transaction():
                # Read after the lock was granted, in a later statement: what a page that was under
                # way committed is seen.
                await self._conn.execute(_SQL["lock"], about)
                (held,) = await self._held([thread_id])
                chosen = () if held.kept else choice(held)
                if chosen:
                    # A runner that lost the thread may be writing still: that is waited for.
                    await self._conn.execute(_SQL["overtake"], about)
                for part in chosen:
                    for statement in _ERASES[part]:
                        await self._conn.execute(_SQL[statement], about)
                if chosen:
                    await self._conn.execute(_SQL["close"], about)
                reached(FaultPoint.BEFORE_COMMIT, "erased")
        except TakenOver:
            # Its session is gone, and with it all that was not committed.
            raise
        except ThreadBusy:
            (held,) = await self._held([thread_id])
            return replace(held, rows={}, kept="another process is working on it")
        return replace(held, rows={part: held.rows[part] for part in chosen})

    async def unname_usage(self, user_id: str) -> None:
        """Take a user out of what models took in their threads that are closed."""
        about = {"tenant_id": self._tenant_id, "user_id": user_id}
        await self._conn.execute(_SQL["unname_usage"], about)

    async def drop_usage(self) -> None:
        """Delete what models took so long ago that no budget counts it."""
        about = {"tenant_id": self._tenant_id, "after": KEEP_USAGE}
        await self._conn.execute(_SQL["drop_usage"], about)

    async def _threads(self, statement: str, **about: Any) -> list[str]:
        cursor = await self._conn.execute(_SQL[statement], {"tenant_id": self._tenant_id, **about})
        return [row["thread_id"] for row in await cursor.fetchall()]

    async def _held(self, threads: Sequence[str]) -> list[Held]:
        about = {"tenant_id": self._tenant_id, "threads": list(threads)}
        cursor = await self._conn.execute(_SQL["held"], about)
        return [_read(row) for row in await cursor.fetchall()]


def _read(row: DictRow) -> Held:
    kept = ""
    if row["open_steps"]:
        kept = f"not settled yet: {', '.join(row['open_steps'])}"
    if row["open_plan"]:
        kept = "its plan waits for an answer or is in progress"
    return Held(
        thread_id=row["thread_id"],
        status=row["status"],
        idle=row["idle"],
        rows={part: row[part.value] for part in Part},
        kept=kept,
    )


@asynccontextmanager
async def open_eraser(postgres: Postgres) -> AsyncIterator[Eraser]:
    """Connect to an open database as its owner (see `Postgres.as_owner`)."""
    async with postgres.as_owner("erase what the ledger holds") as conn:
        yield Eraser(conn, postgres.tenant_id, postgres.locks)


_BATCH = 200


def due(held: Held, keep: Mapping[Part, timedelta]) -> frozenset[Part]:
    """Choose what outlasted its period; nothing of a thread that is at work or waits."""
    if held.status not in ("idle", "closed") or held.kept:
        return frozenset()
    return frozenset(part for part in held.parts if held.idle > keep[part])


async def overdue(eraser: Eraser, keep: Mapping[Part, timedelta]) -> AsyncIterator[Held]:
    """Yield the threads in which something is due, with only that as their rows."""
    place: Place | None = BEFORE_ALL
    while place is not None:
        batch, place = await eraser.outlasted(keep, place, _BATCH)
        for held in batch:
            if parts := due(held, keep):
                yield replace(held, rows={part: held.rows[part] for part in parts})


async def retain(postgres: Postgres, keep: Mapping[Part, timedelta]) -> list[Held]:
    """Erase of one tenant what outlasted its period, and return what was erased.

    The ledger's entries stay forever. A thread that another process works on is left for the
    next time.

    Args:
        keep: how long each part is kept after the thread's last activity.
    """
    async with open_eraser(postgres) as eraser:
        erased = [
            await eraser.erase(held.thread_id, lambda now: due(now, keep))
            async for held in overdue(eraser, keep)
        ]
        await eraser.drop_usage()
    return [held for held in erased if held.parts]
