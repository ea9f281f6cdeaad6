"""Print what the matrix has shown: one row beside the peers', and the counts by fault point."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from evals.crash import cells
from evals.crash.cells import Blow, Cell
from evals.crash.judge import Verdict
from evals.crash.script import DECLINED
from evals.crash.shop import LAG, MODES, Mode
from evals.crash.world import BUDGET

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
    late = [v for v in verdicts if isinstance(v.cell.blow, cells.Late)]
    vain = sum(v.looked_in_vain for v in late)
    if late:
        console.print(
            f"Of the {len(late)} effects that the shop performed late, {vain} had been looked for "
            "in vain before."
        )
    wrong = [verdict for verdict in verdicts if verdict.wrong]
    console.print(f"\n{len(verdicts)} cells, {len(wrong)} of them not as promised.")


def peers_table(verdicts: Sequence[Verdict]) -> Table:
    """Make the row that stands beside the peers'."""
    table = Table(box=box.MARKDOWN)
    for title in (
        "",
        "duplicates in 13 crashes, blind / keyed",
        "in 4 time-outs, blind / keyed",
        "model called again",
        "approvals asked again",
        "finishes by itself",
        "declined card leaves a hold",
        "crash then cancel leaves hold / orphan charge",
    ):
        table.add_column(title)
    crashes = _named(verdicts, cells.peers_crashes())
    time_outs = _named(verdicts, cells.time_outs())
    declined = [v for v in verdicts if v.cell.script is DECLINED]
    cancelled = _named(verdicts, cells.cancelled_after())
    table.add_row(
        "daybook",
        _both(crashes, lambda v: v.duplicates),
        _both(time_outs, lambda v: v.duplicates),
        _either(crashes, lambda v: v.extra_calls),
        _either(crashes, lambda v: v.asked_again),
        _by_itself(crashes),
        _yes(sum(v.holds_left for v in declined)) if declined else "-",
        f"{sum(v.holds_left for v in cancelled)} / {sum(v.charges_left for v in cancelled)}"
        if cancelled
        else "-",
    )
    return table


def points_table(verdicts: Sequence[Verdict]) -> Table:
    """Make the counts by what went wrong in the cells."""
    table = Table(box=box.MARKDOWN)
    table.add_column("killed", no_wrap=True)
    for title in (
        "cells",
        "duplicates",
        "lost",
        "holds left",
        "model calls extra",
        "asked again",
        "in doubt",
        "broken promises",
    ):
        table.add_column(title, justify="right")
    rows = {row: [v for v in verdicts if row_of(v.cell.blow) == row] for row in _ROWS}
    for row, of_it in [*rows.items(), ("all", verdicts)]:
        if of_it:
            table.add_row(row, *(f"{count:,}" for count in _counts(of_it)))
    return table


_ROWS = (
    "nothing",
    "after_lock",
    "before_run",
    "before_commit",
    "after_commit",
    "before_request",
    "performed, no reply",
    "after_reply",
    "before_look",
    "after_look",
    "before_model",
    "after_model",
    "before_checkpoint",
    "after_checkpoint",
    "before_prune",
    "while a question waits",
    "and then the order is cancelled",
    "the one that takes over, too",
    "at a random instant",
    "Postgres",
    "the shop",
    "Postgres and the shop",
    "nothing; no reply in time",
    "nothing; performed after the look",
)


def row_of(blow: Blow) -> str:
    """Name the row in which a cell is counted."""
    match blow:
        case cells.KilledAt(moment=moment):
            return moment.point.value
        case cells.KilledWhenPerformed() | cells.TakenOver():
            return "performed, no reply"
        case cells.KilledTwice():
            return "the one that takes over, too"
        case cells.KilledWaiting():
            return "while a question waits"
        case cells.KilledThenCancelled():
            return "and then the order is cancelled"
        case cells.KilledAtInstant():
            return "at a random instant"
        case cells.Outage(postgres=postgres, shop=shop):
            both = "Postgres and the shop"
            return both if postgres and shop else "Postgres" if postgres else "the shop"
        case cells.TimedOut():
            return "nothing; no reply in time"
        case cells.Late():
            return "nothing; performed after the look"
        case cells.Undisturbed():
            return "nothing"


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


def _yes(count: int) -> str:
    return "yes" if count else "no"
