"""The tool was offered where the flow stood."""

from __future__ import annotations

from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Check, Finding


def check(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find a call of a tool that the model was not offered; what a plan does is not its choice."""
    if not step.is_call:
        return None
    if step.kind == "unknown":
        return Finding(Check.ALLOWED, f"There is no tool {step.tool}.")
    if step.offered is None or step.tool in step.offered:
        return None
    return Finding(Check.ALLOWED, f"{step.tool} is not offered where the flow is {step.flow}.")
