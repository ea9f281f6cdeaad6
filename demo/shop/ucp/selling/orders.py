import json
import sqlite3
from typing import Any

from daybook.demo.shop.effects import orders
from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.settings import CURRENCY
from daybook.demo.shop.ucp.said.envelope import envelope
from daybook.demo.shop.ucp.selling import lines
from daybook.demo.shop.ucp.selling.delivery import METHOD
from daybook.demo.shop.ucp.selling.lines import Line

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
    placed, kept = orders.get(connection, order_id), json.loads(row["kept"])
    known = [Line(**one) for one in kept["lines"]]
    is_gone = placed["state"] == "cancelled"
    sent = [{"id": line.id, "quantity": line.quantity} for line in known]
    expectation = {
        "id": "parcel",
        "line_items": sent,
        "method_type": METHOD,
        "destination": {
            name: value for name, value in kept["place"].items() if name not in ("id", "type")
        },
        "description": "Three to five working days.",
    }
    adjustments = [
        adjustment(one, sent)
        for one in connection.execute(
            ADJUSTED, {"charge_id": placed["charge_id"], "order_id": order_id}
        )
    ]
    return {
        "ucp": envelope("order"),
        "id": order_id,
        "label": order_id,
        "checkout_id": row["session_id"],
        "permalink_url": f"{row['base']}/orders/{order_id}",
        "line_items": [line_shown(line, is_gone=is_gone) for line in known],
        "fulfillment": {"expectations": [] if is_gone else [expectation], "events": []},
        "adjustments": adjustments,
        "currency": CURRENCY,
        "totals": lines.totals(placed["total"], is_sent=True),
    }


def line_shown(line: Line, *, is_gone: bool) -> dict[str, Any]:
    """Return a line of an order in the shape of the answers."""
    left = 0 if is_gone else line.quantity
    return {
        "id": line.id,
        "item": lines.item(line),
        "quantity": {"original": line.quantity, "total": left, "fulfilled": 0},
        "totals": lines.totals(line.total),
        "status": "removed" if is_gone else "processing",
    }


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
