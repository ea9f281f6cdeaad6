"""Merchants: `make merchants`, or `python -m evals.merchants PYTHON [--only CELL]`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from daybook.graph.merchants.resources import merchants_from
from daybook.tools.merchants.ucp.profile import named_for
from daybook.tools.merchants.ucp.signatures import signing_key
from evals.crash.merchants import Cell, World, open_world, run_of, within
from evals.crash.run import Run
from evals.merchants import agents
from evals.merchants.conformance import OLDER, Conformance, more_of, of_merchant
from evals.report import run_command

_STOCK = 100_000
"""More than the checks take."""


def main(
    python: Annotated[Path, typer.Argument(help="Of the environment with spck-conformance.")],
    only: Annotated[list[str] | None, typer.Option(help="Run these cells alone.")] = None,
) -> None:
    """Hold the shop as a merchant and us as a buyer to the protocol; then kill purchases.

    Exits 1 where a MUST is violated, an order is lost or doubled, or where nobody is told of a
    session that is left.
    """
    run = run_of(only or [])
    with tempfile.TemporaryDirectory(prefix="daybook-merchants-") as name:
        raise typer.Exit(run.follow(_all(run, Path(name), python.absolute())))


async def _all(run: Run[Cell], folder: Path, python: Path) -> None:
    async with open_world(folder) as world:
        if not run.named:
            await _conform(world, folder, python, run.wrong)
        await within(run, world)


async def _conform(world: World, folder: Path, python: Path, wrong: list[str]) -> None:
    # The agent that asks has no profile that could be read.
    await world.shop.ask("PUT", "/admin/settings", profiles="ignored")
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
    print(
        f"agents' side: {graded.kept} rules kept, {len(graded.broken)} broken; not asked about: "
        f"{graded.not_ours} of what we do not do, {graded.others} of other scenarios"
    )
    wrong += [f"breaks: {one}" for one in graded.broken]


async def _of_the_older(world: World, folder: Path, python: Path) -> Conformance:
    """Look at the shop as one of the version before, which verifies what is signed."""
    merchants = merchants_from(world.environment)
    more = more_of(signing_key(merchants.key), named_for(merchants.profile_url, OLDER))
    await world.shop.ask("PUT", "/admin/settings", ucp_version=OLDER, signatures="verified")
    for item in ("BOOT-002", "PACK-015"):
        await world.shop.ask("PUT", f"/admin/products/{item}", stock=_STOCK)
    try:
        return await of_merchant(python, world.shop.url, folder, more)
    finally:
        await world.shop.ask("POST", "/admin/reset")


if __name__ == "__main__":
    run_command(main)
