"""Show the calls of a turn to clients that show them, when it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AnyMessage

from daybook.nodes.past.branch import of_branch
from daybook.nodes.planning.phases import call_name, place_name
from daybook.nodes.running.work import Work
from daybook.state.agent import Turn
from daybook.state.effects.written import restored
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.people.called import calling
from daybook.state.prompt.tokens import cut

_LONGEST = 300
"""Tokens of a result that is shown."""


async def called(
    state: Mapping[str, Any], known: Sequence[Entry], over: Sequence[Plan], work: Work
) -> list[AnyMessage]:
    """Return the messages that show what this turn called and what came of it, in order.

    Args:
        known: the entries of the turn.
        over: the plans that ended since it began.
    """
    turn: Turn = state["turn"]
    here = of_branch(known, turn.get("last", 0))
    decided = {
        place_name(entry.detail["ordinal"], entry.detail.get("fork", 1)): calls
        for entry in here
        if entry.event is Event.DECIDED and (calls := (entry.payload or {}).get("calls"))
    }
    if not decided:
        return []
    names = [call_name(place, at) for place, calls in decided.items() for at in range(len(calls))]
    results = await _results(turn["turn_id"], known, over, names, work)
    messages: list[AnyMessage] = []
    for place, calls in decided.items():
        shown = [
            (call["name"], restored(call), results.get(call_name(place, at), "Nothing came of it."))
            for at, call in enumerate(calls)
        ]
        messages += calling(turn["turn_id"], place, shown)
    return messages


async def _results(
    turn_id: str,
    known: Sequence[Entry],
    over: Sequence[Plan],
    names: Sequence[str],
    work: Work,
) -> dict[str, str]:
    """Return what came of calls, as the model is told it."""
    thread_id, domain = work.session.thread_id, work.domain
    reads, _ = await work.reads.results(thread_id, [(turn_id, name) for name in names])
    results = {
        read.call: domain.refused(read.tool, str(read.result["said"]))
        if read.cache == "failed"
        else domain.rendered(read.tool, read.handle, read.result, read.hidden)
        for read in reads
    }
    results |= {
        entry.detail["call"]: str((entry.payload or {}).get("text", ""))
        for entry in known
        if entry.event is Event.APPLIED
    }
    for plan in over:
        if plan.turn_id == turn_id and not plan.edits:
            results |= {action.call: domain.outcome_line(action) for action in plan.actions}
    return {name: cut(text, _LONGEST) for name, text in results.items()}
