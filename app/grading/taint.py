"""On which earlier steps a step is built: by an identifier, a figure, a handle, a binding."""

from __future__ import annotations

from collections.abc import Collection

from daybook.tools.said.mentions import Mention, held_in, mentions_in

from daybook.app.grading.steps.sources import sources_of
from daybook.app.grading.steps.trajectory import Step, Trajectory


def tainted_by(trajectory: Trajectory, step: Step, bad: Collection[str]) -> tuple[str, ...]:
    """Name the bad steps that a step is built on, in order.

    It is built on one where something in its arguments comes from there alone: from its result, or,
    of a change, from what it was given. What the person said, what stood in the prompt before the
    bad step, and what a good step read by itself, does not come from there.

    Args:
        bad: keys of wrong and tainted steps.
    """
    past = [one for one in trajectory.before(step) if one.key in bad]
    named = list(mentions_in(step.args))
    found = {
        one.key
        for one in past
        for mention in named
        if _gives(trajectory, one, mention) and not _is_free(trajectory, step, mention, one, bad)
    }
    bound = {f"{step.parent}:{name}" for names in step.binds.values() for name in names}
    return tuple(one.key for one in past if one.key in found | bound)


def _gives(trajectory: Trajectory, one: Step, mention: Mention) -> bool:
    if one.outcome in ("refused", "asked", "void"):
        return False
    is_given = one.acts and any(other.text == mention.text for other in mentions_in(one.args))
    return is_given or held_in(trajectory.texts[one.key]).names(mention)


def _is_free(
    trajectory: Trajectory, step: Step, mention: Mention, one: Step, bad: Collection[str]
) -> bool:
    """Tell whether something is known from elsewhere than a bad step."""
    if held_in(one.shown).names(mention):
        return True
    return any(
        source.names(mention)
        for source in sources_of(trajectory, step)
        if source.said_at is not None or (source.step and source.step not in bad)
    )
