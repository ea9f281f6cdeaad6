"""The tables: how often all trials pass, the faults by judge, tokens and seconds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import ceil
from statistics import median

from rich.console import Console

from evals.live.judging import Judge
from evals.live.meter import Call
from evals.live.playing import Played
from evals.report import table
from evals.tau_retail.judge import pass_k


def show(played: Sequence[Played], trials: int, console: Console) -> None:
    """Print each conversation, the faults of those that failed, and the totals."""
    titles = ("conversations", "passed", *Judge, "findings", "calls", "seconds")
    console.print(table(titles, _conversations(played)))
    for one in played:
        for fault in one.faults:
            told = f"{one.name}, trial {one.trial}: {fault.judge}: {fault.why}"
            console.print(told, markup=False, soft_wrap=True)
    console.print(table(("total", ""), _sums(played, trials)))


def passes(played: Sequence[Played], k: int) -> float:
    """Return pass^k of the conversations that have as many trials; 0 where none has."""
    by_name: dict[str, list[bool]] = defaultdict(list)
    for one in played:
        by_name[one.name].append(one.is_passed)
    whole = [some for some in by_name.values() if len(some) >= k]
    return pass_k(whole, k) if whole else 0.0


def _conversations(played: Sequence[Played]) -> Iterator[tuple[object, ...]]:
    by_name: dict[str, list[Played]] = defaultdict(list)
    for one in played:
        by_name[one.name].append(one)
    for name, some in by_name.items():
        found = (sum(any(f.judge is judge for f in one.faults) for one in some) for judge in Judge)
        calls = [call for one in some for call in one.calls]
        yield (
            name,
            f"{sum(one.is_passed for one in some)}/{len(some)}",
            *(count or "" for count in found),
            sum(len(one.claims) for one in some) or "",
            len(calls),
            f"{sum(call.seconds for call in calls):.1f}",
        )


def _sums(played: Sequence[Played], trials: int) -> Iterator[tuple[str, object]]:
    for k in range(1, trials + 1):
        yield f"pass^{k}", f"{passes(played, k):.3f}"
    for judge in Judge:
        failed = sum(any(fault.judge is judge for fault in one.faults) for one in played)
        yield f"trials that fail by {judge}", f"{failed} of {len(played)}"
    yield "findings of the receipts check", sum(len(one.claims) for one in played)
    calls = [call for one in played for call in one.calls]
    yield "model calls", len(calls)
    yield "tokens", _tokens(calls)
    if calls:
        seconds = sorted(call.seconds for call in calls)
        yield "seconds a call, median", f"{median(seconds):.2f}"
        yield "seconds a call, p95", f"{seconds[ceil(0.95 * len(seconds)) - 1]:.2f}"


def _tokens(calls: Sequence[Call]) -> str:
    counted = [call.tokens for call in calls if call.tokens is not None]
    if not counted:
        return "unknown: the server counts none"
    read, written, cached = (sum(tokens[at] for tokens in counted) for at in range(3))
    uncounted = len(calls) - len(counted)
    note = f" (without {uncounted} calls that have no count)" if uncounted else ""
    return f"{read:,} read ({cached:,} of a cache), {written:,} written{note}"
