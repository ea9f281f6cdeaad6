"""Run the crash matrix: `make crash`, or `python -m evals.crash [--only CELL]`."""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from pathlib import Path
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
from evals.interrupted import interruptible

_WIDTH = 150


def main(
    seed: Annotated[int, typer.Option(help="Chooses the random instants.")] = 1,
    random: Annotated[int, typer.Option(min=0, help="Kills at random instants.")] = 300,
    outages: Annotated[int, typer.Option(min=0, help="Kills of Postgres, shop, both.")] = 20,
    lanes: Annotated[int, typer.Option(min=1, help="Cells at a time.")] = 4,
    only: Annotated[list[str] | None, typer.Option(help="Run these cells alone.")] = None,
    is_short: Annotated[bool, typer.Option("--short", help="The form of `make test`.")] = False,
) -> None:
    """Kill a purchase at every moment there is, and judge it by the shop's record."""
    try:
        wanted = [Cell.read(one) for one in only or ()]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    # That connections break is what is done here.
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
    console = Console(width=_WIDTH, highlight=False)
    screen = _Screen(seed)
    with screen.progress, tempfile.TemporaryDirectory(prefix="daybook-crash-") as name:
        matrix, folder = Matrix(seed, lanes, screen.tell), Path(name)
        if wanted:
            done = _only(matrix, folder, screen, wanted)
        elif is_short:
            done = _short(matrix, folder, screen, seed)
        else:
            done = _whole(matrix, folder, screen, random, outages)
        try:
            asyncio.run(interruptible(done))
        except asyncio.CancelledError:
            print("\nInterrupted. What was started is stopped and removed.", file=sys.stderr)
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
            *cells.taken_over(),
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


async def _short(matrix: Matrix, folder: Path, screen: _Screen, seed: int) -> None:
    async with open_world(folder) as world:
        await matrix.look(world)
        some = short(matrix, seed)
        screen.expect(len(some))
        await matrix.go_through(some, world)


async def _only(matrix: Matrix, folder: Path, screen: _Screen, some: list[Cell]) -> None:
    async with open_world(folder) as world:
        await matrix.look(world)
        done = {verdict.cell.name for verdict in matrix.verdicts}
        rest = [cell for cell in some if cell.name not in done]
        screen.expect(len(rest))
        await matrix.one_by_one(rest, world)


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


if __name__ == "__main__":
    command = typer.Typer(pretty_exceptions_enable=False)
    command.command()(main)
    command()
