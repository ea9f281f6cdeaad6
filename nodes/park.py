"""Leave a plan that would have to wait for long: it stays open and is continued later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langgraph.types import Command

from daybook.nodes.effects.claim import why_unsettled
from daybook.nodes.past.plans import emit_receipt
from daybook.nodes.running.work import Work
from daybook.state.receipts import receipt_message
from daybook.tools.receipts.lines import receipt_lines

Exit = Literal["__end__"]


async def park(state: Mapping[str, Any], work: Work) -> Command[Exit]:
    """Tell the user what is still open; the next run continues the turn."""
    at = await work.engine.read(state["plan_id"])
    plan = at.plan
    titles = "; ".join(action.title for action in plan.actions)
    why = why_unsettled(at, await work.rules.all())
    if any(action.stopped_by for action in plan.actions):
        text = (
            f"Stopped: {titles}. No further step is started. {why}; once it does, a worker undoes "
            "the completed steps. You can leave or start another conversation in the meantime."
        )
    else:
        text = (
            f"The outcome is not known yet: {titles}. {why}. Nothing is done twice: a worker "
            "checks it again, or this conversation does when you return."
        )
    # Once for each time that a person asks, however often a worker looks meanwhile.
    about = f"{plan.plan_id}/{state['turn']['turn_id']}/parked"
    notices = [*state["turn"]["notices"], text]
    receipt = receipt_message(about, receipt_lines([plan]), notices)
    # It may be taken up many times before its turn ends.
    work.resources.ended.add(work.session.thread_id)
    turn = {**state["turn"], "notices": []}
    return Command(update={"messages": emit_receipt(receipt, work), "turn": turn}, goto="__end__")
