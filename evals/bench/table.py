"""Print a report: the figures, where the live bytes are, where the time goes, what is reached."""

from __future__ import annotations

import statistics

from rich import box
from rich.console import Console
from rich.table import Table

from evals.bench.figures import Report
from evals.bench.world import CHARACTERS, Kind

LIVE_LIMIT = 3000
"""Live bytes per step that Daybook may keep."""

_COMPARED = ("daybook", "create_agent")
"""Whose rest is told too; without traces, Daybook has a line of the first table and no more."""

_NOTES = """\
ms: median from one decision of the model to the next, everything between included. cpu: this
process alone, with the turn's share. rest of turn: before the first decision and after the last.
commits: transactions that wrote (ids that the server gave out); transactions: all, reads too
(pg_stat_database); both with the turn's share. live B: pg_column_size of all columns of the
thread's rows, per step, after pruning. no traces: with DAYBOOK_TRACES=off."""


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


def goal_lines(report: Report) -> list[str]:
    """Say of each goal whether it is reached: bytes, flatness, and ahead of create_agent."""
    course, lines = report.course, []
    before, end = course.marks[-2:]
    for kind in Kind:
        ours, theirs = report.of("daybook", kind), report.of("create_agent", kind)
        earlier, live = ours.live_per_step(before), ours.live_per_step(end)
        our_ms, their_ms = ours.late_ms(course), theirs.late_ms(course)
        lines += [
            f"{_verdict(live <= LIVE_LIMIT)}  {kind.label}: {live:,.0f} live bytes a step at {end},"
            f" at most {LIVE_LIMIT:,}",
            f"{_verdict(live <= earlier)}  {kind.label}: flat, {earlier:,.0f} live bytes a step at "
            f"{before} and {live:,.0f} at {end}",
            f"{_verdict(our_ms < their_ms)}  {kind.label}: {our_ms:.1f} ms a step at the end, "
            f"create_agent {their_ms:.1f}",
        ]
    return lines


def _verdict(reached: bool) -> str:
    return "reached" if reached else "MISSED "
