"""Orders that were accepted and are not placed yet: what each comes to, and when."""

import sqlite3
from datetime import timedelta
from typing import Literal, TypeAlias

from daybook.demo.shop.clock import stamp
from daybook.demo.shop.effects.terms import Terms

ComesTo: TypeAlias = Literal["order", "declined", "canceled"]


def accept(
    connection: sqlite3.Connection,
    session_id: str,
    token: str,
    comes_to: ComesTo,
    seconds: float,
    terms: Terms,
) -> None:
    """Write down that the order of a session is in hand, for so many seconds."""
    connection.execute(
        "insert into ucp_in_hand (session_id, token, comes_to, due) values (?, ?, ?, ?)",
        (session_id, token, comes_to, stamp(terms.at + timedelta(seconds=seconds))),
    )


def waiting(connection: sqlite3.Connection) -> list[sqlite3.Row]:
    """Return all that is in hand, what is due first at the beginning."""
    return connection.execute("select * from ucp_in_hand order by due, n").fetchall()


def take(connection: sqlite3.Connection, n: int) -> sqlite3.Row | None:
    """Take one out, so that it is brought to its end once; None where it is gone."""
    row: sqlite3.Row | None = connection.execute(
        "delete from ucp_in_hand where n = ? returning *", (n,)
    ).fetchone()
    return row
