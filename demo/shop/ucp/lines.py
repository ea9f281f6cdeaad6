"""Lines of sessions and orders at the shop's prices."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
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
        unused = (f"li_{number}" for number in count(at + 1) if f"li_{number}" not in taken)
        line_id = one.id if one.id in taken and one.id else next(unused)
        if any(line.id == line_id for line in lines):
            raise Refusal(400, "invalid_request", "A line is listed twice.")
        taken.add(line_id)
        lines.append(Line(line_id, one.item.id, row["name"], one.quantity, row["price"]))
    return lines


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


def totals(goods: int, sent: int | None = None, off: int = 0) -> list[dict[str, Any]]:
    """Return sums: of goods, less what is `off`, with what sending costs; tax is in the prices."""
    parts = {"subtotal": ("Goods", goods)}
    if off:
        parts["discount"] = ("Discount", -off)
    if sent is not None:
        parts["fulfillment"] = ("Shipping", sent)
    parts["total"] = ("Total", goods - off + (sent or 0))
    return [
        {"type": kind, "display_text": text, "amount": amount}
        for kind, (text, amount) in parts.items()
    ]


def links(base: str) -> list[dict[str, str]]:
    """Return where the shop's terms are read."""
    topics = (("refund_policy", "returns"), ("shipping_policy", "shipping"), ("faq", "payment"))
    return [{"type": kind, "url": f"{base}/policies/{topic}"} for kind, topic in topics]
