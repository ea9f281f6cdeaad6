"""The table of a measurement, and which goals were reached."""

from __future__ import annotations

import os
from collections.abc import Sequence

from rich.console import Console

from evals.load.course import Cell, Killed
from evals.load.people import Seen
from evals.report import Goal, table

MOST_CONNECTIONS = 12
"""Of one process, whatever the load."""

_CORES = os.cpu_count() or 1

_BEYOND = 0.9
"""More people bring less than this of what they would, if the server kept up: beyond the knee."""


def goals_of(cells: Sequence[Cell]) -> list[Goal]:
    """Say what had to hold of all rows, and whether it did."""
    cut = sum(one.cut for one in cells)
    failed = sum(sum(one.seen.failed.values()) for one in cells)
    impolite = sum(one.seen.impolite for one in cells)
    refused = sum(sum(one.seen.refused.values()) for one in cells)
    each = max(one.cost.connections / (one.processes + 1) for one in cells)
    return [
        _once(sum(len(o.found.duplicates) for o in cells), sum(len(o.found.lost) for o in cells)),
        _none("nothing else left in ledger or shop", sum(len(one.found.others) for one in cells)),
        _ended([one.seen for one in cells]),
        _none("answers that broke off or timed out: none", cut),
        _none("turns that ended with an error: none", failed),
        Goal(
            "refusals all say when to come back", f"{refused - impolite} of {refused}", not impolite
        ),
        Goal(
            f"connections of a process, the worker's among them: at most {MOST_CONNECTIONS}",
            f"{each:.1f}",
            each <= MOST_CONNECTIONS,
        ),
    ]


def goals_of_kills(killed: Killed) -> list[Goal]:
    """Say what had to hold while processes were killed, and whether it did."""
    found, seen = killed.found, killed.seen
    left = [*found.unknown, *found.left]
    return [
        _once(len(found.duplicates), len(found.lost)),
        _ended([seen]),
        _none("holds left: none", found.holds_left),
        Goal("nothing else left in ledger or shop", ", ".join(left[:3]) or "nothing", not left),
        Goal(
            "what was approved was done",
            f"{found.done} of {found.approved}",
            found.done == found.approved,
        ),
        _none("answers that timed out: none", seen.broken["timed out"]),
    ]


def _once(twice: int, lost: int) -> Goal:
    return Goal("effects done twice, and lost: none", f"{twice}, {lost}", not (twice or lost))


def _none(what: str, count: int) -> Goal:
    return Goal(what, f"{count}", not count)


def _ended(all_seen: Sequence[Seen]) -> Goal:
    stranded = sum(seen.stranded for seen in all_seen)
    return _none("people who could not end what they had begun: none", stranded)


def told_of(killed: Killed) -> str:
    """Say in a line what happened."""
    seen = killed.seen
    return (
        f"{killed.kills} processes that answered and {killed.workers} workers were killed under "
        f"load; {seen.purchases} purchases, {killed.found.effects} effects, {len(seen.turns)} "
        f"turns; mails in doubt, which people settled: {killed.doubts}; "
        f"answers that broke off and were asked for again: {dict(seen.broken)}; "
        f"turns that ended with an error and were said again: {dict(seen.failed)}"
    )


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which this share of them lies; not a number of none."""
    if not values:
        return float("nan")
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def show(cells: Sequence[Cell], to: Console) -> None:
    """Print a row for each number of people at each number of processes."""
    heads = ("processes", "people", "purchases a second", "a core", "turns")
    more = ("p50 s", "p95 s", "p99 s", "refused", "cut", "CPU ms a turn", "connections", "")
    to.print("People shop in a closed loop, over HTTP, with tokens")
    to.print(table((*heads, *more), map(_row, cells, _knees(cells))))
    best = max(cells, key=lambda cell: cell.a_second)
    to.print(
        f"At most {best.a_second / _CORES:.2f} purchases a second and core ({_CORES} cores, for "
        "the shop, Postgres, Redis and the people too). What answers over HTTP took "
        f"{best.cost.cpu_s / max(1, best.seen.purchases):.2f} s of a core for each, and "
        f"{best.cost.cpu_s / best.cost.seconds / _CORES:.0%} of all cores meanwhile."
    )
    for cell in cells:
        if cell.seen.rejoined:
            to.print(f"{cell.people} people, {cell.processes}: rejoined: {cell.seen.rejoined}")
        for what, counted in (("broke off", cell.seen.broken), ("failed", cell.seen.failed)):
            if counted:
                to.print(f"{cell.people} people, {cell.processes}: {what}: {dict(counted)}")
        for one in cell.found.others[:5]:
            to.print(f"{cell.people} people, {cell.processes}: left: {one}")


def _row(cell: Cell, knee: str) -> tuple[object, ...]:
    turns = cell.seen.turns
    return (
        *(cell.processes, cell.people, f"{cell.a_second:.2f}"),
        *(f"{cell.a_second / _CORES:.2f}", len(turns)),
        *(f"{percentile(turns, share):.2f}" for share in (0.5, 0.95, 0.99)),
        *(sum(cell.seen.refused.values()), cell.cut),
        *(f"{1000 * cell.cost.cpu_s / max(1, len(turns)):.0f}", cell.cost.connections, knee),
    )


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
