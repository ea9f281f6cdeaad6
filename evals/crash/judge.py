"""Judge a cell: from what it left behind to counts, and to what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from daybook.graph.unfinished import Left
from daybook.state.fault_points import FaultPoint
from daybook.state.ledger.recovery import Event
from evals.crash.cells import Cell
from evals.crash.moments import Moment
from evals.crash.run import Evidence
from evals.crash.script import Script

UNPROVABLE = frozenset({"send_email"})
"""The effects that neither honour a key nor can be looked up: these alone may come into doubt."""

_EVIDENCE = frozenset({"step", "tool", "arguments", "attempts", "why"})
"""What a person who is asked about a doubt is shown at least."""


@dataclass(frozen=True)
class Verdict:
    """The counts of a cell.

    Attributes:
        extra_calls: model calls beyond those of the undisturbed run.
        asked_again: approvals that were asked for although they had been given.
        in_doubt: steps that came into doubt.
        by_itself: whether whoever took it over needed nobody, but for what is a person's to say;
            None where nobody had to take it over.
        charges_left: charges that were not paid back.
        looked_in_vain: whether a look-up came before the effect that it looked for.
        wrong: each promise that was broken, as a sentence.
    """

    cell: Cell
    duplicates: int
    lost: int
    holds_left: int
    extra_calls: int
    asked_again: int
    in_doubt: int
    by_itself: bool | None
    charges_left: int
    looked_in_vain: bool
    wrong: Sequence[str]


def judge(cell: Cell, evidence: Evidence) -> Verdict:
    """Judge one cell."""
    happened = Counter(one["effect"] for one in evidence.effects)
    wanted = _wanted(cell, happened)
    duplicates = sum(count - (effect in wanted) for effect, count in happened.items())
    lost = sum(effect not in happened for effect in wanted)
    extra_calls = max(0, evidence.asked - calls_of(cell.script))
    doubts = [
        (e.op or "").rpartition("/")[2] for e in evidence.entries if e.event is Event.IN_DOUBT
    ]
    did = [one for run in evidence.runs if run.found for one in run.found["did"]]
    asked_again = _asked_again(cell.script, evidence, did)
    by_itself = _by_itself(evidence)
    wrong = [
        (duplicates > 0, f"happened twice, or should not have: {dict(happened)}"),
        (lost > 0, f"lost: {[effect for effect in wanted if effect not in happened]}"),
        (evidence.holds_left > 0, f"{evidence.holds_left} holds are left"),
        (extra_calls > may_ask_again(cell), f"the model was asked {evidence.asked} times"),
        (asked_again > 0, "an approval that had been given was asked for again"),
        (bool(set(doubts) - UNPROVABLE), f"in doubt without need: {doubts}"),
        (not _are_asked(evidence, did), f"a doubt was not put to a person as it should be: {did}"),
        (by_itself is False, f"it was not finished by itself: {did}"),
        (bool(evidence.broken), evidence.broken),
        (bool(evidence.open_steps), f"left on the work list: {evidence.open_steps}"),
        *_of_the_end("ordered" if "mail" in wanted[-1:] else "", evidence),
        *_of_the_processes(cell, evidence),
    ]
    return Verdict(
        cell,
        duplicates,
        lost,
        evidence.holds_left,
        extra_calls,
        asked_again,
        len(doubts),
        by_itself,
        happened["charge"] - happened["refund"],
        any(entry.event is Event.ABSENT for entry in evidence.entries),
        [why for broken, why in wrong if broken],
    )


def _wanted(cell: Cell, happened: Mapping[str, int]) -> Sequence[str]:
    """Say what must have happened.

    A shop that is away for longer than it is tried may refuse the purchase: then the person is told
    so, and what was done before is undone.
    """
    if cell.kind != "outage" or "shop" not in cell.about or "order" in happened:
        return cell.script.happens
    undo = {"reserve": "release", "charge": "refund"}
    return [one for done in undo if done in happened for one in (done, undo[done])]


def calls_of(script: Script) -> int:
    """Count the model calls of an undisturbed run: each decision, and the answers."""
    return sum(len(decides) + 1 for decides in script.decides)


def may_ask_again(cell: Cell) -> int:
    """Tell how often the model may be asked again: where its answer dies before its record."""
    if cell.kind in ("instant", "outage"):
        return 1
    if cell.kind not in ("killed", "twice") or cell.moment is None:
        return 0
    return int(_is_unrecorded(cell.moment))


def _is_unrecorded(moment: Moment) -> bool:
    """Tell whether a moment may lie between the request to the provider and the record.

    Writes of checkpoints run beside the request.
    """
    committing = moment.point is FaultPoint.BEFORE_COMMIT and moment.about == "decided"
    return committing or moment.point in _BESIDE


_BESIDE = (FaultPoint.AFTER_MODEL, FaultPoint.BEFORE_CHECKPOINT, FaultPoint.AFTER_CHECKPOINT)


def _asked_again(script: Script, evidence: Evidence, did: Sequence[dict[str, Any]]) -> int:
    """Count questions whose answer was stored, and plans that were decided beyond the first."""
    decided = [e for e in evidence.entries if e.event is Event.DECISION and e.author]
    beyond = len(decided) - len(script.says)
    kept = sum(bool(one.get("kept")) for one in did)
    return max(0, beyond) + kept


def _are_asked(evidence: Evidence, did: Sequence[dict[str, Any]]) -> bool:
    """Tell whether each doubt was put to a person, with the evidence, and is over."""
    asked = [one for one in did if one["what"] == "doubt"]
    shown = all(set(one["evidence"]) >= _EVIDENCE for one in asked)
    doubted = Counter(e.step_id for e in evidence.entries if e.event is Event.IN_DOUBT)
    settled = Counter(e.step_id for e in evidence.entries if e.event in _SETTLES)
    return shown and doubted <= settled


_SETTLES = frozenset({Event.HAPPENED, Event.NOT_HAPPENED})


def _by_itself(evidence: Evidence) -> bool | None:
    """Tell whether it was enough that a worker came, and came again for what it had parked."""
    last = evidence.runs[-1].found
    if len(evidence.runs) == 1 or last is None:
        return None
    came = [one["left"] for one in last["did"] if one["what"] == "take up"]
    first = last["by_itself"] is not None
    return all(left == Left.UNSETTLED for left in came[first:])


def _of_the_end(flow: str, evidence: Evidence) -> list[tuple[bool, str]]:
    """See where the thread stands.

    Args:
        flow: where the flow must stand, or "" for anywhere.
    """
    last = evidence.runs[-1]
    if last.found is None or last.found["end"] is None:
        why = last.found["error"] if last.found else "it was killed"
        return [(True, f"the last process did not come to its end: {why}")]
    end = last.found["end"]
    return [
        (not end["answer"], "the person has no answer"),
        (flow not in ("", end["flow"]), f"the flow stands at {end['flow']}"),
        (end["left"] or bool(end["asks"]), f"something is left: {end}"),
        (bool(last.log), f"it wrote to standard error: {last.log[-2000:]}"),
    ]


def _of_the_processes(cell: Cell, evidence: Evidence) -> list[tuple[bool, str]]:
    """See that what should have been killed was."""
    killed = [run.killed for run in evidence.runs]
    match cell.kind:
        case "undisturbed" | "time-out" | "late":
            wanted = [False]
        case "twice":
            wanted = [True, True, False]
        case "instant" | "outage":
            wanted = killed
        case _:
            wanted = [True, False]
    return [(killed != wanted, f"it was not killed where it should have been: {killed}")]


def not_run(cell: Cell, why: str) -> Verdict:
    """Say that a cell could not be run."""
    return Verdict(cell, 0, 0, 0, 0, 0, 0, None, 0, False, [f"it could not be run: {why}"])
