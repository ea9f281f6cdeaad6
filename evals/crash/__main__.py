"""Run the crash matrix: `make crash`, or `python -m evals.crash [--domain D] [--only CELL]`."""

from __future__ import annotations

import asyncio
import tempfile
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from evals.crash import cells, judge
from evals.crash.cells import Cell
from evals.crash.matrix import Matrix, open_workers, open_world
from evals.crash.merchants import MerchantsRun, cells_named
from evals.report import Screen, console, run_command


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
) -> None:
    """Kill a purchase at every moment there is, and judge it by the shop's record.

    At merchants every cell is run, one after the other: of the options, `--only` alone is for them.
    """
    with tempfile.TemporaryDirectory(prefix="daybook-crash-") as name:
        folder = Path(name)
        if domain is Which.MERCHANTS:
            run = MerchantsRun(only or ())
            raise typer.Exit(run.follow(run.through(folder)))
        wanted: list[Cell] = cells_named(Cell, only or ())
        screen = Screen("cells")

        def tell(one: judge.Verdict) -> None:
            again = f"python -m evals.crash --seed {seed} --only {one.cell.name}"
            screen.advance(*(one.wrong and [again, *(f"  {why}" for why in one.wrong)]))

        matrix = Matrix(seed, lanes, tell)
        if wanted:
            is_whole = screen.follow(_some(matrix, folder, screen, wanted))
        else:
            is_whole = screen.follow(_whole(matrix, folder, screen, random, outages))
    judge.show(matrix.verdicts, console())
    is_wrong = any(verdict.wrong for verdict in matrix.verdicts)
    raise typer.Exit(int(is_wrong) if is_whole else 130)


async def _whole(matrix: Matrix, folder: Path, screen: Screen, random: int, outages: int) -> None:
    async with open_world(folder / "one") as world, open_world(folder / "two") as other:
        screen.expect(len(cells.undisturbed()))
        await matrix.go_through(cells.undisturbed(), world)
        async with open_workers(world, folder) as workers:
            for mode, of_workers in workers.items():
                some = [cell for cell in cells.peers_crashes() if cell.mode == mode]
                screen.expect(len(some))
                await matrix.go_through(some, of_workers)
        rest = matrix.not_run(
            [
                *cells.of_endpoints("taken-over"),
                *matrix.of_the_moments(),
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
        twice = matrix.of_the_take_overs()
        screen.expect(len(twice))
        await matrix.go_through(twice, world)


async def _some(matrix: Matrix, folder: Path, screen: Screen, wanted: list[Cell]) -> None:
    screen.expect(len(cells.undisturbed()) + len(wanted))
    async with open_world(folder) as world:
        await matrix.go_through(cells.undisturbed(), world)
        await matrix.one_by_one(matrix.not_run(wanted), world)


if __name__ == "__main__":
    run_command(main)
