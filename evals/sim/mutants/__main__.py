"""Hunt every mutation in the same lives, and print after how many each was found; `make mutants`.

Environment:
    MUTANT: hunt this one alone.
    FIRST: what the seeds begin with; by default one that was never played.
    LIVES: how many lives a mutation has at most; 300 by default.
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
from evals.sim.mutants.mutations import MUTATIONS

_PLAYERS = 2

_CHUNK = 10
"""How many lives of the engine as it is are lived at a time."""


@asynccontextmanager
async def player() -> AsyncIterator[Process]:
    """Start a process that hunts what it is told."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "ignore", "-m", "evals.sim.mutants.player"),
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
    """Let a player hunt a mutation in the lives of these seeds; "" is the engine as it is.

    Raises:
        RuntimeError: it ended without an answer, as where the mutation finds nothing to change.
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
    hunted = [one for one in MUTATIONS if only in (None, one.name)]
    hunts = deque((one.name, [f"{one.lives}{seed}" for seed in seeds]) for one in hunted)
    if not hunts:
        raise SystemExit(f"MUTANT={only} is none of {', '.join(one.name for one in MUTATIONS)}")
    found = await _all(hunts)
    # The engine as it is passes the very lives in which the mutants were found.
    lives = {one.name: one.lives for one in MUTATIONS}
    longest = Counter[str]()
    for one in found:
        longest[lives[one["name"]]] = max(longest[lives[one["name"]]], one["lives"])
    passed = [f"{where}{seed}" for where, most in longest.items() for seed in seeds[:most]]
    lived = await _all(deque(("", passed[n : n + _CHUNK]) for n in range(0, len(passed), _CHUNK)))
    does = {one.name: one.does for one in MUTATIONS}
    print(f"\n{'mutation':20} {'lives':>5}  {'seed':12} what it does, and which invariant says so")
    for one in sorted(found, key=lambda one: one["lives"]):
        print(f"{one['name']:20} {one['lives']:5}  {one['seed'] or '-':12} {does[one['name']]}:")
        print(f"{'':40} {one['broken'].splitlines()[0] if one['broken'] else 'NOT FOUND'}")
    missed = [one["name"] for one in found if not one["broken"]]
    failed = [f"SEED={one['seed']}: {one['broken']}" for one in lived if one["broken"]]
    print(
        f"{len(found) - len(missed)} of {len(found)} found; the engine as it is lived"
        f" {sum(one['lives'] for one in lived)} of the same lives, and failed in {len(failed)};"
        f" {SYSTEM.monotonic() - began:.0f} s"
    )
    for line in failed:
        print(line)
    return int(bool(missed or failed))


async def _all(hunts: deque[tuple[str, list[str]]]) -> list[dict[str, Any]]:
    """Hunt side by side; what a player takes last is finished before the other is out of work."""
    found = []

    async def work() -> None:
        async with player() as process:
            while hunts:
                found.append(one := await hunt(process, *hunts.popleft()))
                if one["name"]:
                    print(
                        f"{one['name']}: {one['lives']} lives, {one['seconds']:.0f} s", flush=True
                    )

    async with asyncio.TaskGroup() as both:
        for _ in range(_PLAYERS):
            both.create_task(work())
    return found


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
