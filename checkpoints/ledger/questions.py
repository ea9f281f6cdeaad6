"""What waits for a person, over all threads of a tenant."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from daybook.checkpoints.pool import Pool, rows_of
from daybook.checkpoints.statements import statements
from daybook.state.effects.keys import step_id

_SQL = statements("questions.sql")

MOST_COUNTED = 1000
"""Nobody reads more than that there are so many."""


@dataclass(frozen=True)
class Waiting:
    """That a thread waits for a person; what is asked stands in its state.

    Attributes:
        domain: None where no agent has begun it.
        is_doubt: a person is to say what became of a step; else a plan is to be decided.
        asked_at: UTC.
        until: UTC; when the question of a plan expires, None where it does not.
    """

    thread_id: str
    user_id: str
    domain: str | None
    plan_id: str
    is_doubt: bool
    asked_at: datetime
    until: datetime | None


class Questions:
    """Find what waits for a person."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def waiting(
        self,
        domains: Collection[str],
        user_id: str | None,
        most: int,
        *,
        is_doubt: bool | None = None,
    ) -> list[Waiting]:
        """Return what waits, the longest waiting first.

        Args:
            domains: threads of these.
            user_id: in this person's threads alone.
            most: how many at most.
            is_doubt: doubts alone, or approvals alone.
        """
        about = {"domains": [*domains], "user_id": user_id, "most": most, "is_doubt": is_doubt}
        rows = await rows_of(self._pool, _SQL["waiting"], about)
        return [Waiting(**row) for row in rows]

    async def names(self, threads: Collection[str]) -> dict[str, set[str]]:
        """Return by thread what the questions that wait there are about: a plan, or a step."""
        names: dict[str, set[str]] = {}
        for row in await rows_of(self._pool, _SQL["names"], {"threads": [*threads]}):
            name = row["plan_id"] if row["is_asked"] else step_id(row["op"], row["gen"])
            names.setdefault(row["thread_id"], set()).add(name)
        return names

    async def counted(self, domains: Collection[str], user_id: str | None) -> tuple[int, int]:
        """Count what waits, each up to `MOST_COUNTED`: approvals, and doubts.

        Args:
            domains: threads of these.
            user_id: in this person's threads alone.
        """
        about = {"domains": [*domains], "user_id": user_id, "most": MOST_COUNTED}
        (row,) = await rows_of(self._pool, _SQL["counted"], about)
        return row["approvals"], row["doubts"]
