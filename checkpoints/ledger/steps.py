"""Steps over all threads of a tenant: their outcomes, and those that need an answer.

Read from the rows as they stand, of any version, and without their plans being folded.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, NamedTuple, TypeVar

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from daybook.checkpoints.pool import Pool, rows_of
from daybook.checkpoints.statements import statements
from daybook.state.effects.arguments import restored
from daybook.state.effects.keys import step_id
from daybook.state.ledger.recovery import TABLE, StepState
from daybook.state.ledger.work_list import Awaited, awaited
from daybook.state.money import HUNDREDTHS, Money
from daybook.state.people.policy import roles_of
from daybook.state.session import Person

_SQL = statements("steps.sql")

_HAVE_REASONS = (StepState.IN_DOUBT, StepState.STUCK)

_MOVES = sorted({(row.next.value, row.event.value) for row in TABLE if row.state is not row.next})

T = TypeVar("T")


@dataclass(frozen=True)
class Unsettled:
    """A step that someone still has to look after.

    Attributes:
        since: UTC; when it came into its state. None if the ledger does not say.
        due_at: UTC; when someone must come for it; None while it waits for a person or a step.
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
        reason: in the words of the provider, of a person, or of the step's action.
        is_erased: the reason was erased with the payloads of its thread.
        author: the person who decided.
        then: what became of it, None if it stayed as it is.
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
        """Return steps that someone still has to look after, the oldest first.

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
        domain: None if no agent has begun it.
        is_doubt: a person is to say what became of a step; else a plan is to be decided.
        asked_at: UTC.
        until: UTC; when the question of a plan expires, None if it does not.
    """

    thread_id: str
    user_id: str
    domain: str | None
    plan_id: str
    is_doubt: bool
    asked_at: datetime
    until: datetime | None


@dataclass(frozen=True, kw_only=True)
class Sought:
    """Say which questions are wanted, and in what order; None does not narrow.

    Attributes:
        asks: approvals that need one of these roles; none of them where it is empty.
        doubts: steps of which someone is to say what became of them, too.
        user_id: in this person's threads alone.
        role: those that need exactly this role.
        answered_by: those alone that this person may answer.
        at_least, at_most: hundredths of a unit, of the whole plan, whatever its currency.
        age: those that wait for so long at least.
        sort: "age" (the longest waiting first), "deadline" (the next first) or "amount" (the
            largest first).
    """

    asks: Collection[str] | None = None
    doubts: bool = True
    user_id: str | None = None
    role: str | None = None
    answered_by: Person | None = None
    at_least: int | None = None
    at_most: int | None = None
    age: timedelta | None = None
    sort: str = "age"


@dataclass(frozen=True)
class InInbox(Waiting):
    """One question with what a list shows of it.

    Attributes:
        about: names it: the plan, or the step in doubt.
        tool: of the step that waits.
        needs: who must answer, as the plan has it (`daybook.state.people.policy.Needs`).
        approved_by: the approvals that there are, where it takes several.
        titles: of the plan's actions; a tool's name where nothing else says it.
        totals: what they come to.
        args: of a step in doubt; empty where they were erased.
        undo: of an undo that is stuck, its tool.
    """

    about: str
    tool: str
    needs: Mapping[str, Any]
    approved_by: Sequence[Mapping[str, Any]]
    titles: tuple[str, ...]
    totals: tuple[Money, ...]
    args: Mapping[str, Any]
    undo: str | None


class Counted(NamedTuple):
    """How much waits: approvals that need staff, doubts, approvals that need their customer."""

    approvals: int
    doubts: int
    customers: int


class Questions:
    """Find what waits for a person."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def waiting(
        self, domains: Collection[str] | None, user_id: str | None, most: int
    ) -> list[Waiting]:
        """Return what waits, the longest waiting first.

        Args:
            domains: threads of these; None for those of every program.
            user_id: in this person's threads alone.
            most: how many at most.
        """
        about = {"domains": _listed(domains), "user_id": user_id, "most": most}
        rows = await rows_of(self._pool, _SQL["waiting"], about)
        return [Waiting(**row) for row in rows]

    async def names(self, threads: Collection[str]) -> dict[str, set[str]]:
        """Return by thread what the questions that wait there are about: a plan, or a step."""
        names: dict[str, set[str]] = {}
        for row in await rows_of(self._pool, _SQL["names"], {"threads": [*threads]}):
            name = row["plan_id"] if row["is_asked"] else step_id(row["op"], row["gen"])
            names.setdefault(row["thread_id"], set()).add(name)
        return names

    async def inbox(
        self, domains: Collection[str] | None, sought: Sought, most: int, skip: int = 0
    ) -> tuple[list[InInbox], int]:
        """Return some of the questions that are wanted, and how many there are in all.

        Args:
            domains: in threads of these; None for those of every program.
            most: how many at most, after so many that are skipped.
        """
        by = sought.answered_by
        weighs = sought.sort == "amount" or (sought.at_least, sought.at_most) != (None, None)
        about = {
            **vars(sought),
            "hundredths": Jsonb(HUNDREDTHS),
            "asks": _listed(sought.asks),
            "domains": _listed(domains),
            "weighs": weighs,
            "judges": weighs or by is not None or sought.role is not None,
            "roles": roles_of(by) if by is not None else None,
            "me": [*by.names] if by is not None else [],
            "most": most,
            "skip": skip,
        }
        del about["answered_by"]
        rows = await rows_of(self._pool, _SQL["inbox"], about)
        return [_in_inbox(row) for row in rows], rows[0]["found"] if rows else 0

    async def counted(self, domains: Collection[str] | None, user_id: str | None) -> Counted:
        """Count what waits, each up to `MOST_COUNTED`.

        Args:
            domains: threads of these; None for those of every program.
            user_id: in this person's threads alone.
        """
        about = {"domains": _listed(domains), "user_id": user_id, "most": MOST_COUNTED}
        (row,) = await rows_of(self._pool, _SQL["counted"], about)
        return Counted(**row)


def _listed(domains: Collection[str] | None) -> list[str] | None:
    return None if domains is None else [*domains]


def _in_inbox(row: DictRow) -> InInbox:
    described = (row["body"] or {}).get("actions") or {}
    about = [described.get(str(index), {}) for index, _ in enumerate(row["actions"])]
    named = zip(about, row["actions"], strict=True)
    return InInbox(
        **{name: row[name] for name in Waiting.__dataclass_fields__},
        about=step_id(row["op"], row["gen"]) if row["is_doubt"] else row["plan_id"],
        tool=row["tool"],
        needs=row["needs"],
        approved_by=row["approved_by"],
        titles=tuple(a.get("title") or b["tool"].replace("_", " ") for a, b in named),
        totals=tuple(Money(**one["total"]) for one in about if one.get("total")),
        args=restored(row["step_body"] or {}),
        undo=row["undo"] if row["state"] == StepState.STUCK.value else None,
    )
