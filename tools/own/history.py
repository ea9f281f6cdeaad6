"""Query the user's own history in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from daybook.state.context import ReadContext, Rows
from daybook.state.effects.keys import canonical
from daybook.tools.kinds import read
from daybook.tools.own.recall import Renderer

Sql = Annotated[str, Field(description="one SELECT in the words of Postgres", max_length=2000)]


@read(within=10)
async def query_history(sql: Sql, *, ctx: ReadContext[Any]) -> Any:
    """Ask this person's past, over all threads, in SQL; at most 50 rows, so aggregate. Views:
    turns(thread_id, turn_id, at, done_at);
    effects(thread_id, plan_id, action, op, gen, tool, name, state, at, settled_at, args, result,
    reason): a row a step; state done, negative (failed), undone, void, or not settled yet;
    plans(thread_id, turn_id, plan_id, action, tool, title, total, currency, opened_at, decision,
    decided_by, decided_as, ended_at, succeeded, reason);
    reads(thread_id, turn_id, handle, tool, args, result, refused, read_at, superseded);
    changes(thread_id, turn_id, at, type, args, text);
    facts(subject, value, kind, source, at);
    events(thread_id, seq, at, event, turn_id, plan_id, op, gen, tool, author, role, reason).
    args and result are jsonb.
    """  # noqa: D205 - the model is given the first paragraph, which is all of it
    answer = await ctx.past.query(sql)
    return {
        "columns": list(answer.columns),
        "rows": [list(row) for row in answer.rows],
        "truncated": answer.is_truncated,
    }


def render(handle: int, result: Any, hidden: Sequence[str], renderer: Renderer) -> str:
    """Write the result for the model, under its handle."""
    rows = Rows(result["columns"], result["rows"], result["truncated"])
    more = ", and there are more: narrow it, or aggregate" if rows.is_truncated else ""
    count = "1 row" if len(rows.rows) == 1 else f"{len(rows.rows)} rows"
    return "\n".join([f"r{handle} query_history ok: {count}{more}", *lines_of(rows)])


def lines_of(rows: Rows) -> list[str]:
    """Write rows as lines, the names of the columns first; no lines where there are no rows.

    A value never has a line break, so that nothing in it reads as a row of its own.
    """
    if not rows.rows:
        return []
    table = [[_written(value) for value in row] for row in rows.rows]
    return [" | ".join(line) for line in [list(map(_written, rows.columns)), *table]]


def _written(value: Any) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case str():
            return " ".join(value.split()).replace("|", "/")
        case dict() | list():
            return " ".join(canonical(value).split()).replace("|", "/")
        case _:
            return str(value)
