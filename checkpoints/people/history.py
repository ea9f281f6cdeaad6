"""A person's own past, asked in SQL: read only, held to that person, bounded in time and size."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from psycopg import Error, errors
from psycopg.pq import TransactionStatus

from daybook.checkpoints.encryption import CLEAR, Cipher
from daybook.checkpoints.migrate import READER
from daybook.checkpoints.people.history_sql import checked, name_told, words_told
from daybook.checkpoints.people.memory import prefix_of
from daybook.checkpoints.pool import Conn, Pool
from daybook.checkpoints.statements import statements
from daybook.state.context import Rows
from daybook.state.errors import ToolRefused
from daybook.state.session import Session

_SQL = statements("history.sql")

MOST_ROWS = 50
MOST_BYTES = 8_000

_LONGEST_NUMBER = 40
"""Characters."""

# As text, and a row that is too long not at all: neither memory nor the wire has to hold it.
_ANSWER = """
select case when octet_length(line) <= {bytes} then line end as line
from (select row_to_json(answer)::text as line from ({query}) as answer offset 0) as told
limit {rows}
"""


class History:
    """Answer questions to the past of one tenant's people.

    Attributes:
        longest: how long a question may take; then it is given up.
    """

    def __init__(
        self,
        pool: Pool,
        cipher: Cipher = CLEAR,
        longest: timedelta = timedelta(seconds=2),
    ) -> None:
        self._pool = pool
        self._cipher = cipher
        self.longest = longest

    async def query(self, session: Session, sql: str, views: Mapping[str, str]) -> Rows:
        """Answer one SELECT over the views of the person's past, 50 rows and 8 kB at most.

        Args:
            session: whose past it is.
            views: names that the domain adds, as queries of the views.

        Raises:
            ToolRefused: it cannot be answered; the sentence says why, and nothing was changed.
        """
        query = checked(sql, views, is_sealed=self._cipher.is_on)
        about = {
            "tenant_id": session.tenant_id,
            "user_id": session.user_id,
            "prefix": prefix_of(session.tenant_id, session.user_id),
            "longest": f"{round(self.longest.total_seconds() * 1000)}ms",
        }
        async with self._pool.connection() as conn, conn.transaction(force_rollback=True):
            await enter(conn, about)
            return _rows(await self._lines(conn, query))

    async def _lines(self, conn: Conn, query: str) -> Sequence[str | None]:
        """Run a checked query and return its rows as JSON, None where one is too long.

        Raises:
            ToolRefused: it cannot be run. Not with the server's words, where they may quote a row.
        """
        text = _ANSWER.format(query=query, bytes=MOST_BYTES, rows=MOST_ROWS + 1)
        try:
            # A cursor of the server: it is one SELECT that changes nothing, or it is no cursor.
            async with conn.cursor(name="past") as cursor:
                await cursor.execute(text.encode())
                return [row["line"] for row in await cursor.fetchall()]
        except Error as error:
            if conn.closed or conn.info.transaction_status is TransactionStatus.UNKNOWN:
                raise
            raise ToolRefused(f"{_fault(error, self.longest)} Nothing was changed.") from None


async def enter(conn: Conn, about: Mapping[str, Any]) -> None:
    """Hold the transaction to one person, and give up every right but to read.

    Raises:
        ToolRefused: the user of the database may not act as the reader.
    """
    try:
        async with conn.pipeline():
            for name in ("name_the_person", "bound", "become_the_reader", "change_nothing"):
                await conn.execute(_SQL[name], about)
    except errors.InsufficientPrivilege:
        raise ToolRefused(
            f"The past cannot be asked in SQL here: the user in DATABASE_URL is no member of the "
            f"role {READER}. Nothing was read; somebody who may grants it to that user."
        ) from None


def _fault(error: Error, longest: timedelta) -> str:
    """Say why a query could not be run."""
    match error:
        case errors.QueryCanceled():
            return (
                f"The query took longer than {longest.total_seconds():g} s: narrow it by "
                "thread_id, tool or at."
            )
        case errors.DivisionByZero():
            return "The query divides by zero: write nullif(x, 0)."
        case errors.InvalidTextRepresentation() | errors.InvalidDatetimeFormat():
            return "A value cannot be cast to that type: leave out the rows where it cannot."
        case errors.CardinalityViolation():
            return "A subquery in the place of a value has more than one row: aggregate it."
        case errors.InsufficientPrivilege():
            return "The query asks for what may not be read."
        case _ if (error.sqlstate or "").startswith("42"):
            # Found before any row is read: it can quote the query alone.
            said = (error.diag.message_primary or "it is no SELECT").rstrip(".")
            return f"The query cannot be run: {words_told(said)}."
        case _ if (error.sqlstate or "").startswith("22"):
            return "The query computes something that has no value, such as a number too large."
        case _:
            return "The query cannot be run: it asks for too much. Ask something simpler."


def _rows(lines: Sequence[str | None]) -> Rows:
    """Take as many rows as may be told.

    Raises:
        ToolRefused: the first one is too long already.
    """
    if lines and lines[0] is None:
        raise ToolRefused(
            f"One row is longer than {MOST_BYTES} bytes. Nothing was changed; select single fields "
            "of it, such as result -> 'hits' -> 0 ->> 'name'."
        )
    told: list[_Row] = []
    size = 0
    for line in lines[:MOST_ROWS]:
        size += len(line.encode()) if line is not None else MOST_BYTES + 1
        if line is None or size > MOST_BYTES:
            break
        told.append(_row(line))
    return Rows(
        columns=tuple(name_told(name) for name, _ in told[0]) if told else (),
        rows=tuple(tuple(value for _, value in row) for row in told),
        is_truncated=len(told) < len(lines),
    )


_Row = list[tuple[str, Any]]


class _Object(list[tuple[str, Any]]):
    """The members of a JSON object, two of one name as well."""


def _row(line: str) -> _Row:
    """Read a row; two columns may have one name, which an object in Python would not keep.

    Raises:
        ToolRefused: it holds JSON that is nested deeper than anything here is.
    """
    try:
        members = json.loads(
            line, object_pairs_hook=_Object, parse_int=_number, parse_float=_number
        )
        return [(name, _plain(value)) for name, value in members]
    except RecursionError:
        raise ToolRefused("A value is nested too deeply to be told. Nothing was changed.") from None


def _number(digits: str) -> Any:
    """Read a number of Postgres, which knows longer ones than JSON elsewhere; those as text."""
    if len(digits) > _LONGEST_NUMBER:
        return digits
    return float(digits) if set(digits) & set(".eE") else int(digits)


def _plain(value: Any) -> Any:
    if isinstance(value, _Object):
        return {name: _plain(inner) for name, inner in value}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value
