"""The only place that acts. Every entry settles first: the ledger decides what is done."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Literal

from langgraph.types import Command

from nodes.conclude import ended, seen
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
    Over,
    UndoExtra,
    Wait,
    Write,
)

State = Mapping[str, Any]
Exit = Literal["approve", "doubt", "advance", "park"]

_UNCHECKED = timedelta(seconds=1)


async def execute(state: State, work: Work) -> Command[Exit]:
    """Carry out the plan under way, from wherever it stands."""
    return await carry_out(state, {}, work)


async def carry_out(state: State, update: Mapping[str, Any], work: Work) -> Command[Any]:
    """Make move after move until the plan is over, a person is needed, or waiting would be long.

    Each call to the outside stands in a task of its own, whose result is checkpointed and never
    believed: after it the plan is read again from the ledger. (A resumed node may get the receipt
    of another step from the same position; then the ledger still holds the claim as due.)
    """
    left = work.resources.node_seconds
    plan_id = state["plan_id"]
    while True:
        plan, now = await work.plan(plan_id)
        move = work.settle(plan, now)
        match move:
            case Claim():
                receipt = await send(work, plan_id, move)
                pause = _UNCHECKED if receipt["outcome"] == "unchecked" else None
            case ClaimUndo():
                await undo(work, plan_id, move)
                pause = None
            case UndoExtra():
                receipt = await undo_extra(work, plan_id, move)
                pause = None if receipt["outcome"] == "undone" else _UNCHECKED
            case LookFor():
                await look_for(work, plan_id, move)
                pause = None
            case Write() | End():
                await _write(work, plan_id, move)
                pause = None
            case Wait(until=until, why=why):
                work.tell(f"waiting: {why}")
                pause = until - now + timedelta(milliseconds=5)
            case AskApproval() | AskDoubt() | Over():
                return _leave(plan, move, state, update, work)
        if pause is not None:
            left -= pause.total_seconds()
            if left < 0:
                shown = {"ledger": seen(state, plan, work.domain)}
                return Command(update={**update, **shown}, goto="park")
            await asyncio.sleep(pause.total_seconds())


def _leave(
    plan: Plan,
    move: AskApproval | AskDoubt | Over,
    state: State,
    update: Mapping[str, Any],
    work: Work,
) -> Command[Any]:
    goto = {AskApproval: "approve", AskDoubt: "doubt", Over: "advance"}[type(move)]
    shown = {"ledger": seen(state, plan, work.domain)}
    return Command(update={**update, **shown}, goto=goto)


async def _write(work: Work, plan_id: str, due: Write | End) -> None:
    """Write what follows from what is known, if it still does under the lock."""
    async with work.ledger.page(work.session) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        move = work.settle(plan, page.now)
        if move != due:
            return
        page.write(*(move.entries if isinstance(move, Write) else (ended(plan, work.domain),)))
