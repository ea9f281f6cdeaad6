"""Orders as the merchant shows them, and their shipments and refunds."""

import json
import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from daybook.demo.shop import effects
from daybook.demo.shop.clock import stamp
from daybook.demo.shop.faults import Refusal
from daybook.demo.shop.settings import CURRENCY
from daybook.demo.shop.ucp import lines
from daybook.demo.shop.ucp.lines import Line
from daybook.demo.shop.ucp.profile import envelope
from daybook.demo.shop.ucp.sessions import METHOD, OPTIONS, POSTAL

ADJUSTED = """
select 'refund' as type, refund_id as id, amount, at
  from refund join effect on effect.effect = 'refund'
   and json_extract(effect.detail, '$.refund_id') = refund_id
 where refund.charge_id = :charge_id
union all
select 'cancellation', cancellation_id, 0, at
  from cancellation join effect on effect.effect = 'cancel'
   and json_extract(effect.detail, '$.cancellation_id') = cancellation_id
 where cancellation.order_id = :order_id
 order by at
"""


def get(connection: sqlite3.Connection, order_id: str) -> dict[str, Any]:
    """Return an order as it stands, whatever was done to it since; raise Refusal (404 not_found).

    Nothing is said of who asks: an order's id cannot be guessed.
    """
    row = connection.execute(
        "select ucp_order.*, base from ucp_order join ucp_session on ucp_session.id = session_id"
        " where order_id = ?",
        (order_id,),
    ).fetchone()
    if row is None:
        raise Refusal(404, "not_found", "There is no such order.")
    placed, kept = effects.order(connection, order_id), json.loads(row["kept"])
    known = [Line(**one) for one in kept["lines"]]
    shipments = shipments_of(connection, order_id)
    is_gone = placed["state"] == "cancelled"
    sent = [{"id": line.id, "quantity": line.quantity} for line in known]
    _, takes, cost = OPTIONS[kept["option"]]
    expectation = {
        "id": "parcel",
        "line_items": sent,
        "method_type": METHOD,
        "destination": {name: kept["place"][name] for name in POSTAL if name in kept["place"]},
        "description": f"{takes}.",
    }
    about = {"charge_id": placed["charge_id"], "order_id": order_id}
    adjustments = [adjustment(one, sent) for one in connection.execute(ADJUSTED, about)]
    return {
        "ucp": envelope("order"),
        "id": order_id,
        "label": order_id,
        "checkout_id": row["session_id"],
        "permalink_url": f"{row['base']}/orders/{order_id}",
        "line_items": [
            line_shown(line, sent_of(shipments, line), is_gone=is_gone) for line in known
        ],
        "fulfillment": {"expectations": [] if is_gone else [expectation], "events": shipments},
        "adjustments": adjustments,
        "currency": CURRENCY,
        "totals": lines.totals(sum(line.total for line in known), cost, kept["off"]),
    }


def line_shown(line: Line, sent: int, *, is_gone: bool) -> dict[str, Any]:
    """Return a line of an order in the shape of the answers, of which so many were sent."""
    left = 0 if is_gone else line.quantity
    status = "fulfilled" if sent >= left else "partial" if sent else "processing"
    return {
        "id": line.id,
        "item": lines.item(line),
        "quantity": {"original": line.quantity, "total": left, "fulfilled": min(sent, left)},
        "totals": lines.totals(line.total),
        "status": status if left else "removed",
    }


def shipments_of(connection: sqlite3.Connection, order_id: str) -> list[dict[str, Any]]:
    """Return what happened to goods of an order, oldest first."""
    query = "select kept from ucp_shipment where order_id = ? order by n"
    return [json.loads(row["kept"]) for row in connection.execute(query, (order_id,))]


def sent_of(shipments: Sequence[Mapping[str, Any]], line: Line) -> int:
    """Return how many of a line were handed over to be sent."""
    shipped = [one for it in shipments if it["type"] == "shipped" for one in it["line_items"]]
    return sum(one["quantity"] for one in shipped if one["id"] == line.id)


def ship(
    connection: sqlite3.Connection, order_id: str, told: Mapping[str, Any], at: datetime
) -> dict[str, Any]:
    """Add what happened to goods of an order, and show it; raise Refusal (404 not_found).

    `told` has a type, and what is known of it: carrier, tracking number, lines to quantities.
    """
    shown = get(connection, order_id)
    whole = {one["id"]: one["quantity"]["original"] for one in shown["line_items"]}
    lines_sent = told.get("line_items") or whole
    kept = {
        "id": f"SH-{secrets.token_hex(6)}",
        "occurred_at": stamp(at),
        **{name: value for name, value in told.items() if name != "line_items"},
        "line_items": [{"id": name, "quantity": count} for name, count in lines_sent.items()],
    }
    connection.execute(
        "insert into ucp_shipment (order_id, id, kept) values (?, ?, ?)",
        (order_id, kept["id"], json.dumps(kept)),
    )
    return get(connection, order_id)


def adjustment(row: sqlite3.Row, sent: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what was done to an order since it was placed."""
    told: dict[str, Any] = {
        "id": row["id"],
        "type": row["type"],
        "occurred_at": row["at"],
        "status": "completed",
    }
    if row["type"] == "refund":
        return {**told, "totals": [{"type": "total", "amount": -row["amount"]}]}
    given_up = [{"id": one["id"], "quantity": -one["quantity"]} for one in sent]
    return {**told, "line_items": given_up}
