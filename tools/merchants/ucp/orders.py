"""Parse an order as its merchant shows or reports it: purchases, shipments, refunds.

Events of orders come at least once and in any order. Each carries the whole order.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any

from pydantic import AliasPath, Field

from daybook.state.money import Money
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

_MOST_TOLD = 20


class _Happened(Part):
    """Something that happened to an order, in the merchant's words."""

    type: Line40 = ""
    occurred_at: Moment = None
    description: Line120 = ""

    @property
    def at(self) -> str:
        """Return when it happened; "" if that is not said."""
        return self.occurred_at.isoformat() if self.occurred_at else ""


class _Shipment(_Happened):
    carrier: Line40 = ""
    tracking_number: Line120 = ""

    def line(self) -> str:
        """Write what was shipped or delivered, with whom, by which number."""
        words = ", ".join(filter(None, (self.description, self.carrier, self.tracking_number)))
        return " ".join(filter(None, (self.type, self.at[:10], words)))


class _Changed(Part):
    amount: Difference


class _Adjustment(_Happened):
    status: Line40 = ""
    totals: Annotated[tuple[dict[str, Any], ...], Rows] = ()

    def line(self, currency: str) -> str:
        """Write what was paid back and the like, and by how much where that is said."""
        amount = ""
        for one in self.totals:
            if one.get("type") == "total":
                with suppress(Unusable):
                    changed = abs(taken(_Changed, one, "a change").amount)
                    amount = f"of {Money(amount=changed, currency=currency)}"
        return " ".join(filter(None, (self.type, amount, self.status, self.description)))


class _Order(Part):
    order_id: Id = Field(alias="id")
    currency: Currency
    lines: Annotated[tuple[Line, ...], Rows] = Field(default=(), alias="line_items")
    totals: Sums
    checkout_id: MaybeId = None
    url: Link = Field(default=None, alias="permalink_url")
    shipments: Annotated[tuple[_Shipment, ...], Rows] = Field(
        default=(), validation_alias=AliasPath("fulfillment", "events")
    )
    adjustments: Annotated[tuple[_Adjustment, ...], Rows] = ()

    @property
    def history(self) -> list[str]:
        """Write what became of it, a line each: shipments, then refunds and the like."""
        # What comes without a word of what it is is left out.
        shipped = [one.line() for one in self.shipments if one.type]
        adjusted = [one.line(self.currency) for one in self.adjustments]
        return [*shipped, *adjusted][-_MOST_TOLD:]

    @property
    def newness(self) -> str:
        """Order what is told of one order: by how much has happened, then by how much is settled.

        What was shipped is only ever added to; adjustments change their status in their place.
        """
        happened = [*self.shipments, *self.adjustments]
        settled = sum(one.status in ("completed", "failed") for one in self.adjustments)
        last = max((one.at for one in happened), default="")
        return f"{len(happened):06d} {settled:06d} {last}"


def order_facts(body: Any) -> dict[str, Any]:
    """Write down what an order shows: no address, nothing of its user.

    Raises:
        Unusable: it is invalid, or what money depends on is missing.
    """
    order = taken(_Order, body, "an order")
    told: dict[str, Any] = {
        "order_id": order.order_id,
        "currency": order.currency,
        "total": total_in(order.totals),
        "lines": [f"{one.quantity} x {one.title}" for one in order.lines],
        # As they were ordered: what was returned since makes it no other order.
        "bought": bought_of(
            (one.item_id, one.quantity if one.original is None else one.original)
            for one in order.lines
        ),
        "told": order.history,
        "newness": order.newness,
    }
    others = {"checkout_id": order.checkout_id, "url": order.url}
    return {**told, **{name: value for name, value in others.items() if value}}


def told_facts(body: Any) -> Mapping[str, Any]:
    """Read what an event tells of an order: the whole order.

    Raises:
        Unusable: it is invalid, or does not say of which checkout the order is.
    """
    facts = order_facts(body)
    if "checkout_id" not in facts:
        raise Unusable("it does not name the checkout of the order")
    return facts
