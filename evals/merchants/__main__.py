"""Merchants: `make merchants`, or `python -m evals.merchants PYTHON [--only CELL]`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from evals.crash.merchants.cells import Cell
from evals.crash.merchants.running import Run, cells_named
from evals.crash.merchants.world import World
from evals.interrupted import interruptible
from evals.merchants import strangers
from evals.merchants.conformance import of_merchant


def main(
    python: Annotated[Path, typer.Argument(help="Of the environment with spck and ucpify.")],
    only: Annotated[list[str] | None, typer.Option(help="Run these cells alone.")] = None,
) -> None:
    """Look at the shop as a merchant, buy from a stranger, and kill a purchase wherever it can be.

    Exits 1 where a MUST is violated, a purchase is not one order, or an order is lost or doubled,
    or where nobody is told of a session that is left.
    """
    wanted, wrong = cells_named(only or ()), list[str]()
    with Run("daybook-merchants-") as run:
        try:
            asyncio.run(interruptible(_all(run, python.absolute(), wanted, wrong)))
        except asyncio.CancelledError:
            print("\nInterrupted. What was started is stopped and removed.", file=sys.stderr)
            raise typer.Exit(130) from None
    run.show()
    for one in wrong:
        print(one)
    raise typer.Exit(int(run.is_broken or bool(wrong)))


async def _all(run: Run, python: Path, wanted: list[Cell], wrong: list[str]) -> None:
    async with run.opened() as world:
        if not wanted:
            await _before(world, run.folder, python, wrong)
        await run.through(world, wanted)


async def _before(world: World, folder: Path, python: Path, wrong: list[str]) -> None:
    found = await of_merchant(python, world.shop.url, folder)
    print(
        f"conformance: version {found.version}, {found.passed} checks passed, "
        f"{len(found.deviations)} deviate, {found.unproven} need what the shop has not"
    )
    wrong += [f"deviates: {one}" for one in found.deviations]
    bought = await strangers.buy(world.environment, folder, python)
    print(f"ucpify: {len(bought.orders)} order, {bought.total / 100:.2f} USD {bought.error}")
    if not bought.is_one:
        wrong.append("the purchase from ucpify is not one order")


if __name__ == "__main__":
    command = typer.Typer(pretty_exceptions_enable=False)
    command.command()(main)
    command()
