"""Print what the matrix has shown: one row beside the peers', and the counts by fault point."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.table import Table

from evals.crash import cells
from evals.crash.cells import Cell
from evals.crash.judge import Verdict
from evals.crash.script import DECLINED
from evals.crash.shop import LAG, MODES, Mode
from evals.crash.world import BUDGET
from evals.report import table

_ASSUMED = f"""\
keyed: the shop honours idempotency keys; blind: it ignores them. Settings of these runs: an attempt
may take {BUDGET:g} s (default 5), the shop's effects lag at most {LAG:g} s, so D is {LAG + 0.5:g} \
s, and 2 s for mail.
One question for approval covers the plan of four effects; the model is asked 4 times, since the
checkout is a plan that it only triggers (the peers' models: 7 calls, 4 approvals). A model call is
one request at the provider. In doubt: a mail alone, which honours no key and cannot be looked up;
each was put to a person with the evidence, and answered from the shop's record. What a person said
to a process that died before it had stored it was said again, as any client must.
Assumed: committed rows are not lost (processes are killed, not machines; fsync is off), D is true,
what people answer is true."""


def show(verdicts: Sequence[Verdict], console: Console) -> None:
    """Print everything."""
    console.print(peers_table(verdicts))
    console.print(points_table(verdicts))
    console.print(_ASSUMED)
    late = [v for v in verdicts if v.cell.kind == "late"]
    if late:
        console.print(
            f"Of the {len(late)} effects that the shop performed late, "
            f"{sum(v.looked_in_vain for v in late)} had been looked for in vain before."
        )
    wrong = [verdict for verdict in verdicts if verdict.wrong]
    console.print(f"\n{len(verdicts)} cells, {len(wrong)} of them not as promised.")


def peers_table(verdicts: Sequence[Verdict]) -> Table:
    """Make the row that stands beside the peers'."""
    crashes = _named(verdicts, cells.peers_crashes())
    time_outs = _named(verdicts, cells.of_endpoints("time-out"))
    declined = [v for v in verdicts if v.cell.script is DECLINED]
    cancelled = _named(verdicts, cells.cancelled_after())
    orphans = (sum(v.holds_left for v in cancelled), sum(v.charges_left for v in cancelled))
    leaves = "yes" if sum(v.holds_left for v in declined) else "no"
    return table(
        (
            "",
            "duplicates in 13 crashes, blind / keyed",
            "in 4 time-outs, blind / keyed",
            "model called again",
            "approvals asked again",
            "finishes by itself",
            "declined card leaves a hold",
            "crash then cancel leaves hold / orphan charge",
        ),
        [
            (
                "daybook",
                _both(crashes, lambda v: v.duplicates),
                _both(time_outs, lambda v: v.duplicates),
                _either(crashes, lambda v: v.extra_calls),
                _either(crashes, lambda v: v.asked_again),
                _by_itself(crashes),
                leaves if declined else "-",
                f"{orphans[0]} / {orphans[1]}" if cancelled else "-",
            )
        ],
    )


_ROWS = {
    "undisturbed": "nothing",
    "performed": "performed, no reply",
    "taken-over": "performed, no reply",
    "waiting": "while a question waits",
    "cancelled-after": "and then the order is cancelled",
    "twice": "the one that takes over, too",
    "instant": "at a random instant",
    "time-out": "nothing; no reply in time",
    "late": "nothing; performed after the look",
}
_OUTAGES = {
    "postgres": "Postgres",
    "shop": "the shop",
    "postgres+shop": "Postgres and the shop",
}


def row_of(cell: Cell) -> str:
    """Name the row in which a cell is counted."""
    if cell.kind == "killed" and cell.moment is not None:
        return cell.moment.point.value
    return _OUTAGES[cell.about] if cell.kind == "outage" else _ROWS[cell.kind]


def points_table(verdicts: Sequence[Verdict]) -> Table:
    """Make the counts by what went wrong in the cells."""
    rows: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        rows.setdefault(row_of(verdict.cell), []).append(verdict)
    return table(
        (
            "killed",
            "cells",
            "duplicates",
            "lost",
            "holds left",
            "model calls extra",
            "asked again",
            "in doubt",
            "broken promises",
        ),
        [(row, *_counts(of_it)) for row, of_it in [*rows.items(), ("all", verdicts)]],
    )


def _counts(verdicts: Sequence[Verdict]) -> tuple[int, ...]:
    return (
        len(verdicts),
        sum(v.duplicates for v in verdicts),
        sum(v.lost for v in verdicts),
        sum(v.holds_left for v in verdicts),
        sum(v.extra_calls for v in verdicts),
        sum(v.asked_again for v in verdicts),
        sum(v.in_doubt for v in verdicts),
        sum(bool(v.wrong) for v in verdicts),
    )


def _named(verdicts: Sequence[Verdict], wanted: Sequence[Cell]) -> list[Verdict]:
    names = {cell.name for cell in wanted}
    return [verdict for verdict in verdicts if verdict.cell.name in names]


def _of(verdicts: Sequence[Verdict], mode: Mode, count: Callable[[Verdict], int]) -> int:
    return sum(count(verdict) for verdict in verdicts if verdict.cell.mode == mode)


def _both(verdicts: Sequence[Verdict], count: Callable[[Verdict], int]) -> str:
    return f"{_of(verdicts, 'blind', count)} / {_of(verdicts, 'keyed', count)}"


def _either(verdicts: Sequence[Verdict], count: Callable[[Verdict], int]) -> str:
    """Count as the peers' column does: in one mode, whichever is worse."""
    return str(max(_of(verdicts, mode, count) for mode in MODES))


def _by_itself(verdicts: Sequence[Verdict]) -> str:
    """Count as the peers' column does: in one mode, whichever is worse."""
    per_mode = [[v for v in verdicts if v.cell.mode == mode] for mode in MODES]
    worst = min(per_mode, key=lambda them: sum(v.by_itself is True for v in them))
    return f"{sum(v.by_itself is True for v in worst)} of {len(worst)}"
