"""Print a report: the figures, where the live bytes are, and what is reached."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from rich.console import Console

from evals.bench.agents import CHARACTERS, Kind
from evals.bench.measure import Report
from evals.report import Goal, print_goals, table

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

_NOTES = """\
ms: median from one decision of the model to the next, everything between included. cpu: this
process alone, with the turn's share. rest of turn: before the first decision and after the last.
commits: transactions that wrote (ids that the server gave out); transactions: all, reads too
(pg_stat_database); both with the turn's share. live B: pg_column_size of all columns of the
thread's rows, per step, after pruning."""


def show(report: Report, to: Console) -> bool:
    """Print everything about a report; tell whether every goal is reached."""
    course, end = report.course, report.course.steps
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
        for taken in report.figures
    ]
    to.print(table(("step", "by", *titles, *more), rows))
    to.print(_NOTES)
    shown = [taken for taken in report.figures if taken.system in ("daybook", "create_agent")]
    heads = (f"live B\nat {end}", *(f"{taken.system}\n{taken.kind.label}" for taken in shown))
    sizes = [
        (name, *(f"{t.live[end][name] / end:,.0f}" if name in t.live[end] else "-" for t in shown))
        for name in sorted({name for taken in shown for name in taken.live[end]})
    ]
    to.print(table(heads, sizes))
    is_reached = print_goals(list(goals_of(report)), to)
    if report.durable_ms is None:
        to.print("skipped  beside DBOS: it is not installed; `make rivals` sets its environment up")
    return is_reached


def goals_of(report: Report) -> Iterator[Goal]:
    """Yield the goals: beside create_agent, bytes, commits, a purchase, beside DBOS."""
    course = report.course
    before, end = course.marks[-2:]
    windows = {0: f"1-{course.window}", -1: f"{course.steps - course.window + 1}-{course.steps}"}
    for kind in Kind:
        ours, theirs = report.of("daybook", kind), report.of("create_agent", kind)
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
    yield _at_most("a purchase", report.purchase_ms / 1000, PURCHASE, "s of the processor")
    if report.durable_ms is not None:
        ratio = report.of("daybook", Kind.AUTO_WRITE).step(0) / report.durable_ms
        yield _at_most("auto write", ratio, DURABLE, "x a step of DBOS")


def _at_most(what: str, measured: float, limit: float, unit: str) -> Goal:
    return Goal(what, f"{measured:,.2f} {unit}, at most {limit:,.2f}", measured <= limit)
