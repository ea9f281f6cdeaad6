"""Run it: `make scale`, or `python -m evals.scale --size 0 --size 1000 --expire 100 --left 20`."""

from __future__ import annotations

import asyncio
import logging
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from daybook.domain import settings_from
from daybook.state.clock import SYSTEM
from daybook.state.fault_points import FaultPoint, arm
from evals.report import Goal, console, print_goals, run_command, table
from evals.scale.copies import as_owner
from evals.scale.ground import Cost, Crowd, Ground, Talk, acts, costs
from evals.servers import open_server, open_shop, open_worker

_SIZES = [0, 1_000, 10_000, 100_000]
_PAGES = ("the inbox", "the search", "daybook threads", "ledger --open", "/metrics", "doctor")
_PAGE_MS, _LOOK_MS, _PURCHASE_TIMES, _THREAD_BYTES = 200.0, 10.0, 1.1, 12_000
_EMPTY = "a purchase in an empty database, in turns"

_TIMES, _AT_ONCE, _WORKERS = 10, 8, 2
_PATIENCE_S, _PAUSE_S = 1_800.0, 1.0
_SOON = timedelta(seconds=1)

_LEFT = (
    "select count(*) as left from thread_head where thread_id = any(%s) and open_plan is not null"
)
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
    with tempfile.TemporaryDirectory(prefix="daybook-scale-") as folder:
        report = asyncio.run(_measured(sorted(size), expire, left, Path(folder)))
    to = console()
    sizes = sorted(size)
    heads = ("ms (of them processor), beside", *(f"{one:,}" for one in sizes), "times")
    to.print(table(heads, report.rows(sizes)))
    if report.weights:
        weights = ((name, *(round(one) for one in of_it)) for name, of_it in report.weights.items())
        to.print(table(("bytes of a waiting thread", "rows", "indexes"), weights))
    titles = ("storm", "threads", "left", "seconds", "a second", "chat before, ms", "during")
    to.print(table(titles, (one.row for one in report.storms)))
    raise typer.Exit(0 if print_goals(list(report.goals(sizes[-1])), to) else 1)


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


@dataclass
class Report:
    """What was measured.

    Attributes:
        costs: by what is done, and by how many threads were open.
        weights: bytes of a waiting thread, by table: of its rows and of its indexes.
    """

    costs: dict[str, dict[int, Cost]] = field(default_factory=dict)
    weights: dict[str, tuple[float, float]] = field(default_factory=dict)
    storms: list[Storm] = field(default_factory=list)

    def rows(self, sizes: Sequence[int]) -> Iterator[tuple[object, ...]]:
        """Yield the lines of the table."""
        for name, of_it in self.costs.items():
            first, last = of_it[sizes[0]], of_it[sizes[-1]]
            times = f"{last.ms / first.ms:.1f}" if first.ms and name != _EMPTY else ""
            yield (name, *(of_it[size] for size in sizes), times)

    def goals(self, most: int) -> Iterator[Goal]:
        """Yield the goals, of what is beside most threads."""
        empty, full = self.costs[_EMPTY][most], self.costs["a purchase"][most]
        times = full.cpu_ms / empty.cpu_ms if empty.cpu_ms else 0.0
        yield Goal(
            f"a purchase beside {most:,}, in processor's time of one in an empty database",
            f"{times:.2f} times ({full.ms / empty.ms:.2f} its time), at most {_PURCHASE_TIMES}",
            times <= _PURCHASE_TIMES,
        )
        limits = {"the worker's look": _LOOK_MS, **dict.fromkeys(_PAGES, _PAGE_MS)}
        for name, limit in limits.items():
            ms = self.costs[name][most].ms
            seen = f"{ms:,.2f} ms, at most {limit:,.0f}"
            yield Goal(f"{name} beside {most:,}", seen, ms <= limit)
        if self.weights:
            rows, _ = self.weights["all"]
            seen = f"{rows:,.0f}, at most {_THREAD_BYTES:,}"
            what = "bytes of a waiting thread without its indexes"
            yield Goal(what, seen, rows <= _THREAD_BYTES)
        for storm in self.storms:
            seen = f"{storm.left} of {storm.threads:,} not finished"
            yield Goal(storm.name, seen, not storm.left)


async def _measured(sizes: Sequence[int], expire: int, left: int, folder: Path) -> Report:
    report, began = Report(), SYSTEM.monotonic()

    def tell(line: str) -> None:
        print(f"{SYSTEM.monotonic() - began:6.0f} s  {line}", file=sys.stderr)

    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(open_server(folder))
        shop = await stack.enter_async_context(open_shop(folder / "shop"))
        ground = Ground(folder, server, shop)
        empty_url, url = [await server.new_database(name) for name in ("empty", "full")]
        empty = await stack.enter_async_context(ground.agent(empty_url))
        # Opened last: the console's pages are of this one.
        full = await stack.enter_async_context(ground.agent(url))
        conn = await stack.enter_async_context(as_owner(url))
        buys = acts(empty, settings_from(ground.environment(empty_url)))["a purchase"]
        todo = dict(acts(full, settings_from(ground.environment(url))))
        buys_beside = todo.pop("a purchase")
        crowd: Crowd | None = None
        for size in sizes:
            if size:
                crowd = crowd or await Crowd.gathered(full, conn)
                await _come(crowd, size, report)
                tell(f"{size:,} threads wait")
            both = await costs(server, _TIMES, buys, buys_beside)
            for name, cost in zip((_EMPTY, "a purchase"), both, strict=True):
                report.costs.setdefault(name, {})[size] = cost
            for name, act in todo.items():
                (report.costs.setdefault(name, {})[size],) = await costs(server, _TIMES, act)
            tell(f"measured beside {size:,}")
        crowd = crowd or await Crowd.gathered(full, conn)
        environment = ground.environment(url)
        for name, comes, count in (
            ("questions that expire at one instant", _expired, expire),
            ("runs that a kill left behind", _left_behind, left),
        ):
            if count:
                tell(f"{count:,} {name}")
                threads = await comes(crowd, count)
                storm = await _finished(name, crowd, threads, environment, folder)
                report.storms.append(storm)
    return report


async def _come(crowd: Crowd, size: int, report: Report) -> None:
    """Let people come until there are so many, and see what each of them weighs."""
    before, coming = await crowd.weights(), size - crowd.count
    await crowd.come(coming)
    for name, (rows, indexes) in (await crowd.weights()).items():
        old = before[name]
        report.weights[name] = (rows - old[0]) / coming, (indexes - old[1]) / coming
    report.weights.pop("all", None)
    rows_all, indexes_all = (sum(one[n] for one in report.weights.values()) for n in (0, 1))
    report.weights["all"] = rows_all, indexes_all


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
    person = Talk(crowd.opened.graph, "chatter-000001")

    async def chats() -> AsyncIterator[float]:
        while True:
            began = SYSTEM.monotonic()
            await person.say("show me hiking boots")
            yield (SYSTEM.monotonic() - began) * 1000

    turns, left = chats(), len(threads)
    before = [await anext(turns) for _ in range(_TIMES + 1)][1:]
    during, began = list[float](), SYSTEM.monotonic()
    async with AsyncExitStack() as workers:
        for number in range(_WORKERS):
            log = folder / f"worker-{number}.log"
            await workers.enter_async_context(open_worker(log, **environment))
        while left and SYSTEM.monotonic() - began < _PATIENCE_S:
            during.append(await anext(turns))
            await SYSTEM.sleep(_PAUSE_S)
            row = await (await crowd.conn.execute(_LEFT, (threads,))).fetchone()
            left = row["left"] if row else 0
        seconds = SYSTEM.monotonic() - began
    return Storm(name, len(threads), left, seconds, before, during)


if __name__ == "__main__":
    run_command(main)
