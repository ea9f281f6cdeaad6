"""The course of a measurement: servers of more and more processes, each with more people."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx

from daybook.state.clock import SYSTEM
from evals.load.account import account
from evals.load.measure import Cell, watching
from evals.load.people import PATIENCE_S, Seen, Shopper, shop_all
from evals.load.pooling import open_pooler
from evals.load.server import Server, complaints, open_server
from evals.load.world import World, open_world, tokens_for

Tell = Callable[[str], None]
Serving = Callable[[int], AbstractAsyncContextManager[Server]]

_WARM_UP = 4
_CALM_S = 400.0


@dataclass(frozen=True)
class Asked:
    """What is asked for (see the command line).

    Attributes:
        python: of the environment that has the extra `production`.
        is_pooled: the server connects through a pooler.
    """

    python: str
    people: Sequence[int]
    processes: Sequence[int]
    seconds: float
    think_s: float
    is_pooled: bool = False


async def measured(asked: Asked, folder: Path, tell: Tell) -> list[Cell]:
    """Measure each number of people at each number of processes."""
    cells: list[Cell] = []
    # Whoever bought in this world: the shop's record is of all of them.
    known: list[Shopper] = []
    async with open_world(folder) as world, way_to(world, asked) as serving:
        tokens = await people_of(world, max(asked.people))
        for processes in asked.processes:
            tell(f"starting {processes} processes")
            async with serving(processes) as server:
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


@asynccontextmanager
async def way_to(world: World, asked: Asked) -> AsyncIterator[Serving]:
    """Yield what runs a server of so many processes, directly or through a pooler."""
    if not asked.is_pooled:
        yield partial(open_server, asked.python, world.environment, world.folder)
        return
    async with open_pooler(asked.python, world) as environment:
        yield partial(open_server, asked.python, environment, world.folder, has_worker=False)


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
    await shop_until(everybody, lambda: SYSTEM.monotonic() > over, seconds + _CALM_S)


async def shop_until(everybody: list[Shopper], over: Callable[[], bool], at_most: float) -> None:
    """Let people shop until something is over; what takes longer than `at_most` s is counted."""
    try:
        async with SYSTEM.timeout(at_most):
            await shop_all(everybody, over)
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
