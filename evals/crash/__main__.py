"""Run the crash matrix: `make crash`, or `python -m evals.crash [--domain D] [--only CELL]`."""

from __future__ import annotations

import tempfile
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from evals.crash import merchants, shop
from evals.crash.cells import Cell
from evals.crash.judge import COLUMNS, told
from evals.crash.run import Run, cells_named
from evals.report import run_command


class Which(StrEnum):
    """Whose purchases are killed."""

    SHOP = "shop"
    MERCHANTS = "merchants"


def main(
    domain: Annotated[Which, typer.Option(help="What is bought from.")] = Which.SHOP,
    random: Annotated[int, typer.Option(min=0, help="Kills at random instants.")] = 300,
    outages: Annotated[int, typer.Option(min=0, help="Kills of Postgres, shop, both.")] = 20,
    only: Annotated[list[str] | None, typer.Option(help="Run these cells alone.")] = None,
) -> None:
    """Kill a purchase at every moment there is, and judge it by the shop's record.

    At merchants every cell is run, one after the other: of the options, `--only` alone is for them.
    """
    with tempfile.TemporaryDirectory(prefix="daybook-crash-") as name:
        if domain is Which.MERCHANTS:
            raise typer.Exit(_at_merchants(only or [], Path(name)))
        run = Run[Cell](COLUMNS, "python -m evals.crash", cells_named(Cell, only or []))
        matrix = shop.Matrix(run.tell)
        running = shop.through(run, matrix, Path(name), random, outages)
        raise typer.Exit(run.follow(running, lambda: told(run.verdicts)))


def _at_merchants(only: list[str], folder: Path) -> int:
    run = merchants.MerchantsRun.of(only)

    async def through() -> None:
        async with merchants.open_world(folder) as world:
            await run.within(world)

    return run.follow(through(), run.told)


if __name__ == "__main__":
    run_command(main)
