"""Run it: `make scale`, or `python -m evals.scale --size 0 --size 1000 --expire 100 --left 20`."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from daybook.domain import settings_from
from daybook.graph.serve import Opened
from daybook.state.clock import SYSTEM
from daybook.state.fault_points import FaultPoint, arm
from evals.report import Goal, console, print_goals, run_command, table
from evals.scale.beside import Talk, acts, open_agent
from evals.scale.copies import TABLES, Template, as_owner, put, template_of
from evals.servers import Server, cpu_seconds, open_server, open_shop, open_worker

_SIZES = [0, 1_000, 10_000, 100_000]
_EMPTY = "a purchase in an empty database, in turns"
_PURCHASE, _LOOK = "a purchase", "the worker's look"
_PURCHASE_TIMES, _LOOK_MS, _PAGE_MS, _THREAD_BYTES = 1.1, 10.0, 200.0, 14_000

_TIMES, _AT_ONCE, _WORKERS = 10, 8, 2
_PATIENCE_S, _PAUSE_S = 1_800.0, 1.0
_LONG, _SOON = timedelta(days=1), timedelta(seconds=1)
_FIRST = "person-0000000"

Act = Callable[[], Awaitable[Any]]

_WEIGHT = "select one, pg_table_size(one::regclass)::bigint as it from unnest(%s::text[]) one"
_LEFT = "select count(*) as it from thread_head where thread_id = any(%s) and open_plan is not null"
_KILLED = """
update runner set process = 'daybook-gone', lease_until = daybook_now() - interval '1 hour'
where thread_id = any(%s)
"""


def main(
    size: Annotated[list[int], typer.Option(min=0, help="Open threads; may be repeated.")] = _SIZES,
    expire: Annotated[int, typer.Option(min=0, help="Questions that expire at once.")] = 10_000,
    left: Annotated[int, typer.Option(min=0, help="Runs that a kill leaves behind.")] = 1_000,
) -> None:
    """Measure what many open threads cost whoever works beside them; then let storms come."""
    logging.getLogger("psycopg").setLevel(logging.CRITICAL)
    sizes = sorted(size)
    with tempfile.TemporaryDirectory(prefix="daybook-scale-") as folder:
        costs, weight, storms = asyncio.run(_measured(sizes, expire, left, Path(folder)))
    to = console()
    heads = ("ms (of them processor), beside", *(f"{one:,}" for one in sizes))
    to.print(table(heads, [(name, *of_it) for name, of_it in costs.items()]))
    titles = ("storm", "threads", "left", "seconds", "a second", "chat before, ms", "during")
    to.print(table(titles, (one.row for one in storms)))
    to.print(table(("bytes of a waiting thread", ""), weight.most_common()))
    raise typer.Exit(
        0 if print_goals([*_goals(costs, weight.total(), storms, sizes[-1])], to) else 1
    )


@dataclass(frozen=True)
class Cost:
    """Of one time: median milliseconds, and those of the processor (ours and Postgres')."""

    ms: float
    cpu_ms: float

    def __str__(self) -> str:
        return f"{self.ms:,.1f} ({self.cpu_ms:,.1f})"


@dataclass(frozen=True)
class Storm:
    """What became of a storm.

    Attributes:
        threads, left: how many there were, and how many were not finished in time.
        seconds: until the last one that was.
        before, during: milliseconds of a person's turns.
    """

    name: str
    threads: int
    left: int
    seconds: float
    before: Sequence[float]
    during: Sequence[float]

    @property
    def row(self) -> tuple[object, ...]:
        """Write it."""
        chats = (
            f"{statistics.median(one or [0]):,.0f}, at most {max(one, default=0):,.0f}"
            for one in (self.before, self.during)
        )
        pace = f"{(self.threads - self.left) / self.seconds:.1f}"
        return (self.name, self.threads, self.left, f"{self.seconds:.0f}", pace, *chats)


Costs = dict[str, list[Cost]]
"""By what is done, and in the order of the sizes."""


def _goals(costs: Costs, weight: int, storms: Sequence[Storm], most: int) -> Iterator[Goal]:
    """Yield the goals, of what is beside most threads.

    Args:
        weight: bytes of a waiting thread without its indexes; 0 where none waits.
    """
    beside = {name: of_it[-1] for name, of_it in costs.items()}
    empty, full = beside.pop(_EMPTY), beside.pop(_PURCHASE)
    times = full.cpu_ms / empty.cpu_ms if empty.cpu_ms else 0.0
    yield Goal(
        f"a purchase beside {most:,}, in processor's time of one in an empty database",
        f"{times:.2f} times ({full.ms / empty.ms:.2f} its time), at most {_PURCHASE_TIMES}",
        times <= _PURCHASE_TIMES,
    )
    for name, cost in beside.items():
        limit = _LOOK_MS if name == _LOOK else _PAGE_MS
        seen = f"{cost.ms:,.2f} ms, at most {limit:,.0f}"
        yield Goal(f"{name} beside {most:,}", seen, cost.ms <= limit)
    if weight:
        seen = f"{weight:,.0f}, at most {_THREAD_BYTES:,}"
        what = "bytes of a waiting thread without its indexes"
        yield Goal(what, seen, weight <= _THREAD_BYTES)
    for storm in storms:
        seen = f"{storm.left} of {storm.threads:,} not finished"
        yield Goal(storm.name, seen, not storm.left)


async def _measured(
    sizes: Sequence[int], expire: int, left: int, folder: Path
) -> tuple[Costs, Counter[str], list[Storm]]:
    costs, weight, storms = Costs(), Counter[str](), list[Storm]()
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(open_server(folder))
        shop = await stack.enter_async_context(open_shop(folder / "shop"))
        places = {"SHOP_URL": shop.url, "SMTP_URL": shop.smtp_url, "DAYBOOK_HOME": str(folder)}
        empty_to = {**places, "DATABASE_URL": await server.new_database("empty")}
        full_to = {**places, "DATABASE_URL": await server.new_database("full")}
        empty = await stack.enter_async_context(open_agent(empty_to))
        # Opened last: the console's pages are of this one.
        full = await stack.enter_async_context(open_agent(full_to))
        conn = await stack.enter_async_context(as_owner(full_to["DATABASE_URL"]))
        todo = acts(full, settings_from(full_to))
        in_turns = {_EMPTY: acts(empty, settings_from(empty_to))[_PURCHASE]}
        in_turns[_PURCHASE] = todo.pop(_PURCHASE)
        crowd = await Crowd.gathered(full, conn)
        for size in sizes:
            if size:
                before, coming = await crowd.weight(), size - crowd.count
                await crowd.come(coming)
                grown = await crowd.weight() - before
                weight = Counter({one: round(grown[one] / coming) for one in TABLES})
            for some in (in_turns, *({name: act} for name, act in todo.items())):
                for name, cost in (await _costs(server, some)).items():
                    costs.setdefault(name, []).append(cost)
            print(f"measured beside {size:,}", file=sys.stderr)
        for name, comes, count in (
            ("questions that expire at one instant", _expired, expire),
            ("runs that a kill left behind", _left_behind, left),
        ):
            if count:
                threads = await comes(crowd, count)
                storms.append(await _finished(name, crowd, threads, full_to, folder))
    return costs, weight, storms


async def _costs(server: Server, acts: Mapping[str, Act]) -> dict[str, Cost]:
    """Measure things in turns, after each was done once: what else the machine does, all meet."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in acts}
    for act in acts.values():
        await act()
    for _ in range(_TIMES):
        for name, act in acts.items():
            cpu, began = _cpu_s(server), SYSTEM.monotonic()
            await act()
            taken[name].append((SYSTEM.monotonic() - began, _cpu_s(server) - cpu))
    return {
        name: Cost(
            1000 * statistics.median(seconds for seconds, _ in of_it),
            1000 * statistics.mean(cpu for _, cpu in of_it),
        )
        for name, of_it in taken.items()
    }


def _cpu_s(server: Server) -> float:
    """Return the processor's time that this process and all of Postgres' have taken."""
    return cpu_seconds(server.pid) + sum(os.times()[:2])


@dataclass
class Crowd:
    """Those who wait in one database.

    Attributes:
        conn: as the database's owner.
        count: how many they are; the first one was really brought there.
    """

    opened: Opened
    conn: AsyncConnection[DictRow]
    template: Template
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    count: int = 1

    @classmethod
    async def gathered(cls, opened: Opened, conn: AsyncConnection[DictRow]) -> Crowd:
        """Bring the first one to a question."""
        talk = Talk(opened.graph, _FIRST)
        await talk.ask_to_buy()
        cart = (await opened.graph.aget_state(talk.config)).values["cart"].cart_id
        return cls(opened, conn, await template_of(conn, talk.thread_id, _FIRST, cart))

    async def come(self, count: int, until: datetime | None = None) -> list[Talk]:
        """Let so many more come, and the server look how many there are.

        Args:
            until: when their questions expire; None: a day from now.
        """
        users = [f"person-{self.count + n:07}" for n in range(count)]
        at = until or SYSTEM.now() + _LONG
        came = await put(self.conn, self.template, users, self.chance, at)
        self.count += count
        await self.conn.execute("vacuum analyze")
        graph = self.opened.graph
        return [Talk(graph, user, thread) for user, thread in zip(users, came, strict=True)]

    async def weight(self) -> Counter[str]:
        """Return the bytes of each table, without its indexes."""
        rows = await (await self.conn.execute(_WEIGHT, ([*TABLES],))).fetchall()
        return Counter({row["one"]: row["it"] for row in rows})

    async def number(self, query: str, about: list[str]) -> int:
        """Ask the database for a number."""
        row = await (await self.conn.execute(query, (about,))).fetchone()
        return int(row["it"]) if row else 0


async def _expired(crowd: Crowd, count: int) -> list[str]:
    """Let so many questions expire at one instant."""
    return [one.thread_id for one in await crowd.come(count, SYSTEM.now() - _SOON)]


class Gone(Exception):
    """The process of a run is no more."""


def _dies_at_the_approval(point: FaultPoint, about: str) -> None:
    if point is FaultPoint.AFTER_COMMIT and about == "decision":
        raise Gone


async def _left_behind(crowd: Crowd, count: int) -> list[str]:
    """Let so many runs die right after their approval, as a kill leaves them."""
    talks, turns = await crowd.come(count), asyncio.Semaphore(_AT_ONCE)

    async def dies(talk: Talk) -> None:
        async with turns:
            with suppress(Gone):
                await talk.approve()

    arm(_dies_at_the_approval)
    try:
        await asyncio.gather(*map(dies, talks))
    finally:
        arm(None)
    threads = [one.thread_id for one in talks]
    await crowd.conn.execute(_KILLED, (threads,))
    return threads


async def _finished(
    name: str, crowd: Crowd, threads: list[str], environment: dict[str, str], folder: Path
) -> Storm:
    """Let workers finish threads while a person chats."""
    person, left = Talk(crowd.opened.graph, "chatter-000001"), len(threads)

    async def chat_ms() -> float:
        began = SYSTEM.monotonic()
        await person.say("show me hiking boots")
        return (SYSTEM.monotonic() - began) * 1000

    before = [await chat_ms() for _ in range(_TIMES + 1)][1:]
    during, began = list[float](), SYSTEM.monotonic()
    async with AsyncExitStack() as workers:
        for number in range(_WORKERS):
            log = folder / f"worker-{number}.log"
            await workers.enter_async_context(open_worker(log, **environment))
        while left and SYSTEM.monotonic() - began < _PATIENCE_S:
            during.append(await chat_ms())
            await SYSTEM.sleep(_PAUSE_S)
            left = await crowd.number(_LEFT, threads)
        seconds = SYSTEM.monotonic() - began
    return Storm(name, len(threads), left, seconds, before, during)


if __name__ == "__main__":
    run_command(main)
