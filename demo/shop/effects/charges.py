import sqlite3
from datetime import datetime
from typing import Any

from daybook.demo.shop import people
from daybook.demo.shop.door.bodies import ChargeBody, RefundBody
from daybook.demo.shop.effects import performed
from daybook.demo.shop.effects.terms import Terms
from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.settings import CURRENCY

SELECT = """
select charge.*,
       coalesce((select sum(amount) from refund where refund.charge_id = charge.charge_id), 0)
           as refunded
  from charge
"""


def charge(connection: sqlite3.Connection, body: ChargeBody, terms: Terms) -> dict[str, Any]:
    """Take money from a card of the user.

    Raises Refusal: 404 unknown_user, 404 unknown_card (another user's too), 402 card_declined,
    422 wrong_currency.
    """
    require_currency(body.currency)
    user_id = people.visit(connection, body.user_id)
    card = connection.execute(
        "select declines from card where card_id = ? and user_id = ?", (body.card_id, user_id)
    ).fetchone()
    if card is None:
        raise Refusal(404, "unknown_card", "The user has no such card.")
    if card["declines"]:
        raise Refusal(402, "card_declined", "The card was declined.")
    charge_id = connection.execute(
        "insert into charge (reference, user_id, card_id, amount, currency)"
        " values (?, ?, ?, ?, ?) returning charge_id",
        (body.reference, user_id, body.card_id, body.amount, body.currency),
    ).fetchone()["charge_id"]
    performed.record(
        connection,
        "charge",
        body.reference,
        terms.at,
        user_id,
        {
            "charge_id": charge_id,
            "card_id": body.card_id,
            "amount": body.amount,
            "currency": body.currency,
        },
    )
    return get(connection, charge_id)


def refund(connection: sqlite3.Connection, body: RefundBody, terms: Terms) -> dict[str, Any]:
    """Give money of a charge back, in one part or several.

    Raises Refusal: 404 unknown_charge, 409 already_refunded when the parts would pass the
    charge, 422 wrong_currency.
    """
    require_currency(body.currency)
    charged = get(connection, body.charge_id)
    left = charged["amount"] - charged["refunded"]
    if body.amount > left:
        raise Refusal(
            409, "already_refunded", "The charge does not hold that much any more.", refundable=left
        )
    row = connection.execute(
        "insert into refund (reference, charge_id, amount, currency) values (?, ?, ?, ?)"
        " returning *",
        (body.reference, body.charge_id, body.amount, body.currency),
    ).fetchone()
    performed.record(
        connection,
        "refund",
        body.reference,
        terms.at,
        charged["user_id"],
        {
            "refund_id": row["refund_id"],
            "charge_id": body.charge_id,
            "amount": body.amount,
            "currency": body.currency,
        },
    )
    return shown_refund(row)


def get(connection: sqlite3.Connection, charge_id: str) -> dict[str, Any]:
    """Return a charge with what was refunded of it; raise Refusal (404 unknown_charge)."""
    row = connection.execute(f"{SELECT} where charge_id = ?", (charge_id,)).fetchone()
    if row is None:
        raise Refusal(404, "unknown_charge", "There is no such charge.")
    return shown(row)


def charges_of(
    connection: sqlite3.Connection, reference: str, at: datetime
) -> list[dict[str, Any]]:
    """Return all charges that were made under this reference, oldest first."""
    rows = connection.execute(f"{SELECT} where reference = ? order by n", (reference,))
    return [shown(row) for row in rows]


def refunds_of(
    connection: sqlite3.Connection, reference: str, at: datetime
) -> list[dict[str, Any]]:
    """Return all refunds that were made under this reference, oldest first."""
    rows = connection.execute("select * from refund where reference = ? order by n", (reference,))
    return [shown_refund(row) for row in rows]


def require_currency(currency: str) -> None:
    """Raise Refusal (422 wrong_currency) when it is not the shop's currency."""
    if currency != CURRENCY:
        raise Refusal(422, "wrong_currency", f"This shop takes {CURRENCY} only.")


def shown(row: sqlite3.Row) -> dict[str, Any]:
    """Return a charge in the shape of the answers."""
    if row["refunded"] == 0:
        state = "charged"
    elif row["refunded"] < row["amount"]:
        state = "partly_refunded"
    else:
        state = "refunded"
    return {
        "charge_id": row["charge_id"],
        "reference": row["reference"],
        "user_id": row["user_id"],
        "card_id": row["card_id"],
        "amount": row["amount"],
        "currency": row["currency"],
        "state": state,
        "refunded": row["refunded"],
    }


def shown_refund(row: sqlite3.Row) -> dict[str, Any]:
    """Return a refund in the shape of the answers."""
    return {
        "refund_id": row["refund_id"],
        "charge_id": row["charge_id"],
        "reference": row["reference"],
        "amount": row["amount"],
        "currency": row["currency"],
        "state": "refunded",
    }
