"""Print what the matrix of merchants has shown, by what went wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from evals.crash.merchants.cells import MODES, PERFORMED, Cell
from evals.crash.merchants.judge import Verdict
from evals.crash.moments import Moment

_EVENTS = {
    "drop": "is lost",
    "double": "comes twice",
    "forge": "is forged first",
    "late": "comes late",
    "early": "comes before the answer",
}
_FAULTS = {
    "drop": "nothing; the answer is lost",
    "late": "nothing; performed after the caller gave up",
    "timeout": "nothing; no answer in time",
}


def row_of(cell: Cell) -> str:
    """Name the row in which a cell is counted."""
    if cell.again:
        return "the one that takes over, too"
    if cell.webhook:
        what = "performed, no reply" if cell.kills else "answer lost" if cell.fault else "nothing"
        return f"{what}; the event {_EVENTS[cell.webhook]}"
    if cell.kills == PERFORMED:
        return "performed, no reply"
    if cell.kills:
        return Moment.read(cell.kills).point.value
    return _FAULTS.get(cell.fault, "nothing")


def show(verdicts: Sequence[Verdict], answered: Mapping[int, int], console: Console) -> None:
    """Print everything.

    Args:
        answered: how many events were answered by which status.
    """
    console.print(_table(verdicts))
    taken = sum(n for status, n in answered.items() if status < 300)
    console.print(
        f"{len(verdicts)} purchases, {sum(one.twice for one in verdicts)} orders twice, "
        f"{sum(one.lost for one in verdicts)} lost; {sum(one.left for one in verdicts)} sessions "
        f"left to run out ({_left_where(verdicts)}), {sum(one.untold for one in verdicts)} of them "
        f"without being told; {taken} events taken in, {answered.get(401, 0)} forged ones refused; "
        f"{sum(bool(one.wrong) for one in verdicts)} not as promised."
    )


def _left_where(verdicts: Sequence[Verdict]) -> str:
    return ", ".join(
        f"{sum(one.left for one in verdicts if one.cell.keys == mode)} where keys are {mode}"
        for mode in MODES
    )


def _table(verdicts: Sequence[Verdict]) -> Table:
    table = Table(box=box.MARKDOWN)
    table.add_column("killed", no_wrap=True)
    for title in (
        "cells",
        "orders twice",
        "lost",
        "sessions left, honoured / ignored",
        "untold",
        "in doubt",
        "broken promises",
    ):
        table.add_column(title, justify="right")
    rows: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        rows.setdefault(row_of(verdict.cell), []).append(verdict)
    for row, of_it in [*rows.items(), ("all", list(verdicts))]:
        left = (sum(v.left for v in of_it if v.cell.keys == mode) for mode in MODES)
        table.add_row(
            row,
            str(len(of_it)),
            str(sum(v.twice for v in of_it)),
            str(sum(v.lost for v in of_it)),
            " / ".join(map(str, left)),
            str(sum(v.untold for v in of_it)),
            str(sum(v.doubts for v in of_it)),
            str(sum(bool(v.wrong) for v in of_it)),
        )
    return table
