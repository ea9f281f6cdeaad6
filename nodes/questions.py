"""Lead to a question: what shows it in the conversation is written one super-step before it is put.

What a node writes that asks is lost until it is answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from langgraph.types import Command

from daybook.nodes.effects import approve, resolve
from daybook.nodes.running.work import Work
from daybook.state.agent import append_messages
from daybook.state.ledger.next_action import AskApproval, NextAction
from daybook.state.ledger.plan import Plan
from daybook.state.people.questions.asked import asking

Asks: TypeAlias = Literal["approve", "doubt"]


def put(
    plan: Plan, action: NextAction, state: Mapping[str, Any], update: Mapping[str, Any], work: Work
) -> Command[Any]:
    """Go on to the node that asks a person what is to be asked about a plan.

    Args:
        update: keys that the node changes that leads there.
    """
    note = update.get("note", state.get("note", ""))
    if isinstance(action, AskApproval):
        ask, goto = approve.question(work.engine, plan, note), "approve"
    else:
        located = resolve.in_question(plan, action)
        assert located is not None
        ask, goto = resolve.question(work.engine, plan, located, note), "doubt"
    said = append_messages(state.get("messages") or [], update.get("messages", []))
    messages = [*update.get("messages", ()), *asking(ask.text, ask.id, said)]
    shown = {"messages": messages} if messages else {}
    return Command(update={**update, "plan_id": plan.plan_id, **shown}, goto=goto)
