"""Whether the memory of a serving process stays where it is, over many turns."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import dataclass
from pathlib import Path

from daybook.state.clock import SYSTEM
from evals.load.course import Asked, Tell, people_of, shoppers
from evals.load.people import Seen, Shopper
from evals.load.server import Server, open_server
from evals.load.table import Goal
from evals.load.world import open_world

_AT_ONCE = 8
_OF_A_THREAD = 10
_MOST_GROWTH = 0.1
_SHARES = 10
"""Memory is looked at after each tenth; the first two tenths fill caches that have a bound."""


@dataclass(frozen=True)
class Grown:
    """Bytes of the process after each tenth of the turns."""

    turns: int
    sizes: list[int]
    seconds: float
    failed: int


async def grown(asked: Asked, folder: Path, turns: int, tell: Tell) -> Grown:
    """Let few people say many things to one process, and look at its memory."""
    sizes: list[int] = []
    async with open_world(folder) as world:
        # So few people say more in a minute than a person does.
        environment = {**world.environment, "DAYBOOK_RUNS_A_MINUTE": "100000"}
        tokens = await people_of(world, _AT_ONCE)
        async with open_server(asked.python, environment, folder, 1, has_worker=False) as server:
            seen, began = Seen(), SYSTEM.monotonic()
            async with shoppers(server, tokens, _AT_ONCE, seen, 0.0) as people:
                for share in range(1, _SHARES + 1):
                    until = turns * share // _SHARES
                    await asyncio.gather(*(_talk(one, seen, until) for one in people))
                    sizes.append(_size(server))
                    tell(f"  {len(seen.turns)} turns: {sizes[-1] / 1e6:.0f} MB")
    failed = sum(seen.failed.values()) + sum(seen.broken.values())
    return Grown(len(seen.turns), sizes, SYSTEM.monotonic() - began, failed)


async def _talk(person: Shopper, seen: Seen, until: int) -> None:
    while len(seen.turns) < until:
        thread = await person.begins(str(uuid.uuid4()))
        for _ in range(_OF_A_THREAD):
            await person.says(thread, "what is in my cart?")


def _size(server: Server) -> int:
    return max(server.memory_bytes().values(), default=0) or server.own_memory()


def goals_of(found: Grown) -> list[Goal]:
    """Say what had to hold, and whether it did."""
    before, after = found.sizes[1], found.sizes[-1]
    growth = after / before - 1
    return [
        Goal(
            f"memory grows by at most {_MOST_GROWTH:.0%} from the second tenth of the turns on",
            f"{growth:+.1%} ({before / 1e6:.0f} to {after / 1e6:.0f} MB, {found.turns} turns)",
            growth <= _MOST_GROWTH,
        ),
        Goal("turns that failed: none", f"{found.failed}", not found.failed),
    ]
