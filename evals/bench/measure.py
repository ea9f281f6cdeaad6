"""Drive both through the same steps, turn by turn in rotation; take the figures, and print them."""

from __future__ import annotations

import statistics
import tempfile
import time  # noqa: TID251  (of the CPU, which is no time of day)
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import LiteralString

from psycopg import AsyncConnection, sql
from rich.console import Console

from daybook.state.clock import SYSTEM
from evals.bench.agents import CHARACTERS, Contender, Kind, System, open_create_agent, open_daybook
from evals.report import Goal, print_goals, table
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

_NEXT_XID: LiteralString = "select pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
_TRANSACTIONS: LiteralString = """
select xact_commit from pg_stat_database where datname = current_database()
"""
_COLUMNS: LiteralString = """
select table_schema, table_name, array_agg(column_name::text order by ordinal_position)
from information_schema.columns
where table_name = any(%s)
group by table_schema, table_name
"""


@dataclass(frozen=True)
class Course:
    """Say how far to run.

    Attributes:
        turns: of each thread.
        per_turn: steps in one turn of the person.
        marks: step counts, ends of turns all, at which live bytes are taken; the last is the end.
        window: how many steps at the beginning, and at the end, the medians are of.
        warm_up: turns in other threads before anything is measured.
    """

    turns: int = 20
    per_turn: int = 10
    marks: Sequence[int] = (10, 50, 200)
    window: int = 50
    warm_up: int = 2

    @property
    def steps(self) -> int:
        """Return the steps of each thread."""
        return self.turns * self.per_turn

    @property
    def window_turns(self) -> int:
        """Return how many turns the steps of a window fill."""
        return self.window // self.per_turn


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


async def measure(course: Course) -> list[Figures]:
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
            return await _measured(server, course)


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
        for schema, table, columns in found:
            size = sql.SQL(" + ").join(
                sql.SQL("coalesce(pg_column_size({}), 0)").format(sql.Identifier(column))
                for column in columns
            )
            query = sql.SQL("select coalesce(sum({}), 0) from {} where thread_id = %s")
            cursor = await conn.execute(
                query.format(size, sql.Identifier(schema, table)), (thread_id,)
            )
            (total,) = await cursor.fetchone() or (0,)
            sizes[table] = sizes.get(table, 0) + int(total)
        return sizes


async def _number(conn: AsyncConnection, query: LiteralString) -> int:
    row = await (await conn.execute(query)).fetchone()
    assert row is not None
    return int(row[0])


LIVE_LIMIT = 3000
"""Live bytes per step that Daybook may keep."""

RATIO = {Kind.READ: 0.8, Kind.AUTO_WRITE: 1.0, Kind.APPROVED_WRITE: 1.0}
"""What a step may take of create_agent's."""

COMMITS = {Kind.READ: 4.0, Kind.AUTO_WRITE: 6.0, Kind.APPROVED_WRITE: 11.0}
"""Writing commits per step, with the turn's share."""

_NOTES = """\
ms: median from one decision of the model to the next, everything between included. cpu: this
process alone, with the turn's share. rest of turn: before the first decision and after the last.
commits: transactions that wrote (ids that the server gave out); transactions: all, reads too
(pg_stat_database); both with the turn's share. live B: pg_column_size of all columns of the
thread's rows, per step, after pruning."""


def show(shown: Sequence[Figures], to: Console) -> bool:
    """Print all figures; tell whether every goal is reached."""
    course = shown[0].course
    end = course.steps
    first, last = f"1-{course.window}", f"{end - course.window + 1}-{end}"
    to.print(
        f"{end} steps a thread, {course.per_turn} in each turn. A step is one decision of "
        f"the model and its tool call; the tool returns {CHARACTERS} characters."
    )
    titles = (f"ms\n{first}", f"ms\n{last}", "cpu\nms", "rest of\nturn ms", "commits\n")
    more = ("trans-\nactions", "super-\nsteps", *(f"live B\nat {mark}" for mark in course.marks))
    rows = [
        (
            taken.kind.label,
            taken.system,
            *(f"{taken.step(at):.1f}" for at in (0, -1)),
            f"{taken.cpu:.1f}",
            f"{taken.rest(-1):.1f}",
            f"{taken.commits_per_step:.1f}",
            f"{taken.transactions / end:.1f}",
            f"{statistics.median(taken.super_steps):.0f}",
            *(f"{taken.live_per_step(mark):,.0f}" for mark in course.marks),
        )
        for taken in shown
    ]
    to.print(table(("step", "by", *titles, *more), rows))
    to.print(_NOTES)
    heads = (f"live B\nat {end}", *(f"{taken.system}\n{taken.kind.label}" for taken in shown))
    sizes = [
        (name, *(f"{t.live[end][name] / end:,.0f}" if name in t.live[end] else "-" for t in shown))
        for name in sorted({name for taken in shown for name in taken.live[end]})
    ]
    to.print(table(heads, sizes))
    return print_goals(list(goals_of(shown)), to)


def goals_of(figures: Sequence[Figures]) -> Iterator[Goal]:
    """Yield the goals: beside create_agent, bytes, commits."""
    course, by = figures[0].course, {(one.system, one.kind): one for one in figures}
    before, end = course.marks[-2:]
    windows = {0: f"1-{course.window}", -1: f"{course.steps - course.window + 1}-{course.steps}"}
    for kind in Kind:
        ours, theirs = by["daybook", kind], by["create_agent", kind]
        name, beside = kind.label, "x create_agent"
        for at, steps in windows.items():
            ratio = ours.step(at) / theirs.step(at)
            yield _at_most(f"{name}, steps {steps}", ratio, RATIO[kind], beside)
        for at, steps in windows.items():
            ratio = ours.rest(at) / theirs.rest(at)
            yield _at_most(f"{name}, rest of the turn, steps {steps}", ratio, 1, beside)
        live, earlier = ours.live_per_step(end), ours.live_per_step(before)
        yield _at_most(f"{name}, commits", ours.commits_per_step, COMMITS[kind], "a step")
        yield _at_most(f"{name}, live bytes at {end}", live, LIVE_LIMIT, "a step")
        growth = f"{name}, live bytes at {end} beside those at {before}"
        yield _at_most(growth, live, earlier, "a step")


def _at_most(what: str, measured: float, limit: float, unit: str) -> Goal:
    return Goal(what, f"{measured:,.2f} {unit}, at most {limit:,.2f}", measured <= limit)
