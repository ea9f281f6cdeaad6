"""Live many days, each from its seed, and print what was met; `make sim`.

Options:
    --domain merchants: live at a merchant; their seeds begin with `merchants/`.

Environment:
    SEED: play this life alone, with a trace of who did what at which virtual time.
    LIVES: how many lives; 1,000 by default.
    FIRST: the seed of the first one; by default one that was never played.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import sys
from collections import Counter
from typing import Any

from daybook.state.clock import SYSTEM
from daybook.state.ledger.recovery import TABLE
from evals.sim.player import Player, player, shared_out
from evals.sim.recipe import AT_MERCHANTS

_PLAYERS = 3


async def main(domain: str) -> int:
    """Play all lives, and return the exit code.

    Args:
        domain: where they are lived, where a seed does not say it.
    """
    if seed := os.environ.get("SEED"):
        async with player() as one:
            life = await one.life(seed, is_traced=True)
        print(life)
        return int(bool(life["broken"]))
    count = int(os.environ.get("LIVES", "1000"))
    first = os.environ.get("FIRST") or secrets.token_hex(3)
    if domain == "merchants" and not first.startswith(AT_MERCHANTS):
        first = f"{AT_MERCHANTS}{first}"
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
    options = argparse.ArgumentParser(prog="python -m evals.sim")
    options.add_argument("--domain", choices=("shop", "merchants"), default="shop")
    try:
        sys.exit(asyncio.run(main(options.parse_args().domain)))
    except KeyboardInterrupt:
        sys.exit(130)
