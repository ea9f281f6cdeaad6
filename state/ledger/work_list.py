"""The work list: the steps that need attention, and what each waits for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import TERMINAL, StepState
from daybook.state.ledger.step import Step


@dataclass(frozen=True)
class OpenStep:
    """One row of `open_step`.

    Attributes:
        state: a step's state.
        due_at: UTC; when someone must come for it, though nobody has died. None while it waits
            for another step, or for a person.
        asks: of the first step of a plan that nobody has decided, who is to approve it at least;
            else None.
    """

    op: str
    gen: int
    plan_id: str
    tool: str
    state: str
    due_at: datetime | None
    asks: str | None


def open_steps(plan: Plan) -> dict[str, OpenStep]:
    """Return a plan's rows of the work list, by step id; settled steps have none."""
    return {
        step.step_id: OpenStep(
            op=step.op,
            gen=step.gen,
            plan_id=plan.plan_id,
            tool=step.tool,
            # A second match that waits for its reviewer is listed as what it is to them.
            state=StepState.IN_DOUBT.value if step.seconds else step.state.value,
            due_at=_due(plan, action, step),
            asks=_asks(plan, step),
        )
        for action, step in plan.located
        if not _is_settled(plan, action, step)
    }


def _is_settled(plan: Plan, action: Action, step: Step) -> bool:
    if step.state in TERMINAL:
        return True
    is_left = _to_undo(action, step) or bool(step.seconds)
    return plan.over and step.state is StepState.DONE and not is_left


def _to_undo(action: Action, step: Step) -> bool:
    """Tell whether a done step is still to be undone; a late answer may reopen a plan for it."""
    return step.undo is not None and action.closing


def _asks(plan: Plan, step: Step) -> str | None:
    waiting = (one for one in plan.steps if one.state is StepState.INTENDED)
    return plan.needs.role if not plan.decided and step is next(waiting, None) else None


def _due(plan: Plan, action: Action, step: Step) -> datetime | None:
    if any(_is_asked_about(earlier) for earlier in plan.actions[: action.position]):
        return None
    waits = any(one.state in _HOLD_BACK for one in action.steps if one is not step)
    match step.state:
        case StepState.DONE if step.seconds:
            return None
        case StepState.INTENDED if not plan.decided:
            return plan.deadline
        case StepState.INTENDED:
            first = next(one for one in action.steps if one.state is StepState.INTENDED)
            return step.intended_at if step is first and not waits else None
        case StepState.UNKNOWN:
            return max((a.settle_at for a in step.attempts if a.is_open), default=step.intended_at)
        case StepState.UNDOING:
            return step.undos[-1].settle_at if step.undos[-1].is_open else step.intended_at
        case StepState.DONE if _to_undo(action, step) and not waits:
            return step.intended_at
        case StepState.DONE if _is_looked_for(plan, step):
            return max(attempt.settle_at for attempt in step.attempts)
        case _:
            return None


def _is_looked_for(plan: Plan, step: Step) -> bool:
    """Tell whether a done step may be built upon only once a look-up shows it.

    Where the plan waits for another step, whoever comes for that one comes for it too.
    """
    others = (one for one in plan.steps if one is not step)
    waits = any(one.state in _HOLD_BACK for one in others)
    was_missed = bool(step.looks and step.attempts) and not step.is_shown
    return not plan.over and was_missed and not waits


def _is_asked_about(action: Action) -> bool:
    """Tell whether a reviewer is asked about an action, and the actions after it wait for that."""
    asks = any(step.question is not None for step in action.steps)
    return asks and (action.closing or not action.pivot_done)


_HOLD_BACK = (StepState.UNKNOWN, StepState.IN_DOUBT, StepState.STUCK)


class Awaited(StrEnum):
    """Who or what moves a step next.

    A person's approval, a person's word whether it happened, the provider, another step of its
    plan, or whoever runs its thread.
    """

    APPROVAL = "approval"
    WORD = "word"
    SERVICE = "service"
    PLAN = "plan"
    RUN = "run"


def awaited(
    state: StepState, *, is_decided: bool, due_at: datetime | None, now: datetime
) -> Awaited:
    """Tell who or what moves a step next.

    Args:
        is_decided: its plan was approved, or needed no approval.
        due_at: as the work list has it, UTC.
        now: the database's clock, UTC.
    """
    is_due = due_at is not None and due_at <= now
    match state:
        case StepState.IN_DOUBT | StepState.STUCK:
            return Awaited.WORD
        case StepState.INTENDED if not is_decided and not is_due:
            return Awaited.APPROVAL
        case _ if is_due:
            return Awaited.RUN
        case StepState.UNKNOWN | StepState.UNDOING:
            return Awaited.SERVICE
        case _:
            return Awaited.PLAN
