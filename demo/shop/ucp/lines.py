"""Lines of sessions and orders at the shop's prices."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from daybook.demo.shop.faults import Refusal
from daybook.demo.shop.ucp import bodies
from daybook.demo.shop.ucp.profile import error, nothing


@dataclass
class Line:
    """A line as it is kept; `price` of one, in cents, as its buyer has seen it."""

    id: str
    sku: str
    title: str
    quantity: int
    price: int
    hold_id: str | None = None

    @property
    def total(self) -> int:
        """Return what the line costs, in cents."""
        return self.price * self.quantity


class Settled(Exception):
    """A request is answered without anything being done: `body` is the answer, no error of HTTP."""

    def __init__(self, body: dict[str, Any]) -> None:
        super().__init__("nothing was done")
        self.body = body


def priced(
    connection: sqlite3.Connection, asked: Sequence[bodies.Line], known: Sequence[Line] = ()
) -> list[Line]:
    """Return the lines that are asked for; those that are there already keep their ids.

    Raises Settled where one is of a product that there is not.
    """
    before = {line.id: line for line in known}
    taken = {line.id for line in asked if line.id in before}
    lines: list[Line] = []
    for at, one in enumerate(asked):
        row = connection.execute(
            "select name, price from product where sku = ?", (one.item.id,)
        ).fetchone()
        if row is None:
            path = f"$.line_items[{at}]"
            why = error("item_unavailable", "There is no such product.", path, "unrecoverable")
            raise Settled(nothing(why))
        line_id = one.id if one.id in taken and one.id else free(at + 1, taken)
        if any(line.id == line_id for line in lines):
            raise Refusal(400, "invalid_request", "A line is named twice.")
        taken.add(line_id)
        lines.append(Line(line_id, one.item.id, row["name"], one.quantity, row["price"]))
    return lines


def free(number: int, taken: set[str]) -> str:
    """Return the first id from a number on that no line has."""
    while f"li_{number}" in taken:
        number += 1
    return f"li_{number}"


def line_shown(line: Line) -> dict[str, Any]:
    """Return a line in the shape of the answers."""
    return {
        "id": line.id,
        "item": item(line),
        "quantity": line.quantity,
        "totals": totals(line.total),
    }


def item(line: Line) -> dict[str, Any]:
    """Return what a line is of."""
    return {"id": line.sku, "title": line.title, "price": line.price}


def totals(goods: int, *, is_sent: bool = False) -> list[dict[str, Any]]:
    """Return sums: shipping is free, and tax is in the prices."""
    sent = [{"type": "fulfillment", "display_text": "Shipping", "amount": 0}] if is_sent else []
    return [
        {"type": "subtotal", "display_text": "Goods", "amount": goods},
        *sent,
        {"type": "total", "display_text": "Total", "amount": goods},
    ]


def links(base: str) -> list[dict[str, str]]:
    """Return where the shop's terms are read."""
    topics = (("refund_policy", "returns"), ("shipping_policy", "shipping"), ("faq", "payment"))
    return [{"type": kind, "url": f"{base}/policies/{topic}"} for kind, topic in topics]
