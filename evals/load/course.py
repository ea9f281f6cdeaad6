"""People shop at a server, processes are killed, and ledger and shop are compared."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from psycopg import AsyncConnection

from daybook.checkpoints.pool import rows_of
from daybook.state.clock import SYSTEM
from daybook.state.effects.keys import undo_key
from daybook.state.errors import ChainBroken, ProjectionWrong
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import fold
from daybook.state.ledger.recovery import StepState
from daybook.tools.services.mail import message_id
from evals.load.people import PATIENCE_S, Seen, Shopper, shop_all
from evals.load.server import Server, World, kill, open_production, open_world
from evals.servers import cpu_seconds

_CALM_S = 120.0
_PAUSE_S = 0.5

_OPEN = "select thread_id, op, state from open_step"


@dataclass
class Account:
    """What was found.

    Attributes:
        effects: that happened.
        duplicates, lost, unknown: references that happened more often than the ledger says, that
            did not happen, and that the ledger knows nothing of.
        holds_left: holds that still keep stock from others.
        left: what is left in the work list, and chains and work lists that do not verify.
        approved: what people approved; each must have ended as one of the following.
        done: purchases that succeeded, or ended without anything left of them.
    """

    effects: int = 0
    duplicates: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    holds_left: int = 0
    left: list[str] = field(default_factory=list)
    approved: int = 0
    done: int = 0

    @property
    def others(self) -> list[str]:
        """Return all that is left of what must not be, beside what is doubled or lost."""
        found = [*self.unknown, *self.left]
        if self.holds_left:
            found.append(f"{self.holds_left} holds")
        if self.approved != self.done:
            found.append(f"{self.approved} approved, {self.done} done")
        return found


async def account(world: World, shoppers: Sequence[Shopper]) -> Account:
    """Compare ledger and shop for all that was bought, once nothing is under way any more."""
    over = SYSTEM.monotonic() + _CALM_S
    while SYSTEM.monotonic() < over and await rows_of(world.postgres.pool, _OPEN):
        await SYSTEM.sleep(_PAUSE_S)
    found, expected = Account(approved=sum(one.approved for one in shoppers)), Counter[str]()
    for thread in [thread for one in shoppers for thread in one.threads]:
        try:
            await world.postgres.ledger.verify(thread)
        except (ChainBroken, ProjectionWrong) as error:
            found.left.append(f"{thread}: {error}")
        _expect(await world.postgres.ledger.entries(thread), expected, found)
    users = {one.user for one in shoppers}
    effects = [
        one
        for one in await world.shop.effects()
        if one["user_id"] in users or one["effect"] == "mail"
    ]
    happened = Counter(str(one["reference"]) for one in effects)
    found.effects = happened.total()
    for reference in expected.keys() | happened.keys():
        wanted, is_so = expected[reference], happened[reference]
        if is_so < wanted:
            found.lost.append(reference)
        elif wanted == 0:
            found.unknown.append(reference)
        elif is_so > wanted:
            found.duplicates.append(reference)
    found.holds_left = await world.shop.holds_left(effects)
    rows = await rows_of(world.postgres.pool, _OPEN)
    found.left += [f"{row['op']} {row['state']}" for row in rows]
    return found


def _expect(entries: Sequence[Entry], expected: Counter[str], found: Account) -> None:
    """Count the effects that the ledger of a thread says happened."""
    plans: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.plan_id is not None:
            plans.setdefault(entry.plan_id, []).append(entry)
    for of_plan in plans.values():
        plan = fold(of_plan)
        assert plan is not None
        found.done += sum(action.decision == "approved" for action in plan.actions)
        for step in plan.steps:
            is_mail = step.tool == "send_email"
            key = message_id(step.step_id) if is_mail else step.step_id
            if step.state in (StepState.DONE, StepState.UNDONE):
                expected[key] += 1
            if step.state is StepState.UNDONE:
                expected[undo_key(step.step_id)] += 1


async def doubts_settled(world: World, everybody: Sequence[Shopper]) -> int:
    """Let people look what became of mails that were cut off, and answer; return of how many."""
    answered = set[str]()
    over = SYSTEM.monotonic() + _CALM_S
    while SYSTEM.monotonic() < over and (left := await rows_of(world.postgres.pool, _OPEN)):
        doubted = {row["thread_id"] for row in left if row["state"] == "in_doubt"}
        sent = {str(one["reference"]) for one in await world.shop.effects()}
        for one in everybody:
            for thread in doubted.intersection(one.threads):
                if await one.settles(thread, sent):
                    answered.add(thread)
        await SYSTEM.sleep(_PAUSE_S)
    return len(answered)


Tell = Callable[[str], None]

_WARM_UP = 4
_PATIENCE_S = 400.0
_PATIENCE_EACH_S = 0.8
"""Of each person: two cores answer six to nine turns a second, and a purchase is three."""

_LOOK_S = 0.5
_KILL_S = 8.0

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
    """

    python: str
    people: Sequence[int]
    processes: Sequence[int]
    seconds: float
    think_s: float


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


async def measured(asked: Asked, folder: Path, tell: Tell) -> list[Cell]:
    """Measure each number of people at each number of processes."""
    cells: list[Cell] = []
    # Whoever bought in this world: the shop's record is of all of them.
    known: list[Shopper] = []
    async with open_world(folder) as world:
        tokens = await world.tokens(max(asked.people))
        for processes in asked.processes:
            tell(f"starting {processes} processes")
            async with open_production(
                asked.python, world.environment, folder, processes
            ) as server:
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
    return cells


async def killed(asked: Asked, folder: Path, tell: Tell) -> Killed:
    """Let people shop while one process after the other is killed, the worker among them."""
    people, processes = max(asked.people), max(asked.processes)
    async with open_world(folder) as world:
        tokens = await world.tokens(people)
        async with open_production(asked.python, world.environment, folder, processes) as server:
            first, seen, counted = await _warmed(server, tokens), Seen(), [0, 0]
            async with _shoppers(server, tokens, people, seen, asked.think_s) as everybody:
                async with _beside(_kill(server, asked.seconds, counted, tell)):
                    await _shop_for(everybody, asked.seconds)
                tell("all that was begun has come to its end")
                doubts = await doubts_settled(world, everybody)
                found = await account(world, [*first, *everybody])
    return Killed(counted[0], counted[1], doubts, seen, found)


async def _kill(server: Server, seconds: float, counted: list[int], tell: Tell) -> None:
    """Kill now a process that answers, now the worker; count both."""
    chosen, over = random.Random(1), SYSTEM.monotonic() + seconds
    while SYSTEM.monotonic() < over:
        await SYSTEM.sleep(_KILL_S * chosen.uniform(0.5, 1.5))
        worker, answering = server.worker(), server.processes()
        if worker and chosen.random() < 0.25:
            counted[1] += 1
            kill(worker)
        elif answering:
            counted[0] += 1
            kill(chosen.choice(answering))
        tell(f"  killed so far: {counted[0]} that answered, {counted[1]} workers")


@asynccontextmanager
async def _watching(server: Server, world: World) -> AsyncIterator[Cost]:
    """Watch what a server costs for the length of the block."""
    cost, began, before = Cost(), SYSTEM.monotonic(), cpu_seconds(server.pid)
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
    cost.cpu_s = cpu_seconds(server.pid) - before


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
        patience = max(_PATIENCE_S, _PATIENCE_EACH_S * len(everybody))
        async with SYSTEM.timeout(seconds + patience):
            await shop_all(everybody, lambda: SYSTEM.monotonic() > over)
    except TimeoutError:
        for one in everybody:
            one.seen.stranded += one.is_buying


async def _warmed(server: Server, tokens: dict[str, str]) -> list[Shopper]:
    """Let a few people buy before: what is slow the first time is not what is measured."""
    async with _shoppers(server, tokens, _WARM_UP, Seen(), 0.1) as few:
        await shop_all(few, lambda: False, 1)
        return few
