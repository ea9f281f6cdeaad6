"""The table of a measurement, and which goals were reached."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from evals.load.measure import Cell, percentile
from evals.load.people import Seen

MOST_CONNECTIONS = 12
"""Of one process, whatever the load."""

_BEYOND = 0.9
"""More people bring less than this of what they would, if the server kept up: beyond the knee."""


@dataclass(frozen=True)
class Goal:
    """What is to hold, and what was seen."""

    what: str
    seen: str
    is_reached: bool


def goals_of(cells: Sequence[Cell]) -> list[Goal]:
    """Say what had to hold of all rows, and whether it did."""
    cut = sum(one.cut for one in cells)
    failed = sum(sum(one.seen.failed.values()) for one in cells)
    impolite = sum(one.seen.impolite for one in cells)
    refused = sum(sum(one.seen.refused.values()) for one in cells)
    twice, lost = sum(one.twice for one in cells), sum(one.lost for one in cells)
    left = sum(len(one.others) for one in cells)
    each = max(one.cost.connections / (one.processes + 1) for one in cells)
    return [
        Goal("effects done twice, and lost: none", f"{twice}, {lost}", not (twice or lost)),
        Goal("nothing else left in ledger or shop", f"{left}", not left),
        ended(one.seen for one in cells),
        Goal("answers that broke off or timed out: none", f"{cut}", not cut),
        Goal("turns that ended with an error: none", f"{failed}", not failed),
        Goal(
            "refusals all say when to come back", f"{refused - impolite} of {refused}", not impolite
        ),
        Goal(
            f"connections of a process, the worker's among them: at most {MOST_CONNECTIONS}",
            f"{each:.1f}",
            each <= MOST_CONNECTIONS,
        ),
    ]


def ended(all_seen: Iterable[Seen]) -> Goal:
    """Say whether everybody came to the end of what they had begun."""
    stranded = sum(seen.stranded for seen in all_seen)
    return Goal("people who could not end what they had begun: none", f"{stranded}", not stranded)


def show(cells: Sequence[Cell], console: Console) -> None:
    """Print a row for each number of people at each number of processes."""
    table = Table(title="People shop in a closed loop, over HTTP, with tokens", show_lines=False)
    heads = ("processes", "people", "purchases a second", "turns", "p50 s", "p95 s", "p99 s")
    more = ("let in p99 s", "refused", "cut", "CPU ms a turn", "connections", "")
    for head in (*heads, *more):
        table.add_column(head, justify="right")
    for cell, knee in zip(cells, _knees(cells), strict=True):
        turns = cell.seen.turns
        table.add_row(
            *(f"{cell.processes}", f"{cell.people}", f"{cell.a_second:.2f}", f"{len(turns)}"),
            *(f"{percentile(turns, share):.2f}" for share in (0.5, 0.95, 0.99)),
            f"{percentile(cell.seen.let_in, 0.99):.2f}",
            *(f"{sum(cell.seen.refused.values())}", f"{cell.cut}"),
            f"{1000 * cell.cost.cpu_s / max(1, len(turns)):.0f}",
            f"{cell.cost.connections}",
            knee,
        )
    console.print(table)
    for cell in cells:
        for what, counted in (("broke off", cell.seen.broken), ("failed", cell.seen.failed)):
            if counted:
                console.print(f"{cell.people} people, {cell.processes}: {what}: {dict(counted)}")
        for one in cell.others[:5]:
            console.print(f"{cell.people} people, {cell.processes}: left: {one}")


def show_goals(goals: Sequence[Goal], console: Console) -> bool:
    """Print what was reached and what was missed; tell whether all was reached."""
    for goal in goals:
        word = "reached" if goal.is_reached else "MISSED"
        console.print(f"{word:<8} {goal.what}: {goal.seen}")
    return all(goal.is_reached for goal in goals)


def _knees(cells: Sequence[Cell]) -> list[str]:
    """Say in which row the server no longer kept up with the people of the row before it."""
    said, before = [], None
    for cell in cells:
        if before is None or before.processes != cell.processes:
            said.append("")
        else:
            wanted = before.a_second * cell.people / before.people
            said.append("" if cell.a_second >= _BEYOND * wanted else "beyond the knee")
        before = cell
    return said
