"""What was refused is not called again as it was."""

from __future__ import annotations

import re

from daybook.app.grading.checks.duplicate import normal
from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Check, Finding

_PASSES = re.compile(r"\b(?:50[0234]|unavailable|timed out|timeout|temporarily)\b", re.IGNORECASE)
"""Words of a trouble that passes: to call again is no mistake, though it was for nothing."""


def check(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find a call that was refused in the same turn before, for the same reason.

    Nothing was changed in between that could have mended it. Of a call that is only proposed the
    reason is not known yet: that the same call was refused is enough.
    """
    is_proposed = step.outcome == "open" and not step.error
    if not step.is_call or not (is_proposed or step.trouble):
        return None
    args = normal(trajectory, step)
    for one in reversed(list(trajectory.before(step))):
        if one.turn != step.turn or (one.acts and one.outcome == "done" and not one.trouble):
            return None
        if (
            one.tool == step.tool
            and one.trouble
            and (is_proposed or one.trouble == step.trouble)
            and normal(trajectory, one) == args
        ):
            why = f"{one.key} was refused as this was: {one.trouble}"
            return Finding(Check.REPEATED, why, is_wrong=not _PASSES.search(one.trouble))
    return None
