"""The same once more: a write, a read, an operation, an error."""

from __future__ import annotations

import random
from dataclasses import replace

from daybook.app.grading.steps.trajectory import Step
from evals.steps.faults.fault import Ground, Mutant
from evals.steps.faults.placed import with_inserted


def write_duplicated(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let a write be made twice."""
    if not step.is_call or not step.acts or step.outcome != "done" or step.trouble:
        return None
    return with_inserted(ground, step, replace(step, op=f"{step.op}+" if step.op else ""))


def operation_done_twice(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let the next generation of an operation be done beside the one that was done."""
    if not step.op or step.outcome != "done":
        return None
    operation, _, gen = step.op.rpartition("/")
    again = replace(step, op=f"{operation}/{int(gen) + 1}", approval="person", needs="nobody")
    return with_inserted(ground, step, again, keeps_parent=True)


def read_duplicated(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let the same be read twice."""
    if step.kind != "read" or step.outcome != "done" or step.trouble:
        return None
    return with_inserted(ground, step, replace(step, cache="hit"))


def error_repeated(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let a call be refused twice before it is done."""
    if not step.is_call or step.outcome != "done":
        return None
    refused = replace(
        step,
        outcome="refused",
        error=f"{step.tool} refused: it is not there.",
        result=None,
        handle=0,
        cache="failed",
        attempts=0,
        executions=0,
        observed=None,
    )
    once = with_inserted(ground, step, refused, is_before=True)
    twice = once.trajectory.step(once.faulty)
    return with_inserted(replace(ground, trajectory=once.trajectory), twice, twice)
