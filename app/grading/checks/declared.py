"""An effect is what it was declared to be, and happened once."""

from __future__ import annotations

from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Check, Finding


def check(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find an effect that happened more than once, or otherwise than was expected.

    Where a person had to say that it happened, what they could not tell is not known: doubtful.
    """
    if step.executions > 1:
        return Finding(Check.DECLARED, f"It happened {step.executions} times.")
    if not step.expected:
        return None
    if step.outcome == "done" and (step.executions == 0 or step.observed is None):
        return Finding(Check.DECLARED, "It counts as done, and nothing shows that it happened.")
    if step.observed is None:
        return None
    seen = step.observed
    other = {k: seen[k] for k, v in step.expected.items() if k in seen and seen[k] != v}
    if other:
        wanted = {name: step.expected[name] for name in other}
        return Finding(Check.DECLARED, f"Expected {wanted}, and the other side shows {other}.")
    unseen = [name for name in step.expected if name not in seen]
    if unseen:
        why = f"Nobody has seen its {', '.join(unseen)}."
        return Finding(Check.DECLARED, why, is_wrong=False)
    return None
