"""Describe a finished action in one line, for the model and the ledger."""

from __future__ import annotations

from collections.abc import Callable

from daybook.state.effects.keys import canonical
from daybook.state.ledger.plan import Action
from daybook.state.ledger.recovery import StepState
from daybook.state.people.privacy import redacted
from daybook.state.people.questions.markdown import arguments
from daybook.state.plain import plain_json

_NOT_DONE = (StepState.NEGATIVE, StepState.VOID, StepState.UNDONE)
_MOST = 4_000
"""Characters of what an effect returned that a model reads."""

NOT_SETTLED = (StepState.UNKNOWN, StepState.IN_DOUBT, StepState.UNDOING, StepState.STUCK)


def reached(action: Action) -> str:
    """Say of an action that succeeded that it is done, and what of the rest of it is not.

    Of an effect that the model called by itself, also what it returned: as JSON, so that nothing
    in it reads as more than data.
    """
    said = ["done"]
    if action.is_bare and (result := action.steps[-1].result):
        data = plain_json(canonical(redacted(dict(result))))
        said.append(f"it returned {data if len(data) <= _MOST else data[:_MOST] + '... (cut)'}")
    if left := [step for step in action.steps if step.state in _NOT_DONE]:
        why = (f"{s.name} ({s.reason.rstrip('.')})" if s.reason else s.name for s in left)
        said.append(f"but not {', '.join(why)}")
    if unsettled := [step.name for step in action.steps if step.state in NOT_SETTLED]:
        said.append(f"and it is not known whether {', '.join(unsettled)} was done")
    return ", ".join(said)


def outcome_line(action: Action, done: Callable[[Action], str] = reached) -> str:
    """Describe the outcome of a finished action.

    Args:
        done: describes the result of a successful action: its pivot is done, and later steps may
            have failed or be in doubt.
    """
    if action.decision in ("rejected", "expired", "withdrawn", "edited", "moved"):
        said = f": {action.told}" if action.told else ""
        by = f" by {action.decided_by}" if action.decision == "rejected" else ""
        return f"{action.tool} {action.decision}{by}{said or ': nothing was done'}"
    if action.succeeded:
        return f"{action.tool} confirmed{_edited(action)}: {done(action)}{_beside(action)}"
    return f"{action.tool} failed: {_failed(action)}{_beside(action)}"


def _edited(action: Action) -> str:
    """Say that a person put this call instead of what the model had proposed."""
    if action.edited_by is None:
        return ""
    now = arguments(action.args, money=())
    return f" as {action.edited_by} changed it, to {action.tool} with {now}"


_STANDS = (
    ("Undone", (StepState.UNDONE,)),
    ("Done and not undone", (StepState.DONE,)),
    ("Outcome not known", NOT_SETTLED),
)
"""What may remain of an action that failed. Late evidence may put it in question again."""


def _failed(action: Action) -> str:
    sentence = action.reason.rstrip(".") or "it could not be done"
    after = [
        f"{what}: {', '.join(names)}."
        for what, states in _STANDS
        if (names := [step.name for step in action.steps if step.state in states])
    ]
    return " ".join([f"{sentence}.", *(after or ["Nothing was changed."])])


def _beside(action: Action) -> str:
    """Say beside which steps the provider shows more."""
    return "".join(
        f"; besides {step.name} the provider shows {', '.join(step.beside)}, which may not be "
        "ours and was not touched: check with the provider"
        for step in action.steps
        if step.beside
    )
