"""Drive all through the same steps, turn by turn in rotation; take the figures, and print them."""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from psycopg import AsyncConnection, sql
from rich.console import Console

from daybook.checkpoints.statements import statements
from evals.bench import agents, effects
from evals.bench.agents import Kind
from evals.bench.effects import CHARACTERS, Turn
from evals.report import Goal, print_goals, table
from evals.servers import JsonProgram, open_json_program, open_server, until

TABLES = (
    *("checkpoints", "checkpoint_blobs", "checkpoint_writes"),
    *("ledger_event", "ledger_payload", "read_call", "open_step", "thread", "thread_head"),
    *("entries", "operation_outputs", "workflow_status"),
)
"""Tables whose rows are counted, where the database has them; the last three are the rivals'."""

_SQL: dict[str, Any] = statements("bench.sql", Path(__file__).parent)


@dataclass(frozen=True)
class Course:
    """Say how far to run.

    Attributes:
        turns: of each thread.
        per_turn: steps in one turn of the person.
        marks: step counts, ends of turns all, at which live bytes are taken; the last is the end.
        window: how many turns at the beginning, and at the end, the medians are of.
        warm_up: turns in other threads before anything is measured.
    """

    turns: int = 20
    per_turn: int = 10
    marks: Sequence[int] = (10, 50, 200)
    window: int = 5
    warm_up: int = 2

    @property
    def steps(self) -> int:
        """Return the steps of each thread."""
        return self.turns * self.per_turn

    @property
    def windows(self) -> dict[str, slice]:
        """Name the steps of the first turns, and of the last, and where these turns are."""
        in_it, end = self.window * self.per_turn, self.steps
        first, last = slice(self.window), slice(-self.window, None)
        return {f"1-{in_it}": first, f"{end - in_it + 1}-{end}": last}


class Contender(Protocol):
    """What is opened and takes its turns."""

    async def turn(self) -> Turn:
        """Take one turn."""
        ...


@dataclass(frozen=True)
class Entrant:
    """Who takes which steps; `opened` opens it on the database of a URL."""

    step: str
    system: str
    opened: Callable[[str], AbstractAsyncContextManager[Contender]]


@dataclass(frozen=True)
class Program:
    """A contender in a process of its own (`evals.bench.effects`)."""

    program: JsonProgram

    async def turn(self) -> Turn:
        """Take one turn."""
        await self.program.tell({})
        return Turn(**await self.program.hear())


EFFECT = "effect"
"""The step that is a call of a guarded function, with no agent around it."""


def entrants(course: Course, rivals: Path) -> list[Entrant]:
    """Return all that are compared.

    Args:
        rivals: Python of their environment.
    """
    per_turn = course.per_turn
    of_agents: dict[str, Callable[..., AbstractAsyncContextManager[Contender]]] = {
        "daybook": agents.open_daybook,
        "create_agent": agents.open_create_agent,
        "floor": agents.open_floor,
    }

    @asynccontextmanager
    async def open_program(url: str, system: str) -> AsyncIterator[Contender]:
        python = sys.executable if system == "daybook" else str(rivals)
        command = (python, "-m", effects.__name__, system, url, str(per_turn))
        async with open_json_program(*command) as program:
            await program.hear()
            yield Program(program)

    return [
        *(
            Entrant(kind.label, system, partial(opened, kind=kind, steps=per_turn))
            for kind in Kind
            for system, opened in of_agents.items()
        ),
        *(Entrant(EFFECT, one, partial(open_program, system=one)) for one in effects.OPENED),
    ]


@dataclass
class Figures:
    """What was measured of one contender.

    Attributes:
        commits: writing commits of each turn.
        transactions: committed in the whole run, reads included.
        live: step count to live bytes by table.
    """

    step: str
    system: str
    course: Course
    turns: list[Turn] = field(default_factory=list)
    commits: list[int] = field(default_factory=list)
    transactions: int = 0
    live: dict[int, Mapping[str, int]] = field(default_factory=dict)

    def ms(self, window: slice = slice(None)) -> float:
        """Return the median step in milliseconds."""
        return statistics.median(ms for turn in self.turns[window] for ms in turn.ms)

    def rest(self, window: slice) -> float:
        """Return the median rest of a turn: before its first decision and after its last."""
        return statistics.median(turn.rest_ms for turn in self.turns[window])

    @property
    def super_steps(self) -> float:
        """Return the median of a step; 0 of those that are no agents."""
        return statistics.median(one for turn in self.turns for one in turn.super_steps or [0])

    # -- with the turn's share --------------------------------------------------------------------

    def cpu_per_step(self, window: slice) -> float:
        """Return the median processor time in milliseconds."""
        return statistics.median(turn.cpu_ms for turn in self.turns[window]) / self.course.per_turn

    @property
    def commits_per_step(self) -> float:
        """Return the median of writing commits."""
        return statistics.median(self.commits) / self.course.per_turn

    @property
    def transactions_per_step(self) -> float:
        """Return the transactions, reads included."""
        return self.transactions / self.course.steps

    def live_per_step(self, mark: int) -> float:
        """Return the live bytes at a step count."""
        return sum(self.live[mark].values()) / mark


async def measure(course: Course, entered: Sequence[Entrant]) -> list[Figures]:
    """Run the bench on an embedded Postgres of its own, which is gone afterwards.

    Each contender has a database and a thread of its own. They take their turns in rotation, so
    that a loaded machine slows all of them down alike.
    """
    with tempfile.TemporaryDirectory(prefix="daybook-bench-") as folder:
        async with open_server(Path(folder), is_durable=True) as server:
            urls = [await server.new_database(f"bench_{at}") for at in range(len(entered))]
            # Tables are made and processes warmed up; then it is seen what opening takes alone.
            await _run(replace(course, turns=course.warm_up, marks=()), entered, urls)
            opened = await _run(replace(course, turns=0, marks=()), entered, urls)
            figures = await _run(course, entered, urls)
    for taken, before in zip(figures, opened, strict=True):
        taken.transactions -= before.transactions
    return figures


async def _run(course: Course, entered: Sequence[Entrant], urls: Sequence[str]) -> list[Figures]:
    figures = [Figures(one.step, one.system, course) for one in entered]
    before = [(await _transactions(url), await _live_bytes(url)) for url in urls]
    async with (
        AsyncExitStack() as stack,
        await AsyncConnection.connect(urls[0], dbname="postgres", autocommit=True) as conn,
    ):
        contenders = [
            await stack.enter_async_context(one.opened(url))
            for one, url in zip(entered, urls, strict=True)
        ]
        for turn in range(1, course.turns + 1):
            for at, (contender, taken) in enumerate(zip(contenders, figures, strict=True)):
                # Transactions that were given an id are those that write: exact while nothing
                # else runs.
                commits = await _number(conn, "next_xid")
                taken.turns.append(await contender.turn())
                taken.commits.append(await _number(conn, "next_xid") - commits)
                if (steps := turn * course.per_turn) in course.marks:
                    live = await _live_bytes(urls[at])
                    taken.live[steps] = {n: live[n] - size for n, size in before[at][1].items()}
    for taken, url, (transactions, _) in zip(figures, urls, before, strict=True):
        taken.transactions = await _transactions(url) - transactions
    return figures


# -- what Postgres itself says --------------------------------------------------------------------


async def _transactions(url: str) -> int:
    """Count the committed transactions of a database, reads included (pg_stat_database).

    A connection reports up to a second late, or when it closes: this waits until all others are.
    """
    async with await AsyncConnection.connect(url, autocommit=True) as conn:

        async def is_alone() -> bool:
            return await _number(conn, "others") == 0

        await until(is_alone)
        return await _number(conn, "transactions")


async def _live_bytes(url: str) -> Mapping[str, int]:
    """Add up the rows of a database by table: `pg_column_size` of every column.

    This is what is stored, TOAST compression included; row headers and indexes are left out.
    """
    # One transaction: it is counted among the contender's.
    async with await AsyncConnection.connect(url) as conn:
        found = await (await conn.execute(_SQL["columns"], (list(TABLES),))).fetchall()
        sizes: dict[str, int] = {}
        for schema, table, columns in found:
            size = sql.SQL(" + ").join(
                sql.SQL("coalesce(pg_column_size({}), 0)").format(sql.Identifier(column))
                for column in columns
            )
            query = sql.SQL("select coalesce(sum({}), 0) from {}")
            cursor = await conn.execute(query.format(size, sql.Identifier(schema, table)))
            (total,) = await cursor.fetchone() or (0,)
            sizes[table] = sizes.get(table, 0) + int(total)
        return sizes


async def _number(conn: AsyncConnection, name: str) -> int:
    row = await (await conn.execute(_SQL[name])).fetchone()
    assert row is not None
    return int(row[0])


@dataclass(frozen=True)
class Limits:
    """What a step of Daybook may take.

    Attributes:
        times: of a step of create_agent's, in the first window and in the last.
        commits, transactions, live: a step, with the turn's share; live bytes at the end.
    """

    times: tuple[float, float]
    commits: float
    transactions: float
    live: float


LIMITS = {
    Kind.READ: Limits((1.0, 0.6), 4.0, 5.0, 3_000),
    Kind.AUTO_WRITE: Limits((1.3, 0.7), 5.0, 6.5, 4_000),
    Kind.APPROVED_WRITE: Limits((1.3, 0.9), 9.0, 12.0, 6_500),
}

REST = (1.5, 1.2)
"""What the rest of a turn may take of create_agent's, in the first window and in the last."""

EFFECTS = {"DBOS": 2.0, "call4agents": 1.5}
"""What a call of an effect may take of one of a rival's."""


def show(shown: Sequence[Figures], to: Console) -> bool:
    """Print all figures; tell whether every goal is reached."""
    course = shown[0].course
    end = course.steps
    first, last = course.windows.values()
    to.print(
        f"{end} steps a thread, {course.per_turn} in each turn. A step is one decision of "
        f"the model and its tool call; the tool returns {CHARACTERS} characters."
    )
    named = [f"{what}\n{steps}" for what in ("ms", "rest, ms") for steps in course.windows]
    more = ("commits\n", "trans-\nactions", "super-\nsteps")
    live = [f"live B\nat {mark}" for mark in course.marks]
    rows = [
        (
            taken.step,
            taken.system,
            *(f"{taken.ms(at):.1f}" for at in (first, last)),
            *(f"{taken.rest(at):.1f}" for at in (first, last)),
            f"{taken.cpu_per_step(last):.1f}",
            f"{taken.commits_per_step:.1f}",
            f"{taken.transactions_per_step:.1f}",
            f"{taken.super_steps:.0f}",
            *(f"{taken.live_per_step(mark):,.0f}" for mark in course.marks),
        )
        for taken in shown
    ]
    to.print(table(("step", "by", *named, f"cpu, ms\n{[*course.windows][1]}", *more, *live), rows))
    to.print(Path(__file__).with_name("notes.txt").read_text("utf-8"), end="")
    apart = [one for one in shown if one.system in ("daybook", "create_agent")]
    heads = (f"live B\nat {end}", *(f"{taken.system}\n{taken.step}" for taken in apart))
    sizes = [
        (name, *(f"{t.live[end][name] / end:,.0f}" if name in t.live[end] else "-" for t in apart))
        for name in sorted({name for taken in apart for name in taken.live[end]})
    ]
    to.print(table(heads, sizes))
    return print_goals(list(goals_of(shown)), to)


def goals_of(figures: Sequence[Figures]) -> Iterator[Goal]:
    """Yield the goals: beside create_agent and the rivals, commits, transactions and bytes."""
    course, by = figures[0].course, {(one.step, one.system): one for one in figures}
    before, end = course.marks[-2:]
    for kind, limits in LIMITS.items():
        ours, theirs = by[kind.label, "daybook"], by[kind.label, "create_agent"]
        for (steps, at), step, rest in zip(course.windows.items(), limits.times, REST, strict=True):
            for what, times, limit in (
                ("steps", ours.ms(at) / theirs.ms(at), step),
                ("rest of the turn, steps", ours.rest(at) / theirs.rest(at), rest),
            ):
                yield _at_most(f"{kind.label}, {what} {steps}", times, limit, "x create_agent")
        live, earlier = ours.live_per_step(end), ours.live_per_step(before)
        for what, taken, limit in (
            ("commits", ours.commits_per_step, limits.commits),
            ("transactions", ours.transactions_per_step, limits.transactions),
            (f"live bytes at {end}", live, limits.live),
            (f"live bytes at {end} beside those at {before}", live, earlier),
        ):
            yield _at_most(f"{kind.label}, {what}", taken, limit, "a step")
    for rival, limit in EFFECTS.items():
        times = by[EFFECT, "daybook"].ms() / by[EFFECT, rival].ms()
        yield _at_most("bare effect", times, limit, f"x {rival}")


def _at_most(what: str, measured: float, limit: float, unit: str) -> Goal:
    return Goal(what, f"{measured:,.2f} {unit}, at most {limit:,.2f}", measured <= limit)
