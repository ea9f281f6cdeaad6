"""Hunt every mutant in the same lives, and print after how many each was found; `make mutants`.

Environment:
    MUTANT: hunt this one alone.
    FIRST: what the seeds begin with; by default one that was never played.
    LIVES: how many lives a mutant has at most; 300 by default.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from daybook.state.clock import SYSTEM
from evals.sim.mutants import MUTANTS

_PLAYERS = 2

_CHUNK = 10
"""How many lives of the engine as it is are played at a time."""

Hunt = tuple[str, list[str]]
"""The name of a mutant, and the seeds of the lives in which it is hunted."""


@asynccontextmanager
async def player() -> AsyncIterator[Process]:
    """Start a process that hunts what it is told."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "ignore", "-m", "evals.sim.player", "--hunt"),
        env={**os.environ, "PYTHONHASHSEED": "0"},
        stdin=PIPE,
        stdout=PIPE,
        limit=1 << 24,
    )
    try:
        yield process
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


async def hunt(process: Process, name: str, seeds: list[str]) -> dict[str, Any]:
    """Let a player hunt a mutant in the lives of these seeds; "" is the engine as it is.

    Raises:
        RuntimeError: it ended without an answer, as where the mutant finds nothing to replace.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps({"name": name, "seeds": seeds}).encode() + b"\n")
    line = await process.stdout.readline()
    if not line:
        raise RuntimeError(f"the player of {name or 'the engine'} ended: see what it wrote")
    found: dict[str, Any] = json.loads(line)
    return found


async def main() -> int:
    """Hunt all, and return the exit code: 1 where one is not found, or the engine itself fails."""
    first = os.environ.get("FIRST") or secrets.token_hex(3)
    seeds = [f"{first}-{n}" for n in range(int(os.environ.get("LIVES", "300")))]
    only, began = os.environ.get("MUTANT"), SYSTEM.monotonic()
    mutants = {one.name: one for one in MUTANTS if only in (None, one.name)}
    if not mutants:
        raise SystemExit(f"MUTANT={only} is none of {', '.join(one.name for one in MUTANTS)}")
    found = await _all(
        [(one.name, [f"{one.lives}{seed}" for seed in seeds]) for one in mutants.values()]
    )
    # The engine as it is passes the very lives in which the mutants were found.
    longest = Counter[str]()
    for one in found:
        where = mutants[one["name"]].lives
        longest[where] = max(longest[where], one["lives"])
    passed = [f"{where}{seed}" for where, most in longest.items() for seed in seeds[:most]]
    lived = await _all([("", passed[n : n + _CHUNK]) for n in range(0, len(passed), _CHUNK)])
    print(f"\n{'mutant':20} {'lives':>5}  {'seed':12} what it does, and which invariant says so")
    for one in sorted(found, key=lambda one: one["lives"]):
        does = mutants[one["name"]].does
        print(f"{one['name']:20} {one['lives']:5}  {one['seed'] or '-':12} {does}:")
        print(f"{'':40} {one['broken'].splitlines()[0] if one['broken'] else 'NOT FOUND'}")
    missed = [one["name"] for one in found if not one["broken"]]
    failed = [f"SEED={one['seed']}: {one['broken']}" for one in lived if one["broken"]]
    print(
        f"{len(found) - len(missed)} of {len(found)} found; the engine as it is lived"
        f" {sum(one['lives'] for one in lived)} of the same lives, and broke a promise in"
        f" {len(failed)}; {SYSTEM.monotonic() - began:.0f} s",
        *failed,
        sep="\n",
    )
    return int(bool(missed or failed))


async def _all(hunts: list[Hunt]) -> list[dict[str, Any]]:
    """Let players hunt one after the other, until none is left."""
    found, left = list[dict[str, Any]](), deque(hunts)

    async def one_after_the_other() -> None:
        async with player() as process:
            while left:
                result = await hunt(process, *left.popleft())
                found.append(result)
                if result["name"]:
                    print(
                        f"{result['name']}: {result['lives']} lives, {result['seconds']:.0f} s",
                        flush=True,
                    )

    async with asyncio.TaskGroup() as both:
        for _ in range(_PLAYERS):
            both.create_task(one_after_the_other())
    return found


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
