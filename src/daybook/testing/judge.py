"""Judge a cell by what its provider did, and by its ledger and thread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from daybook.testing.cells import Cell
from daybook.testing.processes import Ended
from daybook.testing.wrong_answers import STRANGER


@dataclass(frozen=True)
class Evidence:
    """Hold what a cell left behind.

    Attributes:
        effects: the provider's record.
        runs: how its processes ended, in order.
    """

    effects: Sequence[Mapping[str, Any]]
    runs: Sequence[Ended]

    @property
    def end(self) -> Mapping[str, Any] | None:
        """Return where thread and ledger stand, or None if the last process did not say."""
        last = self.runs[-1].found
        return last["end"] if last else None

    @property
    def passed(self) -> Sequence[str]:
        """Return the moments that the last process passed."""
        last = self.runs[-1].found
        return last["passed"] if last else ()


@dataclass(frozen=True)
class Expected:
    """Hold what the undisturbed run of a script came to.

    Attributes:
        done: kind to how many of its effects stand at the end.
        undone: kind to how many were done and undone.
        undoes: kind to the kind that undoes it.
        kinds: tool to the kind of effect that it has.
    """

    done: Mapping[str, int] = field(default_factory=dict)
    undone: Mapping[str, int] = field(default_factory=dict)
    undoes: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_done(self) -> bool:
        """Tell whether the script ends with something done."""
        return bool(self.done)


@dataclass(frozen=True)
class Verdict:
    """Hold the counts of a cell.

    Attributes:
        twice: effects beyond the first that stand at the end, and undos beyond the first.
        lost: what the ledger says is done and is not there, and what was done halfway.
        unsaid: what exists although the ledger says that it does not, unreported.
        in_doubt: questions whether something happened, each answered from the provider's record.
        falsely_undone: effects that were the only ones of their operation, and were undone.
        wrong: each promise that was broken, as a sentence.
        kills: processes that were killed.
        seconds: how long its processes ran.
    """

    cell: Cell
    twice: int = 0
    lost: int = 0
    unsaid: int = 0
    in_doubt: int = 0
    falsely_undone: int = 0
    wrong: Sequence[str] = ()
    kills: int = 0
    seconds: float = 0.0

    @property
    def is_missed(self) -> bool:
        """Tell whether nobody was killed although someone should have been: it shows nothing."""
        return self.kills == 0 and self.cell.is_kill


MayDoubt: TypeAlias = Callable[[Cell], bool]
MayFail: TypeAlias = Callable[[Cell], bool]


def may_fail(cell: Cell) -> bool:
    """Tell whether what goes wrong may be the end of what was wanted."""
    return cell.blow == "fault" and cell.detail in ("decline", "error before", "error after")


def expected_of(effects: Sequence[Mapping[str, Any]], end: Mapping[str, Any] | None) -> Expected:
    """Read from an undisturbed run what its script comes to."""
    mine = _mine(effects)
    undone = {one["of"]: one["effect"] for one in mine if one["undoes"]}
    forward = [one for one in mine if not one["undoes"]]
    # The steps of the ledger and the provider's record are in the same order.
    done = [one for one in (end or {}).get("steps", ()) if one["state"] in ("done", "undone")]
    return Expected(
        Counter(one["effect"] for one in forward if one["id"] not in undone),
        Counter(one["effect"] for one in forward if one["id"] in undone),
        {one["effect"]: undone[one["id"]] for one in forward if one["id"] in undone},
        {step["tool"]: one["effect"] for step, one in zip(done, forward, strict=False)},
    )


def judge(
    cell: Cell,
    evidence: Evidence,
    expected: Expected,
    may_doubt: MayDoubt = lambda cell: True,
    may_fail: MayFail = may_fail,
) -> Verdict:
    """Judge one cell.

    Args:
        expected: what the undisturbed run of its script came to.
        may_doubt: whether a doubt is lawful in a cell.
        may_fail: whether a cell may end with nothing done.
    """
    mine, end = _mine(evidence.effects), evidence.end or {}
    undos = Counter(one["of"] for one in mine if one["undoes"])
    forward = [one for one in mine if not one["undoes"]]
    standing = Counter(one["effect"] for one in forward if one["id"] not in undos)
    wanted = {**expected.undone, **expected.done}
    beyond = {kind: max(0, count - wanted.get(kind, 0)) for kind, count in standing.items()}
    twice = sum(beyond.values()) + sum(count - 1 for count in undos.values())
    steps = end.get("steps", ())
    said = Counter(expected.kinds.get(s["tool"], "") for s in steps if s["state"] == "done")
    lost = sum(max(0, count - standing[kind]) for kind, count in said.items() if kind)
    doubts = [e for e in end.get("entries", ()) if e["event"] in ("in_doubt", "undo_stuck")]
    there = sum(max(0, n - beyond[kind] - said[kind]) for kind, n in standing.items())
    unsaid = there if evidence.end and expected.kinds and not doubts else 0
    is_whole = all(standing[kind] >= count for kind, count in wanted.items())
    succeeded = any(end.get("succeeded", ()))
    if standing and not is_whole and not succeeded and not lost:
        # Something is done, the rest is not, and nothing was undone.
        lost += 1
    falsely = _falsely_undone(cell, expected, standing, undos, is_free=may_fail(cell))
    must = expected.is_done and cell.blow != "lie" and not may_fail(cell)
    names = ", ".join(f"{one['effect']} {one['id']}" for one in mine) or "nothing"
    why = "; ".join(f"{one['step']}: {one['reason']}" for one in doubts)
    error = evidence.runs[-1].found and evidence.runs[-1].found["error"]
    promises = [
        (twice > 0, f"happened twice: {names}"),
        (lost > 0, f"lost: {names}, and the ledger says {dict(said)}"),
        (unsaid > 0, f"it happened, and nobody was asked: {names}"),
        (falsely > 0, f"undone although it was the only one: {names}"),
        (bool(doubts) and not may_doubt(cell), f"in doubt without need: {why}"),
        (must and not is_whole, f"it was not done, though nothing refused it: {names}"),
        (bool(end.get("broken")), end.get("broken", "")),
        (evidence.end is None, f"it did not finish: {error}"),
        (bool(end.get("left") or end.get("asks")), "the thread has unfinished work"),
    ]
    return Verdict(
        cell,
        twice,
        lost,
        unsaid,
        len(doubts),
        falsely,
        [said for is_broken, said in promises if is_broken],
        sum(run.killed for run in evidence.runs),
        sum(run.found["seconds"] for run in evidence.runs if run.found),
    )


def _falsely_undone(
    cell: Cell,
    expected: Expected,
    standing: Mapping[str, int],
    undos: Mapping[str, int],
    *,
    is_free: bool,
) -> int:
    """Count what was undone although nothing had refused the rest, or although the rest stands."""
    if not expected.is_done:
        return 0
    is_half = (
        bool(undos) and any(standing.values()) and not all(standing[kind] for kind in expected.done)
    )
    return int(is_half or (bool(undos) and not any(standing.values()) and not is_free))


def _mine(effects: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [one for one in effects if one["customer"] != STRANGER]


def not_run(cell: Cell, why: str) -> Verdict:
    """Say that a cell could not be run."""
    return Verdict(cell, wrong=[f"it could not be run: {why}"])
