"""Spans: what a turn did, when, and what came of it. Every turn is one trace.

Pure. Ids are derived, not drawn: a turn that another process goes on with stays in its trace, and
a node that runs again names the same spans. What a span says are names, ids, counts and outcomes;
never an argument, a result, somebody's words or an error of others.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

from state.entry import Entry
from state.keys import digest
from state.privacy import redacted
from state.recovery import Event

Value: TypeAlias = str | int | float | bool | list[int]

SHORT = 8
"""Digits of an id as people are shown it."""

_LONGEST_ID = 200

_PLAIN_ID = re.compile(rf"[A-Za-z0-9_./:~#-]{{1,{_LONGEST_ID}}}")


class SpanKind(StrEnum):
    """What a span is about."""

    TURN = "turn"
    MODEL = "model call"
    READ = "read"
    ATTEMPT = "attempt"
    PROBE = "probe"
    COMPENSATION = "compensation"
    APPROVAL = "approval wait"
    DOUBT = "doubt wait"
    RECOVERY = "recovery"


class SpanStatus(StrEnum):
    """How a span ended; `OPEN` while it has not."""

    OK = "ok"
    ERROR = "error"
    OPEN = "open"
    CUT_OFF = "cut off"


@dataclass(frozen=True)
class Trace:
    """Name the trace of a turn.

    Attributes:
        turn_id: the client's message id.
    """

    tenant_id: str
    thread_id: str
    turn_id: str

    @property
    def trace_id(self) -> str:
        """Return 32 hex digits, the same in every process."""
        return digest(["trace", self.tenant_id, self.thread_id, self.turn_id])[:32]

    @property
    def root_id(self) -> str:
        """Return the id of the turn's own span."""
        return self.trace_id[16:]

    def span_id(self, *what: str | int) -> str:
        """Return 16 hex digits that name a part of the turn: the same part, the same id."""
        return digest([self.trace_id, *what])[:16]


@dataclass(frozen=True)
class Span:
    """Hold one span.

    Attributes:
        span_id, parent_id: 16 hex digits; no parent for the turn's own.
        started, ended: UTC; not ended while it is open, or where it was cut off.
        about: what it says.
        path: ids and starts of the spans between the turn's own and this one, outermost first.
    """

    trace: Trace
    span_id: str
    parent_id: str | None
    kind: SpanKind
    name: str
    started: datetime
    ended: datetime | None
    status: SpanStatus = SpanStatus.OK
    about: Mapping[str, Value] = field(default_factory=dict)
    path: tuple[tuple[str, datetime], ...] = ()

    @property
    def took(self) -> timedelta | None:
        """Return how long it took, if it has ended."""
        return self.ended - self.started if self.ended is not None else None


class Sink(Protocol):
    """Take spans: a store, or what sends them somewhere.

    Attributes:
        name: by which it is counted what was lost.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    async def deliver(self, spans: Sequence[Span]) -> None:
        """Take spans, open ones too; what it raises is logged and counted, and ends no run."""

    async def close(self) -> None:
        """Send what is left."""


def run_uuid(trace_id: str, span_id: str) -> uuid.UUID:
    """Return the id of a span as a run of LangSmith; a trace there has the id of its root."""
    return uuid.UUID(trace_id[:16] + span_id)


def shown_id(given: str) -> str:
    """Return an id as spans may hold it: a hash of one that may hold words or a number.

    A domain names its operations by what it deals with, which a person may have typed.
    """
    if _PLAIN_ID.fullmatch(given) and redacted(given) == given:
        return given
    return f"sha256:{digest(given)[:16]}"


def attempt_name(step_id: str, number: int, *, is_undo: bool) -> tuple[str, str, int]:
    """Name an attempt of a step, or of its undo, within its turn."""
    return ("undo" if is_undo else "attempt", step_id, number)


def decision_name(ordinal: int, prompt: str) -> tuple[str, int, str]:
    """Name a model call within its turn: by its place and the digest of what was asked."""
    return ("decision", ordinal, prompt)


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


def turn_span(trace: Trace, started: datetime, ended: datetime | None) -> Span:
    """Make the span of a turn; open until it is done, over however many processes and waits."""
    return Span(
        trace=trace,
        span_id=trace.root_id,
        parent_id=None,
        kind=SpanKind.TURN,
        name="turn",
        started=started,
        ended=ended,
        status=SpanStatus.OPEN if ended is None else SpanStatus.OK,
    )


def _decided(trace: Trace, entry: Entry) -> Span:
    """Tell of a model call whose span was lost with its process: it ended when it was recorded."""
    return Span(
        trace=trace,
        span_id=entry.detail["span"],
        parent_id=trace.root_id,
        kind=SpanKind.MODEL,
        name="model",
        started=_at(entry),
        ended=_at(entry),
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
        about={
            "step": shown_id(entry.step_id),
            "attempt": entry.attempt or 0,
            "outcome": outcome,
        },
    )


def _approval(trace: Trace, asked: Entry, answer: Entry | None) -> Span:
    about: dict[str, Value] = {"plan": asked.plan_id or "", "asked": asked.seq}
    if answer is not None:
        decisions = answer.detail.get("decisions", ())
        about |= {"outcome": ", ".join(decisions) or "expired", "answered": answer.seq}
        about |= {"by": answer.role} if answer.role else {}
    return _wait(trace, SpanKind.APPROVAL, asked, answer, about)


def _doubt(trace: Trace, asked: Entry, answer: Entry | None) -> Span:
    about: dict[str, Value] = {"step": shown_id(asked.step_id or ""), "asked": asked.seq}
    if answer is not None:
        about |= {"outcome": answer.event.value.replace("_", " "), "answered": answer.seq}
        about |= {"by": answer.role} if answer.role else {}
    return _wait(trace, SpanKind.DOUBT, asked, answer, about)


def _wait(
    trace: Trace,
    kind: SpanKind,
    asked: Entry,
    answer: Entry | None,
    about: Mapping[str, Value],
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


def packed(span: Span) -> dict[str, Any]:
    """Write a span as it is kept, as small as may be."""
    about: dict[str, Any] = {
        "id": span.span_id,
        "kind": span.kind.value,
        "name": span.name,
        "at": span.started.isoformat(),
    }
    if span.parent_id is not None and span.parent_id != span.trace.root_id:
        about["in"] = span.parent_id
    if span.ended is not None:
        about["ms"] = round((span.ended - span.started).total_seconds() * 1000, 1)
    if span.status is not SpanStatus.OK:
        about["status"] = span.status.value
    # An idempotency key is the step's name, but for that of an undo.
    is_same = span.about.get("key") == span.about.get("step")
    said = {name: v for name, v in span.about.items() if name != "key" or not is_same}
    return {**about, **({"about": said} if said else {})}


def unpacked(trace: Trace, kept: Mapping[str, Any]) -> Span:
    """Read a span as it was kept."""
    started = datetime.fromisoformat(kept["at"])
    ended = started + timedelta(milliseconds=kept["ms"]) if "ms" in kept else None
    is_root = kept["id"] == trace.root_id
    about = kept.get("about", {})
    if kept["kind"] == SpanKind.ATTEMPT and "step" in about:
        about = {**about, "key": about["step"]}
    return Span(
        trace=trace,
        span_id=kept["id"],
        parent_id=None if is_root else kept.get("in", trace.root_id),
        kind=SpanKind(kept["kind"]),
        name=kept["name"],
        started=started,
        ended=ended,
        status=SpanStatus(kept.get("status", SpanStatus.OK)),
        about=about,
    )
