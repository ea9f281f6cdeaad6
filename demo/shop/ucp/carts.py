"""Lines of carts, sessions and orders at the shop's prices; and carts, which hold no goods."""

import json
import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from daybook.demo.shop.faults import Refusal
from daybook.demo.shop.settings import CURRENCY
from daybook.demo.shop.ucp import bodies
from daybook.demo.shop.ucp.bodies import Basket
from daybook.demo.shop.ucp.profile import envelope, error, nothing


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


def create(connection: sqlite3.Connection, asked: Basket) -> str:
    """Make a cart, which holds no goods, and return its id."""
    cart_id = f"cart_{secrets.token_urlsafe(12)}"
    kept = written(priced(connection, asked.line_items), asked.buyer)
    connection.execute(
        "insert into ucp_cart (id, state, kept) values (?, 'open', ?)", (cart_id, kept)
    )
    return cart_id


def update(connection: sqlite3.Connection, cart_id: str, asked: Basket) -> None:
    """Let a cart be what is asked for; raise Refusal (404 not_found, 409 invalid_state)."""
    known, _ = opened(connection, cart_id)
    kept = written(priced(connection, asked.line_items, known), asked.buyer)
    connection.execute("update ucp_cart set kept = ? where id = ?", (kept, cart_id))


def cancel(connection: sqlite3.Connection, cart_id: str) -> dict[str, Any]:
    """Give a cart up, and show it a last time; raise Refusal (404 not_found, 409 invalid_state)."""
    opened(connection, cart_id)
    last = get(connection, cart_id)
    connection.execute("update ucp_cart set state = 'canceled' where id = ?", (cart_id,))
    return last


def get(connection: sqlite3.Connection, cart_id: str) -> dict[str, Any]:
    """Return a cart at the prices of this moment; raise Refusal (404 not_found) once it is gone."""
    known, buyer = opened(connection, cart_id)
    prices = dict(connection.execute("select sku, price from product").fetchall())
    for line in known:
        line.price = prices[line.sku]
    return {
        "ucp": envelope("cart"),
        "id": cart_id,
        "line_items": [line_shown(line) for line in known],
        "currency": CURRENCY,
        "totals": totals(sum(line.total for line in known)),
        **({"buyer": buyer} if buyer else {}),
    }


def opened(
    connection: sqlite3.Connection, cart_id: str
) -> tuple[list[Line], Mapping[str, Any] | None]:
    """Return lines and buyer of a cart; raise Refusal (404 not_found)."""
    row = connection.execute(
        "select kept from ucp_cart where id = ? and state = 'open'", (cart_id,)
    ).fetchone()
    if row is None:
        raise Refusal(404, "not_found", "There is no such cart.")
    kept = json.loads(row["kept"])
    return [Line(**one) for one in kept["lines"]], kept["buyer"]


def written(known: list[Line], buyer: Mapping[str, Any] | None) -> str:
    """Write what a cart keeps."""
    return json.dumps({"lines": [asdict(line) for line in known], "buyer": buyer})
