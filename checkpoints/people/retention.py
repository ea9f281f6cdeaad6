"""Retention: what a thread holds is erased some time after its last activity."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from datetime import timedelta

from daybook.checkpoints.people.erasure import BEFORE_ALL, Eraser, Held, Part, Place, open_eraser
from daybook.checkpoints.postgres import Postgres

_BATCH = 200


def due(held: Held, keep: Mapping[Part, timedelta]) -> frozenset[Part]:
    """Choose what outlasted its period; nothing of a thread that is at work or waits."""
    if held.status not in ("idle", "closed") or held.kept:
        return frozenset()
    return frozenset(part for part in held.parts if held.idle > keep[part])


async def overdue(eraser: Eraser, keep: Mapping[Part, timedelta]) -> AsyncIterator[Held]:
    """Yield the threads in which something is due, with only that as their rows.

    Args:
        keep: how long each part is kept after the thread's last activity.
    """
    place: Place | None = BEFORE_ALL
    while place is not None:
        batch, place = await eraser.outlasted(keep, place, _BATCH)
        for held in batch:
            if parts := due(held, keep):
                yield replace(held, rows={part: held.rows[part] for part in parts})


async def retain(postgres: Postgres, keep: Mapping[Part, timedelta]) -> list[Held]:
    """Erase of one tenant what outlasted its period, and return what was erased.

    The ledger's entries stay for ever. A thread that another process works on is left for the
    next time.

    Args:
        keep: how long each part is kept after the thread's last activity.
    """
    async with open_eraser(postgres) as eraser:
        erased = [
            await eraser.erase(held.thread_id, lambda now: due(now, keep))
            async for held in overdue(eraser, keep)
        ]
    return [held for held in erased if held.parts]
