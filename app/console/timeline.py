"""The ledger of one plan as a drawing: a lane for each step, on an axis of time."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from app.console.axis import Axis, Span, axis_of, told
from state.entry import Entry
from state.plan import Plan
from state.recovery import VOIDING, Event
from state.step import Step


class Kind(StrEnum):
    """What a bar or a mark shows; each has a colour, a shape and a word of its own."""

    SAID = "said"
    MODEL = "model"
    ASKED = "asked"
    PERSON = "person"
    OVER = "over"
    INTENDED = "intended"
    WAIT = "wait"
    SENT = "sent"
    DONE = "done"
    CRASH = "crash"
    RETRY = "retry"
    SILENT = "silent"
    PROBE = "probe"
    VERIFIED = "verified"
    ABSENT = "absent"
    REFUSED = "refused"
    DOUBT = "doubt"
    UNDO = "undo"
    UNDONE = "undone"
    VOID = "void"
    OPEN = "open"
    PROCESS = "process"


WORDS: Mapping[Kind, str] = {
    Kind.SAID: "said by the customer",
    Kind.MODEL: "decided by the model",
    Kind.ASKED: "put to a person",
    Kind.PERSON: "a person's word",
    Kind.OVER: "the plan is over",
    Kind.INTENDED: "written ahead",
    Kind.WAIT: "not begun yet",
    Kind.SENT: "sent, and answered",
    Kind.DONE: "done",
    Kind.CRASH: "crash: its sender never wrote an answer down",
    Kind.RETRY: "retry: sent again",
    Kind.SILENT: "no answer in time",
    Kind.PROBE: "probe: looked up, it is there",
    Kind.VERIFIED: "checked afterwards",
    Kind.ABSENT: "probe: looked up, not seen",
    Kind.REFUSED: "refused or declined",
    Kind.DOUBT: "in doubt",
    Kind.UNDO: "compensation: being undone",
    Kind.UNDONE: "undone",
    Kind.VOID: "never sent",
    Kind.OPEN: "under way",
    Kind.PROCESS: "one process at work",
}
"""What each kind means, for the legend."""


@dataclass(frozen=True)
class Bar:
    """Hold something that lasted: where it is drawn, in percent, and what it says."""

    left: float
    width: float
    kind: Kind
    says: str
    label: str = ""


@dataclass(frozen=True)
class Mark:
    """Hold something that happened at an instant: where it is drawn, in percent."""

    left: float
    kind: Kind
    says: str


@dataclass(frozen=True)
class Lane:
    """Hold one line of the drawing.

    Attributes:
        step_id: of the step whose line it is; None for conversation and processes.
        says: what became of it, in words.
    """

    label: str
    bars: tuple[Bar, ...]
    marks: tuple[Mark, ...]
    step_id: str | None = None
    tool: str = ""
    state: str = ""
    says: str = ""


@dataclass(frozen=True)
class Timeline:
    """Hold the drawing of one plan.

    Attributes:
        ended: "succeeded" or "ended"; "open" while it is not over.
        found: how often there was a crash, a retry, a probe, a compensation, a doubt.
        kinds: those that occur, for the legend.
    """

    plan_id: str
    title: str
    ended: str
    begin: datetime
    end: datetime
    axis: Axis
    lanes: tuple[Lane, ...]
    found: Mapping[str, int]
    kinds: tuple[Kind, ...]


@dataclass
class _Strip:
    """Collect what goes into a lane, by time; it is placed when the axis is known."""

    bars: list[tuple[datetime, datetime, Kind, str, str]] = field(default_factory=list)
    marks: list[tuple[datetime, Kind, str]] = field(default_factory=list)

    def bar(self, begin: datetime, end: datetime, kind: Kind, says: str, label: str = "") -> None:
        self.bars.append((begin, max(begin, end), kind, says, label))

    def mark(self, at: datetime, kind: Kind, says: str) -> None:
        self.marks.append((at, kind, says))

    def placed(self, axis: Axis) -> tuple[tuple[Bar, ...], tuple[Mark, ...]]:
        bars = []
        for begin, end, kind, says, label in self.bars:
            left = axis.place(begin)
            bars.append(Bar(left, axis.place(end) - left, kind, says, label))
        return tuple(bars), tuple(Mark(axis.place(at), kind, says) for at, kind, says in self.marks)


def timeline_of(plan: Plan, entries: Sequence[Entry], now: datetime) -> Timeline:
    """Draw a plan.

    Args:
        entries: of its thread, in order; those of other turns and plans are left out.
        now: UTC; until when what is open has lasted.
    """
    told_of = [entry for entry in entries if _is_about(entry, plan)]
    steps = {step.step_id: _StepDrawn(step) for step in plan.steps}
    talk = _Strip()
    for entry in told_of:
        if entry.step_id in steps:
            steps[entry.step_id].draw(entry)
        elif entry.step_id is None:
            _draw_talk(talk, entry)
    last = _at(told_of[-1])
    for drawn in steps.values():
        drawn.close(last if plan.over else now)
    processes, found = _processes(told_of, steps)
    work = [span for drawn in steps.values() for span in drawn.work]
    waits = [*_questions(told_of, now), *(s for drawn in steps.values() for s in drawn.waits)]
    strips = [talk, processes, *(drawn.strip for drawn in steps.values())]
    instants = [_at(entry) for entry in told_of]
    instants += [at for strip in strips for bar in strip.bars for at in bar[:2]]
    axis = axis_of(instants, work, waits)
    lanes = [Lane("Conversation", *talk.placed(axis))]
    if found:
        lanes.append(Lane("Processes", *processes.placed(axis)))
    lanes += [drawn.lane(axis) for drawn in steps.values()]
    shown = {bar.kind for lane in lanes for bar in lane.bars}
    shown |= {mark.kind for lane in lanes for mark in lane.marks}
    return Timeline(
        plan_id=plan.plan_id,
        title="; ".join(action.title for action in plan.actions if action.title) or "A plan",
        ended=_ended(told_of),
        begin=min(instants),
        end=max(instants),
        axis=axis,
        lanes=tuple(lanes),
        found=_counted(steps.values()),
        kinds=tuple(kind for kind in Kind if kind in shown),
    )


def _is_about(entry: Entry, plan: Plan) -> bool:
    if entry.plan_id is not None:
        return entry.plan_id == plan.plan_id
    return entry.turn_id == plan.turn_id


def _ended(entries: Sequence[Entry]) -> str:
    ends = [e.event for e in entries if e.event in (Event.SUCCEEDED, Event.ENDED)]
    return ends[-1].value if ends else "open"


def _at(entry: Entry) -> datetime:
    assert entry.at is not None, "the ledger dates every entry"
    return entry.at


_TALK: Mapping[Event, tuple[Kind, str]] = {
    Event.RECEIVED: (Kind.SAID, "The customer said something"),
    Event.DECIDED: (Kind.MODEL, "The model decided what to do next"),
    Event.OPENED: (Kind.ASKED, "The plan was written down"),
    Event.DECISION: (Kind.PERSON, "Decided"),
    Event.CLOSING: (Kind.UNDO, "It is given up: what was done is undone"),
    Event.SUCCEEDED: (Kind.OVER, "The plan succeeded"),
    Event.ENDED: (Kind.OVER, "The plan ended"),
}


def _draw_talk(strip: _Strip, entry: Entry) -> None:
    if entry.event not in _TALK:
        return
    kind, says = _TALK[entry.event]
    if entry.event is Event.OPENED:
        asks = entry.detail.get("approval") != "policy"
        kind = Kind.ASKED if asks else Kind.INTENDED
        says = "Put to a person" if asks else "Written down; policy approved it"
    if entry.event is Event.DECISION:
        said = ", ".join(dict.fromkeys(entry.detail.get("decisions", ())))
        says = f"{said.capitalize()} by {entry.author or 'nobody'} ({entry.role or 'no role'})"
        kind = Kind.PERSON if entry.author else Kind.VOID
    strip.mark(_at(entry), kind, says)


def _questions(entries: Sequence[Entry], now: datetime) -> list[Span]:
    """Return when a person was waited for, on the plan or on a step in doubt."""
    spans: list[Span] = []
    asked: dict[str | None, tuple[datetime, str]] = {}
    for entry in entries:
        if entry.event is Event.OPENED and entry.detail.get("approval") != "policy":
            asked[None] = (_at(entry), "waiting for approval")
        elif entry.event in (Event.IN_DOUBT, Event.UNDO_STUCK):
            asked[entry.step_id] = (_at(entry), "waiting for a person's word")
        elif entry.step_id in asked and entry.event in (
            *(Event.DECISION, Event.ENDED, Event.HAPPENED, Event.NOT_HAPPENED),
            *(Event.ACKNOWLEDGED, Event.FOUND),
        ):
            begin, why = asked.pop(entry.step_id)
            spans.append(Span(begin, _at(entry), why))
    return [*spans, *(Span(begin, now, why) for begin, why in asked.values())]


@dataclass
class _Sent:
    """Hold the attempt that is open while the entries of a step are drawn."""

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
    Event.UNDO_STUCK: (Kind.REFUSED, "the undo was refused for good"),
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


@dataclass
class _StepDrawn:
    """Draw the entries of one step, in order."""

    step: Step
    strip: _Strip = field(default_factory=_Strip)
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
        at, event = _at(entry), entry.event
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
            tool=step.tool,
            state=step.state.value,
            says=self._says(),
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
        self.strip.bar(sent.at, at, kind, f"{what} {sent.number}, {told(at - sent.at)}: {says}")

    def _crashed(self, seen_at: datetime) -> None:
        """End an attempt whose sender wrote nothing down: it died, or was suspended."""
        assert self._sent is not None
        sent, self._sent = self._sent, None
        self.crashes.append((sent.at, seen_at))
        lasted = told(seen_at - sent.at)
        self.waits.append(Span(sent.at, seen_at, "its process was gone"))
        what = "undo attempt" if sent.is_undo else "attempt"
        says = f"{what} {sent.number}: its sender never wrote an answer down; seen {lasted} later"
        self.strip.bar(sent.at, seen_at, Kind.CRASH, says)
        self.strip.mark(sent.at, Kind.CRASH, f"Crash: {says}")


@dataclass
class _Process:
    """Hold a process that was at work on a plan, as far as the ledger tells it.

    Attributes:
        worker: its name; "" until it has claimed something.
    """

    worker: str
    since: datetime
    until: datetime


def _processes(
    entries: Sequence[Entry], steps: Mapping[str, _StepDrawn]
) -> tuple[_Strip, list[_Process]]:
    """Draw which process was at work when; a crash ends one, and another goes on."""
    strip = _Strip()
    gone = {begin: seen for drawn in steps.values() for begin, seen in drawn.crashes}
    found: list[_Process] = []
    for entry in entries:
        at = _at(entry)
        claims = entry.event in (Event.ATTEMPTED, Event.UNDO_ATTEMPTED)
        if claims and (not found or found[-1].worker not in ("", entry.worker)):
            found.append(_Process("", at, at))
        if not found or entry.step_id is None:
            continue
        found[-1].until = max(found[-1].until, at)
        if claims:
            found[-1].worker = entry.worker or ""
        if claims and at in gone:
            found.append(_Process("", gone[at], gone[at]))
    for number, process in enumerate(found, 1):
        says = f"process {number}: {process.worker or 'it sent nothing'}"
        strip.bar(process.since, process.until, Kind.PROCESS, says, f"process {number}")
    return strip, found


def _counted(drawn: Collection[_StepDrawn]) -> dict[str, int]:
    counts = {
        "crash": sum(len(one.crashes) for one in drawn),
        "retry": sum(one.retries for one in drawn),
        "probe": sum(one.looks for one in drawn),
        "compensation": sum(1 for one in drawn if one.undos),
        "in doubt": sum(one.doubts for one in drawn),
    }
    return {name: count for name, count in counts.items() if count}
