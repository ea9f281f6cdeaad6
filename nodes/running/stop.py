"""Stop the current plan of a thread: one ledger transaction, from any process.

No lock of the thread is needed. Whoever runs it decides again under the ledger's lock before each
claim: either the claim was committed first, and is undone, or it is never sent.
"""

from __future__ import annotations

from collections.abc import Mapping

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.ledger.page import Page
from daybook.nodes.effects import approve
from daybook.nodes.past.plans import was_stopped
from daybook.state.errors import ToolRefused
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.ledger.stopping import (
    NOTHING_MORE,
    NOTHING_UNDER_WAY,
    OTHER_EVENT,
    STOP,
    STOPS,
    told_of_stopping,
    told_turn_stopped,
)
from daybook.state.session import Session


async def stop(ledger: Ledger, session: Session, event_id: str) -> str:
    """Stop the plan that is in progress in a thread, once; say where it stands.

    Before its pivot nothing more of it is begun, and whoever runs the thread undoes what is done.
    The turn that is in progress begins nothing more, whether a plan is open or not (one that was
    edited is over, and its next version is not written yet).

    Args:
        session: who wishes it: the thread's user, or staff as its author.
        event_id: by which a repeated wish is recognised: it stops no later plan.

    Raises:
        ToolRefused: nothing is in progress, or the id is another event's.
        ForeignThread: the thread belongs to another user.
        ThreadClosed: what the thread held was erased.
    """
    async with ledger.page(session) as page:
        entries = await page.turn(event_id)
        known = next((entry for entry in entries if entry.detail.get("call") == "event"), None)
        if known is None:
            return await _stopped(page, session, event_id)
        plan = await page.plan(known.detail[STOP]) if STOP in known.detail else None
        if plan is not None:
            return _told(plan, known.detail)
        if STOPS in known.detail:
            return told_turn_stopped(known.author or "")
        raise ToolRefused(OTHER_EVENT)


async def _stopped(page: Page, session: Session, event_id: str) -> str:
    plan = await page.plan(page.open_plan) if page.open_plan is not None else None
    turn_id = await page.turn_under_way()
    if plan is None and turn_id is None:
        raise ToolRefused(NOTHING_UNDER_WAY)
    what: dict[str, str] = {}
    if plan is not None:
        approve.stop(page, plan, session)
        what[STOP] = plan.plan_id
    if turn_id is not None:
        # Also where the plan is stopped: an agent's own loop asks its model what comes next.
        what[STOPS] = turn_id
    told = _told(plan, what) if plan is not None else told_turn_stopped(session.author)
    page.write(_applied(event_id, what, told, session))
    return told


def _told(plan: Plan, what: Mapping[str, str]) -> str:
    told = told_of_stopping(plan)
    return told if was_stopped(plan) or STOPS not in what else f"{told}\n{NOTHING_MORE}"


def _applied(event_id: str, what: dict[str, str], told: str, session: Session) -> Entry:
    return Entry(
        Event.APPLIED,
        turn_id=event_id,
        author=session.author,
        role=session.role,
        detail={"call": "event", **what},
        payload={"event": {"type": STOP, "id": event_id}, "text": told},
    )
