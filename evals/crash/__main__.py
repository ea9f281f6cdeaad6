"""Run the crash matrix: `make crash`, or `python -m evals.crash [--domain D] [--only CELL]`."""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from evals.crash import cells
from evals.crash.cells import Cell
from evals.crash.judge import Verdict
from evals.crash.matrix import Matrix, of_the_moments, of_the_take_overs, short
from evals.crash.merchants.cells import Cell as MerchantsCell
from evals.crash.merchants.running import Run, cells_named
from evals.crash.screen import WIDTH, Screen
from evals.crash.table import show
from evals.crash.workers import open_workers
from evals.crash.world import open_world
from evals.interrupted import interruptible

_INTERRUPTED = "\nInterrupted. What was started is stopped and removed."


class Which(StrEnum):
    """Whose purchases are killed."""

    SHOP = "shop"
    MERCHANTS = "merchants"


def main(
    domain: Annotated[Which, typer.Option(help="What is bought from.")] = Which.SHOP,
    seed: Annotated[int, typer.Option(help="Chooses the random instants.")] = 1,
    random: Annotated[int, typer.Option(min=0, help="Kills at random instants.")] = 300,
    outages: Annotated[int, typer.Option(min=0, help="Kills of Postgres, shop, both.")] = 20,
    lanes: Annotated[int, typer.Option(min=1, help="Cells at a time.")] = 4,
    only: Annotated[list[str] | None, typer.Option(help="Run these cells alone.")] = None,
    is_short: Annotated[bool, typer.Option("--short", help="The form of `make test`.")] = False,
) -> None:
    """Kill a purchase at every moment there is, and judge it by the shop's record.

    At merchants every cell is run, one after the other: of the options, `--only` alone is for them.
    """
    if domain is Which.MERCHANTS:
        raise typer.Exit(_at_merchants(only or ()))
    try:
        wanted = [Cell.read(one) for one in only or ()]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    # That connections break is what is done here.
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
    console = Console(width=WIDTH, highlight=False)
    screen = Screen()
    screen.expect(len(cells.undisturbed()))

    def tell(verdict: Verdict) -> None:
        again = f"python -m evals.crash --seed {seed} --only {verdict.cell.name}"
        screen.tell(again, verdict.wrong)

    with screen.progress, tempfile.TemporaryDirectory(prefix="daybook-crash-") as name:
        matrix, folder = Matrix(seed, lanes, tell), Path(name)
        if wanted:
            done = _only(matrix, folder, screen, wanted)
        elif is_short:
            done = _short(matrix, folder, screen, seed)
        else:
            done = _whole(matrix, folder, screen, random, outages)
        try:
            asyncio.run(interruptible(done))
        except asyncio.CancelledError:
            print(_INTERRUPTED, file=sys.stderr)
            raise typer.Exit(130) from None
    show(matrix.verdicts, console)
    raise typer.Exit(int(any(verdict.wrong for verdict in matrix.verdicts)))


def _at_merchants(only: Sequence[str]) -> int:
    """Kill purchases at merchants; return the exit code."""
    wanted = cells_named(only)
    with Run("daybook-crash-") as run:
        try:
            asyncio.run(interruptible(_through(run, wanted)))
        except asyncio.CancelledError:
            print(_INTERRUPTED, file=sys.stderr)
            return 130
    run.show()
    return int(run.is_broken)


async def _through(run: Run, wanted: Sequence[MerchantsCell]) -> None:
    async with run.opened() as world:
        await run.through(world, wanted)


async def _whole(matrix: Matrix, folder: Path, screen: Screen, random: int, outages: int) -> None:
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


async def _short(matrix: Matrix, folder: Path, screen: Screen, seed: int) -> None:
    async with open_world(folder) as world:
        await matrix.look(world)
        some = short(matrix, seed)
        screen.expect(len(some))
        await matrix.go_through(some, world)


async def _only(matrix: Matrix, folder: Path, screen: Screen, some: list[Cell]) -> None:
    async with open_world(folder) as world:
        await matrix.look(world)
        done = {verdict.cell.name for verdict in matrix.verdicts}
        rest = [cell for cell in some if cell.name not in done]
        screen.expect(len(rest))
        await matrix.one_by_one(rest, world)


if __name__ == "__main__":
    command = typer.Typer(pretty_exceptions_enable=False)
    command.command()(main)
    command()
