"""The lane of one step: its attempts, what became of them, and who looked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from daybook.app.console.drawn.axis import Axis, Span, duration
from daybook.app.console.drawn.drawing import Kind, Lane, Strip
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import VOIDING, Event, StepState
from daybook.state.ledger.step import Step


def at_of(entry: Entry) -> datetime:
    """Return when an entry was written, UTC."""
    assert entry.at is not None, "the ledger dates every entry"
    return entry.at


@dataclass
class _Sent:
    """The attempt that is open while the entries of a step are drawn."""

    at: datetime
    number: int
    deadline: datetime
    is_undo: bool


_ANSWERS: Mapping[Event, tuple[Kind, str]] = {
    Event.ACKNOWLEDGED: (Kind.SENT, "acknowledged"),
    Event.REFUSED: (Kind.REFUSED, "refused: it was not sent"),
    Event.DECLINED: (Kind.REFUSED, "declined"),
    Event.UNANSWERED: (Kind.SILENT, "no answer"),
    Event.UNDONE: (Kind.UNDO, "undone"),
    Event.UNDO_FAILED: (Kind.SILENT, "the undo had no answer"),
    Event.UNDO_STUCK: (Kind.REFUSED, "the undo was refused for good, or not proved for too long"),
}

_LOOKS = {
    Event.FOUND: (Kind.PROBE, "looked up: it had happened"),
    Event.VERIFIED: (Kind.VERIFIED, "checked: it is as it should be"),
    Event.ABSENT: (Kind.ABSENT, "looked up: not seen"),
    Event.UNREACHABLE: (Kind.ABSENT, "could not be looked up"),
}

_ENDS: Mapping[Event, tuple[Kind, str]] = {
    Event.ACKNOWLEDGED: (Kind.DONE, "Done"),
    Event.FAILED: (Kind.REFUSED, "It failed: without effect"),
    Event.IN_DOUBT: (Kind.DOUBT, "In doubt: nobody but the other side can tell"),
    Event.UNDO_STUCK: (Kind.DOUBT, "Its undo is stuck: a person is asked"),
    Event.UNDONE: (Kind.UNDONE, "Undone"),
    Event.EXTRA_UNDONE: (Kind.UNDONE, "A duplicate was undone"),
    **{event: (Kind.VOID, f"{event.value.capitalize()}: it was never sent") for event in VOIDING},
}

_HAVE_CAUSES = (StepState.NEGATIVE, StepState.IN_DOUBT, StepState.STUCK)


@dataclass
class StepDrawn:
    """Draw the entries of one step, in order."""

    step: Step
    strip: Strip = field(default_factory=Strip)
    work: list[Span] = field(default_factory=list)
    waits: list[Span] = field(default_factory=list)
    crashes: list[tuple[datetime, datetime]] = field(default_factory=list)
    retries: int = 0
    looks: int = 0
    undos: int = 0
    doubts: int = 0
    _sent: _Sent | None = None
    _idle_since: datetime | None = None

    def draw(self, entry: Entry) -> None:
        """Draw one entry."""
        at, event = at_of(entry), entry.event
        if event is Event.INTENDED:
            self._idle_since = at
            self.strip.mark(at, Kind.INTENDED, "Written ahead: arguments, key and preconditions")
            return
        if event in (Event.ATTEMPTED, Event.UNDO_ATTEMPTED):
            self._attempt(entry, at)
            return
        if event in _LOOKS:
            self._look(entry, at)
        elif event in (Event.HAPPENED, Event.NOT_HAPPENED):
            says = "it happened" if event is Event.HAPPENED else "it did not happen"
            self.strip.mark(at, Kind.PERSON, f"{entry.author or 'Somebody'} said: {says}")
        elif event is Event.UNDO_FAILED and "match" in (entry.payload or {}):
            self.strip.mark(at, Kind.DOUBT, "A duplicate could not be undone: it stands")
        elif event in _ANSWERS and (self._sent is None or self._answers(entry)):
            self._answer(entry, at)
        elif event is Event.IN_DOUBT and (entry.payload or {}).get("shown") is not None:
            self._end_bar(at, Kind.DOUBT, "the answer does not show what was expected")
        elif self._sent is not None and event is not Event.EXTRA_UNDONE:
            self._crashed(at)
        if event in _ENDS:
            kind, says = _ENDS[event]
            self.strip.mark(at, kind, says)
            self.doubts += kind is Kind.DOUBT
        if event in VOIDING and self._idle_since is not None:
            self.strip.bar(self._idle_since, at, Kind.WAIT, "waited, and was never sent")
            self._idle_since = None

    def close(self, end: datetime) -> None:
        """End what is still open."""
        if self._sent is not None:
            # After its deadline nobody may send any more, so nobody is at work then.
            self.work.append(Span(self._sent.at, min(end, self._sent.deadline), "under way"))
            self.waits.append(Span(self._sent.at, end, "no sign of its sender"))
            self.strip.bar(self._sent.at, end, Kind.OPEN, "sent; no answer is written down yet")
        elif self._idle_since is not None:
            self.strip.bar(self._idle_since, end, Kind.WAIT, "not begun yet")

    def lane(self, axis: Axis) -> Lane:
        """Place what was drawn."""
        step = self.step
        return Lane(
            step.name,
            *self.strip.placed(axis),
            step_id=step.step_id,
            state=step.state.value,
            says=self._says(),
            why=step.reason if step.state in _HAVE_CAUSES else "",
        )

    def _says(self) -> str:
        counted = {
            "crash": len(self.crashes),
            "retry": self.retries,
            "probe": self.looks,
            "undo": self.undos,
        }
        told_of = [name if n == 1 else f"{name} x{n}" for name, n in counted.items() if n]
        return ", ".join(told_of)

    def _attempt(self, entry: Entry, at: datetime) -> None:
        if self._sent is not None:
            self._crashed(at)
        if self._idle_since is not None:
            self.strip.bar(self._idle_since, at, Kind.WAIT, "waited")
            self._idle_since = None
        assert entry.attempt is not None
        assert entry.deadline_at is not None
        is_undo = entry.event is Event.UNDO_ATTEMPTED
        self._sent = _Sent(at, entry.attempt, entry.deadline_at, is_undo)
        self.undos += is_undo
        if entry.attempt > 1:
            self.retries += 1
            what = "The undo is tried again" if is_undo else "Sent again"
            self.strip.mark(at, Kind.RETRY, f"{what}: attempt {entry.attempt}")

    def _answers(self, entry: Entry) -> bool:
        return self._sent is not None and entry.attempt in (None, self._sent.number)

    def _answer(self, entry: Entry, at: datetime) -> None:
        kind, says = _ANSWERS[entry.event]
        if self._sent is None:
            late = kind if kind is not Kind.SENT else Kind.DONE
            self.strip.mark(at, late, f"A late answer: {says}")
        else:
            self._end_bar(at, kind, says)

    def _look(self, entry: Entry, at: datetime) -> None:
        kind, says = _LOOKS[entry.event]
        began = min(datetime.fromisoformat(entry.detail["began_at"]), at)
        if self._sent is not None:
            began = max(began, self._sent.at)
            self._crashed(began)
        self.looks += kind is not Kind.VERIFIED
        self.work.append(Span(began, at, "looking"))
        self.strip.bar(began, at, kind, says)
        self.strip.mark(at, kind, says[0].upper() + says[1:])

    def _end_bar(self, at: datetime, kind: Kind, says: str) -> None:
        if self._sent is None:
            return
        sent, self._sent = self._sent, None
        if sent.is_undo and kind is Kind.SENT:
            kind = Kind.UNDO
        what = "undo attempt" if sent.is_undo else "attempt"
        self.work.append(Span(sent.at, at, what))
        self.strip.bar(sent.at, at, kind, f"{what} {sent.number}, {duration(at - sent.at)}: {says}")

    def _crashed(self, seen_at: datetime) -> None:
        """End an attempt whose sender wrote nothing down: it died, or was suspended."""
        assert self._sent is not None
        sent, self._sent = self._sent, None
        self.crashes.append((sent.at, seen_at))
        lasted = duration(seen_at - sent.at)
        self.waits.append(Span(sent.at, seen_at, "its process was gone"))
        what = "undo attempt" if sent.is_undo else "attempt"
        says = f"{what} {sent.number}: its sender never wrote an answer down; seen {lasted} later"
        self.strip.bar(sent.at, seen_at, Kind.CRASH, says)
        self.strip.mark(sent.at, Kind.CRASH, f"Crash: {says}")
