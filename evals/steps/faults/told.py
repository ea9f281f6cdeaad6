"""Where in a trajectory something is told, letter by letter."""

from __future__ import annotations

from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.state.effects.keys import canonical


def occurs(trajectory: Trajectory, text: str) -> bool:
    """Tell whether something that was made up stands anywhere, letter by letter."""
    texts = [
        *trajectory.texts.values(),
        *(f"{turn.said} {turn.answer}" for turn in trajectory.turns),
        *(f"{step.shown} {canonical(dict(step.args))}" for step in trajectory.steps),
        *(event.text for event in trajectory.outside),
    ]
    return any(text.lower() in one.lower() for one in texts)


def readers_of(trajectory: Trajectory, step: Step, text: str) -> list[Step]:
    """Return the reads that tell something, letter by letter; none where anything else tells it."""
    before = list(trajectory.before(step))
    elsewhere = [
        *step.said,
        step.shown,
        *(event.text for event in trajectory.outside),
        *(trajectory.texts[one.key] for one in before if not one.handle),
    ]
    if any(text.lower() in one.lower() for one in elsewhere):
        return []
    return [
        one for one in before if one.handle and text.lower() in trajectory.texts[one.key].lower()
    ]
