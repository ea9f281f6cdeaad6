"""What the arguments name occurs in what the person said, in an earlier result, or was shown."""

from __future__ import annotations

from decimal import Decimal

from daybook.tools.said.mentions import Mention, mentions_in

from daybook.app.grading.steps.reckoned import is_reckoned
from daybook.app.grading.steps.sources import sources_of
from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Check, Finding


def check(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find an identifier, figure or date that comes from nowhere.

    What names something is told by `daybook.tools.said.mentions`. A figure of a call may be
    worked out from what was said (`daybook.app.grading.steps.reckoned`); what a plan does was
    approved as it is.
    Where nothing of what was said is known any more it cannot be told.
    """
    if not step.said and trajectory.turns:
        return None
    named = list(mentions_in(step.args))
    if not named:
        return None
    sources = list(sources_of(trajectory, step))

    def figures() -> frozenset[Decimal]:
        return frozenset[Decimal]().union(*(source.held.figures for source in sources))

    def is_known(one: Mention) -> bool:
        return any(source.names(one) for source in sources) or (
            step.is_call
            and one.sort == "figure"
            and is_reckoned(Decimal(one.text), step.said, figures())
        )

    invented = [one for one in named if not is_known(one)]
    if not invented:
        return None
    what = ", ".join(dict.fromkeys(f"the {one.sort} {one.shown}" for one in invented))
    where = "what was approved" if step.parent else "what was said, read or shown before"
    return Finding(Check.GROUNDED, f"{what}: not in {where}.")
