"""What is played: what a person says, what the model decides on it, and what must come of it."""

from __future__ import annotations

import json
import re
import threading
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Call = tuple[str, dict[str, Any]]

SKU = "BOOT-001"


@dataclass(frozen=True)
class Script:
    """One conversation.

    Attributes:
        says: what the person says, one thing after the other.
        decides: what the model calls on each of them, one after the other; then it says the last
            result.
        happens: what must have happened in the end, each of it once and nothing else.
        refuses: an endpoint that is out of order for this conversation.
        user: who shops; else a person of its own.
        kills_from: the thing said from which on it is killed.
    """

    name: str
    says: tuple[str, ...]
    decides: tuple[tuple[Call, ...], ...]
    happens: tuple[str, ...]
    refuses: str = ""
    user: str = ""
    kills_from: int = 0


_BUYS: tuple[Call, ...] = (
    ("search_products", {"query": "waterproof hiking boots"}),
    ("add_to_cart", {"sku": SKU}),
    ("checkout", {}),
)
_BUY = "find me waterproof hiking boots, put them into the cart and check out"

PURCHASE = Script("purchase", (_BUY,), (_BUYS,), ("reserve", "charge", "order", "mail"))
UNDONE = Script(
    "undone", (_BUY,), (_BUYS,), ("reserve", "charge", "refund", "release"), refuses="orders"
)
DECLINED = Script("declined", (_BUY,), (_BUYS,), ("reserve", "release"), user="gita")
CANCELLED = Script(
    "cancelled",
    (_BUY, "cancel that order"),
    (_BUYS, (("list_orders", {}), ("cancel_order", {}))),
    ("reserve", "charge", "order", "mail", "cancel", "refund"),
    kills_from=1,
)

SCRIPTS = {one.name: one for one in (PURCHASE, UNDONE, DECLINED, CANCELLED)}


def said(script: Script, cell: str, which: int) -> str:
    """Write what the person of a cell says."""
    return f"[{script.name} {which} {cell}] {script.says[which]}"


_SAID = re.compile(r"\[(?P<script>\w+) (?P<which>\d+) (?P<cell>[\w-]+)\]")
_ORDER = re.compile(r"DB-\d+")


class Model:
    """Decide from the messages alone, as any model does, and count who asked."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    def asked(self, cell: str) -> int:
        """Tell how often a cell's model was asked."""
        with self._lock:
            return self._asked[cell]

    def reply(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer one request; the id of a call is new each time, as it is with every provider."""
        messages = request["messages"]
        last = max(at for at, one in enumerate(messages) if one["role"] == "user")
        told = _SAID.search(_text(messages[last]))
        assert told is not None, "whoever speaks in the matrix says in which cell"
        with self._lock:
            self._asked[told["cell"]] += 1
        since: Sequence[Any] = messages[last + 1 :]
        decides = SCRIPTS[told["script"]].decides[int(told["which"])]
        done = sum(bool(one.get("tool_calls")) for one in since)
        results = [_text(one) for one in since if one["role"] == "tool"]
        if done == len(decides):
            return {"role": "assistant", "content": results[-1]}
        name, args = decides[done]
        if name == "cancel_order":
            args = {"order_id": _ORDER.findall(results[-1])[-1]}
        function = {"name": name, "arguments": json.dumps(args)}
        call = {"id": f"call_{uuid.uuid4().hex}", "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}


def _text(message: Mapping[str, Any]) -> str:
    content = message["content"]
    if isinstance(content, list):
        return "".join(part["text"] for part in content)
    return str(content)
