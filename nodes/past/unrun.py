"""Answer the calls of a decision that stood behind its effects, and are not run any more."""

from __future__ import annotations

from daybook.nodes.look import refusal
from daybook.nodes.planning.phases import behind_effects, call_name, place_of
from daybook.nodes.running.work import Work
from daybook.state.agent import Decision

_WHY = (
    "refused: It was to be run when what stands before it in the same decision was over, and the "
    "turn ended first. Nothing of it was run."
)


async def leave_unrun(decision: Decision, turn_id: str, work: Work) -> None:
    """Refuse what was to be run when the decision's effects were over, as the turn ends without.

    What was run already stays answered as it was.
    """
    positions = behind_effects(work.domain, decision)
    # A state may have been copied from another thread, whose decision it was.
    if not positions or not await work.ledger.turn(work.session.thread_id, turn_id):
        return
    place, calls = place_of(decision), decision["calls"]
    refused = [
        refusal(call_name(place, at), calls[at]["name"], calls[at]["args"], _WHY)
        for at in positions
    ]
    await work.reads.keep(work.session, turn_id, refused)
