"""Facts about users across threads, and the lessons from failed calls.

One row a subject; with a key values are sealed, and the subject, by which a row is found, is a
blind index. Each occurrence of a lesson is counted once, and no lesson is deleted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from daybook.checkpoints.encryption import Cipher, Confidential
from daybook.checkpoints.pending_writes import Statement
from daybook.checkpoints.pool import Pool, rows_of, run_of
from daybook.checkpoints.runs.runners import Runners, fenced
from daybook.checkpoints.statements import statements
from daybook.state.effects.keys import storable
from daybook.state.people.facts import Fact, ordered, subject_of
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


_SQL = statements("memory.sql")


class Memory:
    """Keep and find what is known of one tenant's people."""

    def __init__(self, pool: Pool, tenant_id: str, cipher: Cipher, runners: Runners) -> None:
        self._pool = pool
        self._tenant_id = tenant_id
        self._cipher = cipher
        self._runners = runners

    async def of(self, user_id: str) -> tuple[Fact, ...]:
        """Return what is known of a person, in the order in which it was said."""
        return _facts(await rows_of(self._pool, _SQL["facts"], self._whose(user_id)))

    def asks_at_turn(self, user_id: str) -> tuple[Statement, Statement]:
        """Return what asks for what is known at the begin of a turn, for `at_turn_in`."""
        return (_SQL["facts"], self._whose(user_id)), (LESSONS["live"], {})

    def at_turn_in(
        self, facts: Sequence[DictRow], lessons: Sequence[DictRow]
    ) -> tuple[tuple[Fact, ...], tuple[Lesson, ...]]:
        """Return the facts and the lessons that rows hold."""
        return _facts(facts), tuple(Lesson(**row) for row in lessons)

    async def put(self, user_id: str, fact: Fact, *, told_in: str | None = None) -> None:
        """Remember a fact instead of an earlier one on its subject; again changes nothing.

        Args:
            told_in: the thread whose run remembers it; None outside of a run.

        Raises:
            TakenOver: another process runs that thread by now, or it was erased.
        """
        found_by, *before = self._cipher.blinded(fact.subject)
        about = {
            **self._whose(user_id),
            "found_by": found_by,
            "value": Confidential(storable(fact.model_dump(mode="json"))),
            "gone": sorted({fact.subject, *before} - {found_by}),
        }
        await self._write("remember", about, told_in)

    async def forget(self, user_id: str, subject: str, *, told_in: str | None = None) -> bool:
        """Forget what is known on a subject; tell whether anything was. Again changes nothing.

        Args:
            told_in: the thread whose run forgets it; None outside of a run.

        Raises:
            TakenOver: another process runs that thread by now, or it was erased.
        """
        about = subject_of(subject)
        there = any(fact.subject == about for fact in await self.of(user_id))
        gone = sorted({about, *self._cipher.blinded(about)})
        await self._write("forget", {**self._whose(user_id), "gone": gone}, told_in)
        return there

    async def forget_all(self, user_id: str) -> int:
        """Forget all that is known of a person, and return how many facts there were."""
        return await run_of(self._pool, _SQL["forget_all"], self._whose(user_id))

    async def _write(self, statement: str, about: dict[str, Any], told_in: str | None) -> None:
        """Write, fenced as the checkpoints are where a run of this process does it."""
        epoch = self._runners.epoch_of(told_in) if told_in is not None else None
        if told_in is None or epoch is None:
            await run_of(self._pool, _SQL[statement], about)
            return
        async with fenced(self._pool, told_in, epoch) as cursor:
            await cursor.execute(_SQL[statement], about)

    def _whose(self, user_id: str) -> dict[str, Any]:
        return {"tenant_id": self._tenant_id, "user_id": user_id}


def _facts(rows: Sequence[DictRow]) -> tuple[Fact, ...]:
    # Two of one subject where one was stored before a key was set: the later word counts.
    facts = ordered(tuple(Fact.model_validate(row["value"]) for row in rows))
    return ordered(tuple({fact.subject: fact for fact in facts}.values()))
