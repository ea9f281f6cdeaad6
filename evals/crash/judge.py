"""Judge a purchase at the shop by what it left behind: counts, and what is not as promised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daybook.graph.resume import Left
from daybook.state.fault_points import FaultPoint
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.testing.processes import Ended
from evals.crash.cells import MODES, Cell, cancelled_after, of_endpoints, peers_crashes
from evals.crash.run import Verdict, verdict_of
from evals.servers import LAG

UNPROVABLE = frozenset({"send_email"})
"""The effects that neither honour a key nor can be looked up: these alone may come into doubt."""

_SHOWN = frozenset({"step", "tool", "arguments", "attempts", "why"})
"""What a person who is asked about a doubt is shown at least."""

_SETTLES = frozenset({Event.HAPPENED, Event.NOT_HAPPENED})
_BESIDE = (FaultPoint.AFTER_MODEL, FaultPoint.BEFORE_CHECKPOINT, FaultPoint.AFTER_CHECKPOINT)

COLUMNS = ("duplicates", "lost", "holds left", "model calls extra", "asked again", "in doubt")


@dataclass(frozen=True)
class Evidence:
    """What a cell left behind.

    Attributes:
        effects: what happened, oldest first, as `GET /effects` has it.
        holds_left: holds that still keep stock from others.
        entries: the ledger's.
        open_steps: what the work list still holds, `OPERATION STATE`.
        broken: what is wrong with the chain, or what is kept beside it; "" where nothing is.
        asked: how often the model was asked.
        runs: how its processes ended, in order.
    """

    effects: Sequence[Mapping[str, Any]]
    holds_left: int
    entries: Sequence[Entry]
    open_steps: Sequence[str]
    broken: str
    asked: int
    runs: Sequence[Ended]


def judge(cell: Cell, evidence: Evidence) -> Verdict[Cell]:
    """Judge one cell.

    Counted are beside the columns of the table: `by itself`, where whoever took it over needed
    nobody but for what is a person's to say; `charges left`, that were not paid back; and
    `looked in vain`, where a look-up came before the effect that it looked for.
    """
    happened = Counter(one["effect"] for one in evidence.effects)
    wanted = _wanted(cell, happened)
    duplicates = sum(count - (effect in wanted) for effect, count in happened.items())
    lost = [effect for effect in wanted if effect not in happened]
    extra_calls = max(0, evidence.asked - cell.plays.calls)
    events = [one.event for one in evidence.entries]
    doubts = [
        (e.op or "").rpartition("/")[2] for e in evidence.entries if e.event is Event.IN_DOUBT
    ]
    did = [one for run in evidence.runs if run.found for one in run.found["did"]]
    # Questions whose answer was stored, and plans that were decided beyond the first.
    decided = [e for e in evidence.entries if e.event is Event.DECISION and e.author]
    asked_again = max(0, len(decided) - len(cell.plays.says)) + sum(map(_is_kept, did))
    by_itself = _by_itself(evidence)
    counts = {
        "duplicates": duplicates,
        "lost": len(lost),
        "holds left": evidence.holds_left,
        "model calls extra": extra_calls,
        "asked again": asked_again,
        "in doubt": len(doubts),
        "by itself": int(by_itself is True),
        "charges left": happened["charge"] - happened["refund"],
        "looked in vain": int(Event.ABSENT in events),
    }
    promises = [
        (duplicates > 0, f"happened twice, or should not have: {dict(happened)}"),
        (bool(lost), f"lost: {lost}"),
        (evidence.holds_left > 0, f"{evidence.holds_left} holds are left"),
        (extra_calls > may_ask_again(cell), f"the model was asked {evidence.asked} times"),
        (asked_again > 0, "an approval that had been given was asked for again"),
        (bool(set(doubts) - UNPROVABLE), f"in doubt without need: {doubts}"),
        (not _are_asked(evidence, did), f"a doubt was not put to a person as it should be: {did}"),
        (by_itself is False, f"it was not finished by itself: {did}"),
        (bool(evidence.broken), evidence.broken),
        (bool(evidence.open_steps), f"left on the work list: {evidence.open_steps}"),
        *_of_the_end("ordered" if "mail" in wanted[-1:] else "", evidence.runs[-1]),
        _of_the_kills(cell, [run.killed for run in evidence.runs]),
    ]
    return verdict_of(cell, counts, promises)


def _wanted(cell: Cell, happened: Mapping[str, int]) -> Sequence[str]:
    """Say what must have happened.

    A shop that is away for longer than it is tried may refuse the purchase: then the person is told
    so, and what was done before is undone.
    """
    if cell.kind != "outage" or "shop" not in cell.struck or "order" in happened:
        return cell.plays.happens
    undo = {"reserve": "release", "charge": "refund"}
    return [one for done in undo if done in happened for one in (done, undo[done])]


def may_ask_again(cell: Cell) -> int:
    """Tell how often the model may be asked again: where its answer dies before its record."""
    if cell.kind in ("instant", "outage"):
        return 1
    moment = cell.moment
    if cell.kind not in ("killed", "twice") or moment is None:
        return 0
    # Writes of checkpoints run beside the request.
    committing = moment.point is FaultPoint.BEFORE_COMMIT and moment.about == "decided"
    return int(committing or moment.point in _BESIDE)


def _is_kept(did: Mapping[str, Any]) -> bool:
    return bool(did.get("kept"))


def _are_asked(evidence: Evidence, did: Sequence[dict[str, Any]]) -> bool:
    """Tell whether each doubt was put to a person, with the evidence, and is over."""
    asked = [one for one in did if one["what"] == "doubt"]
    shown = all(set(one["evidence"]) >= _SHOWN for one in asked)
    doubted = Counter(e.step_id for e in evidence.entries if e.event is Event.IN_DOUBT)
    settled = Counter(e.step_id for e in evidence.entries if e.event in _SETTLES)
    return shown and doubted <= settled


def _by_itself(evidence: Evidence) -> bool | None:
    """Tell whether it was enough that a worker came, and came again for what it had parked."""
    last = evidence.runs[-1].found
    if len(evidence.runs) == 1 or last is None:
        return None
    came = [one["left"] for one in last["did"] if one["what"] == "take up"]
    first = last["by_itself"] is not None
    return all(left == Left.UNSETTLED for left in came[first:])


def _of_the_end(flow: str, last: Ended) -> list[tuple[bool, str]]:
    """See where the thread stands.

    Args:
        flow: where the flow must stand, or "" for anywhere.
    """
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


def _of_the_kills(cell: Cell, killed: list[bool]) -> tuple[bool, str]:
    """See that what should have been killed was."""
    match cell.kind:
        case "undisturbed" | "time-out" | "late":
            wanted = [False]
        case "twice":
            wanted = [True, True, False]
        case "instant" | "outage":
            wanted = killed
        case _:
            wanted = [True, False]
    return killed != wanted, f"it was not killed where it should have been: {killed}"


_ASSUMED = Path(__file__).with_name("assumed.txt").read_text("utf-8").rstrip()


def told(verdicts: Sequence[Verdict[Cell]]) -> str:
    """Say what the table takes for granted, and what stands beside the peers' table."""
    late = [one for one in verdicts if one.cell.kind == "late"]
    vain = sum(one.counts.get("looked in vain", 0) for one in late)
    return "\n".join(
        [
            _ASSUMED.format(lag=LAG, bound=LAG + 0.5),
            f"Of the {len(late)} effects that the shop performed late, {vain} had been looked for "
            "in vain before.",
            *(f"{name}: {figure}" for name, figure in beside_the_peers(verdicts).items()),
        ]
    )


def beside_the_peers(verdicts: Sequence[Verdict[Cell]]) -> Mapping[str, str]:
    """Return the row that stands beside the peers' (docs/evidence.md), blind / keyed."""
    crashes, cancelled = peers_crashes(), cancelled_after()

    def of(some: Iterable[Cell], count: str) -> list[int]:
        wanted = [one for one in verdicts if one.cell in {*some}]
        return [
            sum(one.counts.get(count, 0) for one in wanted if one.cell.mode == mode)
            for mode in MODES[::-1]
        ]

    def both(some: Iterable[Cell], count: str) -> str:
        return " / ".join(map(str, of(some, count)))

    orphans = [sum(of(cancelled, count)) for count in ("holds left", "charges left")]
    declined = [one.cell for one in verdicts if one.cell.script == "declined"]
    return {
        "duplicates in 13 crashes, blind / keyed": both(crashes, "duplicates"),
        "in 4 time-outs, blind / keyed": both(of_endpoints("time-out"), "duplicates"),
        # As the peers' columns: in one mode, whichever is worse.
        "model called again": str(max(of(crashes, "model calls extra"))),
        "approvals asked again": str(max(of(crashes, "asked again"))),
        "finishes by itself": f"{min(of(crashes, 'by itself'))} of {len(crashes) // 2}",
        "declined card leaves a hold": "yes" if sum(of(declined, "holds left")) else "no",
        "crash then cancel leaves hold / orphan charge": " / ".join(map(str, orphans)),
    }
