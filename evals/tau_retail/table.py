"""The tables: what was replayed and checked, and how often k trials under kills all succeed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from daybook.app.grading.verdict import Grade
from evals.tau_retail.judge import CHECKS, Check
from evals.tau_retail.live import Asked, Solved
from evals.tau_retail.marks import Place
from evals.tau_retail.outcome import Outcome
from evals.tau_retail.sample import pass_k

_SHOWN = 20
"""Failures that are told one by one."""


def show_replay(outcomes: Sequence[Outcome], console: Console) -> None:
    """Show the runs by who recorded them: how many there are, and how many pass each check."""
    table = Table(title="tau-retail, replayed", title_justify="left", box=box.MARKDOWN)
    for name in ("source", "model"):
        table.add_column(name)
    for name in ("runs", "calls", "writes", *CHECKS, "harness errors", "asked again"):
        table.add_column(name, justify="right")
    groups: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for one in outcomes:
        groups[one.source, one.model].append(one)
    for (source, model), some in sorted(groups.items()):
        table.add_row(source, model, *_counts(some))
    table.add_section()
    table.add_row("all", "", *_counts(outcomes))
    console.print(table)
    tell_failures(outcomes, console)


def _counts(some: Sequence[Outcome]) -> list[str]:
    return [
        str(len(some)),
        str(sum(one.calls for one in some)),
        str(sum(one.writes for one in some)),
        *(f"{sum(check not in one.failed for one in some)}/{len(some)}" for check in CHECKS),
        str(sum(Check.HARNESS in one.failed for one in some)),
        str(sum(one.asked_again for one in some)),
    ]


def tell_failures(outcomes: Iterable[Outcome], console: Console) -> None:
    """Name the checks that failed, the first of each run."""
    failed = [one for one in outcomes if not one.is_passed]
    for one in failed[:_SHOWN]:
        where = f" (trial {one.trial})" if one.trial else ""
        console.print(f"{one.player}{where}: {one.failures[0]}", markup=False)
    if len(failed) > _SHOWN:
        console.print(f"... and {len(failed) - _SHOWN} more; all of them are in the file.")


def show_chaos(outcomes: Sequence[Outcome], players: Sequence[str], console: Console) -> None:
    """Show what came of the trials, side by side."""
    trials = {
        player: [one for one in outcomes if one.player == player and one.trial]
        for player in players
    }
    console.print(_passes(trials))
    console.print(_failed(trials, outcomes))
    console.print(_fallen(trials))


def show_live(solved: Sequence[Solved], model: str, asked: Asked, console: Console) -> None:
    """Show how many tasks were solved, and what the steps were judged to be."""
    by_task: dict[str, list[bool]] = defaultdict(list)
    for one in solved:
        by_task[one.task_id].append(one.is_solved)
    whole = [some for some in by_task.values() if len(some) == asked.trials]
    console.print(f"{model}, with {asked.customer} as customer", markup=False)
    table = Table(title="tasks", title_justify="left", box=box.MARKDOWN)
    names = ("tasks", "trials", "database", "outputs", "broke off")
    ks = range(1, asked.trials + 1) if whole else ()
    for name in (*names, *(f"pass^{k}" for k in ks)):
        table.add_column(name, justify="right")
    table.add_row(
        str(len(whole)),
        str(len(solved)),
        str(sum(one.has_database for one in solved)),
        str(sum(one.has_outputs for one in solved)),
        str(sum(bool(one.error) for one in solved)),
        *(f"{pass_k(whole, k):.3f}" for k in ks),
    )
    console.print(table)
    console.print(_verdicts([one.grade for one in solved if one.grade is not None]))
    for one in solved:
        if one.error:
            console.print(f"task {one.task_id}, trial {one.trial}: {one.error}", markup=False)


def _verdicts(grades: Sequence[Grade]) -> Table:
    """Count the steps by verdict, and the wrong ones by what was found."""
    verdicts = [verdict for grade in grades for verdict in grade.verdicts]
    found = Counter(f.check for v in verdicts for f in v.findings if f.is_wrong)
    table = Table(title="steps", title_justify="left", box=box.MARKDOWN)
    names = ("conversations", "steps", "+1", "0", "-1", "tainted", "wasted tokens")
    for name in (*names, *sorted(found)):
        table.add_column(name, justify="right")
    tokens = sum(grade.tokens for grade in grades)
    wasted = sum(grade.wasted_tokens for grade in grades)
    table.add_row(
        str(len(grades)),
        str(len(verdicts)),
        *(str(sum(verdict.score == score for verdict in verdicts)) for score in (1, 0, -1)),
        str(sum(verdict.is_tainted for verdict in verdicts)),
        f"{wasted / tokens:.1%}" if tokens else "none",
        *(str(found[name]) for name in sorted(found)),
    )
    return table


def _passes(trials: dict[str, list[Outcome]]) -> Table:
    table = Table(title="pass^k under SIGKILL", title_justify="left", box=box.MARKDOWN)
    table.add_column("")
    most = max((one.trial for some in trials.values() for one in some), default=0)
    for name in ("runs", "trials", *(f"pass^{k}" for k in range(1, most + 1))):
        table.add_column(name, justify="right")
    for player, some in trials.items():
        by_run: dict[str, list[bool]] = defaultdict(list)
        for one in some:
            by_run[one.run_id].append(one.is_passed)
        whole = [passed for passed in by_run.values() if len(passed) == most]
        shown = [f"{pass_k(whole, k):.3f}" for k in range(1, most + 1)] if whole else []
        table.add_row(player, str(len(whole)), str(len(some)), *shown)
    return table


def _failed(trials: dict[str, list[Outcome]], outcomes: Sequence[Outcome]) -> Table:
    table = Table(title="what failed, of the trials", title_justify="left", box=box.MARKDOWN)
    table.add_column("")
    names = (
        "undisturbed",
        *CHECKS,
        "harness",
        "writes done twice",
        "answered by key",
        "asked again",
    )
    for name in names:
        table.add_column(name, justify="right")
    for player, some in trials.items():
        alone = [one for one in outcomes if one.player == player and not one.trial]
        table.add_row(
            player,
            f"{sum(one.is_passed for one in alone)}/{len(alone)} pass" if alone else "",
            *(str(sum(check in one.failed for one in some)) for check in (*CHECKS, Check.HARNESS)),
            str(sum(one.duplicates for one in some)),
            str(sum(one.repeats for one in some)),
            str(sum(one.asked_again for one in some)),
        )
    return table


def _fallen(trials: dict[str, list[Outcome]]) -> Table:
    table = Table(
        title="where the kills fell, and how many of those trials failed",
        title_justify="left",
        box=box.MARKDOWN,
    )
    table.add_column("")
    for player in trials:
        table.add_column(player, justify="right")
    fell = {player: _by_place(some) for player, some in trials.items()}
    for place in Place:
        table.add_row(
            place,
            *(f"{kills[place]} ({failed[place]})" for kills, failed in fell.values()),
        )
    table.add_section()
    totals = (kills.total() - kills[Place.OVER] for kills, _ in fell.values())
    table.add_row("kills of what was not over", *map(str, totals))
    return table


def _by_place(some: Sequence[Outcome]) -> tuple[Counter[str], Counter[str]]:
    kills = Counter(place for one in some for place in one.kills)
    failed = Counter(p for one in some if not one.is_passed for p in set(one.kills))
    return kills, failed
