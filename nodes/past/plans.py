"""Plans of the past: what the state does not know of them yet, and what they left behind.

One that was withdrawn just now; one whose end was written before a crash and whose checkpoint was
not; one of another branch, from before which somebody went on. What was done to the world is done,
whatever checkpoint one goes back to. And an effect that landed late, or a step in doubt.

Phases of the nodes rather than nodes: a super-step costs two commits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from langchain_core.messages import AIMessage, AnyMessage
from langgraph.types import Command

from daybook.nodes.effects.approve import withdraw
from daybook.nodes.effects.resolve import in_question
from daybook.nodes.past.advance import advanced, opened
from daybook.nodes.questions import put
from daybook.nodes.receipts import plan_receipts, shown
from daybook.nodes.running.work import Work
from daybook.state.agent import Turn
from daybook.state.ledger.plan import Plan
from daybook.state.people.questions.asked import asked_no_more
from daybook.state.receipts import receipt_message
from daybook.tools.receipts.lines import receipt_lines

State = Mapping[str, Any]
Tail: TypeAlias = Literal["execute", "doubt", "__end__"]


def taken_in(state: State, over: Sequence[Plan], work: Work) -> dict[str, Any]:
    """Bring the state up to date with plans that ended and that it does not know to be over."""
    update: dict[str, Any] = {}
    turn: Turn = state["turn"]
    messages: list[AnyMessage] = []
    for plan in over:
        flow = opened({**state, **update}["flow"], plan, work.domain)
        after, untaken = advanced({**state, **update, "flow": flow}, plan, work.domain)
        update |= after
        messages += asked_no_more(plan, state.get("messages") or ())
        messages += plan_receipts(plan, turn, work, untaken)
    if messages:
        update["messages"] = messages
    if over:
        # What ended before is no part of this turn's view of the ledger; what is, as it ended.
        update["ledger"] = {name: update["ledger"][name] for name in state["ledger"]}
    return update


async def under_way(plans: Sequence[Plan], work: Work) -> Plan | None:
    """Return the plan that goes on; one that nobody has decided on yet is withdrawn."""
    left = [plan.plan_id for plan in plans if not plan.over]
    if not left:
        return None
    # The newest: at most one is open, and it may have ended since.
    async with work.ledger.page(work.session, left[-1]) as page:
        plan = await page.plan(left[-1])
        assert plan is not None
        if not (plan.over or plan.touched or plan.decided):
            withdraw(page, plan, work.session)
    return None if plan.over else plan


async def left_over(
    state: Mapping[str, Any], update: Mapping[str, Any], work: Work, but_not: str | None = None
) -> Command[Any]:
    """Go on where a run goes that has nothing else to do.

    Args:
        update: keys that the calling node changes.
        but_not: a plan that was looked after just now.
    """
    for found in await work.ledger.left_over(work.session.thread_id):
        if found.is_in_question:
            at = await work.engine.read(found.plan_id)
            if in_question(at.plan, at.action) is not None:
                return put(at.plan, at.action, state, update, work)
        if found.is_in_question or found.plan_id != but_not:
            return Command(update={**update, "plan_id": found.plan_id}, goto="execute")
    return Command(update={**update, "plan_id": None}, goto="__end__")


def told_late(plan: Plan, work: Work) -> list[AIMessage]:
    """State what became of a plan of which an earlier receipt stated something else."""
    about = f"{plan.plan_id}/late/{plan.last_seq}"
    receipt = receipt_message(about, receipt_lines([plan]), ["Since the last receipt:"])
    return shown(receipt, work)
