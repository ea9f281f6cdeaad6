"""End the turn: the decision's text is the answer, no second model call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langchain_core.messages import AIMessage
from langgraph.types import Command

from nodes.look import said
from nodes.work import Work
from state.agent import Decision, Turn
from state.entry import Entry
from state.recovery import Event

Exit = Literal["__end__"]


async def respond(state: Mapping[str, Any], work: Work) -> Command[Exit]:
    """Say the answer, with what the machine has to tell; record that the turn is done."""
    turn: Turn = state["turn"]
    decision: Decision = state["decision"]
    text = decision["text"]
    answer = [work.domain.answer(state, said(state), text)] if text else []
    text = "\n\n".join([*turn["notices"], *answer])
    known = await work.ledger.turn(work.session.thread_id, turn["turn_id"])
    # A node that runs again, after its entry and before its checkpoint, gives the same answer.
    if all(entry.event is not Event.TURN_DONE for entry in known):
        async with work.ledger.page(work.session) as page:
            page.write(Entry(Event.TURN_DONE, turn_id=turn["turn_id"]))
    work.resources.ended.add(work.session.thread_id)
    message = AIMessage(text, id=f"{turn['turn_id']}/answer")
    return Command(
        update={
            "messages": [message],
            "decision": None,
            "turn": {**turn, "notices": []},
        },
        goto="__end__",
    )
