"""What the ledger knows of spans: of what was cut off, of what was lost, of what still waits.

Pure. A process that is killed takes its last spans with it; what it claimed it had written before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.telemetry.spans import (
    Span,
    SpanKind,
    SpanStatus,
    Trace,
    Value,
    opaque,
    turn_span,
)

_ANSWERS = {
    Event.ACKNOWLEDGED: "confirmed",
    Event.DECLINED: "declined",
    Event.REFUSED: "not sent",
    Event.UNANSWERED: "unknown",
    Event.IN_DOUBT: "unexpected",
    Event.UNDONE: "confirmed",
    Event.UNDO_FAILED: "declined",
}
"""What an attempt came to, by the entry that says so."""

_CLAIMS = (Event.ATTEMPTED, Event.UNDO_ATTEMPTED)


def from_ledger(tenant_id: str, thread_id: str, entries: Sequence[Entry]) -> list[Span]:
    """Read from a thread's entries what their spans were, as far as they tell.

    It is known of what was cut off before its span was kept, and of what still waits.
    """
    turns = {entry.plan_id: entry.turn_id for entry in entries if entry.event is Event.OPENED}
    spans = [_turn(Trace(tenant_id, thread_id, turn), own) for turn, own in _by_turn(entries)]
    for entry in entries:
        turn_id = entry.turn_id or turns.get(entry.plan_id)
        if turn_id is None or "span" not in entry.detail:
            continue
        trace = Trace(tenant_id, thread_id, turn_id)
        if entry.event is Event.DECIDED:
            spans.append(_decided(trace, entry))
        elif entry.event in _CLAIMS:
            spans.append(_attempted(trace, entry, entries))
    return [*spans, *waits(tenant_id, thread_id, entries)]


def waits(tenant_id: str, thread_id: str, entries: Sequence[Entry]) -> list[Span]:
    """Read for whom was waited when: for an approval, and for a word on a step in doubt."""
    spans: list[Span] = []
    for position, asked in enumerate(entries):
        later = entries[position + 1 :]
        if asked.event is Event.OPENED and str(asked.detail["approval"]).startswith("asked"):
            trace = Trace(tenant_id, thread_id, asked.turn_id or "")
            ends = (one for one in later if one.event in _ANSWERS_A_PLAN and _same_plan(one, asked))
            answer = next(ends, None)
            spans.append(_approval(trace, asked, answer))
        elif asked.event in (Event.IN_DOUBT, Event.UNDO_STUCK):
            opened = (e for e in entries if e.event is Event.OPENED and _same_plan(e, asked))
            turn_id = next((entry.turn_id for entry in opened), None)
            if turn_id is not None:
                same = (one for one in later if one.step_id == asked.step_id)
                answer = next((one for one in same if one.event in _ANSWERS_A_DOUBT), None)
                spans.append(_doubt(Trace(tenant_id, thread_id, turn_id), asked, answer))
    return spans


_ANSWERS_A_PLAN = (Event.DECISION, Event.SUCCEEDED, Event.ENDED)
"""A question that nobody answered in time ends with its plan."""

_ANSWERS_A_DOUBT = (Event.HAPPENED, Event.NOT_HAPPENED, Event.ACKNOWLEDGED, Event.FOUND)


def _same_plan(one: Entry, other: Entry) -> bool:
    return one.plan_id == other.plan_id and one.step_id is None


def _by_turn(entries: Sequence[Entry]) -> list[tuple[str, list[Entry]]]:
    """Return the entries of each turn, its plans' among them, in the order of the turns."""
    turns: dict[str, list[Entry]] = {}
    plans: dict[str, str] = {}
    for entry in entries:
        if entry.event is Event.OPENED and entry.plan_id and entry.turn_id:
            plans[entry.plan_id] = entry.turn_id
        turn_id = entry.turn_id or plans.get(entry.plan_id or "")
        if turn_id is not None:
            turns.setdefault(turn_id, []).append(entry)
    received = {e.turn_id for e in entries if e.event is Event.RECEIVED}
    return [(turn, own) for turn, own in turns.items() if turn in received]


def _turn(trace: Trace, entries: Sequence[Entry]) -> Span:
    began = next(entry for entry in entries if entry.event is Event.RECEIVED)
    done = next((entry for entry in entries if entry.event is Event.TURN_DONE), None)
    return turn_span(trace, _at(began), _at(done) if done is not None else None)


def _decided(trace: Trace, entry: Entry) -> Span:
    """Tell of a model call whose span was lost: when it was recorded is known, and no more."""
    return Span(
        trace=trace,
        span_id=entry.detail["span"],
        parent_id=trace.root_id,
        kind=SpanKind.MODEL,
        name="",
        started=_at(entry),
        ended=None,
        about={"ordinal": entry.detail["ordinal"], "zones": list(entry.detail.get("zones", ()))},
    )


def _attempted(trace: Trace, entry: Entry, entries: Sequence[Entry]) -> Span:
    """Tell of an attempt: what was written of it, or that it was cut off."""
    assert entry.step_id is not None
    is_undo = entry.event is Event.UNDO_ATTEMPTED
    same = (
        one
        for one in entries
        if one.seq > entry.seq and one.step_id == entry.step_id and one.attempt == entry.attempt
    )
    answer = next((one for one in same if one.event in _ANSWERS), None)
    outcome = _ANSWERS[answer.event] if answer is not None else "cut off"
    status = SpanStatus.OK if outcome == "confirmed" else SpanStatus.ERROR
    intent = next(
        (e for e in entries if e.event is Event.INTENDED and e.step_id == entry.step_id), None
    )
    tool = "" if intent is None else intent.detail.get("undo" if is_undo else "tool", "")
    return Span(
        trace=trace,
        span_id=entry.detail["span"],
        parent_id=trace.root_id,
        kind=SpanKind.COMPENSATION if is_undo else SpanKind.ATTEMPT,
        name=tool,
        started=_at(entry),
        ended=_at(answer) if answer is not None else None,
        status=status if answer is not None else SpanStatus.CUT_OFF,
        about={"step": opaque(entry.step_id), "attempt": entry.attempt or 0, "outcome": outcome},
    )


def _approval(trace: Trace, asked: Entry, answer: Entry | None) -> Span:
    about: dict[str, Value] = {"plan": asked.plan_id or "", "asked": asked.seq}
    if answer is not None:
        decisions = answer.detail.get("decisions", ())
        about |= {"outcome": ", ".join(decisions) or "expired", "answered": answer.seq}
        about |= {"by": answer.role} if answer.role else {}
    return _wait(trace, SpanKind.APPROVAL, asked, answer, about)


def _doubt(trace: Trace, asked: Entry, answer: Entry | None) -> Span:
    about: dict[str, Value] = {"step": opaque(asked.step_id or ""), "asked": asked.seq}
    if answer is not None:
        about |= {"outcome": answer.event.value.replace("_", " "), "answered": answer.seq}
        about |= {"by": answer.role} if answer.role else {}
    return _wait(trace, SpanKind.DOUBT, asked, answer, about)


def _wait(
    trace: Trace, kind: SpanKind, asked: Entry, answer: Entry | None, about: Mapping[str, Value]
) -> Span:
    return Span(
        trace=trace,
        span_id=trace.span_id(kind.value, asked.plan_id or "", asked.seq),
        parent_id=trace.root_id,
        kind=kind,
        name="question" if kind is SpanKind.APPROVAL else "doubt",
        started=_at(asked),
        ended=_at(answer) if answer is not None else None,
        status=SpanStatus.OPEN if answer is None else SpanStatus.OK,
        about=about,
    )


def _at(entry: Entry) -> datetime:
    assert entry.at is not None, "it was read from the ledger"
    return entry.at
