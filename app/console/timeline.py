"""The ledger of one plan as rows: what was decided, and the attempts and look-ups of each step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import VOIDING, Event, StepState
from daybook.state.ledger.step import Step


class Kind(StrEnum):
    """What a row shows; each has a colour and a mark of its own."""

    SAID = "said"
    MODEL = "model"
    ASKED = "asked"
    PERSON = "person"
    OVER = "over"
    INTENDED = "intended"
    DONE = "done"
    CRASH = "crash"
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


@dataclass(frozen=True)
class Row:
    """One thing that happened, or that lasted.

    Attributes:
        at: when it began, UTC.
        took: how long it lasted; None for an instant.
        is_work: it was work and no wait for a person; its bar is drawn.
    """

    at: datetime
    took: timedelta | None
    kind: Kind
    words: str
    is_work: bool = True


@dataclass(frozen=True)
class StepRows:
    """The rows of one step, in order.

    Attributes:
        counts: how often there was a crash, a retry, a probe, a compensation, a doubt.
        why: the cause, where it went otherwise than it was meant; else "".
    """

    step: Step
    rows: tuple[Row, ...]
    counts: Mapping[str, int]
    why: str


@dataclass(frozen=True)
class Timeline:
    """What happened to one plan.

    Attributes:
        about: what it is about, where its title does not say it; else "".
        ended: how it ended, or its present state, in words.
        why: the cause, where it went otherwise than it was meant; else "".
        is_over: nothing of it is left to be done or reported.
        rows: of the plan as a whole.
        counts: of all steps.
        longest: the longest work of any row, to which bars are drawn.
    """

    plan_id: str
    title: str
    about: str
    ended: str
    why: str
    is_over: bool
    begin: datetime
    end: datetime
    rows: tuple[Row, ...]
    steps: tuple[StepRows, ...]
    counts: Mapping[str, int]
    longest: timedelta


_ANSWERS: Mapping[Event, tuple[Kind, str]] = {
    Event.ACKNOWLEDGED: (Kind.DONE, "acknowledged"),
    Event.REFUSED: (Kind.REFUSED, "refused: it was not sent"),
    Event.DECLINED: (Kind.REFUSED, "declined"),
    Event.UNANSWERED: (Kind.SILENT, "no answer in time"),
    Event.UNDONE: (Kind.UNDONE, "undone"),
    Event.UNDO_FAILED: (Kind.SILENT, "the compensation had no answer"),
    Event.UNDO_STUCK: (Kind.DOUBT, "the compensation is stuck: a person is asked"),
}

_LOOKUPS: Mapping[Event, tuple[Kind, str]] = {
    Event.FOUND: (Kind.PROBE, "Looked up: it had happened"),
    Event.VERIFIED: (Kind.VERIFIED, "Looked up: the result is as expected"),
    Event.ABSENT: (Kind.ABSENT, "Looked up: not seen"),
    Event.UNREACHABLE: (Kind.ABSENT, "It could not be looked up"),
}

_INSTANTS: Mapping[Event, tuple[Kind, str]] = {
    Event.INTENDED: (Kind.INTENDED, "Written ahead: arguments, key and preconditions"),
    Event.FAILED: (Kind.REFUSED, "It failed, without effect"),
    Event.IN_DOUBT: (Kind.DOUBT, "In doubt: only the provider can tell"),
    **{event: (Kind.VOID, f"{event.value.capitalize()}: it was never sent") for event in VOIDING},
}

_OF_PLAN: Mapping[Event, tuple[Kind, str]] = {
    Event.RECEIVED: (Kind.SAID, "The user said something"),
    Event.DECIDED: (Kind.MODEL, "The model decided what to do next"),
    Event.CLOSING: (Kind.UNDO, "It is given up: what was done is undone"),
    Event.SUCCEEDED: (Kind.OVER, "The plan succeeded"),
    Event.ENDED: (Kind.OVER, "The plan ended"),
}

_NOT_DONE: Mapping[str | None, str] = {
    "rejected": "rejected",
    "expired": "expired",
    "withdrawn": "withdrawn",
    "edited": "edited",
    "moved": "asked again",
}
"""How a plan ended that was decided so: nothing of it was done."""

_DOUBTED = (StepState.IN_DOUBT, StepState.STUCK)


def timeline_of(plan: Plan, entries: Sequence[Entry], now: datetime) -> Timeline:
    """Read what happened to a plan.

    Args:
        entries: of its thread, in order; those of other turns and plans are left out.
        now: UTC; until when what is open has lasted.
    """
    about = [entry for entry in entries if _is_about(entry, plan)]
    rows: list[Row] = []
    writers = {step.step_id: _StepWriter(step) for step in plan.steps}
    opened: Entry | None = None
    for entry in about:
        if entry.step_id in writers:
            writers[entry.step_id].add(entry)
        elif entry.event is Event.DECISION and opened is not None:
            rows.append(_decision(opened, entry))
        elif entry.event is Event.OPENED:
            opened = entry
            asks = entry.detail.get("approval") != "policy"
            kind = Kind.ASKED if asks else Kind.INTENDED
            words = "Put to a person" if asks else "Written down; policy approved it"
            rows.append(Row(_at(entry), None, kind, words))
        elif entry.event in _OF_PLAN and entry.step_id is None:
            rows.append(Row(_at(entry), None, *_OF_PLAN[entry.event]))
    end = _at(about[-1]) if plan.over else now
    steps = tuple(writer.close(end) for writer in writers.values())
    counts: Counter[str] = Counter()
    for one in steps:
        counts.update(one.counts)
    every = [row for one in steps for row in one.rows]
    is_doubted = any(step.state in _DOUBTED for step in plan.steps)
    return Timeline(
        plan_id=plan.plan_id,
        title="; ".join(action.title for action in plan.actions if action.title) or "A plan",
        about="; ".join(action.about for action in plan.actions if action.about),
        ended="in doubt" if is_doubted else _ending(plan),
        why="; ".join(dict.fromkeys(action.reason for action in plan.actions if action.reason)),
        is_over=plan.over and not is_doubted,
        begin=_at(about[0]),
        end=end,
        rows=tuple(rows),
        steps=steps,
        counts=counts,
        longest=max((row.took or timedelta() for row in every if row.is_work), default=timedelta()),
    )


def _at(entry: Entry) -> datetime:
    assert entry.at is not None, "the ledger dates every entry"
    return entry.at


def _is_about(entry: Entry, plan: Plan) -> bool:
    if entry.plan_id is not None:
        return entry.plan_id == plan.plan_id
    return entry.turn_id == plan.turn_id


def _ending(plan: Plan) -> str:
    """Say how a plan ended, or its present state."""
    if not plan.over:
        if not plan.decided:
            return "waits for approval"
        return "being undone" if any(action.closing for action in plan.actions) else "under way"
    if plan.succeeded:
        return "succeeded"
    decisions = {action.decision for action in plan.actions}
    return _NOT_DONE.get(decisions.pop(), "failed") if len(decisions) == 1 else "failed"


def _decision(opened: Entry, entry: Entry) -> Row:
    decided = ", ".join(dict.fromkeys(entry.detail.get("decisions", ()))).capitalize()
    words = f"{decided} by {entry.author or 'nobody'} ({entry.role or 'no role'})"
    kind = Kind.PERSON if entry.author else Kind.VOID
    return Row(_at(entry), _at(entry) - _at(opened), kind, words, is_work=False)


@dataclass
class _StepWriter:
    """Write the rows of one step, entry by entry."""

    step: Step
    rows: list[Row] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    sent: Entry | None = None
    """The attempt that has no answer yet."""

    def add(self, entry: Entry) -> None:
        """Add the rows of an entry."""
        at, event = _at(entry), entry.event
        if event in (Event.ATTEMPTED, Event.UNDO_ATTEMPTED):
            self._crash(at)
            self.sent = entry
            self.counts["retry"] += (entry.attempt or 1) > 1
            if event is Event.UNDO_ATTEMPTED:
                self.counts["compensation"] = 1
        elif event in _LOOKUPS:
            began = min(datetime.fromisoformat(entry.detail["began_at"]), at)
            began = max(began, _at(self.sent)) if self.sent else began
            self._crash(began)
            self.counts["probe"] += event is not Event.VERIFIED
            self.rows.append(Row(began, at - began, *_LOOKUPS[event]))
        elif event in (Event.HAPPENED, Event.NOT_HAPPENED):
            words = "it happened" if event is Event.HAPPENED else "it did not happen"
            words = f"{entry.author or 'Somebody'} said: {words}"
            self.rows.append(Row(at, None, Kind.PERSON, words))
        elif event in _ANSWERS:
            self._answer(entry, *_ANSWERS[event])
        elif event is Event.IN_DOUBT and (entry.payload or {}).get("shown") is not None:
            self._answer(entry, Kind.DOUBT, "the answer does not show what was expected")
        else:
            self._crash(at)
        if event in _INSTANTS:
            self.rows.append(Row(at, None, *_INSTANTS[event]))
        self.counts["in doubt"] += event in (Event.IN_DOUBT, Event.UNDO_STUCK)

    def close(self, end: datetime) -> StepRows:
        """End what is still open, and return the rows."""
        if self.sent is not None:
            self._attempt(self.sent, end, Kind.OPEN, "no answer is recorded yet")
        is_otherwise = self.step.state in (StepState.NEGATIVE, *_DOUBTED)
        counts = {name: count for name, count in self.counts.items() if count}
        why = self.step.reason if is_otherwise else ""
        return StepRows(self.step, tuple(self.rows), counts, why)

    def _answer(self, entry: Entry, kind: Kind, words: str) -> None:
        sent = self.sent
        if sent is not None and entry.attempt in (None, sent.attempt):
            self.sent = None
            self._attempt(sent, _at(entry), kind, words)
        elif sent is None:
            self.rows.append(Row(_at(entry), None, kind, f"A late answer: {words}"))

    def _crash(self, seen_at: datetime) -> None:
        """End an attempt whose sender recorded nothing: its process died, or was suspended."""
        if self.sent is not None:
            sent, self.sent = self.sent, None
            self.counts["crash"] += 1
            self._attempt(sent, seen_at, Kind.CRASH, "crash: its sender recorded no answer")

    def _attempt(self, sent: Entry, end: datetime, kind: Kind, words: str) -> None:
        what = "Attempt" if sent.event is Event.ATTEMPTED else "Compensation, attempt"
        by = f" by {sent.worker}" if sent.worker else ""
        # How long nobody knew of a crash is no work.
        is_work = kind is not Kind.CRASH
        words = f"{what} {sent.attempt}{by}: {words}"
        self.rows.append(Row(_at(sent), end - _at(sent), kind, words, is_work))
