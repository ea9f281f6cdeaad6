"""One way to run the matrix, with or without something else before it."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import typer
from rich.console import Console

from evals.crash.merchants import matrix
from evals.crash.merchants.cells import Cell
from evals.crash.merchants.judge import Verdict
from evals.crash.merchants.table import show
from evals.crash.merchants.world import World, open_world
from evals.crash.screen import WIDTH, Screen

COMMAND = "python -m evals.crash --domain merchants"


def cells_named(names: Sequence[str]) -> list[Cell]:
    """Read the names of cells.

    Raises:
        typer.BadParameter: one names none.
    """
    try:
        return [Cell.read(one) for one in names]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


class Run:
    """A run of the matrix in a folder of its own, shown as it goes.

    Attributes:
        verdicts: of the cells that were run.
    """

    def __init__(self, name: str) -> None:
        self._place = tempfile.TemporaryDirectory(prefix=name)
        self._screen = Screen()
        self.folder = Path(self._place.name)
        self.verdicts: list[Verdict] = []
        self._answered: dict[int, int] = {}

    def __enter__(self) -> Self:
        # That connections break is what is done here.
        logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
        self._screen.progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._screen.progress.stop()
        self._place.cleanup()

    def opened(self) -> AbstractAsyncContextManager[World]:
        """Start what the cells run on."""
        return self._opened()

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[World]:
        async with open_world(self.folder) as world:
            yield world
            self._answered = dict(world.ear.answered)

    async def through(self, world: World, wanted: Sequence[Cell]) -> None:
        """Run some cells; all where none are named."""
        if wanted:
            self._screen.expect(len(wanted))
            await matrix.run_some(world, wanted, self._tell)
        else:
            await matrix.run_all(world, self._tell, self._screen.expect)

    def _tell(self, verdict: Verdict) -> None:
        self.verdicts.append(verdict)
        self._screen.tell(f"{COMMAND} --only {verdict.cell.name}", verdict.wrong)

    def show(self) -> None:
        """Print what was seen."""
        show(self.verdicts, self._answered, Console(width=WIDTH, highlight=False))

    @property
    def is_broken(self) -> bool:
        """Tell whether a promise was broken."""
        return any(one.wrong for one in self.verdicts)
