"""The only place that acts. Every entry settles first: the ledger decides what is done."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Literal

from langgraph.types import Command

from nodes.advance import advanced, seen
from nodes.record import Known, follow
from nodes.send import look_for, send, undo, undo_extra
from nodes.work import Work
from state.plan import Plan
from state.settle import (
    AskApproval,
    AskDoubt,
    Claim,
    ClaimUndo,
    End,
    LookFor,
    Move,
    Over,
    UndoExtra,
    Wait,
    Write,
)

State = Mapping[str, Any]
Exit = Literal["approve", "doubt", "decide", "park"]

_UNCHECKED = timedelta(seconds=1)


async def execute(state: State, work: Work) -> Command[Exit]:
    """Carry out the plan under way, from wherever it stands."""
    return await carry_out(state, {}, Known(), work)


async def carry_out(
    state: State, update: Mapping[str, Any], known: Known, work: Work
) -> Command[Any]:
    """Make move after move until the plan is over, a person is needed, or waiting would be long.

    Each call to the outside stands in a task of its own, whose result is checkpointed and never
    believed: what is believed is the plan as a page of the ledger was committed with it. (A resumed
    node may get the receipt of another step from the same position; no page was committed then, and
    the plan is read again.)

    Args:
        state: with `plan_id`.
        update: keys that the calling node changes.
        known: the plan, where the calling node has just committed it.
    """
    left = work.resources.node_seconds
    while True:
        plan, now = known.taken() or await work.plan(state["plan_id"])
        move = work.settle(plan, now)
        if isinstance(move, AskApproval | AskDoubt | Over):
            return _leave(plan, move, state, update, work)
        pause = await _make(move, plan, now, known, work)
        if pause is not None:
            left -= pause.total_seconds()
            if left < 0:
                shown = {"ledger": seen(state, plan, work.domain)}
                return Command(update={**update, **shown}, goto="park")
            await asyncio.sleep(pause.total_seconds())


async def _make(
    move: Move, plan: Plan, now: datetime, known: Known, work: Work
) -> timedelta | None:
    """Make one move; return how long to wait before the next one, or None."""
    match move:
        case Claim():
            receipt = await send(work, plan, move, known)
            return _UNCHECKED if receipt["outcome"] == "unchecked" else None
        case ClaimUndo():
            await undo(work, plan, move, known)
        case UndoExtra():
            receipt = await undo_extra(work, plan, now, move)
            return None if receipt["outcome"] == "undone" else _UNCHECKED
        case LookFor():
            await look_for(work, plan, now, move, known)
        case Wait(until=until, why=why):
            work.tell(f"waiting: {why}")
            return until - now + timedelta(milliseconds=5)
        case Write() | End():
            async with work.ledger.page(work.session, plan.plan_id) as page:
                current = await page.plan(plan.plan_id)
                assert current is not None
                follow(page, current, work)
            known.keep(current, page.now)
    return None


def _leave(
    plan: Plan,
    move: AskApproval | AskDoubt | Over,
    state: State,
    update: Mapping[str, Any],
    work: Work,
) -> Command[Any]:
    if isinstance(move, Over):
        after = {**advanced(state, plan, work.domain), "decision": None}
        return Command(update={**update, **after}, goto="decide")
    shown = {"ledger": seen(state, plan, work.domain)}
    goto = "approve" if isinstance(move, AskApproval) else "doubt"
    return Command(update={**update, **shown}, goto=goto)
