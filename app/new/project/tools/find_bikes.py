"""A read: it changes nothing, and its result is reused until it is out of date."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from daybook import read

from tools.desk import Reading


@read(lifetime=300, tags=("bikes:{day}",))
async def find_bikes(day: date, *, ctx: Reading) -> Any:
    """List the bikes that are free on a day, with their prices."""
    return await ctx.services.get("/bikes", day=day.isoformat())


def render_bikes(tool: str, handle: int, result: Any, hidden: Sequence[str]) -> str:
    """Render the result of a read for the model."""
    bikes = [f"{one['bike']} ({one['amount'] / 100:.2f} EUR)" for one in result["bikes"]]
    return f"r{handle} {tool}: {', '.join(bikes) or 'no bike is free'}"
