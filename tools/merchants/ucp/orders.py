"""Read an order as its merchant shows or tells it: what was bought, shipped and paid back.

Events of orders come at least once and in any order. Each carries the whole order.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, Final

from pydantic import AliasPath, Field

from daybook.tools.merchants.ucp.answers import (
    Currency,
    Difference,
    Id,
    Line40,
    Line120,
    Link,
    MaybeId,
    Moment,
    Part,
    Rows,
    Unusable,
    taken,
)
from daybook.tools.merchants.ucp.checkout import Line, Sums, bought_of, total_in

ID_HEADER: Final = "webhook-id"


class _Event(Part):
    """What was shipped or delivered, in the merchant's words, with whom, by which number."""

    type: Line40 = ""
    occurred_at: Moment = None
    description: Line120 = ""
    carrier: Line40 = ""
    tracking_number: Line120 = ""

    def words(self) -> list[str]:
        """Return what is said of it."""
        return [said for said in (self.description, self.carrier, self.tracking_number) if said]


class _Adjustment(Part):
    id: Line120 = ""
    occurred_at: Moment = None
    type: Line40 = ""
    status: Line40 = ""
    description: Line120 = ""
    totals: Annotated[tuple[dict[str, Any], ...], Rows] = ()

    def facts(self) -> dict[str, Any]:
        """Write it down, with by how much it changes what was paid where that is said."""
        told: dict[str, Any] = {
            "id": self.id,
            "at": self.occurred_at.isoformat() if self.occurred_at else "",
            "type": self.type,
            "status": self.status,
            "text": self.description,
        }
        for one in self.totals:
            if one.get("type") == "total":
                with suppress(Unusable):
                    told["amount"] = taken(_Changed, one, "a change").amount
        return told


class _Changed(Part):
    amount: Difference


class _Order(Part):
    order_id: Id = Field(alias="id")
    currency: Currency
    lines: Annotated[tuple[Line, ...], Rows] = Field(default=(), alias="line_items")
    totals: Sums
    checkout_id: MaybeId = None
    url: Link = Field(default=None, alias="permalink_url")
    events: Annotated[tuple[_Event, ...], Rows] = Field(
        default=(), validation_alias=AliasPath("fulfillment", "events")
    )
    adjustments: Annotated[tuple[_Adjustment, ...], Rows] = ()


def order_facts(body: Any) -> dict[str, Any]:
    """Write down what an order shows: no address, nothing of its person.

    Raises:
        Unusable: it is none, or what money depends on is missing.
    """
    order = taken(_Order, body, "an order")
    told: dict[str, Any] = {
        "order_id": order.order_id,
        "currency": order.currency,
        "total": total_in(order.totals),
        "lines": [one.as_row() for one in order.lines],
        # As they were ordered: what was returned since makes it no other order.
        "bought": bought_of(
            (one.item_id, one.quantity if one.original is None else one.original)
            for one in order.lines
        ),
        "events": [
            {
                "type": one.type,
                "at": one.occurred_at.isoformat() if one.occurred_at else "",
                "text": ", ".join(one.words()),
            }
            # What comes without a word of what it is is left out.
            for one in order.events
            if one.type
        ],
        "adjustments": [one.facts() for one in order.adjustments],
    }
    others = {"checkout_id": order.checkout_id, "url": order.url}
    return {**told, **{name: value for name, value in others.items() if value}}


def told_facts(body: Any) -> dict[str, Any]:
    """Read what an event tells of an order: the whole order.

    Raises:
        Unusable: it is none, or does not say of which checkout the order is.
    """
    facts = order_facts(body)
    if "checkout_id" not in facts:
        raise Unusable("it does not say of which checkout the order is")
    return facts


def newness_of(facts: Mapping[str, Any]) -> str:
    """Order what is told of one order: by how much has happened, then by how much is settled.

    What was shipped is only ever added to; adjustments change their status in their place.

    Args:
        facts: see `order_facts`.
    """
    happened = [*facts["events"], *facts["adjustments"]]
    settled = sum(one.get("status") in ("completed", "failed") for one in happened)
    last = max((one["at"] for one in happened), default="")
    return f"{len(happened):06d} {settled:06d} {last}"
