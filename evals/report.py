"""How every measurement is run and followed, and its tables and goals."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from daybook import DaybookError
from evals.servers import interruptible

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


class Screen:
    """A line that goes on, on standard error, and what went wrong at once."""

    def __init__(self, what: str, total: int = 0, done: int = 0) -> None:
        # That connections break is what may be done here.
        logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True, width=WIDTH, highlight=False),
        )
        self._task = self._progress.add_task(what, total=total, completed=done)

    def expect(self, more: int) -> None:
        """Say that more is to come."""
        self._progress.update(self._task, total=(self._progress.tasks[0].total or 0) + more)

    def advance(self, *wrong: object) -> None:
        """Show that one is over, and what is wrong with it."""
        self._progress.advance(self._task)
        for line in wrong:
            self._progress.console.print(str(line), markup=False)

    def follow(self, running: Coroutine[Any, Any, None], left: str = "") -> bool:
        """Run to the end, or to the first signal; tell which.

        Args:
            left: says what becomes of what was done by then.
        """
        with self._progress:
            try:
                asyncio.run(interruptible(running))
            except asyncio.CancelledError:
                told = f"\nInterrupted. What was started is stopped and removed. {left}"
                print(told, file=sys.stderr)
                return False
        return True


def run_command(main: Callable[..., object]) -> None:
    """Run a command line; what is missing is said in a sentence."""
    command = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
    command.command()(main)
    try:
        command()
    except DaybookError as error:
        sys.exit(str(error))
