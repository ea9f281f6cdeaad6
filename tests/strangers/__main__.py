"""Run the strangers: `make strangers`, or `python -m tests.strangers [--domain NAME] [--only CELL]`."""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import Annotated

import typer

from daybook.testing import Report, cells
from daybook.testing.judge import Verdict
from daybook.testing.world import open_world
from evals.servers import interruptible
from tests.strangers.matrix import CLASSES, lies, matrix_of, parse

_ASSUMED = """\
A doubt counts as broken, but where neither a key nor a look-up can tell (slack), where a refund is
refused for good, where an error is kept under its key (stripe_v1), and of answers that show
something else than was asked for (wrong). Each was answered from the service's record."""


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
        wanted = [parse(name) for name in only or ()]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    services = sorted({cell.provider for cell in wanted}) or domain or list(CLASSES)
    if unknown := sorted(set(services) - set(CLASSES)):
        raise typer.BadParameter(f"{', '.join(unknown)}: the services are {', '.join(CLASSES)}")
    verdicts: list[Verdict] = []

    async def go() -> None:
        async with open_world() as world:
            for service in services:
                matrix = matrix_of(service, world, lanes, _tell)
                await matrix.look()
                if wanted:
                    await matrix.run(cell for cell in wanted if cell.provider == service)
                else:
                    await matrix.run(matrix.performed())
                    await matrix.run([*matrix.faults(), *matrix.suspended()])
                    kills = [*matrix.killed(), *matrix.killed_twice()]
                    await matrix.run(cells.sample(kills, round(len(kills) * part), seed))
                    await matrix.run(lies() if service == "wrong" else ())
                    print(f"{service}: done", file=sys.stderr)
                verdicts.extend(matrix.verdicts.values())

    try:
        asyncio.run(interruptible(go()))
    except asyncio.CancelledError:
        print("\nInterrupted. What was started is stopped and removed.", file=sys.stderr)
        raise typer.Exit(130) from None
    report = Report([one for one in verdicts if not wanted or one.cell in wanted])
    report.show()
    print(_ASSUMED)
    # Whoever names a kill wants it; of all that there are, some moments come in some runs alone.
    is_in_vain = bool(wanted) and any(verdict.is_missed for verdict in verdicts)
    raise typer.Exit(int(is_in_vain or not report.ok))


def _tell(verdict: Verdict) -> None:
    if verdict.wrong:
        print(f"python -m tests.strangers --only '{verdict.cell.name}'", file=sys.stderr)
        for why in verdict.wrong:
            print(f"  {why}", file=sys.stderr)


if __name__ == "__main__":
    command = typer.Typer(pretty_exceptions_enable=False)
    command.command()(main)
    command()
