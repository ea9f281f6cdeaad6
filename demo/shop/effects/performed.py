import json
import sqlite3
from datetime import datetime
from typing import Any, Literal

from daybook.demo.shop.clock import stamp

Effect = Literal["reserve", "release", "charge", "refund", "order", "cancel", "mail"]


def record(
    connection: sqlite3.Connection,
    effect: Effect,
    reference: str,
    at: datetime,
    user_id: str | None,
    detail: dict[str, Any],
) -> None:
    """Write down one effect that happens in this very transaction."""
    connection.execute(
        "insert into effect (effect, reference, at, user_id, detail) values (?, ?, ?, ?, ?)",
        (effect, reference, stamp(at), user_id, json.dumps(detail)),
    )


def listed(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return every effect that really happened, oldest first."""
    rows = connection.execute("select * from effect order by n")
    return [{**dict(row), "detail": json.loads(row["detail"])} for row in rows]
