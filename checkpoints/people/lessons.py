"""Lessons in Postgres: each occurrence is counted once, and no lesson is deleted."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from psycopg.types.json import Jsonb

from daybook.checkpoints.pool import Pool, rows_of, run_of
from daybook.checkpoints.statements import statements
from daybook.state.prompt.lessons import Lesson

LESSONS = statements("lessons.sql")


@dataclass(frozen=True)
class Occurrence:
    """One call that a lesson is counted from.

    Attributes:
        call: its name within the turn; of a plan, the plan's id and the action's position.
        error: code of the failure; where it helped, that of the lesson.
        outcome: "failed"; "missed", failed although the lesson was shown; or "helped", succeeded
            after it was shown.
    """

    thread_id: str
    turn_id: str
    flow: str
    call: str
    tool: str
    error: str
    outcome: str


class Lessons:
    """Count and find the lessons of one tenant."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def all(self) -> list[Lesson]:
        """Return all lessons, the retired ones last."""
        return [Lesson(**row) for row in await rows_of(self._pool, LESSONS["all"])]

    async def count(self, found: Occurrence) -> None:
        """Count an occurrence once: a node that runs again counts nothing."""
        call = {"thread_id": found.thread_id, "turn_id": found.turn_id, "call": found.call}
        statement = LESSONS["helped" if found.outcome == "helped" else "failed"]
        await run_of(self._pool, statement, {**asdict(found), "evidence": Jsonb(call)})

    async def retire(self, tool: str, error: str | None = None) -> list[Lesson]:
        """Retire the lessons of a tool, or those of one error, and return them."""
        rows = await rows_of(self._pool, LESSONS["retire"], {"tool": tool, "error": error})
        return [Lesson(**row) for row in rows]
