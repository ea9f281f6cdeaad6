"""What was learnt from failures: counted once for each thing that happened, and never deleted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from psycopg.types.json import Jsonb

from daybook.checkpoints.pool import Pool, rows_of
from daybook.checkpoints.statements import statements
from daybook.state.prompt.lessons import Lesson

LESSONS = statements("lessons.sql")

_EVIDENCE = 5
"""Things that happened, kept with a lesson: the last ones."""

Came = Literal["failed", "missed", "helped"]


@dataclass(frozen=True)
class Happened:
    """Say what happened by which a lesson is learnt: a call of a thread, or a plan.

    Attributes:
        call: of the turn; or the plan's id.
        came: it failed; it failed though the lesson was shown; it succeeded when it was.
    """

    thread_id: str
    turn_id: str
    call: str
    came: Came

    @property
    def place(self) -> dict[str, str]:
        """Return by what it is known again."""
        return {"thread_id": self.thread_id, "turn_id": self.turn_id, "call": self.call}


@dataclass(frozen=True)
class KeptLesson:
    """A lesson as it is kept.

    Attributes:
        evidence: the last things that happened, the newest last.
        first_at, last_at, retired_at: UTC; `retired_at` is None while it is shown.
    """

    lesson: Lesson
    evidence: Sequence[Happened]
    first_at: datetime
    last_at: datetime
    retired_at: datetime | None


class Lessons:
    """Keep and find the lessons of one tenant."""

    def __init__(self, pool: Pool, tenant_id: str) -> None:
        self._pool = pool
        self._tenant_id = tenant_id

    async def all(self) -> list[KeptLesson]:
        """Return all lessons, those that are retired last."""
        rows = await rows_of(self._pool, LESSONS["all"])
        return [
            KeptLesson(
                lesson=lesson_of(row),
                evidence=[Happened(**one) for one in row["evidence"]],
                first_at=row["first_at"],
                last_at=row["last_at"],
                retired_at=row["retired_at"],
            )
            for row in rows
        ]

    async def count(self, lesson: Lesson, happened: Happened) -> None:
        """Count what happened, once: a node that runs again counts nothing.

        Args:
            lesson: by its key; of a new one the advice is kept as well.
        """
        about = {
            "tenant_id": self._tenant_id,
            "tool": lesson.tool,
            "flow": lesson.flow,
            "error": lesson.error,
            "advice": lesson.advice,
        }
        async with self._pool.connection() as conn, conn.transaction():
            async with conn.pipeline():
                if happened.came != "helped":
                    await conn.execute(LESSONS["begin"], about)
                # In a later statement than the insert: what another process committed is seen.
                locked = await conn.execute(LESSONS["lock"], about)
            row = await locked.fetchone()
            if row is None or any(_is_same(one, happened) for one in row["evidence"]):
                return
            counted = _COUNTS[happened.came](lesson_of(row))
            evidence = [*row["evidence"], {**happened.place, "came": happened.came}][-_EVIDENCE:]
            kept = {
                "count": counted.count,
                "helped": counted.helped,
                "missed": counted.missed,
                "is_useless": counted.is_useless,
                "evidence": Jsonb(evidence),
            }
            await conn.execute(LESSONS["keep"], about | kept)

    async def retire(self, tool: str, error: str | None = None) -> list[tuple[str, str, str]]:
        """Retire the lessons of a tool, or the one of an error; return their keys."""
        async with self._pool.connection() as conn:
            found = await conn.execute(LESSONS["retire"], {"tool": tool, "error": error})
            return [(r["tool"], r["flow"], r["error"]) for r in await found.fetchall()]


_COUNTS: Mapping[Came, Callable[[Lesson], Lesson]] = {
    "failed": lambda lesson: lesson.failed(was_shown=False),
    "missed": lambda lesson: lesson.failed(was_shown=True),
    "helped": Lesson.heeded,
}


def lesson_of(row: Mapping[str, Any]) -> Lesson:
    """Make a lesson of a row of `lesson`."""
    return Lesson(**{name: row[name] for name in Lesson.model_fields})


def _is_same(known: Mapping[str, Any], happened: Happened) -> bool:
    return {name: known[name] for name in happened.place} == happened.place
