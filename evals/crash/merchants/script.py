"""What is played: a person wants one thing of one merchant, and the model buys it."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping
from typing import Any

_SAID = re.compile(r"\[(?P<merchant>\S+) (?P<item>\S+)\]")


def said(merchant: str, item: str) -> str:
    """Write what the person says."""
    return f"[{merchant} {item}] buy me one of these"


def reply(request: Mapping[str, Any]) -> dict[str, Any]:
    """Decide from the messages alone, as any model does."""
    return _reply(request, looks=False)


def looks_first(request: Mapping[str, Any]) -> dict[str, Any]:
    """Decide so, and look through what the merchant sells before anything is bought."""
    return _reply(request, looks=True)


def _reply(request: Mapping[str, Any], *, looks: bool) -> dict[str, Any]:
    messages = request["messages"]
    last = max(at for at, one in enumerate(messages) if one["role"] == "user")
    told = _SAID.search(_text(messages[last]))
    assert told is not None, "whoever speaks here says of whom what is bought"
    merchant = {"merchant": told["merchant"]}
    search = ("search_catalog", {**merchant, "query": told["item"].partition("_")[0], "limit": 5})
    calls: list[tuple[str, dict[str, Any]]] = [
        *([search] if looks else []),
        ("add_to_cart", {**merchant, "item_id": told["item"], "quantity": 1}),
        ("open_checkout", merchant),
        ("place_order", merchant),
    ]
    since = messages[last + 1 :]
    done = sum(bool(one.get("tool_calls")) for one in since)
    if done == len(calls):
        return {
            "role": "assistant",
            "content": [_text(one) for one in since if one["role"] == "tool"][-1],
        }
    name, args = calls[done]
    function = {"name": name, "arguments": json.dumps(args)}
    call = {"id": f"call_{uuid.uuid4().hex}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _text(message: Mapping[str, Any]) -> str:
    content = message["content"]
    if isinstance(content, list):
        return "".join(part["text"] for part in content)
    return str(content)
