"""The tables: what was replayed and checked, and how often k trials under kills all succeed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from daybook.app.grading.grade import Grade
from evals.report import table
from evals.tau_retail.judge import CHECKS, Check, Outcome, pass_k
from evals.tau_retail.live import Asked, Solved


def show_replay(outcomes: Sequence[Outcome], to: Console) -> None:
    """Show the runs by who recorded them: how many there are, and how many pass each check."""
    groups: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for one in outcomes:
        groups[one.source, one.model].append(one)
    rows = [(source, model, *_counts(some)) for (source, model), some in sorted(groups.items())]
    titles = ("source", "model", "runs", "calls", "writes", *CHECKS, "harness errors")
    to.print("tau-retail, replayed")
    to.print(table((*titles, "asked again"), [*rows, ("all", "", *_counts(outcomes))]))


def _counts(some: Sequence[Outcome]) -> tuple[object, ...]:
    return (
        len(some),
        sum(one.calls for one in some),
        sum(one.writes for one in some),
        *(f"{sum(check not in one.failed for one in some)}/{len(some)}" for check in CHECKS),
        sum(Check.HARNESS in one.failed for one in some),
        sum(one.asked_again for one in some),
    )


def show_chaos(outcomes: Sequence[Outcome], to: Console) -> None:
    """Show what came of the trials."""
    alone, some = [[o for o in outcomes if bool(o.trial) is killed] for killed in (False, True)]
    most = max((one.trial for one in some), default=0)
    by_run: dict[str, list[bool]] = defaultdict(list)
    for one in some:
        by_run[one.run_id].append(one.is_passed)
    whole = [passed for passed in by_run.values() if len(passed) == most]
    ks = range(1, most + 1) if whole else ()
    titles = ("pass^k under SIGKILL", "trials", "kills", *(f"pass^{k}" for k in ks))
    passed = (f"{pass_k(whole, k):.3f}" for k in ks)
    row = (f"{len(whole)} runs", len(some), sum(one.kills for one in some), *passed)
    to.print(table(titles, [row]))
    checks = (*CHECKS, Check.HARNESS)
    titles = ("what failed, of the trials", *checks, "writes done twice", "answered by key")
    counts = (
        *(sum(check in one.failed for one in some) for check in checks),
        sum(one.duplicates for one in some),
        sum(one.repeats for one in some),
        sum(one.asked_again for one in some),
    )
    undisturbed = f"{sum(one.is_passed for one in alone)}/{len(alone)} pass undisturbed"
    to.print(table((*titles, "asked again"), [(undisturbed, *counts)]))


def show_live(solved: Sequence[Solved], model: str, asked: Asked, to: Console) -> None:
    """Show how many tasks were solved, and what the steps were judged to be."""
    by_task: dict[str, list[bool]] = defaultdict(list)
    for one in solved:
        by_task[one.task_id].append(one.is_solved)
    whole = [some for some in by_task.values() if len(some) == asked.trials]
    ks = range(1, asked.trials + 1) if whole else ()
    to.print(f"{model}, with {asked.customer} as customer", markup=False)
    row = (
        len(whole),
        len(solved),
        sum(one.has_database for one in solved),
        sum(one.has_outputs for one in solved),
        sum(bool(one.error) for one in solved),
        *(f"{pass_k(whole, k):.3f}" for k in ks),
    )
    titles = ("tasks", "trials", "database", "outputs", "broke off")
    to.print(table((*titles, *(f"pass^{k}" for k in ks)), [row]))
    to.print(_verdicts([one.grade for one in solved if one.grade is not None]))
    for one in solved:
        if one.error:
            to.print(f"task {one.task_id}, trial {one.trial}: {one.error}", markup=False)


def _verdicts(grades: Sequence[Grade]) -> Table:
    """Count the steps by verdict, and the wrong ones by what was found."""
    verdicts = [verdict for grade in grades for verdict in grade.verdicts]
    found = Counter(f.check for v in verdicts for f in v.findings if f.is_wrong)
    tokens = sum(grade.tokens for grade in grades)
    wasted = sum(grade.wasted_tokens for grade in grades)
    row = (
        len(grades),
        len(verdicts),
        *(sum(verdict.score == score for verdict in verdicts) for score in (1, 0, -1)),
        f"{wasted / tokens:.1%}" if tokens else "none",
        *(found[name] for name in sorted(found)),
    )
    titles = ("conversations", "steps", "+1", "0", "-1", "wasted tokens")
    return table((*titles, *sorted(found)), [row])
