"""No argument is known only from a read that was out of date."""

from __future__ import annotations

from daybook.tools.said.mentions import Mention, mentions_in

from daybook.app.grading.steps.sources import sources_of
from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Check, Finding


def check(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find what was taken from superseded reads alone.

    A figure or a date from there makes the step wrong. The name of a thing may still be right: what
    changes something by it is doubtful, and to look the thing up by it is how it is read again.
    """
    if not step.is_call or not step.superseded:
        return None
    stay = {"handle", "identifier"} if step.kind == "read" else {"handle"}
    named = [one for one in mentions_in(step.args) if one.sort not in stay]
    sources = list(sources_of(trajectory, step))
    stale: list[tuple[Mention, int]] = []
    for one in named:
        holders = [source for source in sources if source.names(one)]
        if holders and all(source.handle in step.superseded for source in holders):
            stale.append((one, holders[-1].handle))
    if not stale:
        return None
    what = ", ".join(f"{one.shown} is known only from r{handle}" for one, handle in stale)
    is_wrong = any(one.sort in ("figure", "date") for one, _ in stale)
    return Finding(Check.FRESH, f"{what}, which was out of date: read it again.", is_wrong)
