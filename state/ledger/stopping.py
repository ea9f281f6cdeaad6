"""A user's request to stop: what it closes, and what the user is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daybook.state.effects.reference import reference_text
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import TERMINAL, Event, StepState
from daybook.state.ledger.step import Step

STOP = "stop"
"""Type of the event by which something in progress is stopped from outside the chat."""

STOPS = "stops"
"""Detail of the wish to stop a turn in which no plan is open: the turn that begins nothing more."""

STOP_WORDS = frozenset({"stop", "stop it", "cancel", "cancel it", "abort", "halt"})
"""What a message says that wants just that, whatever its case and punctuation."""

NOTHING_UNDER_WAY = "Nothing is in progress in this conversation, so nothing was stopped."

OTHER_EVENT = "Another event has this id already, so nothing was stopped. Use a new id."

_OPEN = (StepState.UNKNOWN, StepState.IN_DOUBT)


def is_stop(text: str) -> bool:
    """Tell whether a message says nothing but that it is to be stopped."""
    kept = "".join(sign if sign.isalnum() else " " for sign in text.casefold())
    return " ".join(kept.split()) in STOP_WORDS


def is_stop_event(event: Mapping[str, Any]) -> bool:
    """Tell whether an event from outside the chat is the wish to stop."""
    return event.get("type") == STOP


def closes(plan: Plan, author: str, role: str) -> list[Entry]:
    """Write what the wish to stop closes of a plan that was decided on; nothing if nothing may.

    An action goes on whose pivot is done, or was sent and could not be taken back: it would be
    undone around an effect that stands.
    """
    entries = []
    for action in plan.actions:
        if not action.is_approved or action.closing or not _may_be_closed(action):
            continue
        entries.append(
            plan.entry(
                Event.CLOSING,
                author=author,
                role=role,
                detail={"action": action.position, "stop": True},
                payload={"reason": f"stopped by {author}"},
            )
        )
        left = [step for step in action.steps if step.state is StepState.INTENDED]
        entries += [plan.entry(Event.CANCELLED, step) for step in left]
    return entries


def told_of_stopping(plan: Plan) -> str:
    """Say where a plan stands that a person wants to stop, action by action."""
    at_stake = [one for one in plan.actions if one.is_approved or one.stopped_by is not None]
    return "\n".join(map(_told, at_stake))


def told_stopped(action: Action) -> str:
    """Say what became of an action that was stopped and is over, in one line."""
    who = f"Stopped by {action.stopped_by}: {action.title}."
    undone = _names(action, StepState.UNDONE)
    kept = _names(action, StepState.DONE, StepState.STUCK, *_OPEN)
    said = [f"Undone: {undone}."] if undone else []
    said += [f"Done and not undone: {kept}."] if kept else []
    return " ".join([who, *said, "Nothing else was done." if said else "None of it was done."])


NOTHING_MORE = "Nothing more is started in this turn."


def told_turn_stopped(who: str) -> str:
    """Say of a turn in which no plan is open what becomes of it."""
    return f"{_by(who)} nothing more is started in this turn. Completed actions are kept."


def is_told(who: str, lines: Sequence[str]) -> bool:
    """Tell whether one of the lines says already that this person has stopped something."""
    return any(line.startswith(_by(who)) for line in lines)


def told_not_begun(who: str, titles: Sequence[str]) -> str:
    """Say of what a stopped turn would have begun that it was not."""
    return f"{_by(who)} {', '.join(titles)}. None of it was done."


def _by(who: str) -> str:
    return f"Stopped by {who}:"


def _may_be_closed(action: Action) -> bool:
    pivots = [step for step in action.steps if step.pivot]
    return not any(
        step.state is StepState.DONE or (step.state in _OPEN and step.undo is None)
        for step in pivots
    )


def _told(action: Action) -> str:
    if action.closing:
        return _told_closing(action)
    if not action.is_approved:
        return told_stopped(action)
    if not action.pivot_done:
        sent = next(step.name for step in action.steps if step.pivot)
        return (
            f"Not stopped: {action.title}. {sent} was sent and cannot be undone if it happened; "
            "its outcome is being looked up."
        )
    # What stands after the point of no return, and what taking it back would take.
    done = [step for step in action.steps if step.state is StepState.DONE]
    undos = [step.undo for step in reversed(done) if step.undo]
    owed = [s.name for s in action.steps if s.state not in (*TERMINAL, StepState.DONE)]
    takes = f"would take {', '.join(undos)}" if undos else "is not possible from here"
    return " ".join(
        [
            f"Not stopped: {action.title} is past its point of no return.",
            f"Kept: {', '.join(_with_reference(step) for step in done)}.",
            *([f"Still to be done: {', '.join(owed)}."] if owed else []),
            f"Undoing it {takes}; ask for it to get a proposal.",
        ]
    )


def _told_closing(action: Action) -> str:
    if all(step.state in TERMINAL for step in action.steps):
        return told_stopped(action) if action.stopped_by else f"Already finished: {action.title}."
    who = f"Stopped by {action.stopped_by}" if action.stopped_by else "Being undone already"
    said = [f"{who}: {action.title}."]
    if unknown := _names(action, *_OPEN):
        said.append(
            f"{unknown} was sent, and its outcome is being looked up; if it happened, it will be "
            "undone."
        )
    if done := _names(action, StepState.DONE, StepState.UNDOING):
        said.append(f"It is undone: {done}.")
    return " ".join([*said, "No further step is started."])


def _with_reference(step: Step) -> str:
    """Name a step with what names its effect at the provider."""
    return f"{step.name} {reference_text(step.reference or '')}".rstrip()


def _names(action: Action, *states: StepState) -> str:
    return ", ".join(step.name for step in action.steps if step.state in states)
