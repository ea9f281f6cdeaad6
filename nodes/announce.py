"""Show a question in the conversation before it is put.

What a node writes that asks is lost until it is answered, so it is said one super-step before: by
whatever node leads there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AnyMessage
from langgraph.types import Command

from daybook.nodes.doubt import happening, in_question
from daybook.nodes.running.work import Work
from daybook.state.agent import append_messages
from daybook.state.people.questions.asked import asking
from daybook.state.people.questions.described import doubt_shown, plan_shown


async def announced(command: Command[Any], state: Mapping[str, Any], work: Work) -> Command[Any]:
    """Return where a node goes on; before a question with the message that shows it."""
    if command.goto not in ("approve", "doubt"):
        return command
    update: dict[str, Any] = {**command.update} if isinstance(command.update, dict) else {}
    said = append_messages(state.get("messages") or [], update.get("messages", []))
    shown = await _shown(str(command.goto), {**state, **update}, said, work)
    if not shown:
        return command
    messages = [*update.get("messages", ()), *shown]
    return Command(update={**update, "messages": messages}, goto=command.goto)


async def _shown(
    goto: str, state: Mapping[str, Any], said: list[AnyMessage], work: Work
) -> list[AnyMessage]:
    plan, now = await work.ledger.plan(work.session.thread_id, state["plan_id"])
    if plan is None:
        return []
    if goto == "approve":
        if plan.decided:
            return []
        return asking(plan_shown(plan, state.get("note", "")), plan.plan_id, said)
    located = in_question(plan, work.settle(plan, now))
    if located is None:
        return []
    action, step = located
    assert step.question is not None
    text = doubt_shown(action, step, happening(action, step, work), state.get("note", ""))
    return asking(text, step.question, said)
