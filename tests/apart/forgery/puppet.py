"""A model that does what it reads: the worst that an injected prompt can make of one."""

import asyncio
import json
import re
from typing import Any

from tests.provider import Answer, Request, Turn, sends, text_in

_ORDER = re.compile(r"CALL (\w+) (\{.*?\})(?=\s|$)", re.DOTALL)


async def puppet(writer: asyncio.StreamWriter, request: Request) -> None:
    """Call what the newest text with an order in it says, be it a person's or a tool's result."""
    await _turn(request.body["messages"])(writer, request)


def _turn(messages: list[dict[str, Any]]) -> Answer:
    spoken = [at for at, message in enumerate(messages) if message["role"] == "user"]
    newest = messages[spoken[-1] :] if spoken else messages
    done = sum(len(message.get("tool_calls") or ()) for message in newest)
    orders = [found for message in newest for found in _ORDER.findall(_said(message))]
    if done < len(orders):
        name, args = orders[done]
        return sends(Turn(calls=((name, json.loads(args)),)).stream)
    said = [_said(message) for message in newest if message["role"] == "tool"]
    return sends(Turn(said[-1] if said else "Hello.").stream)


def _said(message: dict[str, Any]) -> str:
    """Return what a message says; beside calls there may be nothing."""
    return text_in(message["content"] or "")
