"""Run the strangers: `make strangers`, or `python -m tests.strangers [--domain NAME] [--only CELL]`."""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from evals.interrupted import interruptible
from tests.strangers import cells
from tests.strangers.judge import CLASSES, Verdict
from tests.strangers.matrix import Matrix
from tests.strangers.table import show
from tests.strangers.world import open_world

_WIDTH = 150


def main(
    domain: Annotated[list[str] | None, typer.Option(help="These services alone.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="Run these cells alone.")] = None,
    part: Annotated[float, typer.Option(min=0, max=1, help="Of kills, which part.")] = 0.2,
    seed: Annotated[int, typer.Option(help="Chooses them.")] = 1,
    lanes: Annotated[int, typer.Option(min=1, help="Cells at a time.")] = 6,
) -> None:
    """Kill agents on strangers' services at every moment there is, and judge by what was done."""
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
    try:
        wanted = [cells.read(name) for name in only or ()]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    services = sorted({cell.service for cell in wanted}) or domain or list(CLASSES)
    if unknown := sorted(set(services) - set(CLASSES)):
        raise typer.BadParameter(f"{', '.join(unknown)}: the services are {', '.join(CLASSES)}")
    console = Console(width=_WIDTH, highlight=False)
    verdicts: list[Verdict] = []

    async def go() -> None:
        with tempfile.TemporaryDirectory(prefix="daybook-strangers-") as name:
            async with open_world(Path(name), services) as world:
                matrix = Matrix(world, lanes, _tell)
                if wanted:
                    await matrix.go_through(wanted)
                else:
                    await _whole(matrix, services, part, seed)
                verdicts.extend(matrix.verdicts)

    try:
        asyncio.run(interruptible(go()))
    except asyncio.CancelledError:
        print("\nInterrupted. What was started is stopped and removed.", file=sys.stderr)
        raise typer.Exit(130) from None
    show(verdicts, console)
    # Whoever names a kill wants it; of all that there are, some moments come in some runs alone.
    is_in_vain = bool(wanted) and any(verdict.is_missed for verdict in verdicts)
    raise typer.Exit(int(is_in_vain or any(verdict.wrong for verdict in verdicts)))


async def _whole(matrix: Matrix, services: list[str], part: float, seed: int) -> None:
    await matrix.look(services)
    for service in services:
        await matrix.go_through(cells.performed(service))
        await matrix.go_through(cells.faults(service))
        await matrix.go_through(matrix.of_the_suspended(service))
        kills = [*matrix.at_the_moments(service), *matrix.of_the_take_overs(service)]
        await matrix.go_through(cells.sample(kills, round(len(kills) * part), seed))
        print(f"{service}: done", file=sys.stderr)
    if "wrong" in services:
        await matrix.go_through(cells.lies())


def _tell(verdict: Verdict) -> None:
    if verdict.wrong:
        print(f"python -m tests.strangers --only '{verdict.cell.name}'", file=sys.stderr)
        for why in verdict.wrong:
            print(f"  {why}", file=sys.stderr)


if __name__ == "__main__":
    command = typer.Typer(pretty_exceptions_enable=False)
    command.command()(main)
    command()
