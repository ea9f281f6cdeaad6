"""The tables: how often all trials pass, the faults by judge, tokens and seconds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import ceil
from statistics import median

from rich import box
from rich.console import Console
from rich.table import Table

from evals.live.judging import Judge
from evals.live.meter import Call
from evals.live.playing import Played
from evals.tau_retail.sample import pass_k


def show(played: Sequence[Played], trials: int, console: Console) -> None:
    """Print each conversation, the faults of those that failed, and the totals."""
    console.print(_conversations(played))
    for one in played:
        for fault in one.faults:
            told = f"{one.name}, trial {one.trial}: {fault.judge}: {fault.why}"
            console.print(told, markup=False, soft_wrap=True)
    console.print(_sums(played, trials))


def passes(played: Sequence[Played], k: int) -> float:
    """Return pass^k of the conversations that have as many trials; 0 where none has."""
    by_name: dict[str, list[bool]] = defaultdict(list)
    for one in played:
        by_name[one.name].append(one.is_passed)
    whole = [some for some in by_name.values() if len(some) >= k]
    return pass_k(whole, k) if whole else 0.0


def _conversations(played: Sequence[Played]) -> Table:
    table = Table(title="conversations", title_justify="left", box=box.MARKDOWN)
    table.add_column("")
    for name in ("passed", *Judge, "findings", "calls", "seconds"):
        table.add_column(name, justify="right")
    by_name: dict[str, list[Played]] = defaultdict(list)
    for one in played:
        by_name[one.name].append(one)
    for name, some in by_name.items():
        found = (sum(any(f.judge is judge for f in one.faults) for one in some) for judge in Judge)
        calls = [call for one in some for call in one.calls]
        table.add_row(
            name,
            f"{sum(one.is_passed for one in some)}/{len(some)}",
            *(str(count) if count else "" for count in found),
            str(sum(len(one.claims) for one in some) or ""),
            str(len(calls)),
            f"{sum(call.seconds for call in calls):.1f}",
        )
    return table


def _sums(played: Sequence[Played], trials: int) -> Table:
    table = Table(title="total", title_justify="left", box=box.MARKDOWN)
    table.add_column("")
    table.add_column("", justify="right")
    for k in range(1, trials + 1):
        table.add_row(f"pass^{k}", f"{passes(played, k):.3f}")
    for judge in Judge:
        failed = sum(any(fault.judge is judge for fault in one.faults) for one in played)
        table.add_row(f"trials that fail by {judge}", f"{failed} of {len(played)}")
    table.add_row("findings of the receipts check", str(sum(len(one.claims) for one in played)))
    calls = [call for one in played for call in one.calls]
    table.add_row("model calls", str(len(calls)))
    table.add_row("tokens", _tokens(calls))
    if calls:
        seconds = sorted(call.seconds for call in calls)
        table.add_row("seconds a call, median", f"{median(seconds):.2f}")
        table.add_row("seconds a call, p95", f"{seconds[ceil(0.95 * len(seconds)) - 1]:.2f}")
    return table


def _tokens(calls: Sequence[Call]) -> str:
    counted = [call.tokens for call in calls if call.tokens is not None]
    if not counted:
        return "unknown: the server counts none"
    read, written, cached = (sum(tokens[at] for tokens in counted) for at in range(3))
    uncounted = len(calls) - len(counted)
    note = f" (without {uncounted} calls that have no count)" if uncounted else ""
    return f"{read:,} read ({cached:,} of a cache), {written:,} written{note}"
