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
from state.stopping import NOTHING_UNDER_WAY, STOP, closes, told_of_stopping


async def stop(ledger: Ledger, session: Session, event_id: str) -> str:
    """Stop the plan that is under way in a thread, once; say where it stands.

    Before its pivot nothing more of it is begun, and whoever runs the thread undoes what is done.

    Args:
        session: who wishes it: the thread's person, or staff as its author.
        event_id: by which a repeated wish is recognised: it stops no later plan.

    Raises:
        ToolRefused: nothing is under way.
        ForeignThread: the thread belongs to another user.
        ThreadClosed: what the thread held was erased.
    """
    async with ledger.page(session) as page:
        entries = await page.turn(event_id)
        known = next((entry for entry in entries if entry.detail.get("call") == "event"), None)
        name = page.open_plan if known is None else known.detail.get(STOP)
        plan = await page.plan(name) if name is not None else None
        if plan is None:
            raise ToolRefused(NOTHING_UNDER_WAY)
        if known is None:
            close(page, plan, session)
            page.write(_applied(event_id, plan))
        return told_of_stopping(plan)


def close(page: Page, plan: Plan, session: Session) -> None:
    """Write what the wish to stop changes of the thread's open plan."""
    if plan.decided:
        page.write(*closes(plan, session.author, session.role))
    else:
        withdraw(page, plan, session, is_stop=True)


def _applied(event_id: str, plan: Plan) -> Entry:
    return Entry(
        Event.APPLIED,
        turn_id=event_id,
        detail={"call": "event", STOP: plan.plan_id},
        payload={"event": {"type": STOP, "id": event_id}, "text": told_of_stopping(plan)},
    )
