"""The loop's model: what to call next, decided from the messages alone, as any model would."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from evals.model_server import calls_of

Message = Mapping[str, Any]

_WISH = re.compile(r"Buy one (?P<sku>\S+) with (?P<card_id>\S+) to (?P<address_id>\S+)\.")


def wish(sku: str, card_id: str, address_id: str) -> str:
    """Write what the user says, in the words that this model understands."""
    return f"Buy one {sku} with {card_id} to {address_id}. Mail me a confirmation."


def next_message(messages: Sequence[Message]) -> dict[str, Any]:
    """Decide what is to be done next: the first thing that has no result among the messages.

    The id of a call is new each time, as it is with every provider.
    """
    done = _results(messages)
    asked = _WISH.search(next(m["content"] for m in messages if m["role"] == "user"))
    assert asked is not None, "the demo's model understands the demo's wish alone"
    for name, arguments in _PLAN.items():
        if name not in done:
            return calls_of([(name, arguments(asked.groupdict(), done))])
    order = done["place_order"]["order_id"]
    return {"role": "assistant", "content": f"Your order {order} is placed."}


def _results(messages: Sequence[Message]) -> dict[str, dict[str, Any]]:
    names = {
        call["id"]: call["function"]["name"]
        for message in messages
        for call in message.get("tool_calls") or ()
    }
    return {
        names[message["tool_call_id"]]: json.loads(message["content"])
        for message in messages
        if message["role"] == "tool"
    }


_PLAN: Mapping[str, Any] = {
    "get_product": lambda asked, done: {"sku": asked["sku"]},
    "reserve_inventory": lambda asked, done: {"sku": asked["sku"], "quantity": 1},
    "charge_payment": lambda asked, done: {
        "card_id": asked["card_id"],
        "amount": done["get_product"]["price"],
        "currency": done["get_product"]["currency"],
    },
    "place_order": lambda asked, done: {
        "hold_ids": [done["reserve_inventory"]["hold_id"]],
        "charge_id": done["charge_payment"]["charge_id"],
        "address_id": asked["address_id"],
    },
    "send_email": lambda asked, done: {
        "subject": f"Your order {done['place_order']['order_id']}",
        "body": "Thank you for your order.",
    },
}
