"""Drive all contenders through the same steps, turn by turn in rotation, and take the figures."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import statistics
import sys
import tempfile
import time  # noqa: TID251  (of the CPU, which is no time of day)
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import LiteralString
from urllib.parse import urlencode

from psycopg import AsyncConnection, sql
from psycopg.conninfo import conninfo_to_dict

from daybook.state.clock import SYSTEM
from evals.bench.agents import Contender, Kind, System, open_create_agent, open_daybook
from evals.servers import Server, open_server

TABLES = (
    "checkpoints",
    "checkpoint_blobs",
    "checkpoint_writes",
    "ledger_event",
    "ledger_payload",
    "read_call",
    "open_step",
    "thread",
    "thread_head",
)
"""Tables whose rows of a thread are counted, where the database has them."""

MARKS = (10, 50, 200)
"""Step counts at which the live bytes are taken, besides the end of a run."""

_WINDOW = 50
_DURABLE = Path(__file__).with_name("durable.py")
_NEXT_XID: LiteralString = "select pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
_TRANSACTIONS: LiteralString = """
select xact_commit from pg_stat_database where datname = current_database()
"""
_COLUMNS: LiteralString = """
select table_name, array_agg(column_name::text order by ordinal_position)
from information_schema.columns
where table_schema = 'public' and table_name = any(%s)
group by table_name
"""


@dataclass(frozen=True)
class Course:
    """Say how far to run.

    Attributes:
        turns: of each thread, two at least.
        per_turn: steps in one turn of the person.
        warm_up: turns in other threads before anything is measured.
        purchases: how many are bought to learn what one costs.
    """

    turns: int = 20
    per_turn: int = 10
    warm_up: int = 2
    purchases: int = 20

    @property
    def steps(self) -> int:
        """Return the steps of each thread."""
        return self.turns * self.per_turn

    @property
    def marks(self) -> list[int]:
        """Return two or more step counts, ends of turns all, at which live bytes are taken."""
        halfway = self.turns // 2 * self.per_turn
        fixed = {mark for mark in MARKS if mark < self.steps and mark % self.per_turn == 0}
        return sorted((fixed or {halfway}) | {self.steps})

    @property
    def window(self) -> int:
        """Return how many steps at the beginning, and at the end, the medians are of."""
        return min(_WINDOW, self.steps // 2)

    @property
    def window_turns(self) -> int:
        """Return how many turns these steps fill, one at least."""
        return max(1, self.window // self.per_turn)


@dataclass
class Figures:
    """What was measured of one contender.

    Attributes:
        step_ms: each step, from decision to decision.
        rest_ms: of each turn, before its first decision and after its last.
        cpu_ms: processor time of each turn.
        super_steps: of each step, from decision to decision.
        commits: writing commits of each turn.
        transactions: committed in the whole run, reads included.
        live: step count to live bytes by table.
    """

    system: System
    kind: Kind
    course: Course
    step_ms: list[float] = field(default_factory=list)
    rest_ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    super_steps: list[int] = field(default_factory=list)
    commits: list[int] = field(default_factory=list)
    transactions: int = 0
    live: dict[int, Mapping[str, int]] = field(default_factory=dict)

    def step(self, at: int) -> float:
        """Return the median step in milliseconds: of the first window (0), or the last (-1)."""
        return _median(self.step_ms, self.course.window, at)

    def rest(self, at: int) -> float:
        """Return the median rest of a turn, of the first or the last window."""
        return _median(self.rest_ms, self.course.window_turns, at)

    @property
    def cpu(self) -> float:
        """Return the median processor time per step in the last window, with the turn's share."""
        return _median(self.cpu_ms, self.course.window_turns, -1) / self.course.per_turn

    @property
    def commits_per_step(self) -> float:
        """Return the median of writing commits per step, with the turn's share."""
        return statistics.median(self.commits) / self.course.per_turn

    def live_per_step(self, mark: int) -> float:
        """Return the live bytes per step at a step count."""
        return sum(self.live[mark].values()) / mark


def _median(values: Sequence[float], window: int, at: int) -> float:
    return statistics.median(values[:window] if at == 0 else values[-window:])


@dataclass(frozen=True)
class Report:
    """All figures of a run.

    Attributes:
        purchase_ms: processor time of the serving process for one purchase.
        durable_ms: of an automatic write as a step of DBOS; None where that is not installed.
    """

    course: Course
    figures: Sequence[Figures]
    purchase_ms: float
    durable_ms: float | None = None

    def of(self, system: System, kind: Kind) -> Figures:
        """Return the figures of one contender."""
        return next(f for f in self.figures if (f.system, f.kind) == (system, kind))


async def measure(course: Course) -> Report:
    """Run the bench on an embedded Postgres of its own, which is gone afterwards.

    Each contender has a database and a thread of its own. They take their turns in rotation, so
    that a loaded machine slows all of them down alike.

    Raises:
        EmbeddedPostgresError: the server did not start.
    """
    with tempfile.TemporaryDirectory(prefix="daybook-bench-") as folder:
        async with open_server(Path(folder), is_durable=True) as server:
            async with AsyncExitStack() as stack:
                for contender in await _contenders(stack, server, course, "warm_up"):
                    for _ in range(course.warm_up):
                        await contender.turn()
            figures = await _measured(server, course)
            durable = await _durable_ms(await server.new_database("durable"), course)
            shop, number = str(Path(folder, "shop")), str(course.purchases)
            words = ["-m", "evals.bench.purchase", await server.new_database("bought"), shop]
            bought = await _printed(sys.executable, *words, number)
            if bought is None:
                raise RuntimeError("the purchases failed; what went wrong stands above")
    return Report(course, figures, float(bought), durable)


async def _printed(*command: str) -> str | None:
    """Return the last line that a command prints; None where it fails."""
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    printed, _ = await process.communicate()
    return None if process.returncode else printed.decode().splitlines()[-1]


async def _durable_ms(url: str, course: Course) -> float | None:
    """Return the median step of DBOS in milliseconds; None where that is not installed."""
    python = os.environ.get("DAYBOOK_RIVALS_PYTHON") or ".venv-rivals/bin/python"
    if shutil.which(python) is None:
        return None
    # As the URL that SQLAlchemy reads.
    parts = conninfo_to_dict(url)
    kept: list[str] = [name for name in ("host", "port", "password") if name in parts]
    address = {name: str(dict(parts)[name]) for name in kept}
    place = f"postgresql://{parts.get('user', '')}@/{parts['dbname']}?{urlencode(address)}"
    printed = await _printed(python, str(_DURABLE), place, str(course.per_turn), str(course.turns))
    return None if printed is None else float(statistics.median(json.loads(printed)))


async def _measured(server: Server, course: Course) -> list[Figures]:
    async with (
        AsyncExitStack() as stack,
        await AsyncConnection.connect(server.url, autocommit=True) as conn,
    ):
        contenders = await _contenders(stack, server, course, "bench")
        before = [await _transactions(c.url) for c in contenders]
        figures = [Figures(c.system, c.kind, course) for c in contenders]
        for turn in range(1, course.turns + 1):
            for contender, taken in zip(contenders, figures, strict=True):
                await _turn(contender, taken, conn)
                if (steps := turn * course.per_turn) in course.marks:
                    taken.live[steps] = await _live_bytes(contender.url, contender.thread_id)
    # Their connections are closed by now, and have reported all their transactions.
    for contender, taken, base in zip(contenders, figures, before, strict=True):
        taken.transactions = await _transactions(contender.url) - base
    return figures


async def _turn(contender: Contender, taken: Figures, conn: AsyncConnection) -> None:
    asked_before = len(contender.model.asked)
    # Transactions that were given an id are those that write: exact while nothing else runs.
    commits_before = await _number(conn, _NEXT_XID)
    began, cpu = SYSTEM.monotonic(), time.process_time()
    await contender.turn()
    ended, cpu = SYSTEM.monotonic(), time.process_time() - cpu
    taken.cpu_ms.append(cpu * 1000)
    taken.commits.append(await _number(conn, _NEXT_XID) - commits_before)
    asked = contender.model.asked[asked_before:]
    for one, next_ in pairwise(asked):
        taken.step_ms.append((next_.at - one.at) * 1000)
        taken.super_steps.append(next_.super_step - one.super_step)
    taken.rest_ms.append((asked[0].at - began + ended - asked[-1].at) * 1000)


_OPENED: dict[str, Callable[[str, Kind, int], AbstractAsyncContextManager[Contender]]] = {
    "daybook": open_daybook,
    "create_agent": open_create_agent,
}


async def _contenders(
    stack: AsyncExitStack, server: Server, course: Course, prefix: str
) -> list[Contender]:
    """Open all of them for each kind, each on a new database."""
    contenders = []
    for kind in Kind:
        for name, opened in _OPENED.items():
            database = await server.new_database(f"{prefix}_{name}_{kind.value}")
            contender = opened(database, kind, course.per_turn)
            contenders.append(await stack.enter_async_context(contender))
    return contenders


# -- what Postgres itself says --------------------------------------------------------------------


async def _transactions(url: str) -> int:
    """Count the committed transactions of a database, reads included (pg_stat_database).

    A connection reports up to a second late, or when it closes: close them first.
    """
    async with await AsyncConnection.connect(url, autocommit=True) as conn:
        return await _number(conn, _TRANSACTIONS)


async def _live_bytes(url: str, thread_id: str) -> Mapping[str, int]:
    """Add up the rows of a thread by table: `pg_column_size` of every column.

    This is what is stored, TOAST compression included; row headers and indexes are left out.
    """
    async with await AsyncConnection.connect(url, autocommit=True) as conn:
        found = await (await conn.execute(_COLUMNS, (list(TABLES),))).fetchall()
        sizes: dict[str, int] = {}
        for table, columns in found:
            size = sql.SQL(" + ").join(
                sql.SQL("coalesce(pg_column_size({}), 0)").format(sql.Identifier(column))
                for column in columns
            )
            query = sql.SQL("select coalesce(sum({}), 0) from {} where thread_id = %s")
            cursor = await conn.execute(query.format(size, sql.Identifier(table)), (thread_id,))
            (total,) = await cursor.fetchone() or (0,)
            sizes[table] = int(total)
        return sizes


async def _number(conn: AsyncConnection, query: LiteralString) -> int:
    row = await (await conn.execute(query)).fetchone()
    assert row is not None
    return int(row[0])
