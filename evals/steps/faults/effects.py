"""Effects that are not as they were declared."""

from __future__ import annotations

import random
from dataclasses import replace

from daybook.app.grading.steps.trajectory import Step
from evals.steps.faults.fault import Ground, Mutant
from evals.steps.faults.placed import with_changed


def other_evidence(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let the world show another value than the one that was expected."""
    seen = sorted(step.expected.keys() & (step.observed or {}).keys())
    if not seen:
        return None
    name = chance.choice(seen)
    value = step.expected[name]
    other = value + chance.randint(1, 500) if isinstance(value, int) else f"{value}-other"
    return with_changed(ground, replace(step, observed={**(step.observed or {}), name: other}))


def executed_twice(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let an effect come about twice."""
    if step.executions != 1:
        return None
    return with_changed(ground, replace(step, executions=2, attempts=step.attempts + 1))
