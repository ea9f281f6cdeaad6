"""Catch up with plans that the state does not know: withdraw, carry on with, or take in.

One that was withdrawn just now; one whose end was written before a crash and whose checkpoint was
not; one of another branch, from before which somebody went on. What was done to the world is done,
whatever checkpoint one goes back to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AnyMessage

from daybook.nodes.effects.approve import withdraw
from daybook.nodes.past.advance import advanced, opened
from daybook.nodes.receipts import plan_receipts
from daybook.nodes.running.work import Work
from daybook.state.agent import Turn
from daybook.state.ledger.plan import Plan
from daybook.state.people.questions.asked import asked_no_more

State = Mapping[str, Any]


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
