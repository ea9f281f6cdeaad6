"""Courses of a measurement: people shop at a server, processes are killed, memory is watched."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
from psycopg import AsyncConnection

from daybook.state.clock import SYSTEM
from evals.load.account import Account, account, doubts_settled
from evals.load.people import PATIENCE_S, Seen, Shopper, shop_all
from evals.load.pooling import open_pooler
from evals.load.server import Server, complaints, open_server
from evals.load.world import World, open_world, tokens_for

Tell = Callable[[str], None]
Serving = Callable[[int], AbstractAsyncContextManager[Server]]

_WARM_UP = 4
_CALM_S = 400.0
_LOOK_S = 0.5
_KILL_S = 8.0
_AT_ONCE, _OF_A_THREAD = 8, 10
_SHARES = 10
"""Memory is looked at after each tenth; the first two tenths fill caches that have a bound."""

# Of the ledger's database and of Aegra's; not those of whoever measures.
_CONNECTIONS = """
select count(*) from pg_stat_activity
where backend_type = 'client backend' and datname like %s and pid <> pg_backend_pid()
  and application_name <> %s
"""


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


@dataclass
class Cost:
    """What a server cost while it was watched.

    Attributes:
        connections: to Postgres, at most.
        cpu_s: of all its processes.
        seconds: how long it was watched.
    """

    connections: int = 0
    cpu_s: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True)
class Cell:
    """A row of the table."""

    people: int
    processes: int
    seen: Seen
    cost: Cost
    found: Account

    @property
    def a_second(self) -> float:
        """Return how many purchases a second were ended."""
        return self.seen.purchases / self.cost.seconds

    @property
    def cut(self) -> int:
        """Return how many answers broke off: none may, whatever the load."""
        return sum(self.seen.broken.values())


@dataclass(frozen=True)
class Killed:
    """What came of kills under load.

    Attributes:
        kills: processes that answered, and were killed.
        workers: workers that were killed.
        doubts: mails that were cut off, of which nobody but a person could tell.
    """

    kills: int
    workers: int
    doubts: int
    seen: Seen
    found: Account


@dataclass(frozen=True)
class Grown:
    """Bytes of a serving process after each tenth of the turns."""

    turns: int
    sizes: list[int]
    failed: int


@asynccontextmanager
async def _opened(asked: Asked, folder: Path) -> AsyncIterator[tuple[World, Serving]]:
    """Yield the world and what runs a server of so many processes, directly or pooled."""
    async with AsyncExitStack() as stack:
        world = await stack.enter_async_context(open_world(folder))
        serving: Serving = partial(open_server, asked.python, world.environment, folder)
        if asked.is_pooled:
            environment = await stack.enter_async_context(open_pooler(asked.python, world))
            serving = partial(open_server, asked.python, environment, folder, has_worker=False)
        yield world, serving


async def measured(asked: Asked, folder: Path, tell: Tell) -> list[Cell]:
    """Measure each number of people at each number of processes."""
    cells: list[Cell] = []
    # Whoever bought in this world: the shop's record is of all of them.
    known: list[Shopper] = []
    async with _opened(asked, folder) as (world, serving):
        tokens = await _people(world, max(asked.people))
        for processes in asked.processes:
            tell(f"starting {processes} processes")
            async with serving(processes) as server:
                tell(f"  while they started: {server.starting}")
                known += await _warmed(server, tokens)
                for people in asked.people:
                    seen = Seen()
                    async with _shoppers(server, tokens, people, seen, asked.think_s) as everybody:
                        async with _watching(server, world) as cost:
                            await _shop_for(everybody, asked.seconds)
                        known += everybody
                        found = await account(world, known)
                    cells.append(Cell(people, processes, seen, cost, found))
                    tell(f"  {people} people: {cells[-1].a_second:.2f} purchases a second")
                    _tell_complaints(server, tell)
    return cells


async def killed(asked: Asked, folder: Path, tell: Tell) -> Killed:
    """Let people shop while one process after the other is killed, the worker among them."""
    people, processes = max(asked.people), max(asked.processes)
    async with _opened(asked, folder) as (world, serving):
        tokens = await _people(world, people)
        async with serving(processes) as server:
            first, seen, counted = await _warmed(server, tokens), Seen(), [0, 0]
            async with _shoppers(server, tokens, people, seen, asked.think_s) as everybody:
                async with _beside(_kill(server, asked.seconds, counted, tell)):
                    await _shop_for(everybody, asked.seconds)
                tell("all that was begun has come to its end")
                doubts = await doubts_settled(world, everybody)
                found = await account(world, [*first, *everybody])
                _tell_complaints(server, tell)
    return Killed(counted[0], counted[1], doubts, seen, found)


async def grown(asked: Asked, folder: Path, turns: int, tell: Tell) -> Grown:
    """Let few people say many things to one process, and look at its memory."""
    sizes: list[int] = []
    async with open_world(folder) as world:
        # So few people say more in a minute than a person does.
        environment = {**world.environment, "DAYBOOK_RUNS_A_MINUTE": "100000"}
        tokens, seen = await _people(world, _AT_ONCE), Seen()
        async with (
            open_server(asked.python, environment, folder, 1, has_worker=False) as server,
            _shoppers(server, tokens, _AT_ONCE, seen, 0.0) as people,
        ):
            for share in range(1, _SHARES + 1):
                until = turns * share // _SHARES
                await asyncio.gather(*(_talk(one, seen, until) for one in people))
                sizes.append(max(server.memory_bytes().values(), default=0) or server.own_memory())
                tell(f"  {len(seen.turns)} turns: {sizes[-1] / 1e6:.0f} MB")
    return Grown(len(seen.turns), sizes, sum(seen.failed.values()) + sum(seen.broken.values()))


async def _talk(person: Shopper, seen: Seen, until: int) -> None:
    while len(seen.turns) < until:
        thread = await person.begins(str(uuid.uuid4()))
        for _ in range(_OF_A_THREAD):
            await person.says(thread, "what is in my cart?")


async def _kill(server: Server, seconds: float, counted: list[int], tell: Tell) -> None:
    """Kill now a process that answers, now the worker; count both."""
    chosen, over = random.Random(1), SYSTEM.monotonic() + seconds
    while SYSTEM.monotonic() < over:
        await SYSTEM.sleep(_KILL_S * chosen.uniform(0.5, 1.5))
        worker, answering = server.worker(), server.processes()
        if worker and chosen.random() < 0.25:
            counted[1] += 1
            server.kill(worker)
        elif answering:
            counted[0] += 1
            server.kill(chosen.choice(answering))
        tell(f"  killed so far: {counted[0]} that answered, {counted[1]} workers")


@asynccontextmanager
async def _watching(server: Server, world: World) -> AsyncIterator[Cost]:
    """Watch what a server costs for the length of the block."""
    cost, began, before = Cost(), SYSTEM.monotonic(), server.cpu_seconds()
    async with await AsyncConnection.connect(world.url, autocommit=True) as conn:

        async def look() -> None:
            about = (f"{conn.info.dbname}%", world.postgres.process)
            while True:
                row = await (await conn.execute(_CONNECTIONS, about)).fetchone()
                cost.connections = max(cost.connections, row[0] if row else 0)
                await SYSTEM.sleep(_LOOK_S)

        async with _beside(look()):
            yield cost
    cost.seconds = SYSTEM.monotonic() - began
    cost.cpu_s = server.cpu_seconds() - before


@asynccontextmanager
async def _beside(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Work beside the block, until it ends."""
    working = asyncio.create_task(work)
    try:
        yield
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)


@asynccontextmanager
async def _shoppers(
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


async def _shop_for(everybody: list[Shopper], seconds: float) -> None:
    """Let people shop for so long; what was begun is ended, or counted where it takes for ever."""
    over = SYSTEM.monotonic() + seconds
    try:
        async with SYSTEM.timeout(seconds + _CALM_S):
            await shop_all(everybody, lambda: SYSTEM.monotonic() > over)
    except TimeoutError:
        for one in everybody:
            one.seen.stranded += one.is_buying


async def _warmed(server: Server, tokens: dict[str, str]) -> list[Shopper]:
    """Let a few people buy before: what is slow the first time is not what is measured."""
    async with _shoppers(server, tokens, _WARM_UP, Seen(), 0.1) as few:
        await shop_all(few, lambda: False, 1)
        return few


async def _people(world: World, people: int) -> dict[str, str]:
    """Make people, each with a token."""
    users = [f"shopper-{number}" for number in range(people)]
    return dict(zip(users, await tokens_for(world.postgres, users), strict=True))


def _tell_complaints(server: Server, tell: Tell) -> None:
    for line in complaints(server)[:9]:
        tell(f"  the server logged: {line}")
