"""The ledger of the model: real plans, each kept once for all states that share it.

A plan is kept as it stands at `NOW`: when time goes by its dates are moved back instead.
`next_action` compares dates and nothing else, and a gap that is longer than whatever it waits for
is as good as any longer one; so plans that differ in nothing else are one. (Held by test_books.)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any, NamedTuple, TypeAlias

from daybook import Guarantees, Patience
from daybook.domain import Action
from daybook.state.effects.evidence import Evidence, Judgement, judge
from daybook.state.effects.reference import Naming
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_action import Claim, ClaimUndo, End, NextAction, Write, next_action
from daybook.state.ledger.plan import Plan, generation_may_follow
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Attempt, LookUp, Step
from daybook.state.people.questions.approvals import Answers, unclear
from evals.protocol.parts import START

TICK = timedelta(seconds=10)
"""One instant that matters: a tick after its claim an attempt is past its deadline, but may still
land; two ticks after, it has settled."""

BUDGET = TICK / 2
D = TICK
RETENTION = TICK * 3.7
JUST_BEFORE = timedelta(milliseconds=1)

PATIENCE = Patience(
    budget=BUDGET,
    attempts=3,
    backoff=timedelta(0),
    backoff_limit=timedelta(0),
    unknown_settle=D,
    # Longer than any search: that nobody asks for ever is a case of its own.
    unproved=TICK * 1000,
    approval=TICK * 2,
    question=TICK * 2,
)

NOW = START
LONGEST = 3
"""Ticks between two dates beyond which more makes no difference: the key's time is over then."""


class Line(NamedTuple):
    """Hold a line of a page: what happened, and the place of the step that it is about, if any."""

    event: Event
    place: int | None
    entry: Entry


Written: TypeAlias = tuple[Line, ...]


@dataclass(frozen=True)
class Rules:
    """Hold the real decisions; a mutant puts another one in a place.

    Attributes:
        judge: what was shown of a step.
        decides_again: a claim is decided again under the lock.
        undo_names_generation: the undo of one generation cannot meet another one's effect.
    """

    next_action: Callable[[Plan, Mapping[str, Guarantees], Patience, datetime], NextAction] = (
        next_action
    )
    apply: Callable[[Plan, Entry], None] = Plan.apply
    may_follow: Callable[[StepState], bool] = generation_may_follow
    unclear: Callable[[Answers, Action, Step], str] = unclear
    judge: Callable[[Step, Evidence, Naming | None, Mapping[str, str], Guarantees], Judgement] = (
        judge
    )
    decides_again: bool = True
    undo_names_generation: bool = True


class Books:
    """Keep every plan that the search meets, by number."""

    def __init__(
        self, guarantees: Mapping[str, Guarantees], rules: Rules, patience: Patience = PATIENCE
    ) -> None:
        self.guarantees, self.rules, self.patience = guarantees, rules, patience
        self.plans: list[Plan] = []
        self._numbers: dict[Hashable, int] = {}
        self._due: dict[int, NextAction] = {}
        self._written: dict[tuple[int, Hashable], tuple[int, Written]] = {}
        self._later: dict[int, int] = {}

    def opened(self, entries: Iterable[Entry]) -> int:
        """Keep the plan that entries begin."""
        written = list(entries)
        plan = Plan(str(written[0].plan_id), "turn")
        for entry in written:
            self.rules.apply(plan, _dated(entry))
        return self._kept(plan)

    def due(self, book: int) -> NextAction:
        """Return the move that is due now."""
        move = self._due.get(book)
        if move is None:
            move = self._settled(self.plans[book])
            self._due[book] = move
        return move

    def page(
        self, book: int, about: Hashable, make: Callable[[Plan], Iterable[Entry]]
    ) -> tuple[int, Written]:
        """Write a page, and what follows from it in the same one.

        Args:
            about: names what `make` makes of the plan: it is asked once.
        """
        known = self._written.get((book, about))
        if known is None:
            plan = copied(self.plans[book])
            places = {step.step_id: place for place, step in enumerate(plan.steps)}
            entries = list(self._all_of(plan, make))
            written = tuple(Line(e.event, places.get(e.step_id or ""), e) for e in entries)
            known = (self._kept(plan), written)
            self._written[book, about] = known
        return known

    def _all_of(self, plan: Plan, make: Callable[[Plan], Iterable[Entry]]) -> Iterable[Entry]:
        for entry in make(plan):
            yield self._taken(plan, entry)
        while isinstance(move := self._settled(plan), Write | End):
            for entry in move.entries if isinstance(move, Write) else (ended(plan),):
                yield self._taken(plan, entry)

    def _taken(self, plan: Plan, entry: Entry) -> Entry:
        dated = _dated(entry)
        self.rules.apply(plan, dated)
        return dated

    def later(self, book: int) -> int:
        """Let a tick go by."""
        after = self._later.get(book)
        if after is None:
            plan = copied(self.plans[book])
            _move_back(plan)
            after = self._later[book] = self._kept(plan)
        return after

    def _settled(self, plan: Plan) -> NextAction:
        return self.rules.next_action(plan, self.guarantees, self.patience, NOW)

    def _kept(self, plan: Plan) -> int:
        key = _canonical(plan, self.guarantees)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.plans)
            self.plans.append(plan)
        return number


def ended(plan: Plan) -> Entry:
    """Make the entry that ends a plan, as `daybook.nodes.past.plans` does."""
    good = all(action.succeeded for action in plan.actions)
    return plan.entry(Event.SUCCEEDED if good else Event.ENDED)


def said(move: NextAction) -> tuple[Any, ...]:
    """Say a move without the reasons that stand in it."""
    match move:
        case Write(entries=entries):
            return ("Write", *((entry.event, entry.step_id) for entry in entries))
        case Claim(step_id=step, number=number) | ClaimUndo(step_id=step, number=number):
            return type(move).__name__, step, number
        case _:
            return type(move).__name__, getattr(move, "step_id", getattr(move, "until", None))


def _dated(entry: Entry) -> Entry:
    return replace(entry, seq=1, at=NOW)


def copied(plan: Plan) -> Plan:
    """Copy a plan as deep as entries change it."""
    new = copy(plan)
    new.actions, new._steps = [], {}
    for old in plan.actions:
        action = copy(old)
        action.steps = [_copied_step(step) for step in old.steps]
        new.actions.append(action)
        new._steps.update({step.step_id: (action, step) for step in action.steps})
    return new


def _copied_step(step: Step) -> Step:
    new = copy(step)
    new.attempts = [copy(attempt) for attempt in step.attempts]
    new.undos = [copy(undo) for undo in step.undos]
    new.looks = list(step.looks)
    return new


def _move_back(plan: Plan) -> None:
    if plan.deadline is not None:
        plan.deadline -= TICK
    for step in plan.steps:
        for attempt in step.attempts:
            _date(attempt, attempt.at - TICK)
            if attempt.answered_at is not None:
                attempt.answered_at -= TICK
        step.looks = [replace(look, began_at=look.began_at - TICK) for look in step.looks]


def _date(attempt: Attempt, at: datetime) -> None:
    attempt.at, attempt.deadline_at, attempt.settle_at = at, at + BUDGET, at + BUDGET + D


def _canonical(plan: Plan, guarantees: Mapping[str, Guarantees]) -> Hashable:
    """Shorten a plan to what the future depends on, and return that."""
    steps = plan.steps
    unshown = {step.step_id for step in steps if _is_to_be_shown(step, guarantees)}
    for step in steps:
        step.looks = _last(step.looks)
        for attempt in step.attempts:
            attempt.answered_at = attempt.answered_at if step.step_id in unshown else None
    shorter = _shorter_gaps(steps)
    if plan.deadline is not None:
        plan.deadline = max(plan.deadline, NOW)
    for step in steps:
        for attempt in step.attempts:
            _date(attempt, NOW - TICK * shorter[_age(attempt.at)])
            if attempt.answered_at is not None:
                attempt.answered_at = NOW - TICK * shorter[_age(attempt.answered_at)]
        for undo in step.undos:
            _date(undo, NOW)
            undo.answered_at = None
        step.looks = [replace(k, began_at=_began(k, shorter), seq=0) for k in step.looks]
    return (
        plan.plan_id,
        plan.decided,
        plan.approved_hash,
        plan.over,
        plan.deadline,
        *((action.decision, action.closing) for action in plan.actions),
        *(_key(s, counts=s.state in _UNPROVED or s.step_id in unshown) for s in steps),
    )


_UNPROVED = (StepState.UNKNOWN, StepState.IN_DOUBT, StepState.NEGATIVE)


def _is_to_be_shown(step: Step, guarantees: Mapping[str, Guarantees]) -> bool:
    """Tell whether a step is done, and may come to be in doubt since no look-up shows it."""
    provable = step.tool in guarantees and guarantees[step.tool].provable
    return step.state is StepState.DONE and provable and not step.is_shown


def _last(looks: list[LookUp]) -> list[LookUp]:
    """Keep the last look, and as many failures before it as are counted."""
    failed = list(takewhile(lambda look: look.event is Event.UNREACHABLE, reversed(looks)))
    faults = [replace(looks[-1], is_fault=True) for look in failed[1:] if look.is_fault]
    return [*faults[: PATIENCE.attempts], *looks[-1:]]


def _key(step: Step, *, counts: bool) -> Hashable:
    # From other states no way leads back to where attempts and looks count.
    return (
        step.state,
        step.asked,
        len(step.attempts),
        *((_answer(a), a.at, a.answered_at) for a in step.attempts if counts),
        tuple((u.number, bool(u.detail.get("final"))) for u in step.undos),
        tuple((look.event, look.began_at, look.is_fault) for look in step.looks if counts),
        _id(step.result),
        step.reference,
        step.is_shown,
        step.beside,
        frozenset(step.matches),
        frozenset(step.seconds),
        step.broken,
        (_id(step.shown), step.is_contested) if step.state is StepState.IN_DOUBT else None,
    )


def _answer(attempt: Attempt) -> tuple[Event | None, bool]:
    # No answer, and the word that there was none, are the same to everybody.
    answer = None if attempt.is_open else attempt.answer
    return answer, bool(attempt.detail.get("at_the_door"))


def _id(match: Mapping[str, Any] | None) -> Any:
    return None if match is None else match.get("id")


def _shorter_gaps(steps: Iterable[Step]) -> dict[int, int]:
    """Map the ages of all dates, in ticks, to ages without needless time between them."""
    ages = {_age(a.at) for step in steps for a in step.attempts}
    ages |= {_age(a.answered_at) for step in steps for a in step.attempts if a.answered_at}
    ages |= {_age(look.began_at) for step in steps for look in step.looks}
    shorter, before = {0: 0}, 0
    for age in sorted(ages - {0}):
        shorter[age] = shorter[before] + min(age - before, LONGEST)
        before = age
    return shorter


def _began(look: LookUp, shorter: Mapping[int, int]) -> datetime:
    age = _age(look.began_at)
    exact = look.began_at == NOW - TICK * age
    return NOW - TICK * shorter[age] - (timedelta(0) if exact else JUST_BEFORE)


def _age(date: datetime) -> int:
    return round((NOW - date) / TICK)
