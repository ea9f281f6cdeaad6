import json
import secrets
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.settings import CURRENCY
from daybook.demo.shop.ucp.said.envelope import envelope
from daybook.demo.shop.ucp.selling import lines
from daybook.demo.shop.ucp.selling.bodies import Basket
from daybook.demo.shop.ucp.selling.lines import Line


def create(connection: sqlite3.Connection, asked: Basket) -> str:
    """Make a cart, which holds no goods, and return its id."""
    cart_id = f"cart_{secrets.token_urlsafe(12)}"
    kept = written(lines.priced(connection, asked.line_items), asked.buyer)
    connection.execute(
        "insert into ucp_cart (id, state, kept) values (?, 'open', ?)", (cart_id, kept)
    )
    return cart_id


def update(connection: sqlite3.Connection, cart_id: str, asked: Basket) -> None:
    """Let a cart be what is asked for; raise Refusal (404 not_found, 409 invalid_state)."""
    known, _ = opened(connection, cart_id)
    kept = written(lines.priced(connection, asked.line_items, known), asked.buyer)
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
        "line_items": [lines.shown(line) for line in known],
        "currency": CURRENCY,
        "totals": lines.totals(sum(line.total for line in known)),
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
