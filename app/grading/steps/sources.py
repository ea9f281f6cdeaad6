"""From where the arguments of a step may come: what was said, what was shown, what was read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from daybook.tools.said.mentions import Mention, Mentions, held_in, mentions_in

from daybook.app.grading.steps.trajectory import Step, Trajectory

_YEAR = timedelta(days=366)


@dataclass(frozen=True)
class Source:
    """One text that was known when a step was decided.

    Attributes:
        step: key of the step whose result it is; "" of what was said or shown.
        handle: of the read whose result it is, or 0.
        said_at: when the person said it, UTC; None of what they did not say.
        held: what it names.
        hides: what it only repeats of the step's own arguments.
    """

    held: Mentions
    step: str = ""
    handle: int = 0
    said_at: datetime | None = None
    hides: frozenset[str] = frozenset()

    def names(self, mention: Mention) -> bool:
        """Tell whether it names something by itself; "next Friday" may be any day of a year."""
        if mention.text in self.hides:
            return False
        if self.held.names(mention):
            return True
        if mention.sort != "date" or self.said_at is None or not self.held.is_relative:
            return False
        return abs(date.fromisoformat(mention.text) - self.said_at.date()) <= _YEAR


def sources_of(trajectory: Trajectory, step: Step) -> Iterator[Source]:
    """Yield what was known when a step was decided; of an effect, when its plan was approved.

    What a refusal repeats of the arguments that it refuses is no source.
    """
    for said in step.said:
        yield Source(held_in(said), said_at=step.at)
    if step.shown:
        yield Source(held_in(step.shown))
    for event in trajectory.outside:
        if event.seq < (step.decided or step.seq):
            yield Source(held_in(event.text))
    for one in trajectory.before(step):
        if text := trajectory.texts[one.key]:
            repeated = one.outcome in ("refused", "asked")
            own = frozenset(m.text for m in mentions_in(one.args)) if repeated else frozenset()
            yield Source(held_in(text), one.key, one.handle, hides=own)
    if step.parent:
        parent = trajectory.step(step.parent)
        yield Source(held_in("\n".join(parent.described)))
        # What a person put in the place of what the model proposed is described; the rest is its.
        yield Source(held_in(" ".join(m.shown for m in mentions_in(parent.args))))
