import sqlite3
from datetime import datetime
from typing import Any

from daybook.demo.shop.door.bodies import CancellationBody
from daybook.demo.shop.effects import orders, performed
from daybook.demo.shop.effects.terms import Terms
from daybook.demo.shop.refusal import Refusal


def cancel(connection: sqlite3.Connection, body: CancellationBody, terms: Terms) -> dict[str, Any]:
    """Cancel an order and put its goods back into stock; the money stays charged.

    Its holds are consumed no more, and hold nothing.

    Raises Refusal: 404 unknown_order, 409 already_cancelled.
    """
    order = orders.get(connection, body.order_id)
    if order["state"] == "cancelled":
        raise Refusal(409, "already_cancelled", "The order was cancelled before.")
    connection.execute(
        "update placed_order set state = 'cancelled' where order_id = ?", (body.order_id,)
    )
    connection.executemany(
        "update product set stock = stock + :quantity where sku = :sku", order["lines"]
    )
    connection.execute(
        "update hold set state = 'released' where hold_id in (select order_line.hold_id"
        " from order_line join placed_order on placed_order.n = order_n where order_id = ?)",
        (body.order_id,),
    )
    row = connection.execute(
        "insert into cancellation (reference, order_id, reason) values (?, ?, ?) returning *",
        (body.reference, body.order_id, body.reason),
    ).fetchone()
    performed.record(
        connection,
        "cancel",
        body.reference,
        terms.at,
        order["user_id"],
        {
            "cancellation_id": row["cancellation_id"],
            "order_id": body.order_id,
            "reason": body.reason,
        },
    )
    return shown(row)


def cancellations_of(
    connection: sqlite3.Connection, reference: str, at: datetime
) -> list[dict[str, Any]]:
    """Return all cancellations that were made under this reference, oldest first."""
    rows = connection.execute(
        "select * from cancellation where reference = ? order by n", (reference,)
    )
    return [shown(row) for row in rows]


def shown(row: sqlite3.Row) -> dict[str, Any]:
    """Return a cancellation in the shape of the answers."""
    return {
        "cancellation_id": row["cancellation_id"],
        "order_id": row["order_id"],
        "reference": row["reference"],
        "reason": row["reason"],
        "state": "cancelled",
    }
