"""Lessons in Postgres: each occurrence is counted once, and no lesson is deleted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from psycopg.types.json import Jsonb

from daybook.checkpoints.pool import Pool, rows_of
from daybook.checkpoints.statements import statements
from daybook.state.prompt.lessons import Lesson

LESSONS = statements("lessons.sql")

Outcome = Literal["failed", "missed", "helped"]


@dataclass(frozen=True)
class Occurrence:
    """One call that a lesson is counted from.

    Attributes:
        call: its name within the turn; of a plan, the plan's id and the action's position.
        outcome: it failed; it failed although the lesson was shown; it succeeded after that.
    """

    tool: str
    flow: str
    error: str
    thread_id: str
    turn_id: str
    call: str
    outcome: Outcome


@dataclass(frozen=True)
class KeptLesson:
    """A lesson with what the table says of it.

    Attributes:
        threads: those of the last few occurrences, the newest last.
        retired_at: UTC; None while it may be shown.
    """

    lesson: Lesson
    threads: tuple[str, ...]
    retired_at: datetime | None


class Lessons:
    """Count and find the lessons of one tenant."""

    def __init__(self, pool: Pool, tenant_id: str) -> None:
        self._pool = pool
        self._tenant_id = tenant_id

    async def all(self) -> list[KeptLesson]:
        """Return all lessons, the retired ones last."""
        rows = await rows_of(self._pool, LESSONS["all"])
        return [
            KeptLesson(
                lesson_of(row),
                tuple(one["thread_id"] for one in row["evidence"]),
                row["retired_at"],
            )
            for row in rows
        ]

    async def count(self, found: Occurrence) -> None:
        """Count an occurrence once: a node that runs again counts nothing."""
        call = {"thread_id": found.thread_id, "turn_id": found.turn_id, "call": found.call}
        given = {
            "tenant_id": self._tenant_id,
            "tool": found.tool,
            "flow": found.flow,
            "error": found.error,
            "missed": int(found.outcome == "missed"),
            "thread_id": found.thread_id,
            "evidence": Jsonb([call]),
        }
        statement = LESSONS["helped" if found.outcome == "helped" else "failed"]
        async with self._pool.connection() as conn:
            await conn.execute(statement, given)

    async def retire(self, tool: str, error: str | None = None) -> list[tuple[str, str, str]]:
        """Retire the lessons of a tool, or those of one error; return their keys."""
        async with self._pool.connection() as conn:
            found = await conn.execute(LESSONS["retire"], {"tool": tool, "error": error})
            return [(r["tool"], r["flow"], r["error"]) for r in await found.fetchall()]


def lesson_of(row: Mapping[str, Any]) -> Lesson:
    """Make a lesson of a row of `lesson`."""
    return Lesson(**{name: row[name] for name in Lesson.model_fields})
