"""Receipts of plans, as messages of the thread and as `custom` stream events."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.nodes.past.advance import notices_of
from daybook.nodes.running.work import Work
from daybook.state.agent import Turn
from daybook.state.ledger.plan import Plan
from daybook.state.receipts import receipt_message, stream_event
from daybook.tools.receipts.lines import receipt_lines


def plan_receipts(
    plan: Plan, turn: Turn, work: Work, notices: Sequence[str] = ()
) -> list[AIMessage]:
    """Return the receipt of a plan that is over; none of one that an edit replaced.

    It is stored with the state that takes the plan in: the user reads it before the model is asked
    what it makes of it, and whether or not the model answers.
    """
    told = [*notices_of(plan, turn), *notices]
    return shown(receipt_message(plan.plan_id, receipt_lines([plan]), told), work)


async def thread_plans(ledger: Ledger, thread_id: str) -> list[Plan]:
    """Return the plans of a thread, oldest first; the open one is the last."""
    plans = await ledger.ended_plans(thread_id, after=0)
    if (open_id := await ledger.open_plan(thread_id)) is not None:
        plan, _ = await ledger.plan(thread_id, open_id)
        plans += [plan] if plan is not None else []
    return plans


def shown(receipt: AIMessage | None, work: Work) -> list[AIMessage]:
    """Emit a receipt on the `custom` stream; return it for the state."""
    if receipt is None:
        return []
    work.emit(stream_event(receipt))
    return [receipt]
