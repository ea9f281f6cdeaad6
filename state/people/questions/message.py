"""The message in a conversation that shows a question.

Chat clients draw a question beneath the last message of the agent, and nowhere else. What is asked
stands in that message too, and stays in the conversation when the question is over.
"""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from daybook.state.ledger.plan import Plan

_ASKED = "/asked"

ANSWER_ABOVE = (
    "A message does not answer the question above: answer the question itself, or say what to "
    "change. Nothing was done, and the question is still open."
)
"""The reply to a typed "yes": it names no question, so it approves nothing."""

_ENDED = {
    "withdrawn": "Withdrawn",
    "expired": "No one decided on this in time",
    "moved": "Something changed, so this is not asked any more",
}


def is_asked(message_id: str | None) -> bool:
    """Tell whether a message shows a question; no client can give a message such an id."""
    return message_id is not None and _ASKED in message_id


def asks(message_id: str | None, question_id: str) -> bool:
    """Tell whether a message shows this question."""
    return (message_id or "").startswith(question_id + _ASKED)


def asking(text: str, question_id: str, messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Return what shows a question: one message, after which no person has said anything.

    Args:
        text: Markdown.
        question_id: the approval id.
        messages: the conversation so far. What shows the question there is kept up to date.
    """
    there = [message for message in messages if asks(message.id, question_id)]
    if there and not isinstance(messages[-1], HumanMessage):
        shown = there[-1]
        return [] if shown.text == text else [AIMessage(text, id=shown.id)]
    again = f"/{messages[-1].id}" if there else ""
    return [AIMessage(text, id=f"{question_id}{_ASKED}{again}")]


def asked_as(text: str, question_id: str, messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Return what shows a question that was answered: nothing of an answer that was not taken.

    Args:
        text: Markdown.
        question_id: the approval id.
        messages: the conversation so far.
    """
    shown = [one for one in messages if asks(one.id, question_id) and one.text != text]
    return [AIMessage(text, id=one.id) for one in shown]


def asked_no_more(plan: Plan, messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Say of a question that nobody answered, or whose plan was changed, that it is over."""
    said = _over(plan)
    return asked_as(said, plan.question, messages) if said else []


def _over(plan: Plan) -> str:
    first = plan.actions[0]
    titles = "; ".join(action.title for action in plan.actions)
    if first.stopped_by is not None and first.decision == "withdrawn":
        return f"Stopped: {titles}."
    if plan.edits and not plan.has_moved:
        return f"Changed by {first.decided_by}: {titles}. The original was not done."
    decision = "moved" if plan.has_moved else first.decision
    return f"{_ENDED[decision]}: {titles}. None of it was done." if decision in _ENDED else ""
