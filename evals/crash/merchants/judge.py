"""Judge a purchase by the shop's own record, and by what its person was told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evals.crash.merchants.cells import Cell
from evals.forking import Ended


@dataclass(frozen=True)
class Verdict:
    """What became of a cell.

    Attributes:
        twice: orders, and charges, beyond the first.
        lost: 1 where there is no order, or the thread does not know the one that there is.
        left: sessions that hold goods and came to no order, by whoever opened them.
        untold: those of them of which nobody was told.
        doubts: how often its person was asked what became of a step.
        wrong: each promise that was broken, as a sentence.
    """

    cell: Cell
    twice: int
    lost: int
    left: int
    untold: int
    doubts: int
    wrong: tuple[str, ...]


def verdict_of(
    cell: Cell,
    effects: Sequence[Mapping[str, Any]],
    ends: Sequence[Ended],
    unmet: Sequence[Mapping[str, Any]] = (),
) -> Verdict:
    """Judge a cell by the shop's effects, and how its processes ended; the last one tells the end.

    Args:
        unmet: faults that were planned and that nothing has met.
    """
    found = ends[-1].found
    happened = Counter(one["effect"] for one in effects)
    placed = [one["detail"]["order_id"] for one in effects if one["effect"] == "order"]
    known = found["orders"] if found else []
    twice = max(0, happened["order"] - 1) + max(0, happened["charge"] - 1)
    lost = int(not placed or known != placed[:1])
    left = max(0, happened["reserve"] - happened["release"] - happened["order"])
    told = found["told"] + len(found["open"]) if found else 0
    untold = max(0, left - told)
    error = found["error"] if found else "it was killed"
    killed = sum(one.killed for one in ends)
    refunds = [line for line in (found["shown"] if found else ()) if "refund" in line]
    wrong = [
        (twice > 0, f"happened twice: {dict(happened)}"),
        (lost > 0, f"lost: the shop has {placed}, the thread {known}"),
        (untold > 0, f"{left} sessions are left, and {told} are told of: {dict(happened)}"),
        (bool(refunds), f"what was forged is believed: {refunds}"),
        (bool(error), f"it did not come to its end: {error}"),
        (
            killed != cell.kill_count,
            f"{killed} were killed, and it should have been {cell.kill_count}",
        ),
        (bool(unmet), f"nothing met {list(unmet)}"),
        (any(one.log for one in ends if not one.killed), f"it wrote: {ends[-1].log[-500:]}"),
    ]
    doubts = sum(one["what"] == "doubt" for one in found["did"]) if found else 0
    sentences = tuple(why for is_so, why in wrong if is_so)
    return Verdict(cell, twice, lost, left, untold, doubts, sentences)
