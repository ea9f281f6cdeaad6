"""Put a question again to a person who has typed "yes" where its buttons were to be pressed.

A message names no question, so it approves none. It begins no turn either, and no model is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.types import Command

from daybook.nodes.questions import put
from daybook.nodes.running.work import Work
from daybook.state.ledger.next_action import AskApproval, AskDoubt
from daybook.state.people.questions.asked import ANSWER_ABOVE
from daybook.state.people.questions.assent import is_assent


async def put_again(
    state: Mapping[str, Any], update: Mapping[str, Any], message_id: str, work: Work
) -> Command[Any] | None:
    """Put the question again that holds a plan back.

    None where the message says more than yes, or nothing waits for one.

    Args:
        update: keys that the calling node changes.
    """
    said = next((m.text for m in state.get("messages") or () if m.id == message_id), "")
    plan_id = state.get("plan_id")
    if plan_id is None or "turn" not in state:
        return None
    if plan_id != await work.ledger.open_plan(work.session.thread_id):
        # Nothing waits, or it was put in another branch of the thread.
        return None
    at = await work.engine.read(plan_id)
    plan = at.plan
    asks_for_one = isinstance(at.action, AskApproval | AskDoubt)
    if not asks_for_one or not is_assent(said, [action.title for action in plan.actions]):
        return None
    answer = AIMessage(ANSWER_ABOVE, id=f"{message_id}/answer")
    return put(plan, at.action, state, {**update, "messages": [answer]}, work)
