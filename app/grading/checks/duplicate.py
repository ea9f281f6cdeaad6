"""The same thing was not done before, with nothing in between that would make it another one."""

from __future__ import annotations

from daybook.tools.said.mentions import mentions_in

from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Check, Finding
from daybook.state.effects.keys import canonical, normalise
from daybook.tools.signature import comparable

_NOT_DONE = frozenset({"refused", "asked", "void", "erased", "failed", "undone"})


def check(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find a call that repeats one of the same turn, or an operation that was done twice.

    A person who asks again wants it again: calls of different turns are no duplicates. A change is
    relevant to a read where it outdates the read's tags, or the read has none; to a change where it
    is about the same things.
    """
    if _is_for_nothing(step):
        return None
    if step.op and (twice := _same_operation(trajectory, step)) is not None:
        return Finding(Check.DUPLICATE, f"{_operation(step)} was done already, at {twice.key}.")
    if not step.is_call:
        return None
    args = normal(trajectory, step)
    between: list[Step] = []
    for one in reversed(list(_before(trajectory, step))):
        is_same = one.is_call and one.tool == step.tool and normal(trajectory, one) == args
        if is_same and not _is_for_nothing(one):
            if any(_matters(other, step) for other in between if other.parent != one.key):
                return None
            return Finding(Check.DUPLICATE, f"{one.key} did the same, and nothing changed since.")
        between.append(one)
    return None


def _is_for_nothing(step: Step) -> bool:
    return step.outcome in _NOT_DONE or bool(step.trouble)


def _before(trajectory: Trajectory, step: Step) -> list[Step]:
    """Return the steps of the turn before a step, those of its own decision too."""
    found = []
    for one in trajectory.steps:
        if one.key == step.key:
            break
        if one.turn == step.turn:
            found.append(one)
    return found


def normal(trajectory: Trajectory, step: Step) -> str:
    """Write arguments in their normal form, what is left out filled in."""
    schema = trajectory.arguments.get(step.tool) if step.is_call else None
    return canonical(comparable(schema, step.args) if schema else normalise(step.args))


def _same_operation(trajectory: Trajectory, step: Step) -> Step | None:
    """Return another step that did the same business operation, whatever its generation."""
    for one in trajectory.steps:
        if one.key == step.key:
            return None
        is_done = one.outcome not in _NOT_DONE and one.executions > 0
        if one.op and _operation(one) == _operation(step) and is_done:
            return one
    return None


def _operation(step: Step) -> str:
    return step.op.rpartition("/")[0] or step.op


def _matters(between: Step, step: Step) -> bool:
    """Tell whether what happened in between makes the step another one."""
    if not between.acts or between.outcome in ("refused", "asked", "void"):
        return False
    if step.kind == "read":
        outdated = set(between.makes_stale) & set(step.tags)
        return bool(outdated) or not step.tags
    same = {one.text for one in mentions_in(between.args)} & {
        m.text for m in mentions_in(step.args)
    }
    return bool(same)
