"""Print what the strangers have shown: each service, by its class of guarantee and what struck."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from tests.strangers.cells import (
    Blow,
    Faulty,
    KilledAt,
    KilledTwice,
    KilledWhenPerformed,
    Lied,
    Suspended,
)
from tests.strangers.judge import CLASSES, Verdict, may_doubt

_ASSUMED = """\
once: a doubt counts as broken. A doubt is lawful where neither a key nor a look-up can tell (slack),
where a refund is refused for good, where an error is kept under its key (stripe_v1), and of answers
that show something else than was asked for (wrong). Each was answered from the service's record.
twice: stands twice at the end, or was given back twice. lost: told as done and not there, or charged
and neither ordered nor given back. falsely undone: the only effect of its operation, given back
though nothing had refused the order."""


def show(verdicts: Sequence[Verdict], console: Console) -> None:
    """Print everything."""
    console.print(table_of(verdicts))
    console.print(_ASSUMED)
    wrong = [verdict for verdict in verdicts if verdict.wrong]
    kills = sum(verdict.kills for verdict in verdicts)
    missed = sum(verdict.is_missed for verdict in verdicts)
    console.print(
        f"\n{len(verdicts)} cells, {kills} kills, {len(wrong)} cells not as promised; "
        f"the moment of {missed} kills did not come."
    )


def table_of(verdicts: Sequence[Verdict]) -> Table:
    """Make a row of each service, class and kind of blow, and one of all."""
    table = Table(box=box.MARKDOWN)
    for title in ("service", "the other side", "struck"):
        table.add_column(title, no_wrap=True)
    for title in (
        "cells",
        "kills",
        "twice",
        "lost",
        "in doubt",
        "of it unlawful",
        "falsely undone",
        "not as promised",
    ):
        table.add_column(title, justify="right")
    for service, promise in CLASSES.items():
        for row in _ROWS:
            some = [v for v in verdicts if v.cell.service == service and row_of(v.cell.blow) == row]
            if some:
                table.add_row(service, promise, row, *_counts(some))
    table.add_row("all", "", "", *_counts(verdicts))
    return table


_ROWS = (
    "nothing",
    "killed",
    "killed when done",
    "killed twice",
    "suspended",
    "the service",
    "wrong answers",
)


def row_of(blow: Blow) -> str:
    """Name the row in which a cell is counted."""
    match blow:
        case KilledAt():
            return "killed"
        case KilledWhenPerformed():
            return "killed when done"
        case KilledTwice():
            return "killed twice"
        case Suspended():
            return "suspended"
        case Faulty():
            return "the service"
        case Lied():
            return "wrong answers"
        case _:
            return "nothing"


def _counts(some: Sequence[Verdict]) -> list[str]:
    counts = (
        len(some),
        sum(v.kills for v in some),
        sum(v.twice for v in some),
        sum(v.lost for v in some),
        sum(v.in_doubt for v in some),
        sum(v.in_doubt for v in some if not may_doubt(v.cell)),
        sum(v.falsely_undone for v in some),
        sum(bool(v.wrong) for v in some),
    )
    return [f"{count:,}" for count in counts]
