"""Tell with the next turn what the one before had to tell, where it came to no answer.

Its model was down, or its process died behind the last checkpoint, and the person went on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.nodes.past.advance import notices_of
from daybook.nodes.running.work import Work
from daybook.state.agent import Turn, is_answered


async def untold(state: Mapping[str, Any], turn: Turn, work: Work) -> list[str]:
    """Return what the machine told nobody of the turn before.

    Args:
        state: as it was left, with the turn before.
        turn: the new one.
    """
    before: Turn | None = state.get("turn")
    if before is None:
        return []
    left = before["turn_id"]
    if is_answered(state.get("messages") or (), left):
        return []
    known = await work.ledger.turn(work.session.thread_id, left)
    if not known:
        return []
    over = await work.ledger.ended_plans(work.session.thread_id, after=known[0].seq)
    # What the state does not include yet is told when it is taken in.
    lines = [
        line
        for plan in over
        if plan.turn_id == left and plan.over_seq <= state["advanced"] and not plan.edits
        for line in notices_of(plan, turn, work.domain)
    ]
    return list(dict.fromkeys([*before["notices"], *lines]))
