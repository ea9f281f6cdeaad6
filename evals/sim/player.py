"""Processes that play lives one after the other, and tell what came of each as a line of JSON.

PYTHONHASHSEED is set, because sets are in its order.
"""

from __future__ import annotations

import asyncio
import gc
import hashlib
import json
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from evals.servers import JsonProgram, open_json_program
from evals.sim import senders, stage, trade
from evals.sim.judge import Broken
from evals.sim.life import Life
from evals.sim.mutants import NothingToMutate, all_made, mutant_of
from evals.sim.recipe import hard_recipe_of, recipe_of
from evals.sim.sessions import open_server
from evals.sim.shop import Seeded

_COLLECTED = 5
"""After how many lives their garbage is collected."""

T = TypeVar("T")


class Player:
    """A process that plays."""

    def __init__(self, program: JsonProgram) -> None:
        self._program = program

    async def life(self, seed: str, mutant: str = "", **how: bool) -> dict[str, Any]:
        """Play a life, and return what came of it.

        Args:
            mutant: the name of one; "" is the engine as it is.
            how: `is_hard`: with more of all that goes wrong; `is_traced`: who did what at which
                virtual time is written to standard error.

        Raises:
            RuntimeError: it ended without an answer, as where the mutant finds nothing to replace.
        """
        await self._program.tell({"seed": seed, "mutant": mutant, **how})
        found: dict[str, Any] = await self._program.hear()
        return found


@asynccontextmanager
async def player() -> AsyncIterator[Player]:
    """Start a process that plays; it has ended with the block."""
    command = (sys.executable, "-W", "ignore", "-m", "evals.sim.player")
    async with open_json_program(*command, PYTHONHASHSEED="0") as program:
        yield Player(program)


async def shared_out(
    wanted: Iterable[T], players: int, play: Callable[[Player, T], Awaitable[None]]
) -> None:
    """Let so many players take one thing after the other, until none is left."""
    left = iter(wanted)

    async def takes() -> None:
        async with player() as one:
            for thing in left:
                await play(one, thing)

    async with asyncio.TaskGroup() as all_:
        for _ in range(players):
            all_.create_task(takes())


def is_broken(life: dict[str, Any], mutant: str) -> bool:
    """Tell whether the judge found that a promise was broken.

    That a mutant ends with an error of its own is not the judge's finding.
    """
    broken: str = life["broken"]
    return broken.startswith(Broken.__name__) or bool(broken and not mutant)


def _play() -> None:
    """Play what each line of standard input names."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    stage.set_up()
    senders.set_up()
    trade.set_up()
    with open_server() as server:
        seeded = Seeded()
        gc.collect()
        # What is imported stays: each life's garbage is then collected in some milliseconds.
        gc.freeze()
        for number, line in enumerate(sys.stdin):
            asked = json.loads(line)
            seed, mutant = asked["seed"], asked["mutant"]
            recipe = (hard_recipe_of if asked.get("is_hard") else recipe_of)(seed)
            say = _trace if asked.get("is_traced") else lambda line: None
            with all_made(mutant_of(mutant).patches if mutant else ()):
                account = Life(recipe, server, seeded, say).play(dump=not mutant)
            dump = hashlib.sha256(account.dump.encode()).hexdigest()
            told = {**vars(account), "moves": sorted(account.moves), "dump": dump}
            print(json.dumps(told), flush=True)
            if number % _COLLECTED == 0:
                gc.collect()


def _trace(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        _play()
    except NothingToMutate as nothing:
        sys.exit(str(nothing))
