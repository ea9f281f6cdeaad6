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
import json
import os
import secrets
import signal
import sys
from asyncio.subprocess import PIPE
from collections import Counter
from typing import Any

from daybook.state.clock import SYSTEM
from daybook.state.ledger.recovery import TABLE
from evals.sim.recipe import AT_MERCHANTS, line_of

_PLAYERS = 3


async def _played(seeds: list[str], come: Any) -> int:
    """Let a process play lives; tell what came of each."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "ignore", "-m", "evals.sim.player", *seeds),
        env={**os.environ, "PYTHONHASHSEED": "0"},
        stdout=PIPE,
        limit=1 << 24,
        # A Ctrl-C is this program's, which ends its players.
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        while line := await process.stdout.readline():
            come(json.loads(line))
        return await process.wait()
    finally:
        # By Ctrl-C; what was lived until then is told all the same.
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
            await process.wait()


async def main(domain: str) -> int:
    """Play all lives, and return the exit code.

    Args:
        domain: where they are lived, where a seed does not say it.
    """
    if seed := os.environ.get("SEED"):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-W", "ignore", "-m", "evals.sim.player", "--trace", seed),
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )
        return await process.wait()
    count = int(os.environ.get("LIVES", "1000"))
    first = os.environ.get("FIRST") or secrets.token_hex(3)
    if domain == "merchants" and not first.startswith(AT_MERCHANTS):
        first = f"{AT_MERCHANTS}{first}"
    seeds = [f"{first}-{n}" for n in range(count)]
    began, lives = SYSTEM.monotonic(), list[dict[str, Any]]()
    totals: Counter[str] = Counter()
    met: Counter[str] = Counter()
    moves: set[str] = set()

    def come(life: dict[str, Any]) -> None:
        lives.append(life)
        moves.update(life["moves"])
        met.update({f"met: {name}": n for name, n in life["met"].items()})
        met.update({f"effect: {name}": n for name, n in life["effects"].items()})
        met.update({f"event: {name}": n for name, n in life["events"].items()})
        totals.update({name: life[name] for name in ("steps", "statements", "asked")})
        if life["broken"]:
            print(
                f"SEED={life['seed']}: {life['broken']}\n  shrunk to {life.get('shrunk')}\n"
                f"  for evals/sim/failed.txt: {line_of(life['seed'], life['broken'])}",
                flush=True,
            )

    try:
        # What a process took last is finished before the other is out of work.
        codes = await asyncio.gather(*(_played(seeds[n::_PLAYERS], come) for n in range(_PLAYERS)))
    finally:
        seconds = SYSTEM.monotonic() - began
        broken = sum(bool(life["broken"]) for life in lives)
        print(f"{len(lives)} lives from {first}-0 in {seconds:.0f} s; {broken} broke a promise")
        print(", ".join(f"{name} {n:,}" for name, n in totals.items()))
        print(f"{len(moves)} of the {len(TABLE)} moves of the recovery table were made")
        for name, n in sorted(met.items()):
            print(f"  {name:40} {n:8,}")
    return int(bool(broken) or any(codes) or len(lives) != count)


if __name__ == "__main__":
    options = argparse.ArgumentParser(prog="python -m evals.sim")
    options.add_argument("--domain", choices=("shop", "merchants"), default="shop")
    try:
        sys.exit(asyncio.run(main(options.parse_args().domain)))
    except KeyboardInterrupt:
        sys.exit(130)
