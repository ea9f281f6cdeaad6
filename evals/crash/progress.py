"""Follow a matrix while it runs: a line that goes on, and each promise that was broken at once."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Coroutine, Sequence
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from evals.crash import merchants
from evals.interrupted import interruptible
from evals.report import WIDTH, console


class Screen:
    """A line that goes on, on standard error, and each promise that was broken at once."""

    def __init__(self) -> None:
        # That connections break is what is done here.
        logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True, width=WIDTH, highlight=False),
        )
        self._task = self.progress.add_task("cells", total=0)

    def expect(self, more: int) -> None:
        """Say that more cells are to come."""
        self.progress.update(self._task, total=(self.progress.tasks[0].total or 0) + more)

    def tell(self, again: str, wrong: Sequence[str]) -> None:
        """Show that a cell is over.

        Args:
            again: what runs it alone.
            wrong: the promises that it broke.
        """
        self.progress.advance(self._task)
        for why in [f"python -m evals.crash {again}", *(f"  {one}" for one in wrong)]:
            if wrong:
                self.progress.console.print(why, markup=False)

    def follow(self, running: Coroutine[Any, Any, None]) -> None:
        """Run cells while it is shown.

        Raises:
            typer.Exit: it was interrupted.
        """
        with self.progress:
            try:
                asyncio.run(interruptible(running))
            except asyncio.CancelledError:
                print("\nInterrupted. What was started is stopped and removed.", file=sys.stderr)
                raise typer.Exit(130) from None


class MerchantsRun:
    """A run of the matrix of merchants.

    Attributes:
        wrong: whether a promise was broken.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._cells = cells_named(merchants.Cell, names)
        self._screen = Screen()
        self._verdicts: list[merchants.Verdict] = []
        self._answered: dict[int, int] = {}

    def run(self, running: Coroutine[Any, Any, None]) -> bool:
        """Run it, print what it showed, and tell whether a promise was broken."""
        self._screen.follow(running)
        merchants.show(self._verdicts, self._answered, console())
        return any(one.wrong for one in self._verdicts)

    async def through(self, world: merchants.World) -> None:
        """Run the cells that were named; all where none are."""
        if self._cells:
            self._screen.expect(len(self._cells))
            await merchants.run_some(world, self._cells, self._tell)
        else:
            await merchants.run_all(world, self._tell, self._screen.expect)
        self._answered = dict(world.ear.answered)

    @property
    def is_whole(self) -> bool:
        """Tell whether all cells are run."""
        return not self._cells

    def _tell(self, verdict: merchants.Verdict) -> None:
        self._verdicts.append(verdict)
        self._screen.tell(f"--domain merchants --only {verdict.cell.name}", verdict.wrong)


def cells_named(kind: Any, names: Sequence[str]) -> list[Any]:
    """Read the names of cells of a kind.

    Raises:
        typer.BadParameter: one names none.
    """
    try:
        return [kind.read(one) for one in names]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
