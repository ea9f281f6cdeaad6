"""The timeline of a plan: one sentence per action, and the entries of each step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import VOIDING, Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.money import Money

# -- outcomes --------------------------------------------------------------------------------------

_DOUBTED = (StepState.IN_DOUBT, StepState.STUCK)
_NEVER = {
    "rejected": "rejected",
    "expired": "not approved in time",
    "withdrawn": "cancelled by a later message",
    "edited": "changed: see the next request",
    "moved": "asked again: see the next request",
}


@dataclass(frozen=True)
class Outcome:
    """One thing that was asked for.

    Attributes:
        about: what it is about, such as what is bought.
        title: what was to be done, where that does not say it; else "".
        state: `done`, `open`, `in_doubt` or `void`, by which it is coloured.
        at: when it was proposed, UTC; None if nothing of it is written down.
    """

    about: str
    title: str
    total: Money | None
    words: str
    state: str
    at: datetime | None


def outcomes_of(plan: Plan) -> Iterator[Outcome]:
    """Say what became of each action of a plan, in a user's words."""
    for action in plan.actions:
        words, state = _standing(plan, action)
        at = action.steps[0].intended_at if action.steps else None
        is_said = not action.about or str(action.total or "\n") in action.title
        title = "" if is_said else action.title
        yield Outcome(action.about or action.title, title, action.total, words, state, at)


def newest_outcomes(plans: Iterable[Plan]) -> list[Outcome]:
    """Say what became of plans, newest first; of those that were asked again the last one alone."""
    return [
        one
        for plan in reversed([*plans])
        if all(action.decision not in ("edited", "moved") for action in plan.actions)
        for one in outcomes_of(plan)
    ]


def _standing(plan: Plan, action: Action) -> tuple[str, str]:
    if any(step.state in _DOUBTED for step in action.steps):
        return "in doubt: needs review", "in_doubt"
    if action.decision in _NEVER:
        return _NEVER[action.decision], "void"
    if action.decision is None:
        return ("not done", "void") if plan.over else ("waiting for approval", "open")
    if not plan.over:
        return "rolling back" if action.closing else _step_of(action), "open"
    if action.succeeded:
        return "done", "done"
    if any(step.attempts for step in action.steps):
        why = f" ({action.reason.rstrip('.')})" if action.reason else ""
        undone = any(step.state is StepState.UNDONE for step in action.steps)
        return f"failed{why}{'; rolled back' if undone else ''}", "void"
    return "not done", "void"


def _step_of(action: Action) -> str:
    """Say at which step of an action its work stands."""
    count, over = len(action.steps), sum(step.state is StepState.DONE for step in action.steps)
    return f"in progress: step {min(over + 1, count)} of {count}" if count > 1 else "in progress"


# -- rows ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One entry: when, how long what it ends had lasted, its mark's name, and words."""

    at: datetime
    took: timedelta | None
    mark: str
    words: str


@dataclass(frozen=True)
class StepRows:
    """The rows of one step, and why it went otherwise than it was meant; "" if it did not."""

    step: Step
    rows: tuple[Row, ...]
    why: str


@dataclass(frozen=True)
class Timeline:
    """What happened to one plan.

    Attributes:
        rows: of the plan as a whole.
        counts: how often there was a crash, a retry, a probe, a compensation, a doubt.
        is_over: nothing of it is left to be done or reported.
    """

    plan_id: str
    outcomes: tuple[Outcome, ...]
    rows: tuple[Row, ...]
    steps: tuple[StepRows, ...]
    counts: Mapping[str, int]
    is_over: bool
    begin: datetime
    end: datetime


_OF_PLAN = {
    Event.RECEIVED: ("said", "Message from the user"),
    Event.DECIDED: ("model", "The model chose the next step"),
    Event.OPENED: ("asked", "Approval requested"),
    Event.APPROVAL: ("person", "Approved"),
    Event.CLOSING: ("undo", "Rollback started"),
    Event.SUCCEEDED: ("over", "The plan succeeded"),
    Event.ENDED: ("over", "The plan ended"),
}

_ANSWERS = {
    Event.ACKNOWLEDGED: ("done", "Confirmed by the provider"),
    Event.REFUSED: ("refused", "Rejected before processing"),
    Event.DECLINED: ("refused", "Declined by the provider"),
    Event.UNANSWERED: ("silent", "No answer in time"),
    Event.UNDONE: ("undone", "Rolled back"),
    Event.UNDO_FAILED: ("silent", "No answer to the compensation"),
    Event.UNDO_STUCK: ("doubt", "Compensation needs review"),
}

_LOOKUPS = {
    Event.FOUND: ("probe", "Lookup: it happened"),
    Event.VERIFIED: ("verified", "Lookup: the result is as expected"),
    Event.ABSENT: ("absent", "Lookup: not found"),
    Event.UNREACHABLE: ("absent", "Lookup failed"),
}

_SAID = {Event.HAPPENED: "it happened", Event.NOT_HAPPENED: "it did not happen"}

_OTHERS = {
    Event.INTENDED: ("intended", "Recorded: arguments, key and preconditions"),
    Event.ATTEMPTED: ("sent", "Attempt"),
    Event.UNDO_ATTEMPTED: ("undo", "Compensation attempt"),
    Event.FAILED: ("refused", "Failed without effect"),
    Event.IN_DOUBT: ("doubt", "In doubt: needs review"),
    **{event: ("void", f"{event.value.capitalize()}: never sent") for event in VOIDING},
}

_OF_STEP = {**_ANSWERS, **_LOOKUPS, **_OTHERS}
_ATTEMPTS = (Event.ATTEMPTED, Event.UNDO_ATTEMPTED)


def timeline_of(plan: Plan, entries: Sequence[Entry], now: datetime) -> Timeline:
    """Read what happened to a plan.

    Args:
        entries: of its thread, in order; those of other turns and plans are left out.
        now: UTC; until when what is open has lasted.
    """
    about = [entry for entry in entries if _is_about(entry, plan)]
    end = _at(about[-1]) if plan.over else now
    steps = []
    for step in plan.steps:
        rows = tuple(_rows_of(step.step_id, about, end))
        is_otherwise = step.state in (StepState.NEGATIVE, *_DOUBTED)
        steps.append(StepRows(step, rows, step.reason if is_otherwise else ""))
    opened = next((_at(entry) for entry in about if entry.event is Event.OPENED), None)
    is_doubted = any(step.state in _DOUBTED for step in plan.steps)
    return Timeline(
        plan_id=plan.plan_id,
        outcomes=tuple(outcomes_of(plan)),
        rows=tuple(_row_of_plan(entry, opened) for entry in about if _is_of_plan(entry)),
        steps=tuple(steps),
        counts=_counts([row for one in steps for row in one.rows], about),
        is_over=plan.over and not is_doubted,
        begin=_at(about[0]),
        end=end,
    )


def _at(entry: Entry) -> datetime:
    assert entry.at is not None, "the ledger dates every entry"
    return entry.at


def _is_about(entry: Entry, plan: Plan) -> bool:
    if entry.plan_id is not None:
        return entry.plan_id == plan.plan_id
    return entry.turn_id == plan.turn_id


def _is_of_plan(entry: Entry) -> bool:
    return entry.step_id is None and (entry.event in _OF_PLAN or entry.event is Event.DECISION)


def _row_of_plan(entry: Entry, opened: datetime | None) -> Row:
    at = _at(entry)
    if entry.event is not Event.DECISION:
        if entry.event is Event.OPENED and entry.detail.get("approval") == "policy":
            return Row(at, None, "intended", "Approved by policy")
        mark, words = _OF_PLAN[entry.event]
        by = f", by {entry.author} ({entry.role})" if entry.event is Event.APPROVAL else ""
        return Row(at, None, mark, words + by)
    decided = ", ".join(dict.fromkeys(entry.detail.get("decisions", ()))).capitalize()
    words = f"{decided} by {entry.author} ({entry.role})" if entry.author else decided
    return Row(at, at - opened if opened else None, "person" if entry.author else "void", words)


def _rows_of(step_id: str, entries: Sequence[Entry], end: datetime) -> Iterator[Row]:
    """Write the entries of one step, and the end of an attempt whose sender recorded nothing."""
    sent: Entry | None = None
    for entry in (one for one in entries if one.step_id == step_id):
        at, event = _at(entry), entry.event
        if sent is not None and event not in (*_ANSWERS, *_SAID) and not _is_unexpected(entry):
            # Its process died, or was suspended.
            yield Row(_at(sent), None, "crash", "Crash: no answer recorded")
            sent = None
        took = at - _at(sent) if sent is not None else None
        if event in _SAID:
            words = f"{entry.author or 'Unknown'} answered: {_SAID[event]}"
            yield Row(at, None, "person", words)
        elif event in _ATTEMPTS:
            mark, words = _OF_STEP[event]
            by = f" by {entry.worker}" if entry.worker else ""
            yield Row(at, None, mark, f"{words} {entry.attempt}{by}")
        elif event in _LOOKUPS:
            took = at - min(datetime.fromisoformat(entry.detail["began_at"]), at)
            yield Row(at, took, *_LOOKUPS[event])
        elif event in _OF_STEP:
            yield Row(at, took, *_OF_STEP[event])
        if event in _ATTEMPTS:
            sent = entry
        elif event not in _SAID:
            sent = None
    if sent is not None:
        yield Row(end, end - _at(sent), "open", "No answer recorded yet")


def _is_unexpected(entry: Entry) -> bool:
    """Tell whether an answer came that does not show what was expected."""
    return entry.event is Event.IN_DOUBT and (entry.payload or {}).get("shown") is not None


def _counts(rows: Sequence[Row], entries: Sequence[Entry]) -> Mapping[str, int]:
    marks = Counter(row.mark for row in rows)
    events = [entry.event for entry in entries]
    attempts = [entry.attempt or 1 for entry in entries if entry.event in _ATTEMPTS]
    undone = {entry.step_id for entry in entries if entry.event is Event.UNDO_ATTEMPTED}
    counts = {
        "crash": marks["crash"],
        "retry": sum(attempt > 1 for attempt in attempts),
        "probe": marks["probe"] + marks["absent"],
        "compensation": len(undone),
        "in doubt": events.count(Event.IN_DOUBT) + events.count(Event.UNDO_STUCK),
    }
    return {name: count for name, count in counts.items() if count}
