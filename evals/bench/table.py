"""Print a report: the figures, where the live bytes are, where the time goes, what is reached."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table

from evals.bench.figures import Report
from evals.bench.world import CHARACTERS, Kind

LIVE_LIMIT = 3000
"""Live bytes per step that Daybook may keep."""

RATIO = {Kind.READ: 0.8, Kind.AUTO_WRITE: 1.0, Kind.APPROVED_WRITE: 1.0}
"""What a step may take of create_agent's."""

COMMITS = {Kind.READ: 4.0, Kind.AUTO_WRITE: 6.0, Kind.APPROVED_WRITE: 11.0}
"""Writing commits per step, with the turn's share."""

PURCHASE = 0.12
"""Seconds of the serving process's processor that a purchase may take."""

DURABLE = 1.5
"""What an automatic write may take of a step of DBOS that has the same effect."""

_COMPARED = ("daybook", "create_agent")
"""Whose rest is told too."""

_NOTES = """\
ms: median from one decision of the model to the next, everything between included. cpu: this
process alone, with the turn's share. rest of turn: before the first decision and after the last.
commits: transactions that wrote (ids that the server gave out); transactions: all, reads too
(pg_stat_database); both with the turn's share. live B: pg_column_size of all columns of the
thread's rows, per step, after pruning."""


def show(report: Report, console: Console) -> None:
    """Print everything about a report."""
    course = report.course
    console.print(
        f"{course.steps} steps a thread, {course.per_turn} in each turn. A step is one decision of "
        f"the model and its tool call; the tool returns {CHARACTERS} characters."
    )
    console.print(figures_table(report))
    console.print(_NOTES)
    console.print(live_table(report))
    for line in (*time_lines(report), "", *goal_lines(report)):
        console.print(line)


def figures_table(report: Report) -> Table:
    """Make the table of time, commits, super-steps and bytes, one row a contender."""
    course = report.course
    first, last = f"1-{course.window}", f"{course.steps - course.window + 1}-{course.steps}"
    table = Table(box=box.MARKDOWN)
    table.add_column("step", no_wrap=True)
    table.add_column("by", no_wrap=True)
    for title in (
        f"ms\n{first}",
        f"ms\n{last}",
        "cpu\nms",
        "rest of\nturn ms",
        "commits\n",
        "trans-\nactions",
        "super-\nsteps",
        *(f"live B\nat {mark}" for mark in course.marks),
    ):
        table.add_column(title, justify="right", no_wrap=True)
    for taken in report.figures:
        table.add_row(
            taken.kind.label,
            taken.system,
            f"{taken.early_ms(course):.1f}",
            f"{taken.late_ms(course):.1f}",
            f"{taken.late_cpu_ms(course):.1f}",
            f"{taken.late_rest_ms(course):.1f}",
            f"{taken.commits_per_step(course):.1f}",
            f"{taken.transactions / course.steps:.1f}",
            f"{statistics.median(taken.super_steps):.0f}",
            *(f"{taken.live_per_step(mark):,.0f}" for mark in course.marks),
        )
    return table


def live_table(report: Report) -> Table:
    """Make the table of live bytes per step by table of the database, at the end."""
    end = report.course.steps
    table = Table(box=box.MARKDOWN)
    table.add_column(f"live B\nat {end}", no_wrap=True)
    shown = [taken for taken in report.figures if taken.system in _COMPARED]
    for taken in shown:
        title = f"{taken.system}\n{taken.kind.label}"
        table.add_column(title, justify="right", no_wrap=True)
    for name in sorted({name for taken in shown for name in taken.live[end]}):
        kept = [taken.live[end].get(name) for taken in shown]
        table.add_row(name, *("-" if b is None else f"{b / end:,.0f}" for b in kept))
    return table


def time_lines(report: Report) -> list[str]:
    """Say how much of a step is waiting for the disk, if every commit waited."""
    before, after = report.sync_ms
    low, high = sorted(report.sync_ms)
    lines = [
        f"Here fdatasync of 8 kB took {before:.2f} ms before the run and {after:.2f} ms after it; "
        f"the smallest query {report.round_trip_ms:.2f} ms."
    ]
    for taken in (one for one in report.figures if one.system in _COMPARED):
        commits, whole = taken.commits_per_step(report.course), taken.late_ms(report.course)
        lines.append(
            f"{taken.kind.label} of {taken.system}: {commits:.1f} commits wait at most "
            f"{commits * low:.1f} to {commits * high:.1f} of {whole:.1f} ms for the disk"
        )
    return lines


@dataclass(frozen=True)
class Goal:
    """One target: what was measured, and what it may be at most."""

    of: str
    measured: float
    limit: float
    unit: str

    @property
    def is_reached(self) -> bool:
        """Tell whether it is reached, as far as the line shows it."""
        return self.measured <= self.limit

    @property
    def line(self) -> str:
        """Say it in a line."""
        verdict = "reached" if self.is_reached else "MISSED "
        return f"{verdict}  {self.of}: {self.measured:,.2f} {self.unit}, at most {self.limit:,.2f}"


def goals_of(report: Report) -> list[Goal]:
    """Return the targets: beside create_agent, bytes, commits, a purchase, beside DBOS."""
    course, goals = report.course, list[Goal]()
    before, end = course.marks[-2:]
    first, last = f"1-{course.window}", f"{course.steps - course.window + 1}-{course.steps}"
    for kind in Kind:
        ours, theirs = report.of("daybook", kind), report.of("create_agent", kind)
        name, most = kind.label, RATIO[kind]
        early = ours.early_ms(course) / theirs.early_ms(course)
        late = ours.late_ms(course) / theirs.late_ms(course)
        rests = (
            ours.early_rest_ms(course) / theirs.early_rest_ms(course),
            ours.late_rest_ms(course) / theirs.late_rest_ms(course),
        )
        goals += [
            Goal(f"{name}, steps {first}", early, most, "x create_agent"),
            Goal(f"{name}, steps {last}", late, most, "x create_agent"),
            Goal(f"{name}, rest of the turn, steps {first}", rests[0], 1, "x create_agent"),
            Goal(f"{name}, rest of the turn, steps {last}", rests[1], 1, "x create_agent"),
            Goal(f"{name}, commits", ours.commits_per_step(course), COMMITS[kind], "a step"),
            Goal(f"{name}, live bytes at {end}", ours.live_per_step(end), LIVE_LIMIT, "a step"),
            Goal(
                f"{name}, live bytes at {end} beside those at {before}",
                ours.live_per_step(end),
                ours.live_per_step(before),
                "a step",
            ),
        ]
    goals.append(Goal("a purchase", report.purchase_ms / 1000, PURCHASE, "s of the processor"))
    if report.durable_ms is not None:
        ours_ms = report.of("daybook", Kind.AUTO_WRITE).early_ms(course)
        goals.append(Goal("auto write", ours_ms / report.durable_ms, DURABLE, "x a step of DBOS"))
    return goals


def goal_lines(report: Report) -> list[str]:
    """Say of each target whether it is reached."""
    lines = [goal.line for goal in goals_of(report)]
    if report.durable_ms is None:
        lines.append(
            "skipped  beside DBOS: it is not installed; `make rivals` sets its environment up"
        )
    return lines
