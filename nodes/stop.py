"""Stop what is under way in a thread: one page of the ledger, from any process.

No lock of the thread is needed. Whoever runs it decides anew under the ledger's lock before each
claim: either the claim was committed first, and is undone, or it is never sent.
"""

from __future__ import annotations

from checkpoints.ledger import Ledger
from checkpoints.page import Page
from nodes.catch_up import withdraw
from state.entry import Entry
from state.errors import ToolRefused
from state.plan import Plan
from state.recovery import Event
from state.session import Session
from state.stopping import (
    NOTHING_UNDER_WAY,
    OTHER_EVENT,
    STOP,
    STOPS,
    closes,
    told_of_stopping,
    told_turn_stopped,
)


async def stop(ledger: Ledger, session: Session, event_id: str) -> str:
    """Stop the plan that is under way in a thread, once; say where it stands.

    Before its pivot nothing more of it is begun, and whoever runs the thread undoes what is done.
    Where a turn is under way and no plan is open (one that was edited is over, and its next version
    is not written yet), the turn begins nothing more.

    Args:
        session: who wishes it: the thread's person, or staff as its author.
        event_id: by which a repeated wish is recognised: it stops no later plan.

    Raises:
        ToolRefused: nothing is under way, or the id is another event's.
        ForeignThread: the thread belongs to another user.
        ThreadClosed: what the thread held was erased.
    """
    async with ledger.page(session) as page:
        entries = await page.turn(event_id)
        known = next((entry for entry in entries if entry.detail.get("call") == "event"), None)
        if known is None:
            return await _stopped(page, session, event_id)
        if STOPS in known.detail:
            return told_turn_stopped(known.author or "")
        plan = await page.plan(known.detail[STOP]) if STOP in known.detail else None
        if plan is None:
            raise ToolRefused(OTHER_EVENT)
        return told_of_stopping(plan)


async def _stopped(page: Page, session: Session, event_id: str) -> str:
    plan = await page.plan(page.open_plan) if page.open_plan is not None else None
    if plan is not None:
        close(page, plan, session)
        told = told_of_stopping(plan)
        page.write(_applied(event_id, {STOP: plan.plan_id}, told, session))
        return told
    turn_id = await page.turn_under_way()
    if turn_id is None:
        raise ToolRefused(NOTHING_UNDER_WAY)
    told = told_turn_stopped(session.author)
    page.write(_applied(event_id, {STOPS: turn_id}, told, session))
    return told


def close(page: Page, plan: Plan, session: Session) -> None:
    """Write what the wish to stop changes of the thread's open plan."""
    if plan.decided:
        page.write(*closes(plan, session.author, session.role))
    else:
        withdraw(page, plan, session, is_stop=True)


def _applied(event_id: str, what: dict[str, str], told: str, session: Session) -> Entry:
    return Entry(
        Event.APPLIED,
        turn_id=event_id,
        author=session.author,
        role=session.role,
        detail={"call": "event", **what},
        payload={"event": {"type": STOP, "id": event_id}, "text": told},
    )
