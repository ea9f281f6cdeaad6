"""Print a report: one table of figures, where the live bytes are, and where the time goes."""

from __future__ import annotations

import statistics

from rich import box
from rich.console import Console
from rich.table import Table

from evals.bench.figures import Course, Figures, Report
from evals.bench.world import CHARACTERS, Kind

LIVE_LIMIT = 3000
"""Live bytes per step that Daybook may keep."""

_FLAT = 1.05


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
    for line in (*time_lines(report), *goal_lines(report)):
        console.print(line)


_NOTES = (
    "ms: median from one decision of the model to the next, everything between included; 'rest of "
    "turn' is what a turn costs beside its steps. Commits: transactions that wrote "
    "(pg_current_snapshot), and all transactions, reads too (pg_stat_database), each with the "
    "turn's share. Live: pg_column_size of all columns of the thread's rows, after pruning."
)


def figures_table(report: Report) -> Table:
    """Make the table of time, commits, super-steps and bytes, one row a contender."""
    course = report.course
    first, last = f"1-{course.window}", f"{course.steps - course.window + 1}-{course.steps}"
    table = _table("step", "by")
    for title in (
        f"ms {first}",
        f"ms {last}",
        "rest of turn ms",
        "writing commits",
        "all transactions",
        "super-steps",
        *(f"live B at {mark}" for mark in course.marks),
    ):
        table.add_column(title, justify="right")
    for taken in report.figures:
        table.add_row(
            taken.kind.title,
            taken.system,
            f"{taken.early_ms(course):.1f}",
            f"{taken.late_ms(course):.1f}",
            f"{taken.late_rest_ms(course):.1f}",
            f"{commits_per_step(taken, course):.1f}",
            f"{taken.transactions / course.steps:.1f}",
            f"{statistics.median(taken.super_steps):.0f}",
            *(f"{taken.live_per_step(mark):,.0f}" for mark in course.marks),
        )
    return table


def live_table(report: Report) -> Table:
    """Make the table of live bytes per step by table of the database, at the end."""
    end = report.course.marks[-1]
    table = _table(f"live B at {end} in", "")
    for taken in report.figures:
        table.add_column(f"{taken.kind.title} {taken.system}", justify="right")
    table.columns.pop(1)
    for name in sorted({name for taken in report.figures for name in taken.live[end]}):
        kept = [taken.live[end].get(name) for taken in report.figures]
        table.add_row(name, *("-" if b is None else f"{b / end:,.0f}" for b in kept))
    return table


def time_lines(report: Report) -> list[str]:
    """Say how much of Daybook's step is waiting for the disk."""
    lines = [
        f"fdatasync of 8 kB takes {report.sync_ms:.2f} ms here, the smallest query "
        f"{report.round_trip_ms:.2f} ms."
    ]
    for taken in report.figures:
        commits, whole = commits_per_step(taken, report.course), taken.late_ms(report.course)
        lines.append(
            f"{taken.system}, {taken.kind.title}: {commits:.1f} writing commits make "
            f"{commits * report.sync_ms:.1f} ms of {whole:.1f} ms"
        )
    return lines


def goal_lines(report: Report) -> list[str]:
    """Say of each goal whether it is reached."""
    course, lines = report.course, []
    for kind in Kind:
        ours, theirs = report.of("daybook", kind), report.of("create_agent", kind)
        end, before = course.marks[-1], course.marks[0 if len(course.marks) < 3 else 1]
        live, earlier = ours.live_per_step(end), ours.live_per_step(before)
        lines += [
            _goal(
                live <= LIVE_LIMIT,
                f"{kind.title}: {live:,.0f} live bytes a step at {end}, at most {LIVE_LIMIT:,}",
            ),
            _goal(
                live <= earlier * _FLAT,
                f"{kind.title}: flat, {earlier:,.0f} bytes at {before} and {live:,.0f} at {end}",
            ),
            _goal(
                ours.late_ms(course) < theirs.late_ms(course),
                f"{kind.title}: {ours.late_ms(course):.1f} ms a step at {end}, create_agent "
                f"{theirs.late_ms(course):.1f}",
            ),
        ]
    return lines


def commits_per_step(taken: Figures, course: Course) -> float:
    """Return the writing commits per step, with the turn's share: the median of all turns."""
    return statistics.median(taken.commits) / course.per_turn


def _goal(reached: bool, sentence: str) -> str:
    return f"{'reached' if reached else 'MISSED '}  {sentence}"


def _table(*left: str) -> Table:
    table = Table(box=box.MARKDOWN)
    for title in left:
        table.add_column(title)
    return table
