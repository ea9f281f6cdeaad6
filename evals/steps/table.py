"""Print verdicts, agreement with the references, and how well the checks find faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from daybook.app.grading.verdict import Check, Grade
from evals.steps.matching import Agreement, Overlap
from evals.steps.validation import ALARMS, DETECTED, Row


def show_verdicts(grades: Sequence[Grade], console: Console) -> None:
    """Print how many steps are right, for nothing and wrong, and what each check found."""
    verdicts = [verdict for graded in grades for verdict in graded.verdicts]
    scores = Counter(verdict.score for verdict in verdicts)
    tainted = sum(verdict.is_tainted for verdict in verdicts)
    wasted = sum(graded.wasted_tokens for graded in grades)
    tokens = sum(graded.tokens for graded in grades)
    console.print(
        f"{len(grades):,} threads, {len(verdicts):,} steps: {scores[1]:,} right (+1), "
        f"{scores[0]:,} neither (0), {scores[-1]:,} wrong (-1), {tainted:,} tainted; "
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
    for graded in grades:
        for note in graded.notes:
            console.print(f"{graded.thread_id}: {note}")


def show_agreement(agreements: Iterable[Agreement], console: Console) -> None:
    """Print how far the calls are those of the references, over all threads."""
    both = list(agreements)
    table = _table("calls and references", "wanted", "found", "fit", "precision", "recall", "F1")
    for name, overlaps in (
        ("paired off, without order", [one.paired for one in both]),
        ("longest run in order", [one.ordered for one in both]),
    ):
        total = sum(overlaps, Overlap(0, 0, 0))
        counts = (total.wanted, total.found, total.matched)
        shares = (total.precision, total.recall, total.f1)
        table.add_row(name, *map(str, counts), *(f"{share:.3f}" for share in shares))
    console.print(table)


def show_validation(
    name: str, rows: Sequence[Row], console: Console, *, is_clean: bool = True
) -> bool:
    """Print what was found of each class of faults; tell whether the thresholds are kept.

    Args:
        is_clean: the trajectories are known to be right. Else what is found on them without a fault
            is shown and counts for nothing, and a class may have no place there.
    """
    console.print(
        f"\n{name}: at least {DETECTED:.0%} of the faults of each class are to be found, and "
        f"something on at most {ALARMS:.0%} of the right steps."
    )
    table = _table(
        "fault", "check", "put in", "found", "share", "alarms, clean", "alarms, beside", ""
    )
    marks = [_mark(row, is_clean) for row in rows]
    for row, mark in zip(rows, marks, strict=True):
        table.add_row(
            row.fault.name,
            row.fault.check.value if row.fault.check else "taint",
            str(row.detected.of),
            str(row.detected.hits),
            _share(row.detected.share),
            f"{_share(row.alarms.share)} of {row.alarms.of:,}",
            f"{_share(row.beside.share)} of {row.beside.of:,}",
            mark,
        )
    console.print(table)
    for row in rows:
        for example in (*row.detected.examples, *row.beside.examples):
            console.print(f"  {row.fault.name}: {example}", soft_wrap=True)
    return not any(mark == _MISSED or (is_clean and mark) for mark in marks)


_MISSED = "MISSED"


def _mark(row: Row, is_clean: bool) -> str:
    """Say in a word what is wrong with a row."""
    if not row.detected.of:
        return "no place"
    return "" if row.is_found and (row.is_quiet or not is_clean) else _MISSED


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(columns):
        is_number = place and name not in ("check", "an example", "")
        table.add_column(name, justify="right" if is_number else "left", overflow="fold")
    return table


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"
