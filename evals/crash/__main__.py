"""Run the crash matrix: `make crash`, or `python -m evals.crash [--only CELL]`."""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from evals.crash import cells
from evals.crash.cells import Cell
from evals.crash.judge import Verdict
from evals.crash.matrix import Matrix, of_the_moments, of_the_take_overs, short
from evals.crash.table import show
from evals.crash.workers import open_workers
from evals.crash.world import open_world

_WIDTH = 150
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main(
    seed: Annotated[int, typer.Option(help="Chooses the random instants.")] = 1,
    random: Annotated[int, typer.Option(min=0, help="Kills at random instants.")] = 300,
    outages: Annotated[int, typer.Option(min=0, help="Kills of Postgres, shop, both.")] = 20,
    lanes: Annotated[int, typer.Option(min=1, help="Cells at a time.")] = 4,
    only: Annotated[list[str] | None, typer.Option(help="Run these cells alone.")] = None,
    is_short: Annotated[bool, typer.Option("--short", help="The form of `make test`.")] = False,
) -> None:
    """Kill a purchase at every moment there is, and judge it by the shop's record."""
    for one in _SIGNALS:
        signal.signal(one, _interrupt)
    console = Console(width=_WIDTH, highlight=False)
    screen = _Screen(seed)
    try:
        with screen.progress, tempfile.TemporaryDirectory(prefix="daybook-crash-") as folder:
            matrix = Matrix(seed, lanes, screen.tell)
            if only:
                some = [Cell.read(name) for name in only]
                asyncio.run(_only(matrix, Path(folder), some))
            elif is_short:
                asyncio.run(_short(matrix, Path(folder), seed))
            else:
                asyncio.run(_whole(matrix, Path(folder), screen, random, outages))
    except KeyboardInterrupt:
        print("\nInterrupted. What was started was stopped and removed.", file=sys.stderr)
        raise typer.Exit(130) from None
    show(matrix.verdicts, console)
    raise typer.Exit(int(any(verdict.wrong for verdict in matrix.verdicts)))


async def _whole(matrix: Matrix, folder: Path, screen: _Screen, random: int, outages: int) -> None:
    async with open_world(folder / "one") as world, open_world(folder / "two") as other:
        await matrix.look(world)
        async with open_workers(world, folder) as workers:
            crashes = cells.peers_crashes()
            for mode, of_workers in workers.items():
                some = [cell for cell in crashes if cell.mode == mode]
                screen.expect(len(some))
                await matrix.go_through(some, of_workers)
        done = {verdict.cell.name for verdict in matrix.verdicts}
        rest = [
            *of_the_moments(matrix),
            *cells.time_outs(),
            *cells.late_effects(),
            *cells.cancelled_after(),
            *cells.waiting(),
            *cells.at_instants(random),
        ]
        rest = [cell for cell in rest if cell.name not in done]
        struck = cells.outages(outages)
        screen.expect(len(rest) + len(struck))
        async with asyncio.TaskGroup() as both:
            both.create_task(matrix.go_through(rest, world))
            both.create_task(matrix.one_by_one(struck, other))
        twice = of_the_take_overs(matrix)
        screen.expect(len(twice))
        await matrix.go_through(twice, world)


async def _short(matrix: Matrix, folder: Path, seed: int) -> None:
    async with open_world(folder) as world:
        await matrix.look(world)
        await matrix.go_through(short(matrix, seed), world)


async def _only(matrix: Matrix, folder: Path, some: list[Cell]) -> None:
    async with open_world(folder) as world:
        await matrix.look(world)
        await matrix.one_by_one(some, world)


class _Screen:
    """Show how far it is, and each promise that was broken at once."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True, width=_WIDTH, highlight=False),
        )
        self._task = self.progress.add_task("cells", total=len(cells.undisturbed()))

    def expect(self, more: int) -> None:
        """Say that more cells are to come."""
        total = self.progress.tasks[0].total or 0
        self.progress.update(self._task, total=total + more)

    def tell(self, verdict: Verdict) -> None:
        """Show one verdict."""
        self.progress.advance(self._task)
        if verdict.wrong:
            name = verdict.cell.name
            self.progress.console.print(f"python -m evals.crash --seed {self._seed} --only {name}")
            for why in verdict.wrong:
                self.progress.console.print(f"  {why}", markup=False)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Stop, and let nothing stop the cleaning up: neither a second Ctrl-C nor a closed terminal."""
    for one in _SIGNALS:
        signal.signal(one, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    typer.run(main)
