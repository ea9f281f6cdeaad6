"""Show how far a matrix is, and each promise that was broken at once."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

WIDTH = 150


class Screen:
    """A line that goes on, on standard error."""

    def __init__(self) -> None:
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
        total = self.progress.tasks[0].total or 0
        self.progress.update(self._task, total=total + more)

    def tell(self, again: str, wrong: Sequence[str]) -> None:
        """Show that a cell is over.

        Args:
            again: the command that runs it alone.
            wrong: the promises that it broke.
        """
        self.progress.advance(self._task)
        if wrong:
            self.progress.console.print(again, markup=False)
            for why in wrong:
                self.progress.console.print(f"  {why}", markup=False)
