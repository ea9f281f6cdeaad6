"""What is played: what a person says, what the model decides on it, and what must come of it."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evals.model_server import calls_of, text_of

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

    def said(self, thread: str) -> list[str]:
        """Write what the person of a thread says."""
        return [f"[{self.name} {n} {thread}] {words}" for n, words in enumerate(self.says)]


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

_SAID = re.compile(r"\[(?P<script>\w+) (?P<which>\d+) (?P<thread>[\w-]+)\]")
_ORDER = re.compile(r"DB-\d+")


class Model:
    """Decide from the messages alone, as any model does, and count who asked."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    def asked(self, thread: str) -> int:
        """Tell how often a thread's model was asked."""
        with self._lock:
            return self._asked[thread]

    def reply(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer one request."""
        told, since = last_said(request, _SAID)
        with self._lock:
            self._asked[told["thread"]] += 1
        calls: Sequence[Call] = SCRIPTS[told["script"]].decides[int(told["which"])]
        listed = _ORDER.findall(" ".join(results(since)[-1:]))
        if calls[-1][0] == "cancel_order" and listed:
            calls = [*calls[:-1], ("cancel_order", {"order_id": listed[-1]})]
        return next_of(calls, since)


def last_said(
    request: Mapping[str, Any], form: re.Pattern[str]
) -> tuple[re.Match[str], Sequence[Mapping[str, Any]]]:
    """Return what the person said last, by its form, and the messages since then."""
    messages = request["messages"]
    last = max(at for at, one in enumerate(messages) if one["role"] == "user")
    told = form.search(text_of(messages[last]))
    assert told is not None, "whoever speaks in the matrix says in which cell"
    return told, messages[last + 1 :]


def results(since: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what tools said."""
    return [text_of(one) for one in since if one["role"] == "tool"]


def next_of(calls: Sequence[Call], since: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the next of some calls, or the last result when all were made."""
    done = sum(bool(one.get("tool_calls")) for one in since)
    if done == len(calls):
        return {"role": "assistant", "content": results(since)[-1]}
    return calls_of([calls[done]])
