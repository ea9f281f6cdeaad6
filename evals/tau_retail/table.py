"""The tables: what was replayed and checked, and how often k trials under kills all succeed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from rich.console import Console

from evals.report import table
from evals.tau_retail.judge import CHECKS, Check, Outcome, pass_k


def show_replay(outcomes: Sequence[Outcome], to: Console) -> None:
    """Show the runs by who recorded them: how many there are, and how many pass each check."""
    groups: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for one in outcomes:
        groups[one.script.source, one.script.model].append(one)
    rows = [(source, model, *_counts(some)) for (source, model), some in sorted(groups.items())]
    titles = ("source", "model", "runs", "calls", "writes", *CHECKS, "harness errors")
    to.print("tau-retail, replayed")
    to.print(table((*titles, "asked again"), [*rows, ("all", "", *_counts(outcomes))]))


def _counts(some: Sequence[Outcome]) -> tuple[object, ...]:
    return (
        len(some),
        sum(len(one.script.calls) for one in some),
        sum(len(one.script.writes) for one in some),
        *(f"{sum(check not in one.failed for one in some)}/{len(some)}" for check in CHECKS),
        sum(Check.HARNESS in one.failed for one in some),
        sum(one.evidence.asked_again for one in some),
    )


def show_chaos(outcomes: Sequence[Outcome], to: Console) -> None:
    """Show what came of the trials."""
    alone, some = [[o for o in outcomes if bool(o.trial) is killed] for killed in (False, True)]
    most = max((one.trial for one in some), default=0)
    by_run: dict[str, list[bool]] = defaultdict(list)
    for one in some:
        by_run[one.script.run_id].append(one.is_passed)
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
        sum(one.evidence.repeats for one in some),
        sum(one.evidence.asked_again for one in some),
    )
    undisturbed = f"{sum(one.is_passed for one in alone)}/{len(alone)} pass undisturbed"
    to.print(table((*titles, "asked again"), [(undisturbed, *counts)]))
