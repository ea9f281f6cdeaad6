"""What plans that are over left behind: an effect that landed late, or a step in doubt.

A phase of the nodes that end a run rather than a node: a super-step costs two commits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from langchain_core.messages import AIMessage
from langgraph.types import Command

from daybook.nodes.effects.resolve import in_question
from daybook.nodes.questions import put
from daybook.nodes.receipts import shown
from daybook.nodes.running.work import Work
from daybook.state.ledger.plan import Plan
from daybook.state.receipts import receipt_message
from daybook.tools.receipts.lines import receipt_lines

Tail: TypeAlias = Literal["execute", "doubt", "__end__"]


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
