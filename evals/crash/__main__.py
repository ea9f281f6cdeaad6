"""Run the crash matrix: `make crash`, or `python -m evals.crash [--domain D] [--only CELL]`."""

from __future__ import annotations

import asyncio
import tempfile
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from evals.crash import cells, merchants, table
from evals.crash.cells import Cell
from evals.crash.matrix import Matrix, of_the_moments, of_the_take_overs, short
from evals.crash.progress import MerchantsRun, Screen, cells_named
from evals.crash.world import open_workers, open_world
from evals.report import console


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
    with tempfile.TemporaryDirectory(prefix="daybook-crash-") as name:
        folder = Path(name)
        if domain is Which.MERCHANTS:
            run = MerchantsRun(only or ())
            raise typer.Exit(int(run.run(_at_merchants(run, folder))))
        wanted: list[Cell] = cells_named(Cell, only or ())
        screen = Screen()
        matrix = Matrix(
            seed,
            lanes,
            lambda one: screen.tell(f"--seed {seed} --only {one.cell.name}", one.wrong),
        )
        screen.expect(len(cells.undisturbed()))
        if wanted or is_short:
            screen.follow(_some(matrix, folder, screen, wanted, seed))
        else:
            screen.follow(_whole(matrix, folder, screen, random, outages))
    table.show(matrix.verdicts, console())
    raise typer.Exit(int(any(verdict.wrong for verdict in matrix.verdicts)))


async def _at_merchants(run: MerchantsRun, folder: Path) -> None:
    async with merchants.open_world(folder) as world:
        await run.through(world)


async def _whole(matrix: Matrix, folder: Path, screen: Screen, random: int, outages: int) -> None:
    async with open_world(folder / "one") as world, open_world(folder / "two") as other:
        await matrix.look(world)
        async with open_workers(world, folder) as workers:
            crashes = cells.peers_crashes()
            for mode, of_workers in workers.items():
                some = [cell for cell in crashes if cell.mode == mode]
                screen.expect(len(some))
                await matrix.go_through(some, of_workers)
        rest = matrix.not_run(
            [
                *cells.of_endpoints("taken-over"),
                *of_the_moments(matrix),
                *cells.of_endpoints("time-out"),
                *cells.of_endpoints("late"),
                *cells.cancelled_after(),
                *cells.waiting(),
                *cells.at_instants(random),
            ]
        )
        struck = cells.outages(outages)
        screen.expect(len(rest) + len(struck))
        async with asyncio.TaskGroup() as both:
            both.create_task(matrix.go_through(rest, world))
            both.create_task(matrix.one_by_one(struck, other))
        twice = of_the_take_overs(matrix)
        screen.expect(len(twice))
        await matrix.go_through(twice, world)


async def _some(
    matrix: Matrix, folder: Path, screen: Screen, wanted: list[Cell], seed: int
) -> None:
    """Run the cells that are wanted, or those of the short form."""
    async with open_world(folder) as world:
        await matrix.look(world)
        some = matrix.not_run(wanted) if wanted else short(matrix, seed)
        screen.expect(len(some))
        if wanted:
            await matrix.one_by_one(some, world)
        else:
            await matrix.go_through(some, world)


if __name__ == "__main__":
    command = typer.Typer(pretty_exceptions_enable=False)
    command.command()(main)
    command()
