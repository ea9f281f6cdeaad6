"""Entries as the nodes write them (`nodes.claim`, `record`, `send`, `doubt`); a slot's place is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Literal, TypeAlias

from state.entry import Entry
from state.plan import Plan
from state.recovery import Event, StepState
from state.settle import Claim, ClaimUndo
from state.step import Step
from tests.model.books import BUDGET, NOW, D

ACK, NO, REFUSED = "acknowledged", "declined", "refused"

Looked: TypeAlias = tuple[int, ...] | Literal["unreachable", "not looked"]
Make: TypeAlias = Callable[[Plan], Iterable[Entry]]

_ANSWERED = {NO: Event.DECLINED, REFUSED: Event.REFUSED}
_UNPROVED = (StepState.UNKNOWN, StepState.IN_DOUBT, StepState.NEGATIVE)


def attempted(plan: Plan, due: Claim | ClaimUndo) -> Entry:
    """Claim an attempt of a step, or of its undo."""
    return plan.entry(
        Event.ATTEMPTED if isinstance(due, Claim) else Event.UNDO_ATTEMPTED,
        plan.find(due.step_id)[1],
        attempt=due.number,
        deadline_at=NOW + BUDGET,
        settle_at=NOW + BUDGET + D,
    )


def answered(plan: Plan, step: Step, attempt: int, answer: str, ref: int) -> Entry:
    """Write what an attempt was answered; `ref` names the effect that was acknowledged."""
    if answer == ACK:
        result = {"result": {"id": ref}}
        return plan.entry(Event.ACKNOWLEDGED, step, attempt=attempt, payload=result)
    return plan.entry(_ANSWERED[answer], step, attempt=attempt)


def looked(plan: Plan, step: Step, shown: Looked, began: datetime) -> Entry:
    """Write what a look showed beside what the ledger holds by then."""
    detail = {"began_at": began.isoformat()}
    if isinstance(shown, str) or not shown:
        event = Event.UNREACHABLE if shown else Event.ABSENT
        return plan.entry(event, step, detail=detail)
    found = [{"id": one} for one in shown]
    if step.state in _UNPROVED:
        payload = {"result": found[0], "extras": found[1:]}
        return plan.entry(Event.FOUND, step, detail=detail, payload=payload)
    extras = [one for one in found if one not in [*step.extras, step.result]]
    return plan.entry(Event.VERIFIED, step, detail=detail, payload={"extras": extras})


def claim(due: Claim | ClaimUndo) -> Make:
    """Make the page of a claim."""
    return lambda plan: (attempted(plan, due),)


def undo_answered(place: int, attempt: int, done: bool) -> Make:
    """Make the page of what came of an undo: done, or refused for good."""

    def make(plan: Plan) -> Iterator[Entry]:
        step = plan.steps[place]
        if step.state is StepState.UNDOING:
            event = Event.UNDONE if done else Event.UNDO_FAILED
            yield plan.entry(event, step, attempt=attempt, detail={"final": not done})

    return make


def extra_undone(place: int) -> Make:
    """Make the page of a duplicate that was undone."""
    return lambda plan: (plan.entry(Event.EXTRA_UNDONE, plan.steps[place]),)


def word(place: int, verdict: str, done: tuple[int, ...]) -> Make:
    """Make the page of a person's word on a step; it names the effect that stands, if any."""

    def make(plan: Plan) -> Iterator[Entry]:
        event = Event.NOT_HAPPENED if verdict == "not_happened" else Event.HAPPENED
        result = {"id": done[0]} if done else {}
        yield plan.entry(event, plan.steps[place], author="ada", payload={"result": result})
        if verdict == "undo" and not plan.actions[0].closing:
            yield plan.entry(Event.CLOSING, detail={"action": 0, "reason": "asked"})

    return make


def cancelled(plan: Plan) -> Iterator[Entry]:
    """Close the first action from outside."""
    yield plan.entry(Event.CLOSING, detail={"action": 0, "reason": "cancelled"})
    for step in plan.actions[0].steps:
        if step.state is StepState.INTENDED:
            yield plan.entry(Event.CANCELLED, step)
