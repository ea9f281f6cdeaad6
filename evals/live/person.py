"""The user of a written conversation: says its lines and answers the questions."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from daybook.graph.guarded import GuardedGraph
from evals.live.conversations import Conversation, Line
from evals.servers import Shop

_QUESTIONS = 12
"""The most questions that the user answers for one line."""

_WAIT = "wait"


class GaveUp(Exception):
    """Raised when the user is asked too many questions."""


async def hold(graph: GuardedGraph, shop: Shop, thread_id: str, one: Conversation) -> None:
    """Hold a conversation to its end.

    Raises:
        GaveUp: it does not end.
        ModelUnavailable: the model gave no answer.
    """
    config: RunnableConfig = {
        "configurable": {"thread_id": thread_id, "user_id": one.user, "role": "customer"}
    }
    for line in one.lines:
        for method, path, body in line.shop:
            await shop.ask(method, path, **body)
        answers = iter(line.answers)
        if await _send(graph, config, line, line.said, answers) and line.again:
            await _send(graph, config, line, line.again, answers)


async def _send(
    graph: GuardedGraph, config: RunnableConfig, line: Line, text: str, answers: Iterator[str]
) -> bool:
    """Send a message and answer the questions; return whether the model only asked back.

    Raises:
        GaveUp: the questions do not end.
    """
    said = {"role": "user", "content": text, "id": str(uuid.uuid4())}
    result = await graph.ainvoke({"messages": [said]}, config)
    began_nothing = not result.get("__interrupt__", ())
    for _ in range(_QUESTIONS):
        asks = result.get("__interrupt__", ())
        if not asks:
            return began_nothing and str(result["messages"][-1].text).rstrip().endswith("?")
        question: dict[str, Any] = asks[0].value
        decisions = []
        for request in question["action_requests"]:
            if request["name"] == "in_doubt":
                decisions.append({"type": "respond", "message": line.doubt})
                continue
            answer = next(answers, "approve")
            if answer == _WAIT:
                return False
            decisions.append({"type": answer})
        resumed = {"decisions": decisions, "approval_id": question["approval_id"]}
        result = await graph.ainvoke(Command(resume=resumed), config)
    raise GaveUp(f"the user was asked more than {_QUESTIONS} times for “{text}”")
