"""Merchants: `make merchants`, or `python -m evals.merchants PYTHON [--only CELL]`."""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from daybook.graph.merchants.settings import merchants_from
from daybook.tools.merchants.ucp.keys import signing_key
from evals.interrupted import interruptible
from evals.merchants import agents, cells, kills, strangers
from evals.merchants.cells import Cell
from evals.merchants.conformance import OLDER, Conformance, more_of, of_merchant
from evals.merchants.kills import Verdict, World

_STOCK = 100_000
"""More than the checks take."""


def main(
    python: Annotated[Path, typer.Argument(help="Of the environment with spck and ucpify.")],
    only: Annotated[list[str] | None, typer.Option(help="Run the cells that begin so.")] = None,
) -> None:
    """Look at the shop as a merchant, buy from a stranger, and kill a purchase wherever it can be.

    Exits 1 where a MUST is violated, a purchase is not one order, or an order is lost or doubled.
    """
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
    seen: list[Verdict] = []
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="daybook-merchants-") as name:
        done = _all(Path(name), python.absolute(), only or [], seen, wrong)
        try:
            asyncio.run(interruptible(done))
        except asyncio.CancelledError:
            print("\nInterrupted. What was started is stopped and removed.", file=sys.stderr)
            raise typer.Exit(130) from None
    print(
        f"kills: {len(seen)} purchases, {sum(one.twice for one in seen)} twice, "
        f"{sum(one.lost for one in seen)} lost; "
        f"{sum(one.left for one in seen)} sessions left to run out, "
        f"{sum(one.left for one in seen if one.cell.keys == 'honoured')} where keys are honoured"
    )
    broken = sum(bool(one.wrong) for one in seen) + len(wrong)
    print("nothing falls short" if not broken else f"{broken} fall short")
    raise typer.Exit(int(bool(broken)))


async def _all(
    folder: Path, python: Path, only: list[str], seen: list[Verdict], wrong: list[str]
) -> None:
    def tell(verdict: Verdict) -> None:
        seen.append(verdict)
        print(f"\r{len(seen)} purchases ", end="", file=sys.stderr, flush=True)
        for why in verdict.wrong:
            print(f"{verdict.cell.name}: {why}")

    async with kills.open_world(folder) as world:
        if only:
            await kills.run_some(world, await _named(world, only), tell)
            return
        await _before(world, folder, python, wrong)
        await kills.run_all(world, tell)
        print(f"events: answered {dict(sorted(world.ear.answered.items()))}")


async def _before(world: World, folder: Path, python: Path, wrong: list[str]) -> None:
    for found in (
        await of_merchant(python, world.shop.url, folder),
        await _of_the_older(world, folder, python),
    ):
        print(
            f"conformance: version {found.version}, {found.passed} checks passed, "
            f"{len(found.deviations)} deviate, {found.unproven} need what the shop has not"
        )
        wrong += [f"deviates: {one}" for one in found.deviations]
    graded = await agents.grade(world.environment, folder, python)
    beside = "; ".join(f"{count}: {why}" for why, count in graded.not_ours.items())
    print(
        f"agents' side: {graded.kept} rules kept, {len(graded.broken)} broken; not asked about: "
        f"{graded.others} of other scenarios (linking identities, mandates); {beside}"
    )
    wrong += [f"breaks: {one}" for one in graded.broken]
    bought = await strangers.buy(world.environment, folder, python)
    print(f"ucpify: {len(bought.orders)} order, {bought.total / 100:.2f} USD {bought.error}")
    if not bought.is_one:
        wrong.append("the purchase from ucpify is not one order")
    for one in wrong:
        print(one)


async def _of_the_older(world: World, folder: Path, python: Path) -> Conformance:
    """Look at the shop as one of the version before, which verifies what is signed."""
    merchants = merchants_from(world.environment)
    more = more_of(signing_key(merchants.key), merchants.profile_url)
    await world.shop.ask("PUT", "/admin/settings", ucp_version=OLDER, signatures="verified")
    for item in ("BOOT-002", "PACK-015"):
        await world.shop.ask("PUT", f"/admin/products/{item}", stock=_STOCK)
    try:
        return await of_merchant(python, world.shop.url, folder, more)
    finally:
        await world.shop.ask("POST", "/admin/reset")


async def _named(world: World, only: list[str]) -> list[Cell]:
    """Return the cells whose names begin so; a kill is named by its moment."""
    every = [*cells.undisturbed(), *cells.of_the_merchant()]
    found = [one for one in every if any(one.name.startswith(name) for name in only)]
    for name in only:
        transport, keys, kill = name.split("/", 2)
        if "#" in kill:
            found.append(Cell(transport, keys, kills=kill))
    return found


if __name__ == "__main__":
    command = typer.Typer(pretty_exceptions_enable=False)
    command.command()(main)
    command()
