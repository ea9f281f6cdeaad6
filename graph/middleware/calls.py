"""Bring the calls of a model's message into a form in which each of them can be answered.

A call is answered by its id. Providers that give none, or one twice, would have one answer stand
for two effects, or have an effect that was done be called once more by the agent's own loop.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from langchain.agents.middleware.types import ModelResponse
from langchain_core.messages import AIMessage, BaseMessage, InvalidToolCall, ToolCall

from daybook.state.effects.keys import unkept


def answerable(response: ModelResponse[Any]) -> ModelResponse[Any]:
    """Return a model's response in which each call has an id of its own, and can be kept.

    What no checkpoint holds becomes an invalid call, which the agent's loop answers in words.
    """
    return replace(response, result=[_answerable(message) for message in response.result])


def _answerable(message: BaseMessage) -> BaseMessage:
    if not isinstance(message, AIMessage) or not message.tool_calls:
        return message
    invalid = [_invalid(call, why) for call in message.tool_calls if (why := unkept(call["args"]))]
    kept = [call for call in message.tool_calls if not unkept(call["args"])]
    calls = _with_ids(kept)
    if calls == message.tool_calls:
        return message
    update = {"tool_calls": calls, "invalid_tool_calls": [*message.invalid_tool_calls, *invalid]}
    return message.model_copy(update=update)


def _with_ids(calls: Sequence[ToolCall]) -> list[ToolCall]:
    seen: set[str] = set()
    named = []
    for call in calls:
        id_ = call["id"]
        if not id_ or id_ in seen:
            id_ = _fresh()
        seen.add(id_)
        named.append(ToolCall(name=call["name"], args=call["args"], id=id_, type="tool_call"))
    return named


def _invalid(call: ToolCall, why: str) -> InvalidToolCall:
    return InvalidToolCall(
        name=call["name"],
        args=json.dumps(call["args"]),
        id=call["id"] or _fresh(),
        error=f"The arguments cannot be taken: {why}.",
        type="invalid_tool_call",
    )


def _fresh() -> str:
    return f"call_{uuid.uuid4().hex}"
