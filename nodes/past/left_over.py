"""What plans that are over left behind: an effect that landed late, or a step in doubt.

A phase of the nodes that end a run rather than a node: a super-step costs two commits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from daybook.nodes.receipts import shown
from daybook.nodes.running.work import Work
from daybook.state.ledger.plan import Plan
from daybook.state.receipts import receipt_message
from daybook.tools.receipts.lines import receipt_lines

Tail: TypeAlias = Literal["execute", "doubt", "__end__"]


async def left_over(work: Work, but_not: str | None = None) -> tuple[Tail, dict[str, Any]]:
    """Return where a run goes on that has nothing else to do, and what changes for it.

    Args:
        but_not: a plan that was looked after just now.
    """
    for found in await work.ledger.left_over(work.session.thread_id):
        if found.is_in_question or found.plan_id != but_not:
            return "doubt" if found.is_in_question else "execute", {"plan_id": found.plan_id}
    return "__end__", {"plan_id": None}


def told_late(plan: Plan, work: Work) -> Mapping[str, Any]:
    """State what became of a plan of which an earlier receipt stated something else."""
    about = f"{plan.plan_id}/late/{plan.last_seq}"
    receipt = receipt_message(about, receipt_lines([plan]), ["Since the last receipt:"])
    return {"messages": shown(receipt, work)}
