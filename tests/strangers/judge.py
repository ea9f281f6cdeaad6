"""Judge a cell: from what its service really did, its ledger, and what its person was told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from daybook.state.ledger.recovery import Event
from tests.strangers.cells import (
    Cell,
    Faulty,
    KilledAt,
    KilledTwice,
    KilledWhenPerformed,
    Lied,
    Undisturbed,
)
from tests.strangers.run import Evidence

Class = Literal["key, failures kept", "key, failures forgotten", "probe, D known", "neither"]

CLASSES: Mapping[str, Class] = {
    "stripe_v1": "key, failures kept",
    "stripe_v2": "key, failures forgotten",
    "duplicate": "key, failures forgotten",
    "accepted": "probe, D known",
    "eventual": "probe, D known",
    "wrong": "probe, D known",
    "proxied": "probe, D known",
    "paged": "probe, D known",
    "reusing": "probe, D known",
    "limiting": "probe, D known",
    "unfiltered": "probe, D known",
    "slack": "neither",
}
"""What each service guarantees, as the table of promises names it."""


@dataclass(frozen=True)
class Verdict:
    """Hold the counts of a cell.

    Attributes:
        twice: effects beyond the first that stand at the end, and refunds beyond the first.
        lost: what the person was told is done and is not there, or charged and given nothing for.
        in_doubt: questions whether something happened, each answered from the service's record.
        falsely_undone: effects that were the only ones of their operation, and were undone.
        wrong: each promise that was broken, as a sentence.
        kills: processes that were killed; fewer than wanted where a moment did not come this time.
    """

    cell: Cell
    twice: int
    lost: int
    in_doubt: int
    falsely_undone: int
    wrong: Sequence[str]
    kills: int = 0

    @property
    def is_missed(self) -> bool:
        """Tell whether nobody was killed although somebody should have been: it shows nothing."""
        return self.kills == 0 and isinstance(
            self.cell.blow, KilledAt | KilledWhenPerformed | KilledTwice
        )


def judge(cell: Cell, evidence: Evidence, effects: Sequence[Mapping[str, Any]]) -> Verdict:
    """Judge one cell.

    Args:
        effects: all that its service did, for whomever.
    """
    mine = [one for one in effects if one["customer"] == cell.thread]
    by_kind = {kind: [e for e in mine if e["effect"] == kind] for kind in _KINDS}
    given_back = Counter(one["of"] for one in by_kind["refund"])
    standing = [one for one in by_kind["charge"] if one["id"] not in given_back]
    orders = by_kind["order"]
    said = _said(evidence)
    twice = _beyond(len(standing)) + _beyond(len(orders)) + sum(map(_beyond, given_back.values()))
    is_unpaid = bool(orders) and not standing
    lost = int(said.startswith("buy confirmed") and not (standing and orders))
    lost += int(bool(standing) and not orders)
    falsely = int(is_unpaid or _is_undone_without_reason(cell, given_back, standing))
    doubts = [e for e in evidence.entries if e.event in (Event.IN_DOUBT, Event.UNDO_STUCK)]
    wrong = [
        (twice > 0, f"happened twice: {_names(mine)}"),
        (lost > 0, f"lost: {_names(mine)}, and the person was told: {said}"),
        (falsely > 0, f"undone although it was the only one: {_names(mine)}"),
        (bool(doubts) and not may_doubt(cell), f"in doubt without need: {_why(doubts)}"),
        (_must_succeed(cell) and not orders, f"it was not done, though nothing refused it: {said}"),
        (bool(evidence.broken), evidence.broken),
        *_of_the_processes(cell, evidence),
    ]
    return Verdict(
        cell,
        twice,
        lost,
        len(doubts),
        falsely,
        [why for broken, why in wrong if broken],
        sum(run.killed for run in evidence.runs),
    )


def may_doubt(cell: Cell) -> bool:
    """Tell whether a doubt is lawful: where neither key nor look-up can tell.

    Where no failure is kept and no D is known, a decline beside an attempt without answer is never
    final. A refund that is refused for good is stuck, an error that is kept under its key comes back for
    as long as the key lives, and of what shows something else a machine cannot say whose it is.
    """
    if CLASSES[cell.service] == "neither":
        return True
    if cell.service in _NEVER_FINAL and cell.script == "undone":
        return not isinstance(cell.blow, Undisturbed)
    match cell.blow:
        case Lied():
            return True
        case Faulty(kind="refund", mode="decline"):
            return True
        case Faulty(mode="error before" | "error after"):
            return CLASSES[cell.service] == "key, failures kept"
        case _:
            return False


_NEVER_FINAL = frozenset({"stripe_v2"})
"""Services that keep no failure and name no D: beside an attempt without answer no decline is final."""

_KINDS = ("charge", "refund", "order")


def _beyond(count: int) -> int:
    return max(0, count - 1)


def _is_undone_without_reason(
    cell: Cell, given_back: Mapping[str, int], standing: Sequence[Any]
) -> bool:
    """Tell whether the only charge was given back although nothing refused the order."""
    return cell.script == "bought" and bool(given_back) and not standing and not _may_fail(cell)


def _may_fail(cell: Cell) -> bool:
    """Tell whether what goes wrong may be the end of the purchase."""
    match cell.blow:
        case Lied():
            return False
        case Faulty(mode="decline"):
            return True
        case Faulty(mode="error before"):
            return CLASSES[cell.service] == "key, failures kept"
        case _:
            return False


def _must_succeed(cell: Cell) -> bool:
    return cell.script == "bought" and not _may_fail(cell) and not isinstance(cell.blow, Lied)


def _said(evidence: Evidence) -> str:
    last = evidence.runs[-1].found
    return last["end"]["answer"] if last and last["end"] else ""


def _names(effects: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(f"{one['effect']} {one['id']}" for one in effects) or "nothing"


def _why(doubts: Sequence[Any]) -> str:
    return "; ".join(f"{entry.op}: {entry.reason}" for entry in doubts)


def _of_the_processes(cell: Cell, evidence: Evidence) -> list[tuple[bool, str]]:
    last = evidence.runs[-1]
    end = last.found and last.found["end"]
    return [
        (not end, f"it did not come to its end: {last.found and last.found['error']}"),
        (bool(end and (end["left"] or end["asks"])), f"something is left: {end}"),
        (bool(end and not end["answer"]), "the person has no answer"),
    ]


def not_run(cell: Cell, why: str) -> Verdict:
    """Say that a cell could not be run."""
    return Verdict(cell, 0, 0, 0, 0, [f"it could not be run: {why}"])
