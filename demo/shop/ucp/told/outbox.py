"""The events that wait to be told: one whenever an order stands otherwise than was told last."""

import hashlib
import json
import sqlite3
import uuid
from typing import Any, Literal

from daybook.demo.shop.clock import now, stamp
from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.ucp.selling import orders

State = Literal["waiting", "told", "lost", "given up"]


def notice(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    """Write down an event for each order that has changed, and return all that wait, oldest first.

    Orders are looked at, and not those who change them: whichever way it was done, it is told.
    """
    placed = connection.execute(
        "select ucp_order.n, order_id, session_id, told, agent, base from ucp_order"
        " join ucp_session on ucp_session.id = session_id"
    ).fetchall()
    for row in placed:
        body = json.dumps(orders.get(connection, row["order_id"]), separators=(",", ":"))
        digest = hashlib.sha256(body.encode()).hexdigest()
        if digest == row["told"]:
            continue
        connection.execute("update ucp_order set told = ? where n = ?", (digest, row["n"]))
        connection.execute(
            "insert into ucp_event"
            " (event_id, order_id, session_id, agent, base, at, body, state)"
            " values (?, ?, ?, ?, ?, ?, ?, 'waiting')",
            (
                str(uuid.uuid4()),
                row["order_id"],
                row["session_id"],
                row["agent"],
                row["base"],
                stamp(now()),
                body,
            ),
        )
    waiting = connection.execute("select * from ucp_event where state = 'waiting' order by n")
    return [dict(row) for row in waiting]


def settle(connection: sqlite3.Connection, n: int, state: State) -> None:
    """Say what became of an event."""
    connection.execute("update ucp_event set state = ? where n = ?", (state, n))


def again(connection: sqlite3.Connection, event_id: str) -> dict[str, Any]:
    """Let an event be sent once more; raise Refusal (404 not_found)."""
    row = connection.execute(
        "update ucp_event set state = 'waiting' where event_id = ? returning event_id, order_id",
        (event_id,),
    ).fetchone()
    if row is None:
        raise Refusal(404, "not_found", "There is no such event.")
    return dict(row)


def listed(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return every event, oldest first, and what became of it."""
    rows = connection.execute(
        "select event_id, order_id, session_id as checkout_id, agent, at, state from ucp_event"
        " order by n"
    )
    return [dict(row) for row in rows]
