"""The tool was offered where the flow stood, and there was something for it to do."""

from __future__ import annotations

from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Check, Finding


def check(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find a call of a tool that the model was not offered; what a plan does is not its choice.

    A call that could not be right by what its prompt showed, such as a purchase of nothing, is
    wrong while nothing has come of it; refused it did neither harm nor good.
    """
    if not step.is_call:
        return None
    if step.kind == "unknown":
        return Finding(Check.ALLOWED, f"There is no tool {step.tool}.")
    if step.offered is not None and step.tool not in step.offered:
        return Finding(Check.ALLOWED, f"{step.tool} is not offered where the flow is {step.flow}.")
    if step.barred and step.outcome in ("open", "refused"):
        return Finding(Check.ALLOWED, step.barred, is_wrong=step.outcome == "open")
    return None
