"""The work list: the steps that somebody still has to look after, told from their plans."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from state.plan import Action, Plan
from state.recovery import TERMINAL, StepState
from state.step import Step


@dataclass(frozen=True)
class OpenStep:
    """Hold one row of `open_step`.

    Attributes:
        state: a step's state.
        due_at: UTC; when the last attempt that is open will have settled, None without one.
    """

    op: str
    gen: int
    plan_id: str
    tool: str
    state: str
    due_at: datetime | None


def open_step(plan: Plan, action: Action, step: Step) -> OpenStep | None:
    """Return a step's row of the work list; None for one that is settled."""
    # A late answer may reopen a step of a plan that is over: it is still to be undone.
    to_undo = step.undo is not None and (action.closing or bool(step.extras))
    done = plan.over and step.state is StepState.DONE and not to_undo
    if done or step.state in TERMINAL:
        return None
    pending = [a.settle_at for a in (*step.attempts, *step.undos) if a.is_open]
    return OpenStep(
        op=step.op,
        gen=step.gen,
        plan_id=plan.plan_id,
        tool=step.tool,
        state=step.state.value,
        due_at=max(pending) if pending else None,
    )


def open_steps(plan: Plan) -> list[OpenStep]:
    """Return a plan's rows of the work list."""
    rows = [open_step(plan, action, step) for action in plan.actions for step in action.steps]
    return [row for row in rows if row is not None]
