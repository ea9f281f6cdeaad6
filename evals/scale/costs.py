"""What whoever works on a database pays: time, and the processor's time of both sides."""

from __future__ import annotations

import contextlib
import io
import os
import statistics
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from psycopg import sql
from starlette.requests import Request

from daybook.app.cli.conversation import print_threads
from daybook.app.console import inbox
from daybook.app.console.ledger import search
from daybook.app.conversations.terminal import Terminal
from daybook.app.doctor.database import database
from daybook.app.ledger.listing import print_unsettled, unsettled
from daybook.app.operating.scraper import Scraper
from daybook.checkpoints.runs.jobs import queue_of
from daybook.checkpoints.runs.runners import MOST_TRIES
from daybook.checkpoints.statements import statements
from daybook.graph.serve import Opened
from daybook.graph.settings.environment import Settings
from daybook.state.clock import SYSTEM
from daybook.state.session import Person
from evals.scale.copies import TABLES, as_owner
from evals.scale.ground import Talk

_TICK = os.sysconf("SC_CLK_TCK")
_MOST = 50
_IDLE = timedelta(seconds=30)

Act = Callable[[], Awaitable[Any]]


@dataclass(frozen=True)
class Cost:
    """Of one time: median milliseconds, and those of the processor (ours and Postgres')."""

    ms: float
    cpu_ms: float


class Server:
    """The processes of a Postgres on this machine."""

    def __init__(self, folder: Path) -> None:
        file = folder / "postgres" / "data" / "postmaster.pid"
        self._pid = int(file.read_text().splitlines()[0])

    def cpu_s(self) -> float:
        """Return the processor's time that all of them have taken, those that are gone too."""
        ticks = 0
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            with contextlib.suppress(OSError):
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                if int(folder.name) == self._pid:
                    ticks += sum(map(int, fields[11:15]))
                elif int(fields[1]) == self._pid:
                    ticks += int(fields[11]) + int(fields[12])
        return ticks / _TICK


def _ours_s() -> float:
    """Return the processor's time that this process has taken."""
    return sum(os.times()[:2])


async def side_by_side(one: Act, other: Act, times: int, server: Server) -> tuple[Cost, Cost]:
    """Measure two things in turns: what else the machine does, it does to both."""
    await one()
    await other()
    taken: tuple[list[Cost], list[Cost]] = ([], [])
    for _ in range(times):
        for act, costs in zip((one, other), taken, strict=True):
            ours, theirs, began = _ours_s(), server.cpu_s(), SYSTEM.monotonic()
            await act()
            ms = (SYSTEM.monotonic() - began) * 1000
            cpu = _ours_s() - ours + server.cpu_s() - theirs
            costs.append(Cost(ms, cpu * 1000))
    first, second = (
        Cost(statistics.median(c.ms for c in costs), statistics.mean(c.cpu_ms for c in costs))
        for costs in taken
    )
    return first, second


async def cost(act: Act, times: int, server: Server) -> Cost:
    """Measure something that is done so many times, after it was done once."""
    await act()
    taken: list[float] = []
    ours, theirs = _ours_s(), server.cpu_s()
    for _ in range(times):
        began = SYSTEM.monotonic()
        await act()
        taken.append((SYSTEM.monotonic() - began) * 1000)
    cpu = _ours_s() - ours + server.cpu_s() - theirs
    return Cost(statistics.median(taken), cpu * 1000 / times)


def acts(opened: Opened, settings: Settings) -> Mapping[str, Act]:
    """Return what is done beside many threads, by name; pages are of the agent opened last."""
    postgres = opened.resources.postgres
    scraper = Scraper(postgres, [opened.domain])
    queue = queue_of(postgres.tenant_id, opened.domain.name, opened.resources.world)

    async def look() -> None:
        about = opened.domain.name, _IDLE, opened.resources.world, queue
        async with postgres.stalled.claimed(*about):
            pass

    async def listed() -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            await print_threads(settings, Terminal(), user=None, as_json=True)

    async def still_open() -> None:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            await unsettled(settings, None, _MOST, print_unsettled)

    return {
        "the worker's look": look,
        "the inbox": lambda: inbox.page(_asks("/console/inbox")),
        "the search": lambda: search(_asks("/console/search")),
        "daybook threads": listed,
        "ledger --open": still_open,
        "/metrics": scraper.scrape,
        "doctor": lambda: database(settings),
    }


def purchase(opened: Opened) -> Act:
    """Return what buys one pair of boots, each time as somebody else."""
    numbers = iter(range(1_000_000))
    return lambda: Talk(opened.graph, f"buyer-{next(numbers):07}").buy()


async def look_in_server_ms(opened: Opened, times: int) -> float:
    """Measure the worker's look within Postgres: median milliseconds, told by EXPLAIN."""
    about = {
        "domain": opened.domain.name,
        "world": opened.resources.world,
        "queue": "",
        "idle": _IDLE,
        "most": MOST_TRIES,
        "quick": 3,
        "at_once": 100,
    }
    claim = f"explain (analyze, timing off, format json) {statements('stalled.sql')['claim']}"
    taken = []
    async with opened.resources.postgres.pool.connection() as conn:
        for _ in range(times):
            async with conn.transaction(force_rollback=True):
                row = await (await conn.execute(claim, about)).fetchone()
            assert row is not None
            taken.append(float(row["QUERY PLAN"][0]["Execution Time"]))
    return statistics.median(taken)


async def weights(url: str) -> Mapping[str, tuple[int, int]]:
    """Return the bytes of each table, and of its indexes."""
    async with as_owner(url) as conn:
        found = {}
        for table in TABLES:
            query = sql.SQL("select pg_table_size({0}) as rows, pg_indexes_size({0}) as indexes")
            row = await (await conn.execute(query.format(sql.Literal(table)))).fetchone()
            assert row is not None
            found[table] = row["rows"], row["indexes"]
        return found


def _asks(path: str) -> Request:
    """Ask for a page, as an operator who is signed in."""
    scope = {"type": "http", "method": "GET", "path": path, "headers": [], "query_string": b""}
    request = Request(scope)
    request.state.person = Person("operator", "operator")
    return request
