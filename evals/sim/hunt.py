"""Hunt every mutant in the same lives, and print after how many each was found; `make mutants`."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from daybook.state.clock import SYSTEM
from evals.report import run_command
from evals.sim.mutants import MUTANTS, Mutant
from evals.sim.player import Player, is_broken, shared_out

_PLAYERS = 2


@dataclass(frozen=True)
class Found:
    """After how many lives a mutant was found, in which, and by which promise; "" if it was not."""

    mutant: Mutant
    lives: int
    seed: str = ""
    broken: str = ""


async def hunt(player: Player, mutant: Mutant, seeds: Sequence[str]) -> Found:
    """Let a player hunt a mutant in the lives of these seeds."""
    for lives, seed in enumerate(seeds, 1):
        life = await player.life(f"{mutant.lives}{seed}", mutant.name, is_hard=True)
        if is_broken(life, mutant.name):
            return Found(mutant, lives, life["seed"], life["broken"].splitlines()[0])
    return Found(mutant, len(seeds))


def main(
    mutant: Annotated[str, typer.Option(envvar="MUTANT", help="Hunt this one alone.")] = "",
    lives: Annotated[int, typer.Option(envvar="LIVES", help="Of a mutant, at most.")] = 300,
    first: Annotated[
        str, typer.Option(envvar="FIRST", help="Begins the seeds; else one never played.")
    ] = "",
) -> None:
    """Hunt all; exits with 1 where one is not found, or the engine itself fails."""
    mutants = [one for one in MUTANTS if mutant in ("", one.name)]
    if not mutants:
        known = ", ".join(one.name for one in MUTANTS)
        raise typer.BadParameter(f"{mutant} is none of {known}")
    first = first or secrets.token_hex(3)
    raise typer.Exit(asyncio.run(_all(mutants, [f"{first}-{n}" for n in range(lives)])))


async def _all(mutants: Sequence[Mutant], seeds: Sequence[str]) -> int:
    began = SYSTEM.monotonic()
    found, failed = list[Found](), list[str]()

    async def hunts(player: Player, mutant: Mutant) -> None:
        found.append(await hunt(player, mutant, seeds))
        print(f"{mutant.name}: {found[-1].lives} lives", flush=True)

    async def passes(player: Player, seed: str) -> None:
        life = await player.life(seed, is_hard=True)
        if is_broken(life, ""):
            failed.append(f"SEED={seed}: {life['broken']}")

    await shared_out(mutants, _PLAYERS, hunts)
    # The engine as it is passes the very lives in which the mutants were found.
    longest = Counter[str]()
    for one in found:
        longest[one.mutant.lives] = max(longest[one.mutant.lives], one.lives)
    same = [f"{where}{seed}" for where, most in longest.items() for seed in seeds[:most]]
    await shared_out(same, _PLAYERS, passes)
    print(f"\n{'mutant':20} {'lives':>5}  {'seed':12} what it does, and which invariant says so")
    for one in sorted(found, key=lambda one: one.lives):
        print(f"{one.mutant.name:20} {one.lives:5}  {one.seed or '-':12} {one.mutant.does}:")
        print(f"{'':40} {one.broken or 'NOT FOUND'}")
    missed = sum(not one.broken for one in found)
    print(
        f"{len(found) - missed} of {len(found)} found; the engine as it is lived {len(same)} of the"
        f" same lives, and broke a promise in {len(failed)}; {SYSTEM.monotonic() - began:.0f} s",
        *failed,
        sep="\n",
    )
    return int(bool(missed or failed))


if __name__ == "__main__":
    run_command(main)
