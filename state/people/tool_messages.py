"""The calls of a turn for clients: messages with tool calls, and their results.

They are a view for people, written when the turn ends; no prompt is made of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

from daybook.state.people.questions.message import is_asked
from daybook.state.receipts import is_receipt

_CALLED = "/called/"

Shown = tuple[str, Mapping[str, Any], str]
"""Tool, arguments, and what came of it in words."""


def is_called(message_id: str | None) -> bool:
    """Tell whether a message shows calls; no client can give a message such an id."""
    return message_id is not None and _CALLED in message_id


def as_said(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Return what user and model said, without questions, calls and receipts."""
    return [
        one for one in messages if not (is_asked(one.id) or is_called(one.id) or is_receipt(one.id))
    ]


def calling(turn_id: str, place: str, calls: Sequence[Shown]) -> list[AnyMessage]:
    """Return what shows the calls of one decision.

    Args:
        place: which decision of the turn.
    """
    name = f"{turn_id}{_CALLED}{place}"
    made = [
        {"name": tool, "args": dict(args), "id": f"{name}.{position}"}
        for position, (tool, args, _) in enumerate(calls)
    ]
    results = [
        ToolMessage(result, tool_call_id=call["id"], name=tool, id=str(call["id"]))
        for call, (tool, _, result) in zip(made, calls, strict=True)
    ]
    return [AIMessage("", tool_calls=made, id=name), *results]
