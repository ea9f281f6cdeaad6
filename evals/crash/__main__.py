"""Run the crash matrix: `make crash`, or `python -m evals.crash [--domain D] [--only CELL]`."""

from __future__ import annotations

import tempfile
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from evals.crash import cells, judge, merchants, shop
from evals.crash.run import Run, cells_named
from evals.report import run_command


class Which(StrEnum):
    """Whose purchases are killed."""

    SHOP = "shop"
    MERCHANTS = "merchants"


def main(
    domain: Annotated[Which, typer.Option(help="What is bought from.")] = Which.SHOP,
    only: Annotated[list[str] | None, typer.Option(help="Run these cells alone.")] = None,
) -> None:
    """Kill a purchase at every moment there is, and judge it by the shop's record."""
    with tempfile.TemporaryDirectory(prefix="daybook-crash-") as name:
        if domain is Which.MERCHANTS:
            at_merchants = merchants.run_of(only or [])
            raise typer.Exit(at_merchants.follow(_at_merchants(at_merchants, Path(name))))
        named = cells_named(cells.Cell, only or [])
        run = Run[cells.Cell](judge.COLUMNS, "python -m evals.crash", named)
        raise typer.Exit(run.follow(shop.within(run, Path(name))))


async def _at_merchants(run: Run[merchants.Cell], folder: Path) -> None:
    async with merchants.open_world(folder) as world:
        await merchants.within(run, world)


if __name__ == "__main__":
    run_command(main)
