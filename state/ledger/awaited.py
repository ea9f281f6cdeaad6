"""Who or what a step that is not settled waits for."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from daybook.state.ledger.recovery import StepState


class Awaited(StrEnum):
    """Who or what moves a step next.

    A person's approval, a person's word whether it happened, the other side, another step of its
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
