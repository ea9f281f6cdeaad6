"""Order events, as merchants send them: whose they are, and which is newer, by their own word.

They come at least once and in any order. Each carries the whole order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from daybook.state.effects.keys import digest
from daybook.tools.merchants.ucp.answers import Unusable
from daybook.tools.merchants.ucp.orders import order_facts

ID_HEADER: Final = "webhook-id"

_LONGEST_ID = 200


@dataclass(frozen=True)
class OrderEvent:
    """What a merchant told of an order.

    Attributes:
        event_id: by the merchant, or made of what was told where it names none.
        newness: the greatest of an order's events is the newest one.
        facts: what the order shows (see `orders.order_facts`).
    """

    event_id: str
    checkout_id: str
    order_id: str
    newness: str
    facts: Mapping[str, Any]


def order_event(body: Any, event_id: str = "") -> OrderEvent:
    """Read an order event.

    Args:
        body: the order, or an object that holds it as `order`.
        event_id: of its header `Webhook-Id`.

    Raises:
        Unusable: it is none.
    """
    order = body.get("order", body) if isinstance(body, Mapping) else None
    if not isinstance(order, Mapping):
        raise Unusable("it is no order")
    facts = order_facts(order)
    if "checkout_id" not in facts:
        raise Unusable("it does not say of which checkout the order is")
    named = event_id if 0 < len(event_id) <= _LONGEST_ID and event_id.isprintable() else ""
    return OrderEvent(
        event_id=named or f"told {digest(dict(facts))[:40]}",
        checkout_id=facts["checkout_id"],
        order_id=facts["order_id"],
        newness=newness_of(facts),
        facts=facts,
    )


def newness_of(facts: Mapping[str, Any]) -> str:
    """Order what is told of one order: by how much has happened, then by how much is settled.

    What was shipped is only ever added to; adjustments change their status in their place.

    Args:
        facts: see `orders.order_facts`.
    """
    happened = [*facts["events"], *facts["adjustments"]]
    settled = sum(one.get("status") in ("completed", "failed") for one in happened)
    last = max((one["at"] for one in happened), default="")
    return f"{len(happened):06d} {settled:06d} {last}"
