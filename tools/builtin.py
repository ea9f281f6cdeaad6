"""The tools of every domain: the user's past in SQL, their memory, and earlier reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeAlias

from pydantic import Field

from daybook.state.context import ReadContext
from daybook.state.effects.keys import canonical
from daybook.state.people.facts import Kind, fact_of, forgotten, subject_of
from daybook.tools.kinds import change, read

Renderer: TypeAlias = Callable[[str, int, Any, Sequence[str]], str]
"""Writes a read's result: tool, handle, result, hidden keys."""

# -- the past, in SQL ------------------------------------------------------------------------------

Sql = Annotated[str, Field(description="one SELECT in the words of Postgres", max_length=2000)]


@read(within=10)
async def query_history(sql: Sql, *, ctx: ReadContext[Any]) -> Any:
    """Query this user's past, over all threads, in SQL; at most 50 rows, so aggregate. Views:
    turns(thread_id, turn_id, at, done_at);
    effects(thread_id, plan_id, action, op, gen, tool, name, state, at, settled_at, args, result,
    reason): a row a step; state done, negative (failed), undone, void, or another one while open;
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


def render_history(handle: int, result: Any, hidden: Sequence[str], renderer: Renderer) -> str:
    """Write the result for the model, under its handle: rows as lines, the columns' names first.

    A value never has a line break, so that nothing in it reads as a row of its own.
    """
    rows = result["rows"]
    more = ", and there are more: narrow it, or aggregate" if result["truncated"] else ""
    count = "1 row" if len(rows) == 1 else f"{len(rows)} rows"
    table = [result["columns"], *rows] if rows else []
    lines = [" | ".join(map(_written, line)) for line in table]
    return "\n".join([f"r{handle} query_history ok: {count}{more}", *lines])


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


# -- an earlier read -------------------------------------------------------------------------------

Handle = Annotated[int, Field(description="the number of r7 is 7", ge=1)]


@read()
async def recall(handle: Handle, *, ctx: ReadContext[Any]) -> Any:
    """Open an earlier result again by its handle, as it was then. Costs less than a new search."""
    found = await ctx.past.read(handle)
    while found.tool == recall.name:
        # What it opened stands under its own handle, and says itself whether it is still good.
        found = await ctx.past.read(found.result["of"])
    return {
        "of": found.handle,
        "tool": found.tool,
        "result": found.result,
        "superseded": found.is_superseded,
    }


def read_again(result: Any) -> Any:
    """Return what was read, of a read that opened it again; anything else as it is."""
    if isinstance(result, Mapping) and result.keys() == {"of", "tool", "result", "superseded"}:
        return result["result"]
    return result


def render_recall(handle: int, result: Any, hidden: Sequence[str], renderer: Renderer) -> str:
    """Write what was opened again, under the handle by which it is known."""
    was = "superseded: read again before you rely on it" if result["superseded"] else "still good"
    opened = renderer(result["tool"], result["of"], result["result"], hidden)
    return f"r{handle} recall ok: r{result['of']}, {was}\n{opened}"


# -- memory ----------------------------------------------------------------------------------------

Subject = Annotated[str, Field(description="what it is about, such as shoe size")]


@change
async def remember(
    subject: Subject,
    value: Annotated[str, Field(description="what the person says of it, in a few words")],
    kind: Annotated[
        Kind, Field(description="what is so, what they like, or what must be kept to")
    ] = "fact",
    *,
    ctx: ReadContext[Any],
) -> dict[str, Any]:
    """Remember what the user says about themselves, for this and later conversations.

    A later word on the same subject takes the place of the earlier one. Never a card number, a
    password or an address.
    """
    fact = fact_of(subject, value, kind, ctx.session.thread_id, ctx.clock.now())
    return {"type": "remember", **fact.model_dump(mode="json")}


@change
async def forget(subject: Subject, *, ctx: ReadContext[Any]) -> dict[str, Any]:
    """Forget what is known about the user on one subject, when they ask for it."""
    # Refused here, where what is known can be named.
    forgotten(ctx.state.get("facts", ()), subject)
    return {"type": "forget", "subject": subject_of(subject)}
