"""A user's own history in SQL: read-only, limited to that user, in time and in size.

The query is the model's text, run as it stands. What it can reach is for Postgres to hold (see
docs/context.md and `history.ask` in sql/schema.sql). Only its size is looked at here: Postgres has
no limit to the memory of its planner.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from psycopg import Error, errors
from psycopg.pq import TransactionStatus

from daybook.checkpoints.migrate import READER
from daybook.checkpoints.pool import Pool
from daybook.checkpoints.statements import statements
from daybook.state.context import Rows
from daybook.state.errors import ToolRefused
from daybook.state.session import Session

_SQL = statements("history.sql")

MOST_ROWS = 50
MOST_BYTES = 8_000
MOST_CHARACTERS, MOST_SELECTS = 2_000, 3
"""Of a query. Each level of subqueries can multiply what the planner holds: twenty that each name a
column 8 times took gigabytes before any timeout, and the server with them."""

_SELECT = re.compile(r"select", re.IGNORECASE)

_LONGEST_NUMBER = 40
_LONGEST_REASON = 300
"""Characters."""

# Rows as JSON, and a row that is too long not at all: neither memory nor the wire has to hold it.
# The query is on lines of its own, as it may end in a comment.
_LIMITED = """
{views}
select case when octet_length(line) <= {bytes} then line end
from (select row_to_json(answer)::text as line from (
{query}
) as answer offset 0) as lines
limit {rows}
"""

_REFUSALS = {
    "22012": "The query divides by zero: write nullif(x, 0).",
    "22P02": "A value cannot be cast to that type: leave out the rows where it cannot.",
    "22007": "A value cannot be cast to that type: leave out the rows where it cannot.",
    "21000": "A scalar subquery returned more than one row: aggregate it.",
    "42P11": "Write one SELECT, without a semicolon.",
    "42501": "The query uses something that may not be used here.",
    "0A": "Write one plain SELECT: nothing can be changed here.",
    "25": "Write one plain SELECT: nothing can be changed here.",
    "22": "The query computes something that has no value, such as a number too large.",
    "DB002": (
        "Texts, arguments and results are encrypted here and cannot be read in SQL (args, "
        "result, reason, text, facts). Name other columns, or use another tool."
    ),
}
"""SQLSTATE or its class to a sentence; the server's own message may quote a row."""


_NOT_HERE = (
    f"The history cannot be queried in SQL here: the database has no role {READER}. Nothing was "
    "changed; use another tool."
)


class History:
    """Answer questions about the history of a tenant's users.

    Attributes:
        longest: how long a query may take.
    """

    def __init__(self, pool: Pool, longest: timedelta = timedelta(seconds=2)) -> None:
        self._pool = pool
        self.longest = longest

    async def query(self, session: Session, sql: str, views: Mapping[str, str]) -> Rows:
        """Answer one SELECT over the views of a user's history, with 50 rows and 8 kB at most.

        Args:
            views: names that the domain adds, as queries of the views.

        Raises:
            ToolRefused: the query cannot be answered; the message says why.
        """
        if len(sql) > MOST_CHARACTERS or len(_SELECT.findall(sql)) > MOST_SELECTS:
            raise ToolRefused(
                f"A query may have at most {MOST_CHARACTERS:,} characters and {MOST_SELECTS} "
                "SELECTs. Split the query. Nothing was changed."
            )
        parts = ",\n".join(f"{name} as ({text})" for name, text in views.items())
        text = _LIMITED.format(
            views=f"with {parts}" if parts else "",
            query=sql.strip().rstrip(";"),
            bytes=MOST_BYTES,
            rows=MOST_ROWS + 1,
        )
        about = {
            "tenant_id": session.tenant_id,
            "user_id": session.user_id,
            "longest": f"{round(self.longest.total_seconds() * 1000)}ms",
        }
        async with self._pool.connection() as conn, conn.transaction(force_rollback=True):
            await conn.execute(_SQL["name_the_user"], about)
            row = await (await conn.execute(_SQL["limit"], about)).fetchone()
            if row is None or not row["can_ask"]:
                raise ToolRefused(_NOT_HERE)
            try:
                found = await (await conn.execute(_SQL["ask"], {"query": text})).fetchall()
            except (Error, UnicodeError) as error:
                if conn.closed or conn.info.transaction_status is TransactionStatus.UNKNOWN:
                    raise
                raise ToolRefused(f"{_fault(error, self.longest)} Nothing was changed.") from None
        return _rows([row["line"] for row in found])


def _fault(error: Exception, longest: timedelta) -> str:
    """Say why a query could not be run."""
    if isinstance(error, errors.QueryCanceled):
        return (
            f"The query took longer than {longest.total_seconds():g} s: narrow it by thread_id, "
            "tool or at."
        )
    state = (error.sqlstate if isinstance(error, Error) else None) or ""
    if refusal := _REFUSALS.get(state) or _REFUSALS.get(state[:2]):
        return refusal
    if isinstance(error, Error) and state.startswith("42"):
        # The query is wrong, and it alone is quoted.
        words = [error.diag.message_primary or "", error.diag.message_hint or ""]
        reason = " ".join(". ".join(word.rstrip(".") for word in words if word).split())
        return f"The query cannot be run: {reason[:_LONGEST_REASON]}."
    return "The query cannot be run: it asks for too much. Ask something simpler."


def _rows(lines: Sequence[str | None]) -> Rows:
    """Take as many rows as the limits allow.

    Raises:
        ToolRefused: the first one is too long already, or one is nested too deeply.
    """
    if lines and lines[0] is None:
        raise ToolRefused(
            f"One row is longer than {MOST_BYTES} bytes. Nothing was changed; select single "
            "fields, such as result -> 'hits' -> 0 ->> 'name'."
        )
    taken: list[list[tuple[str, Any]]] = []
    size = 0
    for line in lines[:MOST_ROWS]:
        size += len(line.encode()) if line is not None else MOST_BYTES + 1
        if line is None or size > MOST_BYTES:
            break
        try:
            row = json.loads(
                line, object_pairs_hook=_Object, parse_int=_number, parse_float=_number
            )
            taken.append([(name, _plain(value)) for name, value in row])
        except RecursionError:
            raise ToolRefused("A value is nested too deeply. Nothing was changed.") from None
    return Rows(
        columns=tuple(name for name, _ in taken[0]) if taken else (),
        rows=tuple(tuple(value for _, value in row) for row in taken),
        is_truncated=len(taken) < len(lines),
    )


class _Object(list[tuple[str, Any]]):
    """The members of a JSON object, two of one name as well: columns may share a name."""


def _number(digits: str) -> Any:
    """Read a number of Postgres, which knows longer ones than JSON elsewhere; those as text."""
    if len(digits) > _LONGEST_NUMBER:
        return digits
    return float(digits) if set(digits) & set(".eE") else int(digits)


def _plain(value: Any) -> Any:
    if isinstance(value, _Object):
        return {name: _plain(inner) for name, inner in value}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value
