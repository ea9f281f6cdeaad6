import sqlite3
from datetime import datetime
from typing import Any

from daybook.demo.shop import people
from daybook.demo.shop.clock import stamp
from daybook.demo.shop.door.bodies import HoldBody, ReleaseBody
from daybook.demo.shop.effects import performed
from daybook.demo.shop.effects.terms import Terms
from daybook.demo.shop.goods.products import available, require_product
from daybook.demo.shop.refusal import Refusal


def reserve(connection: sqlite3.Connection, body: HoldBody, terms: Terms) -> dict[str, Any]:
    """Set stock aside until the hold expires.

    Raises Refusal: 404 unknown_user, 404 unknown_sku, 409 out_of_stock.
    """
    user_id = people.visit(connection, body.user_id)
    require_product(connection, body.sku)
    left = available(connection, body.sku, terms.at)
    if left < body.quantity:
        raise Refusal(409, "out_of_stock", "There is not enough of it in stock.", available=left)
    row = connection.execute(
        "insert into hold (reference, user_id, sku, quantity, state, expires_at)"
        " values (?, ?, ?, ?, 'held', ?) returning *",
        (body.reference, user_id, body.sku, body.quantity, stamp(terms.hold_expires_at)),
    ).fetchone()
    performed.record(
        connection,
        "reserve",
        body.reference,
        terms.at,
        user_id,
        {"hold_id": row["hold_id"], "sku": body.sku, "quantity": body.quantity},
    )
    return shown(row, terms.at)


def release(connection: sqlite3.Connection, body: ReleaseBody, terms: Terms) -> dict[str, Any]:
    """Give a hold back before it expires.

    Raises Refusal: 404 unknown_hold, 409 already_released (an expired hold too),
    409 hold_consumed.
    """
    hold = get(connection, body.hold_id, terms.at)
    if hold["state"] == "consumed":
        raise Refusal(409, "hold_consumed", "An order has consumed this hold.")
    if hold["state"] in ("released", "expired"):
        raise Refusal(409, "already_released", "This hold holds nothing any more.")
    connection.execute("update hold set state = 'released' where hold_id = ?", (body.hold_id,))
    row = connection.execute(
        "insert into hold_release (reference, hold_id) values (?, ?) returning *",
        (body.reference, body.hold_id),
    ).fetchone()
    performed.record(
        connection,
        "release",
        body.reference,
        terms.at,
        hold["user_id"],
        {
            "release_id": row["release_id"],
            "hold_id": body.hold_id,
            "sku": hold["sku"],
            "quantity": hold["quantity"],
        },
    )
    return shown_release(row)


def get(connection: sqlite3.Connection, hold_id: str, at: datetime) -> dict[str, Any]:
    """Return a hold as it stands at this moment; raise Refusal (404 unknown_hold)."""
    row = connection.execute("select * from hold where hold_id = ?", (hold_id,)).fetchone()
    if row is None:
        raise Refusal(404, "unknown_hold", "There is no such hold.")
    return shown(row, at)


def holds_of(connection: sqlite3.Connection, reference: str, at: datetime) -> list[dict[str, Any]]:
    """Return all holds that were made under this reference, oldest first."""
    rows = connection.execute("select * from hold where reference = ? order by n", (reference,))
    return [shown(row, at) for row in rows]


def releases_of(
    connection: sqlite3.Connection, reference: str, at: datetime
) -> list[dict[str, Any]]:
    """Return all releases that were made under this reference, oldest first."""
    rows = connection.execute(
        "select * from hold_release where reference = ? order by n", (reference,)
    )
    return [shown_release(row) for row in rows]


def shown(row: sqlite3.Row, at: datetime) -> dict[str, Any]:
    """Return a hold in the shape of the answers.

    Expiry is a comparison and not a stored state, so no sweeper can be late with it.
    """
    expired = row["state"] == "held" and row["expires_at"] <= stamp(at)
    return {
        "hold_id": row["hold_id"],
        "reference": row["reference"],
        "user_id": row["user_id"],
        "sku": row["sku"],
        "quantity": row["quantity"],
        "state": "expired" if expired else row["state"],
        "expires_at": row["expires_at"],
    }


def shown_release(row: sqlite3.Row) -> dict[str, Any]:
    """Return a release in the shape of the answers."""
    return {
        "release_id": row["release_id"],
        "hold_id": row["hold_id"],
        "reference": row["reference"],
        "state": "released",
    }
