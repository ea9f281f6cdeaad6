"""Open a read of this thread again by its handle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeAlias

from pydantic import Field

from daybook.state.context import ReadContext
from daybook.tools.kinds import read

Renderer: TypeAlias = Callable[[str, int, Any, Sequence[str]], str]
"""Writes a read's result: tool, handle, result, hidden keys."""

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


def inner(result: Any) -> Any:
    """Return what was read, of a read that opened it again; anything else as it is."""
    if isinstance(result, Mapping) and result.keys() == {"of", "tool", "result", "superseded"}:
        return result["result"]
    return result


def render(handle: int, result: Any, hidden: Sequence[str], renderer: Renderer) -> str:
    """Write what was opened again, under the handle by which it is known."""
    was = "superseded: read again before you rely on it" if result["superseded"] else "still good"
    opened = renderer(result["tool"], result["of"], result["result"], hidden)
    return f"r{handle} recall ok: r{result['of']}, {was}\n{opened}"
