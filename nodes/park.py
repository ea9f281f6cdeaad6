"""Leave a plan that would have to wait for long: it stays open and is taken up again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from langgraph.types import Command

from daybook.nodes.receipts import shown
from daybook.nodes.running.work import Work
from daybook.nodes.sending.claim import tool_of
from daybook.state.ledger.next_move import Claim, ClaimUndo
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import StepState
from daybook.state.receipts import receipt_message
from daybook.tools.receipts.lines import receipt_lines

Exit = Literal["__end__"]


async def park(state: Mapping[str, Any], work: Work) -> Command[Exit]:
    """Tell the person what is still open. The turn is not done: the next run continues it."""
    plan, now = await work.plan(state["plan_id"])
    titles = "; ".join(action.title for action in plan.actions)
    text = (
        f"This is not settled yet: {titles}. {await _why(plan, now, work)}. "
        "Nothing is done twice: it is looked at again by a worker, or when you come back to this "
        "conversation."
    )
    # Once for each time that a person asks, however often a worker looks meanwhile.
    about = f"{plan.plan_id}/{state['turn']['turn_id']}/parked"
    notices = [*state["turn"]["notices"], text]
    receipt = receipt_message(about, receipt_lines([plan]), notices)
    # It may be taken up many times before its turn ends.
    work.resources.ended.add(work.session.thread_id)
    turn = {**state["turn"], "notices": []}
    return Command(update={"messages": shown(receipt, work), "turn": turn}, goto="__end__")


async def _why(plan: Plan, now: datetime, work: Work) -> str:
    """Say what the plan waits for."""
    move = work.settle(plan, now)
    if isinstance(move, Claim | ClaimUndo):
        rule = (await work.rules.all()).get(tool_of(plan, move))
        barred = rule.bars(now) if rule is not None else None
        if barred is not None:
            return barred.why
    if any(step.state is StepState.UNKNOWN and step.is_in_hand for step in plan.steps):
        return "The other side has accepted it, and has it in hand"
    states = {step.state for step in plan.steps}
    if StepState.DONE in states and not states & {StepState.UNKNOWN, StepState.UNDOING}:
        return "The provider confirmed it, and the look-up that would show it does not answer"
    return "The other side does not say whether it was done"
