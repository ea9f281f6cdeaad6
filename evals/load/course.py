"""The course of a measurement: servers of more and more processes, each with more people."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from daybook.state.clock import SYSTEM
from evals.load.account import account
from evals.load.measure import Cell, watching
from evals.load.people import PATIENCE_S, Seen, Shopper, shop_all
from evals.load.server import Server, complaints, open_server
from evals.load.world import World, open_world, tokens_for

Tell = Callable[[str], None]

_WARM_UP = 4
_CALM_S = 400.0


@dataclass(frozen=True)
class Asked:
    """What is asked for (see the command line).

    Attributes:
        python: of the environment that has the extra `production`.
    """

    python: str
    people: Sequence[int]
    processes: Sequence[int]
    seconds: float
    think_s: float


async def measured(asked: Asked, folder: Path, tell: Tell) -> list[Cell]:
    """Measure each number of people at each number of processes."""
    cells: list[Cell] = []
    # Whoever bought in this world: the shop's record is of all of them.
    known: list[Shopper] = []
    async with open_world(folder) as world:
        tokens = await people_of(world, max(asked.people))
        for processes in asked.processes:
            tell(f"starting {processes} processes")
            async with open_server(asked.python, world.environment, folder, processes) as server:
                tell(f"  while they started: {_starting(server)}")
                known += await warmed(server, tokens)
                for people in asked.people:
                    cells.append(
                        await _cell(asked, world, server, tokens, people, processes, known)
                    )
                    tell(f"  {people} people: {cells[-1].a_second:.2f} purchases a second")
                    for line in complaints(server)[:9]:
                        tell(f"  the server logged: {line}")
    return cells


async def _cell(
    asked: Asked,
    world: World,
    server: Server,
    tokens: dict[str, str],
    people: int,
    processes: int,
    known: list[Shopper],
) -> Cell:
    seen = Seen()
    async with shoppers(server, tokens, people, seen, asked.think_s) as everybody:
        async with watching(server, world.url, world.postgres.process) as cost:
            await shop_for(everybody, asked.seconds)
        known += everybody
        found = await account(world, known)
    cell = Cell(people, processes, seen, cost, len(found.duplicates), len(found.lost))
    if not found.is_exact:
        cell.others = [*found.unknown, *found.open_steps, *found.broken]
    return cell


@asynccontextmanager
async def shoppers(
    server: Server, tokens: dict[str, str], people: int, seen: Seen, think_s: float
) -> AsyncIterator[list[Shopper]]:
    """Yield so many people at a server."""
    async with AsyncExitStack() as stack:
        # Of their own: as many connections as people have browsers.
        https = [
            await stack.enter_async_context(
                httpx.AsyncClient(
                    base_url=server.url,
                    timeout=PATIENCE_S,
                    trust_env=False,
                    limits=httpx.Limits(max_connections=None, max_keepalive_connections=None),
                )
            )
            for _ in range(4)
        ]
        yield [
            Shopper(user, token, random.choice(https), seen, think_s)
            for user, token in list(tokens.items())[:people]
        ]


async def shop_for(everybody: list[Shopper], seconds: float) -> None:
    """Let people shop for so long; what was begun is ended, or counted where it takes for ever."""
    over = SYSTEM.monotonic() + seconds
    try:
        async with SYSTEM.timeout(seconds + _CALM_S):
            await shop_all(everybody, lambda: SYSTEM.monotonic() > over)
    except TimeoutError:
        for one in everybody:
            one.seen.stranded += one.is_buying


async def warmed(server: Server, tokens: dict[str, str]) -> list[Shopper]:
    """Let a few people buy before: what is slow the first time is not what is measured."""
    async with shoppers(server, tokens, _WARM_UP, Seen(), 0.1) as few:
        await shop_all(few, lambda: False, 1)
        return few


async def people_of(world: World, people: int) -> dict[str, str]:
    """Make people, each with a token."""
    users = [f"shopper-{number}" for number in range(people)]
    return dict(zip(users, await tokens_for(world.postgres, users), strict=True))


def _starting(server: Server) -> str:
    words = {0: "nobody listened", 200: "ready"}
    counts = (f"{words.get(one, one)}: {n}" for one, n in sorted(server.starting.items()))
    return ", ".join(counts)
