"""A plan whose approval stays open while its user asks about something else.

The message is a turn of its own. Where it only reads, the turn that waits is taken up again behind
it, as it stood: the question, its approval id and its time are the same. Where it changes the state
or proposes another effect, the plan is withdrawn in the transaction of the change, or before the
proposal. Nothing was attempted of it, so nothing is undone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daybook.checkpoints.ledger.page import Page
from daybook.nodes.effects.approve import withdraw
from daybook.nodes.planning.refusals import leave_unrun
from daybook.nodes.running.work import Work
from daybook.state.agent import Waiting
from daybook.state.errors import ToolRefused
from daybook.state.ledger.plan import Plan
from daybook.state.session import Session
from daybook.tools.domain import Domain

State = Mapping[str, Any]


def waits_for(state: State, plan_id: str) -> bool:
    """Tell whether a plan waits while the state stands in another turn."""
    waiting: Waiting | None = state.get("waiting")
    return waiting is not None and waiting["plan_id"] == plan_id


def may_wait(state: State, plan: Plan, turn_id: str) -> bool:
    """Tell whether a plan that nobody has decided may wait while a turn is walked through.

    The state must have come to its question: of an older branch it knows nothing.
    """
    if state.get("waiting") is not None:
        return waits_for(state, plan.plan_id)
    turn = state.get("turn")
    is_asked = state.get("plan_id") == plan.plan_id and state.get("decision") is not None
    return is_asked and turn is not None and turn["turn_id"] == plan.turn_id != turn_id


def set_aside(state: State, plan: Plan, domain: Domain) -> dict[str, Any]:
    """Keep the turn that waits, and let the flow stand as if its plan had not been opened."""
    if state.get("waiting") is not None:
        return {}
    flow = state["flow"]
    for action in plan.actions:
        if domain.flow.allows(flow, f"{action.tool}.failed"):
            flow = domain.flow.move(flow, f"{action.tool}.failed")
    waiting = Waiting(
        plan_id=plan.plan_id,
        flow=state["flow"],
        turn=state["turn"],
        decision=state["decision"],
        ledger=state["ledger"],
    )
    return {"waiting": waiting, "flow": flow}


def taken_up(state: State) -> dict[str, Any]:
    """Return to the turn that waits; its next decision comes after those of the turn between."""
    waiting: Waiting = state["waiting"]
    turn = {**waiting["turn"], "last": state["turn"].get("last", 0), "resumed": True}
    return {**waiting, "turn": turn, "waiting": None}


async def cancel(page: Page, by: Session) -> None:
    """Withdraw the plan that waits, on the page of what changes what it rests on.

    Raises:
        ToolRefused: it was decided meanwhile.
    """
    if page.open_plan is None:
        return
    plan = await page.plan(page.open_plan)
    assert plan is not None
    if plan.decided or plan.touched:
        raise ToolRefused("Another plan of this conversation is under way. Nothing was changed.")
    withdraw(page, plan, by)


async def cancelled(state: State, work: Work) -> list[Plan]:
    """Return the plan that waited, where it is over; its turn is not continued."""
    waiting: Waiting | None = state.get("waiting")
    if waiting is None:
        return []
    ended = await work.ledger.ended_plans(work.session.thread_id, after=state["advanced"])
    over = [plan for plan in ended if plan.plan_id == waiting["plan_id"]]
    if over:
        await leave_unrun(waiting["decision"], waiting["turn"]["turn_id"], work)
    return over


def because_of_change(before: State, after: State, over: Sequence[Plan], domain: Domain) -> str:
    """Say which part of the state a message changed, and what it cancelled by that."""
    shown = domain.panels(before)
    changed = [panel.title.lower() for panel in domain.panels(after) if panel not in shown]
    what = f"the {' and the '.join(changed)}" if changed else "the state of this conversation"
    return f"Your message changed {what}, so {_pending(over)} cancelled."


def because_of_effect(over: Sequence[Plan]) -> str:
    """Say what a message cancelled by asking for another effect."""
    return f"Your message asked for something else, so {_pending(over)} cancelled."


def _pending(over: Sequence[Plan]) -> str:
    names = [action.tool.replace("_", " ") for plan in over for action in plan.actions]
    return f"the pending {' and '.join(names)} {'was' if len(names) == 1 else 'were'}"
