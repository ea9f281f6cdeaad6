"""Live many days, each from its seed, and print what was met; `make sim`."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from typing import Annotated, Any, Literal

import typer

from daybook.state.clock import SYSTEM
from daybook.state.ledger.recovery import TABLE
from evals.report import run_command
from evals.sim.player import Player, player, shared_out
from evals.sim.recipe import AT_MERCHANTS

_PLAYERS = 3


def main(
    domain: Annotated[
        Literal["shop", "merchants"],
        typer.Option(help="Where lives are lived; a seed that begins with `merchants/` says so."),
    ] = "shop",
    lives: Annotated[int, typer.Option(envvar="LIVES", help="How many lives.")] = 1_000,
    first: Annotated[
        str, typer.Option(envvar="FIRST", help="Begins the seeds; else one never played.")
    ] = "",
    seed: Annotated[
        str, typer.Option(envvar="SEED", help="Play this life alone, and trace who did what.")
    ] = "",
) -> None:
    """Live many days of a shop or a merchant; exits with 1 where a promise was broken."""
    if seed:
        raise typer.Exit(asyncio.run(_one(seed)))
    first = first or secrets.token_hex(3)
    if domain == "merchants" and not first.startswith(AT_MERCHANTS):
        first = f"{AT_MERCHANTS}{first}"
    raise typer.Exit(asyncio.run(_all(first, lives)))


async def _one(seed: str) -> int:
    async with player() as one:
        life = await one.life(seed, is_traced=True)
    print(life)
    return int(bool(life["broken"]))


async def _all(first: str, count: int) -> int:
    began, lives = SYSTEM.monotonic(), list[dict[str, Any]]()
    totals, met, moves = Counter[str](), Counter[str](), set[str]()

    async def play(one: Player, seed: str) -> None:
        life = await one.life(seed)
        lives.append(life)
        moves.update(life["moves"])
        for kind in ("met", "effects", "events"):
            met.update({f"{kind}: {name}": n for name, n in life[kind].items()})
        totals.update({name: life[name] for name in ("steps", "statements", "asked")})
        if life["broken"]:
            # In this form evals/sim/failed.txt keeps it.
            print(f"{seed} {life['broken']}", flush=True)

    try:
        await shared_out((f"{first}-{n}" for n in range(count)), _PLAYERS, play)
    finally:
        # By Ctrl-C too: what was lived until then is told all the same.
        broken = sum(bool(life["broken"]) for life in lives)
        seconds = SYSTEM.monotonic() - began
        print(f"{len(lives)} lives from {first}-0 in {seconds:.0f} s; {broken} broke a promise")
        print(", ".join(f"{name} {n:,}" for name, n in totals.items()))
        print(f"{len(moves)} of the {len(TABLE)} moves of the recovery table were made")
        for name, n in sorted(met.items()):
            print(f"  {name:40} {n:8,}")
    return int(bool(broken))


if __name__ == "__main__":
    run_command(main)
