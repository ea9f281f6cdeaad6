"""What became of steps, over all threads of a tenant, and what waits for a person.

Read from the rows as they stand, of any version, and without their plans being folded.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from psycopg.rows import DictRow

from daybook.checkpoints.pool import Pool, rows_of
from daybook.checkpoints.statements import statements
from daybook.state.effects.keys import step_id
from daybook.state.ledger.recovery import TABLE, StepState
from daybook.state.ledger.work_list import Awaited, awaited

_SQL = statements("steps.sql")

_HAVE_REASONS = (StepState.IN_DOUBT, StepState.STUCK)

_MOVES = sorted({(row.next.value, row.event.value) for row in TABLE if row.state is not row.next})

T = TypeVar("T")


@dataclass(frozen=True)
class Unsettled:
    """A step that somebody still has to look after.

    Attributes:
        since: UTC; when it came into its state. None where the ledger does not say.
        due_at: UTC; when somebody must come for it; None while it waits for a person or a step.
        reason: why it is in that state, where that is not what was meant.
        is_erased: the reason was erased with the payloads of its thread.
    """

    thread_id: str
    user_id: str
    step_id: str
    tool: str
    state: str
    since: datetime | None
    due_at: datetime | None
    waits_for: Awaited
    reason: str | None
    is_erased: bool


@dataclass(frozen=True)
class Later:
    """The last thing that happened to a step after it had failed."""

    event: str
    at: datetime
    author: str | None


@dataclass(frozen=True)
class Failed:
    """One thing that went otherwise than it was meant.

    Attributes:
        at: UTC.
        event: failed, in_doubt, undone, undo_stuck, or how a step ended that was never
            sent: expired, rejected, withdrawn, superseded, cancelled.
        cause: of a failed step: declined, refused, absent, or a person's not_happened.
        reason: in the words of the other side, of a person, or of the step's action.
        is_erased: the reason was erased with the payloads of its thread.
        author: the person who decided.
        then: what became of it, None where it stayed as it is.
    """

    at: datetime
    event: str
    thread_id: str
    user_id: str
    step_id: str
    tool: str
    cause: str | None
    reason: str | None
    is_erased: bool
    author: str | None
    then: Later | None


@dataclass(frozen=True)
class Listed(Generic[T]):
    """What was asked for, and whether there is more."""

    steps: list[T]
    has_more: bool


class Steps:
    """Find steps of one tenant."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def has_ledger(self, thread_id: str) -> bool:
        """Tell whether anything ever happened in a thread."""
        (row,) = await self._rows("has_ledger", thread_id=thread_id)
        return bool(row["has_ledger"])

    async def unsettled(self, thread_id: str | None, most: int) -> Listed[Unsettled]:
        """Return steps that somebody still has to look after, the oldest first.

        Args:
            thread_id: of this thread alone.
            most: how many at most.
        """
        states, events = zip(*_MOVES, strict=True)
        rows = await self._rows(
            "unsettled",
            thread_id=thread_id,
            most=most + 1,
            states=list(states),
            events=list(events),
        )
        return Listed([_unsettled(row) for row in rows[:most]], len(rows) > most)

    async def failed(self, thread_id: str | None, most: int) -> Listed[Failed]:
        """Return what went otherwise than it was meant, the newest first.

        Args:
            thread_id: in this thread alone.
            most: how many at most.
        """
        rows = await self._rows("failed", thread_id=thread_id, most=most + 1)
        return Listed([_failed(row) for row in rows[:most]], len(rows) > most)

    async def _rows(self, statement: str, **about: Any) -> list[DictRow]:
        return await rows_of(self._pool, _SQL[statement], about)


def _unsettled(row: Mapping[str, Any]) -> Unsettled:
    state = StepState(row["state"])
    reason = _reason(row["moved"], row["body"])
    waits_for = awaited(state, is_decided=row["is_decided"], due_at=row["due_at"], now=row["now"])
    is_erased = row["is_erased"] and reason is None and state in _HAVE_REASONS
    return Unsettled(
        **_shown(row, Unsettled), reason=reason, waits_for=waits_for, is_erased=is_erased
    )


def _failed(row: Mapping[str, Any]) -> Failed:
    event = row["then_event"]
    told = (row["said"] or {}).get("told") or {}
    reason = _reason(row["moved"], row["body"], row["why"], {"reason": told.get(row["action"])})
    then = Later(event, row["then_at"], row["then_author"]) if event else None
    is_erased = row["is_erased"] and reason is None
    return Failed(**_shown(row, Failed), reason=reason, is_erased=is_erased, then=then)


def _shown(row: Mapping[str, Any], kind: type[Unsettled | Failed]) -> dict[str, Any]:
    """Return what is shown as the row has it, and the step's name."""
    names = (row.keys() & kind.__dataclass_fields__.keys()) - {"is_erased"}
    return {**{name: row[name] for name in names}, "step_id": step_id(row["op"], row["gen"])}


def _reason(*said: Mapping[str, Any] | None) -> str | None:
    """Return the first reason that is given, as text."""
    reasons = (one["reason"] for one in said if one and one.get("reason") is not None)
    return next(map(str, reasons), None)


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
        domains: Collection[str] | None,
        user_id: str | None,
        most: int,
        *,
        is_doubt: bool | None = None,
    ) -> list[Waiting]:
        """Return what waits, the longest waiting first.

        Args:
            domains: threads of these; None for those of every program.
            user_id: in this person's threads alone.
            most: how many at most.
            is_doubt: doubts alone, or approvals alone.
        """
        about = {
            "domains": _listed(domains),
            "user_id": user_id,
            "most": most,
            "is_doubt": is_doubt,
        }
        rows = await rows_of(self._pool, _SQL["waiting"], about)
        return [Waiting(**row) for row in rows]

    async def names(self, threads: Collection[str]) -> dict[str, set[str]]:
        """Return by thread what the questions that wait there are about: a plan, or a step."""
        names: dict[str, set[str]] = {}
        for row in await rows_of(self._pool, _SQL["names"], {"threads": [*threads]}):
            name = row["plan_id"] if row["is_asked"] else step_id(row["op"], row["gen"])
            names.setdefault(row["thread_id"], set()).add(name)
        return names

    async def counted(
        self, domains: Collection[str] | None, user_id: str | None
    ) -> tuple[int, int]:
        """Count what waits, each up to `MOST_COUNTED`: approvals, and doubts.

        Args:
            domains: threads of these; None for those of every program.
            user_id: in this person's threads alone.
        """
        about = {"domains": _listed(domains), "user_id": user_id, "most": MOST_COUNTED}
        (row,) = await rows_of(self._pool, _SQL["counted"], about)
        return row["approvals"], row["doubts"]


def _listed(domains: Collection[str] | None) -> list[str] | None:
    return None if domains is None else [*domains]
