"""The arguments fit the tool's schema."""

from __future__ import annotations

from daybook.app.grading.shown_schema import unfit
from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Check, Finding
from daybook.state.errors import ToolRefused
from daybook.tools.signature import checked


def check(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find arguments that cannot be read, or do not fit; what a plan does was checked by it."""
    if step.fault:
        return Finding(Check.VALID, step.fault)
    schema = trajectory.arguments.get(step.tool) if step.is_call else None
    if schema is None:
        return None
    try:
        checked(schema, step.args)
    except ToolRefused as refused:
        return Finding(Check.VALID, str(refused))
    # What a tool takes may be more than what the model was shown.
    why = unfit(schema.model_json_schema(), step.args)
    return Finding(Check.VALID, f"The arguments do not fit: {why}.") if why else None
