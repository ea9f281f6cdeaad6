"""A thread's ledger as it was really written, walked on the rules of the model, page by page.

What is due is the model's own decision at the page's time. What came from outside (an answer, a
look, a person's word) may come in its place, where the model has such a move then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from daybook import Guarantees, Patience
from daybook.domain import Action
from daybook.state.effects.guarantees import NO_GUARANTEES
from daybook.state.errors import IllegalTransition
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_action import Claim, ClaimUndo, End, NextAction, Write
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import VOIDING, Event, StepState
from daybook.state.ledger.step import Step
from evals.protocol.books import Rules, ended
from evals.protocol.promise import BROKEN_PROMISES

_E, _S = Event, StepState

_OF_TURNS = frozenset({_E.RECEIVED, _E.DECIDED, _E.APPLIED, _E.TURN_DONE})
_CLAIMS = frozenset({_E.ATTEMPTED, _E.UNDO_ATTEMPTED})
_ANSWERS = frozenset({_E.ACKNOWLEDGED, _E.REFUSED, _E.DECLINED, _E.UNANSWERED})
_LOOKS = frozenset({_E.FOUND, _E.VERIFIED, _E.ABSENT, _E.UNREACHABLE})
_EVIDENCE = _ANSWERS | _LOOKS | {_E.UNDONE, _E.UNDO_FAILED}
"""What is written by whoever sent or looked, with all that follows in the same page."""

_VOIDED_BY = {
    "rejected": _E.REJECTED,
    "edited": _E.SUPERSEDED,
    "moved": _E.SUPERSEDED,
    "withdrawn": _E.WITHDRAWN,
}
_DOUBTABLE = (_S.UNKNOWN, _S.DONE, _S.NEGATIVE)
_UNPROVED = (_S.UNKNOWN, _S.IN_DOUBT)


class Unlike(Exception):
    """The ledger holds what the model does not allow; the message names the entry, and why."""


class Walk:
    """Walk one thread's ledger.

    Args:
        guarantees: by tool.
        rules: those of the model.
        mistold: how many answers named another effect than was done: so many may be contradicted.

    Attributes:
        plans: as the model holds them, by id.
        taken: moves of the recovery table that were made.
    """

    def __init__(
        self,
        guarantees: Mapping[str, Guarantees],
        patience: Patience,
        rules: Rules | None = None,
        mistold: int = 0,
    ) -> None:
        self.guarantees, self.patience = guarantees, patience
        self.rules = rules or Rules()
        self._mistold = mistold
        self.plans: dict[str, Plan] = {}
        self.taken: set[tuple[StepState, Event]] = set()
        self._open: str | None = None
        self._generations: dict[str, Step] = {}
        self._turns: dict[str, bool] = {}

    def all(self, entries: Iterable[Entry]) -> None:
        """Walk all entries, oldest first; those of one page have one time.

        Raises:
            Unlike: the model does not allow one of them.
        """
        for _, page in groupby(entries, lambda entry: entry.at):
            self.page(list(page))

    def page(self, entries: Sequence[Entry]) -> None:
        """Walk one page.

        Raises:
            Unlike: the model does not allow it.
        """
        owed: list[_Owed] = []
        for entry in entries:
            if why := self._wrong(entry, entries, owed):
                raise Unlike(f"{entry.seq}, {entry.event} of {entry.step_id or 'its plan'}: {why}")
        if owed:
            raise Unlike(f"{entries[-1].seq}: {owed[0]} must be of the same page")
        for plan_id in {e.plan_id for e in entries if e.event in _EVIDENCE and e.plan_id}:
            due = self._due(self.plans[plan_id], _at(entries[-1]))
            if isinstance(due, Write | End):
                raise Unlike(f"{entries[-1].seq}: {due} must be of the same page")

    def _wrong(self, entry: Entry, page: Sequence[Entry], owed: list[_Owed]) -> str | None:
        """Say why an entry may not be written now, else take it."""
        if entry.event in _OF_TURNS:
            return self._turn(entry)
        if entry.plan_id is None:
            return "it is of no plan"
        if entry.event is _E.OPENED:
            return self._opens(entry, entry.plan_id)
        plan = self.plans.get(entry.plan_id)
        if plan is None:
            return "its plan was not opened"
        due = self._due(plan, _at(entry))
        if owed:
            if owed[0] != _Owed(entry.event, entry.step_id):
                return f"{owed[0]} comes first"
            owed.pop(0)
        elif follows := self._follows(plan, due, entry):
            owed += follows[1:]
        elif why := self._from_outside(plan, due, entry, page, owed):
            return why
        return self._takes(plan, entry)

    # -- what the model says ----------------------------------------------------------------------

    def _due(self, plan: Plan, at: datetime) -> NextAction:
        return self.rules.next_action(plan, self.guarantees, self.patience, at)

    def _follows(self, plan: Plan, due: NextAction, entry: Entry) -> list[_Owed]:
        """Return all that is due, where an entry is the first of it."""
        if not isinstance(due, Write | End):
            return []
        wanted = due.entries if isinstance(due, Write) else (ended(plan),)
        all_ = [_Owed(one.event, one.step_id) for one in wanted]
        return all_ if all_[0] == _Owed(entry.event, entry.step_id) else []

    def _takes(self, plan: Plan, entry: Entry) -> str | None:
        state = self._state(plan, entry)
        if (state, entry.event) in BROKEN_PROMISES:
            return f"only a service that breaks its promise brings that about when it is {state}"
        try:
            self.rules.apply(plan, entry)
        except IllegalTransition as error:
            return str(error)
        if entry.event is _E.INTENDED and entry.op is not None and entry.step_id is not None:
            self._generations[entry.op] = plan.find(entry.step_id)[1]
        if state is not None:
            self.taken.add((state, entry.event))
        if plan.over and self._open == plan.plan_id:
            self._open = None
        return None

    def _state(self, plan: Plan, entry: Entry) -> StepState | None:
        if entry.step_id is None or entry.event is _E.INTENDED:
            return None
        try:
            return plan.find(entry.step_id)[1].state
        except KeyError:
            return None

    # -- turns and plans --------------------------------------------------------------------------

    def _turn(self, entry: Entry) -> str | None:
        turn = entry.turn_id or ""
        match entry.event:
            case _E.RECEIVED if turn in self._turns:
                return "it was received before"
            case _E.RECEIVED:
                self._turns[turn] = True
            case _E.TURN_DONE if not self._turns.get(turn):
                return "that turn is not under way"
            case _E.TURN_DONE:
                self._turns[turn] = False
            case _E.DECIDED if turn not in self._turns:
                return "that turn was not received"
        return None

    def _opens(self, entry: Entry, plan_id: str) -> str | None:
        if self._open is not None:
            return f"the plan {self._open} is open"
        if plan_id in self.plans:
            return "it was opened before"
        plan = self.plans[plan_id] = Plan(plan_id, entry.turn_id or "")
        self._open = plan_id
        return self._takes(plan, entry)

    # -- what comes from outside ------------------------------------------------------------------

    def _from_outside(
        self, plan: Plan, due: NextAction, entry: Entry, page: Sequence[Entry], owed: list[_Owed]
    ) -> str | None:
        if entry.event is _E.INTENDED:
            return self._intends(plan, entry, page)
        if entry.event is _E.DECISION:
            return _decides(plan, entry, owed)
        if entry.event is _E.CLOSING:
            return _closes(plan, entry, owed)
        if entry.step_id is None:
            return f"{_said(due)} is due"
        try:
            action, step = plan.find(entry.step_id)
        except KeyError:
            return "it was not intended"
        if entry.event in _CLAIMS:
            return self._claims(action, step, due, entry, page)
        if entry.event in (_E.SUPERSEDED, _E.FAILED):
            return _given_up(step, due, entry)
        if entry.event in _ANSWERS:
            return None if _has(step.attempts, entry.attempt) else "nobody has claimed that attempt"
        if entry.event in _LOOKS:
            return self._looked(step, entry)
        if entry.event is _E.CONTRADICTED:
            self._mistold -= 1
            return None if self._mistold >= 0 else "the service keeps its promises"
        return _told(step, entry, due)

    def _intends(self, plan: Plan, entry: Entry, page: Sequence[Entry]) -> str | None:
        if page[0].event is not _E.OPENED or page[0].plan_id != plan.plan_id:
            return "its plan was written before"
        earlier = self._generations.get(entry.op or "")
        if entry.gen != (earlier.gen + 1 if earlier else 1):
            return "it is not the next generation"
        if earlier and not self.rules.may_follow(earlier.state):
            return f"the generation before it is {earlier.state}"
        return None

    def _claims(
        self, action: Action, step: Step, due: NextAction, entry: Entry, page: Sequence[Entry]
    ) -> str | None:
        """Say why a claim may not be made: by what is due, and by what no decision may overrule."""
        forward = entry.event is _E.ATTEMPTED
        wanted = Claim if forward else ClaimUndo
        is_with_decision = forward and page[0].event in (_E.OPENED, _E.DECISION)
        if len(page) > 1 and not (is_with_decision and entry is page[-1]):
            return "a claim is a page of its own, or ends the page that decides on its plan"
        if forward and not action.is_approved:
            return "nobody has approved it"
        if forward and action.closing and not step.attempts:
            return "its action was closed"
        if not forward and any(one.state in _UNPROVED for one in action.steps):
            return "what is unknown is settled before anything is undone"
        if not forward and _later_stands(action, step):
            return "what was done later is undone first"
        if due != wanted(step.step_id, entry.attempt or 0):
            return f"{_said(due)} is due"
        promised = self.guarantees.get((step.tool if forward else step.undo) or "", NO_GUARANTEES)
        deadline = _at(entry) + self.patience.budget
        dates = deadline, deadline + self.patience.settle_after(promised)
        return None if (entry.deadline_at, entry.settle_at) == dates else f"its dates are {dates}"

    def _looked(self, step: Step, entry: Entry) -> str | None:
        if not self.guarantees.get(step.tool, NO_GUARANTEES).provable:
            return "it cannot be looked up"
        if not step.attempts:
            return "it was never sent"
        began = datetime.fromisoformat(entry.detail["began_at"])
        return None if began <= _at(entry) else "that look began later"


@dataclass(frozen=True)
class _Owed:
    """An entry that must come next."""

    event: Event
    step_id: str | None

    def __str__(self) -> str:
        return f"{self.event} of {self.step_id or 'its plan'}"


def _at(entry: Entry) -> datetime:
    assert entry.at is not None, "the ledger dates every entry"
    return entry.at


def _said(due: NextAction) -> str:
    return str(due) if not isinstance(due, Write) else f"Write({due.entries[0].event}, ...)"


def _has(attempts: Iterable[Any], number: int | None) -> bool:
    return any(one.number == number for one in attempts)


def _later_stands(action: Action, step: Step) -> bool:
    later = action.steps[action.steps.index(step) + 1 :]
    return any(one.state in (_S.DONE, _S.UNDOING) and one.undo for one in later)


def _decides(plan: Plan, entry: Entry, owed: list[_Owed]) -> str | None:
    """Take a person's decision, or that it was withdrawn; what it voids is of the same page."""
    decisions = entry.detail["decisions"]
    if plan.decided or plan.over:
        return "it was decided before"
    if len(decisions) != len(plan.actions) or entry.author is None:
        return "it is nobody's decision on all of it"
    if "expired" in decisions:
        return "its time is not over"
    salt = (entry.payload or {}).get("salt", "")
    if entry.detail.get("bound_to", plan.bound_to(salt)) != plan.bound_to(salt):
        return "it is bound to something else"
    if "approved" in decisions and "bound_to" not in entry.detail:
        return "it is bound to nothing"
    if "approved" in decisions and plan.deadline is not None and _at(entry) >= plan.deadline:
        return "its deadline passed"
    owed += _voided(plan, decisions)
    return None


def _voided(plan: Plan, decisions: Sequence[str]) -> Iterator[_Owed]:
    """Yield what a decision ends: of an edited plan all, for its next version is asked about."""
    of = list(zip(plan.actions, decisions, strict=True))
    is_edited = any(one in ("edited", "moved") for one in decisions)
    for action, decision in of:
        if decision in _VOIDED_BY:
            yield from (_Owed(_VOIDED_BY[decision], step.step_id) for step in action.steps)
    for action, decision in of if is_edited else ():
        if decision == "approved":
            yield from (_Owed(_E.SUPERSEDED, step.step_id) for step in action.steps)
    if is_edited or "withdrawn" in decisions:
        yield _Owed(_E.ENDED, None)


def _closes(plan: Plan, entry: Entry, owed: list[_Owed]) -> str | None:
    """Take a person's wish to stop, or to undo what was in doubt."""
    action = plan.actions[entry.detail["action"]]
    if entry.author is None:
        return "nobody has asked for it"
    if action.closing or not action.is_approved:
        return "it is not under way"
    if entry.detail.get("stop"):
        if action.pivot_done:
            return "its point of no return is behind it"
        left = [step for step in action.steps if step.state is _S.INTENDED]
        owed += [_Owed(_E.CANCELLED, step.step_id) for step in left]
    return None


def _given_up(step: Step, due: NextAction, entry: Entry) -> str | None:
    """Take it that a step ends in the place of its claim: what it depends on moved."""
    if not isinstance(due, Claim) or due.step_id != step.step_id:
        return f"{_said(due)} is due"
    if any(attempt.is_open for attempt in step.attempts):
        return "what was sent may still have an effect"
    return None


def _told(step: Step, entry: Entry, due: NextAction) -> str | None:
    """Take what came of an undo, a doubt, and a person's word."""
    payload = entry.payload or {}
    match entry.event:
        case _E.UNDONE | _E.UNDO_FAILED:
            return None if _has(step.undos, entry.attempt) else "nobody has claimed that undo"
        case _E.UNDO_STUCK:
            return None if step.undos else "its undo was never sent"
        case _E.IN_DOUBT if "shown" in payload and step.state in _DOUBTABLE:
            return None
        case _E.HAPPENED | _E.NOT_HAPPENED:
            asked = step.question is not None and entry.author is not None
            return None if asked else "nobody was asked"
    return f"{_said(due)} is due" + (" before it is voided" if entry.event in VOIDING else "")
