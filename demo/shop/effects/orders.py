import secrets
import sqlite3
from datetime import datetime
from typing import Any

from daybook.demo.shop import people
from daybook.demo.shop.door.bodies import OrderBody
from daybook.demo.shop.effects import charges, holds, performed
from daybook.demo.shop.effects.terms import Terms
from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.settings import CURRENCY

SELECT = """
select placed_order.*,
       coalesce((select sum(amount) from refund where refund.charge_id = placed_order.charge_id), 0)
           as refunded
  from placed_order
"""


def place(connection: sqlite3.Connection, body: OrderBody, terms: Terms) -> dict[str, Any]:
    """Turn holds and a charge into an order; the goods leave the stock.

    Lines are priced at the shop's price of this moment: a price that rose after the charge makes
    the charge too small.

    Raises Refusal: 404 unknown_user, 404 unknown_address, 409 holds_missing (nothing is
    consumed), 409 charge_missing.
    """
    user_id = people.visit(connection, body.user_id)
    people.require_address(connection, user_id, body.address_id)
    lines = [line_of(connection, hold_id, user_id, terms) for hold_id in body.hold_ids]
    if len(set(body.hold_ids)) < len(body.hold_ids):
        raise Refusal(409, "holds_missing", "A hold is named twice.")
    total = sum(line["quantity"] * line["unit_price"] for line in lines)
    require_charge(connection, body.charge_id, user_id, total)

    order_id = new_number(connection)
    (order_n,) = connection.execute(
        "insert into placed_order"
        " (order_id, reference, user_id, charge_id, address_id, total, currency, state)"
        " values (?, ?, ?, ?, ?, ?, ?, 'placed') returning n",
        (order_id, body.reference, user_id, body.charge_id, body.address_id, total, CURRENCY),
    ).fetchone()
    for position, line in enumerate(lines, start=1):
        connection.execute(
            "insert into order_line"
            " (order_n, position, hold_id, sku, name, quantity, unit_price)"
            " values (:order_n, :position, :hold_id, :sku, :name, :quantity, :unit_price)",
            {**line, "order_n": order_n, "position": position},
        )
        connection.execute("update hold set state = 'consumed' where hold_id = :hold_id", line)
        connection.execute("update product set stock = stock - :quantity where sku = :sku", line)
    performed.record(
        connection,
        "order",
        body.reference,
        terms.at,
        user_id,
        {
            "order_id": order_id,
            "hold_ids": body.hold_ids,
            "charge_id": body.charge_id,
            "address_id": body.address_id,
            "total": total,
            "currency": CURRENCY,
        },
    )
    return get(connection, order_id)


def new_number(connection: sqlite3.Connection) -> str:
    """Draw an order number that was never given, here or (in all likelihood) by another shop.

    Whoever keeps books on orders keeps them by this number, over many shops and their resets: one
    that counted from the start again would be taken for an order of long ago.
    """
    while True:
        number = f"DB-{secrets.randbelow(90_000_000) + 10_000_000}"
        given = connection.execute("select 1 from placed_order where order_id = ?", (number,))
        if given.fetchone() is None:
            return number


def line_of(
    connection: sqlite3.Connection, hold_id: str, user_id: str, terms: Terms
) -> dict[str, Any]:
    """Return the order line that a live hold of this user becomes.

    Raises Refusal (409 holds_missing) when the hold is unknown, expired, released, consumed or
    another user's.
    """
    row = connection.execute(
        "select hold.*, product.name, product.price as unit_price"
        " from hold join product using (sku) where hold_id = ?",
        (hold_id,),
    ).fetchone()
    if row is None:
        raise Refusal(409, "holds_missing", f"Hold {hold_id} is unknown.", hold_id=hold_id)
    hold = holds.shown(row, terms.at)
    if hold["user_id"] != user_id or hold["state"] != "held":
        raise Refusal(409, "holds_missing", f"Hold {hold_id} is not held.", hold_id=hold_id)
    return {**hold, "name": row["name"], "unit_price": row["unit_price"]}


def require_charge(
    connection: sqlite3.Connection, charge_id: str, user_id: str, total: int
) -> None:
    """Raise Refusal (409 charge_missing) unless the charge is whole, enough, theirs and unused."""
    try:
        charged = charges.get(connection, charge_id)
    except Refusal as refusal:
        raise Refusal(409, "charge_missing", refusal.message) from refusal
    if charged["user_id"] != user_id:
        raise Refusal(409, "charge_missing", "The charge is another user's.")
    if charged["refunded"]:
        raise Refusal(409, "charge_missing", "The charge was refunded.")
    if charged["amount"] < total:
        raise Refusal(409, "charge_missing", "The charge is below the total.", total=total)
    if connection.execute(
        "select 1 from placed_order where charge_id = ?", (charge_id,)
    ).fetchone():
        raise Refusal(409, "charge_missing", "Another order has used the charge.")


def get(connection: sqlite3.Connection, order_id: str) -> dict[str, Any]:
    """Return an order with its lines; raise Refusal (404 unknown_order)."""
    row = connection.execute(f"{SELECT} where order_id = ?", (order_id,)).fetchone()
    if row is None:
        raise Refusal(404, "unknown_order", "There is no such order.")
    return shown(connection, row)


def orders_of(connection: sqlite3.Connection, reference: str, at: datetime) -> list[dict[str, Any]]:
    """Return all orders that were placed under this reference, oldest first."""
    rows = connection.execute(f"{SELECT} where reference = ? order by n", (reference,)).fetchall()
    return [shown(connection, row) for row in rows]


def orders_by(connection: sqlite3.Connection, user_id: str) -> list[dict[str, Any]]:
    """Return all orders of a user, oldest first; raise Refusal (404 unknown_user)."""
    canonical = people.visit(connection, user_id)
    rows = connection.execute(f"{SELECT} where user_id = ? order by n", (canonical,)).fetchall()
    return [shown(connection, row) for row in rows]


def shown(connection: sqlite3.Connection, row: sqlite3.Row) -> dict[str, Any]:
    """Return an order in the shape of the answers."""
    lines = connection.execute(
        "select sku, name, quantity, unit_price, hold_id from order_line"
        " where order_n = ? order by position",
        (row["n"],),
    ).fetchall()
    return {
        "order_id": row["order_id"],
        "reference": row["reference"],
        "user_id": row["user_id"],
        "state": row["state"],
        "total": row["total"],
        "currency": row["currency"],
        "lines": [
            {name: line[name] for name in ("sku", "name", "quantity", "unit_price")}
            for line in lines
        ],
        "hold_ids": [line["hold_id"] for line in lines],
        "charge_id": row["charge_id"],
        "refunded": row["refunded"],
        "address_id": row["address_id"],
    }
