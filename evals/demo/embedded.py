"""Daybook's side: the model that it has embedded, asked over OpenAI's API so that it is counted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessage, convert_to_messages

from daybook.tools.shop.embedded_model import reply_to


def embedded_message(request: Mapping[str, Any]) -> dict[str, Any]:
    """Ask the model that Daybook has embedded."""
    reply: AIMessage = reply_to(
        convert_to_messages(request["messages"]), {"tools": request.get("tools", ())}
    )
    calls = [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["args"])},
        }
        for call in reply.tool_calls
    ]
    said: dict[str, Any] = {"role": "assistant", "content": str(reply.text)}
    return {**said, "tool_calls": calls} if calls else said
