"""Tables and goals, as every measurement prints them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table

WIDTH = 150


def console() -> Console:
    """Return where figures are printed."""
    return Console(width=WIDTH, highlight=False)


def table(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Make a table in Markdown: a name, and numbers beside it."""
    made = Table(box=box.MARKDOWN)
    first, *others = titles
    made.add_column(first, no_wrap=True)
    for title in others:
        made.add_column(title, justify="right")
    for row in rows:
        made.add_row(*(f"{cell:,}" if type(cell) is int else str(cell) for cell in row))
    return made


@dataclass(frozen=True)
class Goal:
    """What is to hold, and what was seen."""

    what: str
    seen: str
    is_reached: bool


def print_goals(goals: Sequence[Goal], to: Console) -> bool:
    """Print what was reached and what was missed; tell whether all was reached."""
    for goal in goals:
        word = "reached" if goal.is_reached else "MISSED"
        to.print(f"{word:<8} {goal.what}: {goal.seen}", markup=False)
    return all(goal.is_reached for goal in goals)
