"""The ledger of one plan as a drawing: a lane for each step, on an axis of time."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from daybook.app.console.drawn.axis import Axis, Span, axis_of
from daybook.app.console.drawn.drawing import Kind, Lane, Strip
from daybook.app.console.drawn.step_lane import StepDrawn, at_of
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.waits import Wait, waits


@dataclass(frozen=True)
class Timeline:
    """The drawing of one plan.

    Attributes:
        about: what it is about, where its title does not say it; else "".
        ended: how it ended, or stands, in words.
        why: the cause, where it went otherwise than it was meant; else "".
        is_over: nothing of it is left to be done or told.
        found: how often there was a crash, a retry, a probe, a compensation, a doubt.
        kinds: those that occur, for the legend.
    """

    plan_id: str
    title: str
    about: str
    ended: str
    why: str
    is_over: bool
    begin: datetime
    end: datetime
    axis: Axis
    lanes: tuple[Lane, ...]
    found: Mapping[str, int]
    kinds: tuple[Kind, ...]


def timeline_of(plan: Plan, entries: Sequence[Entry], now: datetime) -> Timeline:
    """Draw a plan.

    Args:
        entries: of its thread, in order; those of other turns and plans are left out.
        now: UTC; until when what is open has lasted.
    """
    told_of = [entry for entry in entries if _is_about(entry, plan)]
    steps = {step.step_id: StepDrawn(step) for step in plan.steps}
    talk = Strip()
    for entry in told_of:
        if entry.step_id in steps:
            steps[entry.step_id].draw(entry)
        elif entry.step_id is None:
            _draw_talk(talk, entry)
    last = at_of(told_of[-1])
    for drawn in steps.values():
        drawn.close(last if plan.over else now)
    processes, found = _processes(told_of, steps)
    work = [span for drawn in steps.values() for span in drawn.work]
    waited = [Span(one.started, one.ended or now, _reason(one)) for one in waits(told_of)]
    waited += [span for drawn in steps.values() for span in drawn.waits]
    strips = [talk, processes, *(drawn.strip for drawn in steps.values())]
    instants = [at_of(entry) for entry in told_of]
    instants += [at for strip in strips for bar in strip.bars for at in bar[:2]]
    axis = axis_of(instants, work, waited)
    lanes = [Lane("Conversation", *talk.placed(axis))]
    if found:
        lanes.append(Lane("Processes", *processes.placed(axis)))
    lanes += [drawn.lane(axis) for drawn in steps.values()]
    shown = {bar.kind for lane in lanes for bar in lane.bars}
    shown |= {mark.kind for lane in lanes for mark in lane.marks}
    return Timeline(
        plan_id=plan.plan_id,
        title="; ".join(action.title for action in plan.actions if action.title) or "A plan",
        about="; ".join(action.about for action in plan.actions if action.about),
        ended=_ended(plan),
        why="; ".join(dict.fromkeys(action.reason for action in plan.actions if action.reason)),
        is_over=plan.over and not _is_doubted(plan),
        begin=min(instants),
        end=max(instants),
        axis=axis,
        lanes=tuple(lanes),
        found=_counted(steps.values()),
        kinds=tuple(kind for kind in Kind if kind in shown),
    )


def _reason(wait: Wait) -> str:
    return "waiting for a person's word" if wait.is_doubt else "waiting for approval"


def _is_about(entry: Entry, plan: Plan) -> bool:
    if entry.plan_id is not None:
        return entry.plan_id == plan.plan_id
    return entry.turn_id == plan.turn_id


def _ended(plan: Plan) -> str:
    """Say how a plan ended, or how it stands."""
    if _is_doubted(plan):
        return "in doubt"
    if not plan.decided and not plan.over:
        return "waits for approval"
    if not plan.over:
        return "being undone" if any(action.closing for action in plan.actions) else "under way"
    if plan.succeeded:
        return "succeeded"
    decisions = {action.decision for action in plan.actions}
    return _NEVER.get(decisions.pop(), "failed") if len(decisions) == 1 else "failed"


def _is_doubted(plan: Plan) -> bool:
    return any(step.state in (StepState.IN_DOUBT, StepState.STUCK) for step in plan.steps)


_NEVER: Mapping[str | None, str] = {
    "rejected": "rejected",
    "expired": "expired",
    "withdrawn": "withdrawn",
    "edited": "edited",
    "moved": "asked again",
}
"""How a plan ended that was decided so: nothing of it was done."""


_TALK: Mapping[Event, tuple[Kind, str]] = {
    Event.RECEIVED: (Kind.SAID, "The customer said something"),
    Event.DECIDED: (Kind.MODEL, "The model decided what to do next"),
    Event.OPENED: (Kind.ASKED, "The plan was written down"),
    Event.DECISION: (Kind.PERSON, "Decided"),
    Event.CLOSING: (Kind.UNDO, "It is given up: what was done is undone"),
    Event.SUCCEEDED: (Kind.OVER, "The plan succeeded"),
    Event.ENDED: (Kind.OVER, "The plan ended"),
}


def _draw_talk(strip: Strip, entry: Entry) -> None:
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
    strip.mark(at_of(entry), kind, says)


@dataclass
class _Process:
    """A process that was at work on a plan, as far as the ledger tells it.

    Attributes:
        worker: its name; "" until it has claimed something.
    """

    worker: str
    since: datetime
    until: datetime


def _processes(
    entries: Sequence[Entry], steps: Mapping[str, StepDrawn]
) -> tuple[Strip, list[_Process]]:
    """Draw which process was at work when; a crash ends one, and another goes on."""
    strip = Strip()
    gone = {begin: seen for drawn in steps.values() for begin, seen in drawn.crashes}
    found: list[_Process] = []
    for entry in entries:
        at = at_of(entry)
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


def _counted(drawn: Collection[StepDrawn]) -> dict[str, int]:
    counts = {
        "crash": sum(len(one.crashes) for one in drawn),
        "retry": sum(one.retries for one in drawn),
        "probe": sum(one.looks for one in drawn),
        "compensation": sum(1 for one in drawn if one.undos),
        "in doubt": sum(one.doubts for one in drawn),
    }
    return {name: count for name, count in counts.items() if count}
