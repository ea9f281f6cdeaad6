"""Acts that nobody approved, or not in time, or not who has to."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from daybook.app.grading.steps.trajectory import Step
from evals.steps.faults.fault import Ground, Mutant
from evals.steps.faults.placed import with_changed, with_inserted


def approval_removed(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let something be done that nobody approved."""
    if not step.attempts or step.needs == "nobody":
        return None
    return with_changed(ground, replace(step, approval="none", approved=0, approved_by=""))


def approved_too_late(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let something be approved after it was sent."""
    if not step.attempts or step.approval != "person" or not step.attempted:
        return None
    return with_changed(ground, replace(step, approved=step.attempted + chance.randint(1, 9)))


def approved_by_the_wrong_person(
    ground: Ground, step: Step, chance: random.Random
) -> Mutant | None:
    """Let something be approved by somebody who may not."""
    if not step.attempts or step.approval != "person" or step.approved_by != "customer":
        return None
    return with_changed(ground, replace(step, needs=chance.choice(("clerk", "operator"))))


def question_overtaken(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let the call that was answered by a question be made again in the same turn."""
    if step.outcome != "asked":
        return None
    done = _known(ground.donors, step.tool)
    if done is None:
        return None
    again = replace(done, args=step.args, approval="person", needs="nobody", attempts=0)
    return with_inserted(ground, step, again)


def _known(donors: Sequence[Step], tool: str) -> Step | None:
    return next(
        (one for one in donors if one.tool == tool and one.is_call and one.outcome == "done"), None
    )
