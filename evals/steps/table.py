"""Print verdicts, and recall and precision of the checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from daybook.app.grading.checks import Check
from daybook.app.grading.grade import Grade
from evals.steps.validation import ALARMS, RECALL, Rate, Row

_MISSED = "MISSED"


def show_verdicts(grades: Sequence[Grade], console: Console) -> None:
    """Print how many steps are right, for nothing and wrong, and the findings of each check."""
    verdicts = [verdict for graded in grades for verdict in graded.verdicts]
    scores = Counter(verdict.score for verdict in verdicts)
    wasted = sum(graded.wasted_tokens for graded in grades)
    tokens = sum(graded.tokens for graded in grades)
    console.print(
        f"{len(grades):,} threads, {len(verdicts):,} steps: {scores[1]:,} right (+1), "
        f"{scores[0]:,} neither (0), {scores[-1]:,} wrong (-1); "
        f"{wasted:,} of {tokens:,} prompt tokens wasted."
    )
    table = _table("check", "wrong", "doubtful", "an example")
    for check in Check:
        found = [
            (verdict, one) for verdict in verdicts for one in verdict.findings if one.check is check
        ]
        wrong = sum(one.is_wrong for _, one in found)
        example = f"{found[0][0].step}: {found[0][1].why}" if found else ""
        table.add_row(check.value, str(wrong), str(len(found) - wrong), example[:90])
    console.print(table)


def show_validation(
    name: str, rows: Sequence[Row], clean: Rate, console: Console, *, is_right: bool = True
) -> bool:
    """Print recall and precision for each class of faults; return whether thresholds are kept.

    Args:
        clean: findings on the trajectories without a fault.
        is_right: the trajectories are known to be right. Otherwise findings on them are shown and
            count for nothing, and a class may have no place in them.
    """
    console.print(
        f"\n{name}: at least {RECALL:.0%} of the faults of each class must be found, with findings "
        f"on at most {ALARMS:.0%} of the right steps.\n"
        f"Without a fault: findings on {clean.hits:,} of {clean.of:,} steps."
    )
    table = _table("fault", "check", "put in", "found", "recall", "alarms", "precision", "")
    is_kept = not is_right or (clean.share or 0.0) <= ALARMS
    for row in rows:
        has_place = bool(row.found.of)
        mark = ("" if row.is_kept else _MISSED) if has_place else "no place"
        is_kept = is_kept and (not mark or (not has_place and not is_right))
        table.add_row(
            row.fault.name,
            row.fault.check.value,
            str(row.found.of),
            str(row.found.hits),
            _share(row.found.share),
            f"{row.alarms.hits} of {row.alarms.of:,}",
            _share(row.precision),
            mark,
        )
    console.print(table)
    for example in clean.examples:
        console.print(f"  without a fault: {example}", soft_wrap=True, markup=False)
    for row in rows:
        for example in (*row.found.examples, *row.alarms.examples):
            console.print(f"  {row.fault.name}: {example}", soft_wrap=True, markup=False)
    return is_kept


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(columns):
        is_number = place and name not in ("check", "an example", "")
        table.add_column(name, justify="right" if is_number else "left", overflow="fold")
    return table


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"
