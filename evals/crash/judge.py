"""Judge a cell: from what it left behind to counts, to what is wrong with it, and to the tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from daybook.graph.unfinished import Left
from daybook.state.fault_points import FaultPoint
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.testing.processes import Ended
from evals.crash import cells
from evals.crash.cells import DECLINED, MODES, Cell, Mode, Script
from evals.report import table
from evals.servers import LAG

UNPROVABLE = frozenset({"send_email"})
"""The effects that neither honour a key nor can be looked up: these alone may come into doubt."""

_EVIDENCE = frozenset({"step", "tool", "arguments", "attempts", "why"})
"""What a person who is asked about a doubt is shown at least."""


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
    extra_calls = max(0, evidence.asked - cell.script.calls)
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


def may_ask_again(cell: Cell) -> int:
    """Tell how often the model may be asked again: where its answer dies before its record."""
    if cell.kind in ("instant", "outage"):
        return 1
    if cell.kind not in ("killed", "twice") or cell.moment is None:
        return 0
    moment = cell.moment
    # Writes of checkpoints run beside the request.
    committing = moment.point is FaultPoint.BEFORE_COMMIT and moment.about == "decided"
    return int(committing or moment.point in _BESIDE)


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


_ASSUMED = f"""\
keyed: the shop honours idempotency keys; blind: it ignores them. Settings of these runs: an attempt
may take 1 s (default 5), the shop's effects lag at most {LAG:g} s, so D is {LAG + 0.5:g} \
s, and 2 s for mail.
One question for approval covers the plan of four effects; the model is asked 4 times, since the
checkout is a plan that it only triggers (the peers' models: 7 calls, 4 approvals). A model call is
one request at the provider. In doubt: a mail alone, which honours no key and cannot be looked up;
each was put to a person with the evidence, and answered from the shop's record. What a person said
to a process that died before it had stored it was said again, as any client must.
Assumed: committed rows are not lost (processes are killed, not machines; fsync is off), D is true,
what people answer is true."""


def show(verdicts: Sequence[Verdict], console: Console) -> None:
    """Print the row that stands beside the peers', and the counts by what went wrong."""
    _peers(verdicts, console)
    rows: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        rows.setdefault(_row_of(verdict.cell), []).append(verdict)
    counts = [(row, *_counts(of_it)) for row, of_it in [*rows.items(), ("all", verdicts)]]
    console.print(table(_COUNTED, counts))
    console.print(_ASSUMED)
    if late := [v for v in verdicts if v.cell.kind == "late"]:
        console.print(
            f"Of the {len(late)} effects that the shop performed late, "
            f"{sum(v.looked_in_vain for v in late)} had been looked for in vain before."
        )
    wrong = sum(bool(verdict.wrong) for verdict in verdicts)
    console.print(f"\n{len(verdicts)} cells, {wrong} of them not as promised.")


_COUNTED = (
    *("killed", "cells", "duplicates", "lost", "holds left", "model calls extra", "asked again"),
    *("in doubt", "broken promises"),
)


def _peers(verdicts: Sequence[Verdict], console: Console) -> None:
    crashes = _named(verdicts, cells.peers_crashes())
    time_outs = _named(verdicts, cells.of_endpoints("time-out"))
    declined = [v for v in verdicts if v.cell.script is DECLINED]
    cancelled = _named(verdicts, cells.cancelled_after())
    orphans = (sum(v.holds_left for v in cancelled), sum(v.charges_left for v in cancelled))
    leaves = "yes" if sum(v.holds_left for v in declined) else "no"
    row = {
        "": "daybook",
        "duplicates in 13 crashes, blind / keyed": _both(crashes),
        "in 4 time-outs, blind / keyed": _both(time_outs),
        "model called again": _either(crashes, lambda v: v.extra_calls),
        "approvals asked again": _either(crashes, lambda v: v.asked_again),
        "finishes by itself": _finished(crashes),
        "declined card leaves a hold": leaves if declined else "-",
        "crash then cancel leaves hold / orphan charge": f"{orphans[0]} / {orphans[1]}"
        if cancelled
        else "-",
    }
    console.print(table([*row], [[*row.values()]]))


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


def _row_of(cell: Cell) -> str:
    """Name the row in which a cell is counted."""
    if cell.kind == "killed" and cell.moment is not None:
        return cell.moment.point.value
    return _OUTAGES[cell.about] if cell.kind == "outage" else _ROWS[cell.kind]


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


def _both(verdicts: Sequence[Verdict]) -> str:
    return " / ".join(str(_of(verdicts, mode, lambda v: v.duplicates)) for mode in MODES[::-1])


def _either(verdicts: Sequence[Verdict], count: Callable[[Verdict], int]) -> str:
    """Count as the peers' column does: in one mode, whichever is worse."""
    return str(max(_of(verdicts, mode, count) for mode in MODES))


def _finished(verdicts: Sequence[Verdict]) -> str:
    """Count as the peers' column does: in one mode, whichever is worse."""
    per_mode = [[v for v in verdicts if v.cell.mode == mode] for mode in MODES]
    worst = min(per_mode, key=lambda them: sum(v.by_itself is True for v in them))
    return f"{sum(v.by_itself is True for v in worst)} of {len(worst)}"
