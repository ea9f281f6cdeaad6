"""Show those who watch a run how far a plan is, step by step."""

from __future__ import annotations

from langgraph.graph.ui import push_ui_message

from daybook.nodes.running.work import Work
from daybook.state.ledger.next_action import Claim, ClaimUndo, LookFor, NextAction
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import StepState
from daybook.state.ledger.step import Step

_NAME = "plan"
"""Of the component with which a client draws it."""

_TOLD = {
    StepState.UNKNOWN: "not known yet",
    StepState.IN_DOUBT: "in doubt",
    StepState.DONE: "done",
    StepState.UNDOING: "being undone",
    StepState.STUCK: "cannot be undone by itself",
    StepState.UNDONE: "undone",
    StepState.NEGATIVE: "not done",
}


class PlanView:
    """Tell what changes of a plan while it is carried out, on the `custom` channel.

    As a line for each step that came to something, and as one of LangGraph's UI messages, whose id
    is the plan's: the newest takes the place of the one before. Nothing of it is stored: what
    happened stands in the ledger.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._before: dict[str, StepState] = {}
        self._shown: object = None

    def show(self, plan: Plan, action: NextAction) -> None:
        """Tell where a plan stands, and what is done about it now."""
        for step in plan.steps:
            before = self._before.get(step.step_id, step.state)
            if step.state is not before and step.state in _TOLD:
                self._work.tell(f"{step.name}: {_TOLD[step.state]} {step.reference or ''}".rstrip())
        self._before = {step.step_id: step.state for step in plan.steps}
        moved = action.step_id if isinstance(action, Claim | ClaimUndo | LookFor) else None
        props = {
            "actions": [
                {
                    "title": action.title,
                    "steps": [_shown(step, step.step_id == moved) for step in action.steps],
                }
                for action in plan.actions
            ]
        }
        if props != self._shown:
            self._shown = props
            push_ui_message(_NAME, props, id=plan.plan_id, state_key=None)


def _shown(step: Step, is_under_way: bool) -> dict[str, str | bool | None]:
    return {
        "name": step.name,
        "state": str(step.state),
        "reference": step.reference,
        "is_under_way": is_under_way,
    }
