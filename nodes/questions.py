"""Prepare a question: the message that shows it is written one super-step before the interrupt.

What a node writes that asks is lost until it is answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from langchain_core.messages import AIMessage
from langgraph.config import get_config
from langgraph.types import Command, interrupt

from daybook.nodes.effects import approve, resolve
from daybook.nodes.effects.engine import Ask
from daybook.nodes.past.aside import taken_up
from daybook.nodes.running.contexts import text_of
from daybook.nodes.running.work import Work
from daybook.state.agent import append_messages
from daybook.state.ledger.next_action import AskApproval, AskDoubt, NextAction
from daybook.state.ledger.plan import Plan
from daybook.state.people.questions.assent import is_assent
from daybook.state.people.questions.message import ANSWER_ABOVE, asking

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


def answer_to(ask: Ask) -> Any:
    """Ask, and return the answer.

    LangGraph keeps what `interrupt` returns: an answer that does not fit is refused before that.

    Raises:
        GraphInterrupt: there is no answer yet.
        InputRefused: it does not fit its question, which stays as it was.
    """
    scratchpad = get_config()["configurable"]["__pregel_scratchpad"]
    given = scratchpad.resume[0] if scratchpad.resume else scratchpad.get_null_resume()
    if given is not None:
        ask.checked(given)
    return ask.checked(interrupt(ask.request))


async def put_again(
    state: Mapping[str, Any], update: Mapping[str, Any], message_id: str, work: Work
) -> Command[Any] | None:
    """Put the question again that holds a plan back, to a person who has typed "yes" meanwhile.

    A message names no question, so it approves none; it begins no turn, and no model is asked. None
    where it says more than yes, or nothing waits for one.

    Args:
        update: keys that the calling node changes.
    """
    said = text_of(state, message_id)
    if state.get("waiting") is not None:
        # The turn in between was cut off before it was answered.
        update = {**update, **taken_up(state)}
        state = {**state, **update}
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
