"""What became of what was asked for, in a person's words: what it was, what it cost, how it stands.

Customers read this where staff read the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import StepState
from daybook.state.money import Money

_ASKS = (StepState.IN_DOUBT, StepState.STUCK)
_NEVER = {
    "rejected": "not done: it was not approved",
    "expired": "not done: nobody answered in time",
    "withdrawn": "not done: something else was said meanwhile",
}


@dataclass(frozen=True)
class Told:
    """One thing that was asked for.

    Attributes:
        about: what it is about, such as what is bought.
        title: what was to be done, where that does not say it; else "".
        kind: "done", "open", "doubt" or "void", by which it is coloured.
        at: when it was proposed, UTC; None where nothing of it is written down.
    """

    about: str
    title: str
    total: Money | None
    words: str
    kind: str
    at: datetime | None


def told_of(plans: Iterable[Plan]) -> Iterator[Told]:
    """Tell of plans, the newest first; of those that were asked again, the last one alone."""
    for plan in reversed([*plans]):
        for action in plan.actions:
            if action.decision in ("edited", "moved"):
                continue
            words, kind = _standing(plan, action)
            at = action.steps[0].intended_at if action.steps else None
            is_said = not action.about or str(action.total or "\n") in action.title
            title = "" if is_said else action.title
            yield Told(action.about or action.title, title, action.total, words, kind, at)


def _standing(plan: Plan, action: Action) -> tuple[str, str]:
    if any(step.state in _ASKS for step in action.steps):
        return "in doubt: a person is asked what happened", "doubt"
    if action.decision in _NEVER:
        return _NEVER[action.decision], "void"
    if action.decision is None:
        return ("not done", "void") if plan.over else ("waits for an answer", "open")
    if not plan.over:
        return "being undone" if action.closing else "being done", "open"
    if action.succeeded:
        return "done", "done"
    if any(step.attempts for step in action.steps):
        why = f" ({action.reason.rstrip('.')})" if action.reason else ""
        undone = any(step.state is StepState.UNDONE for step in action.steps)
        return f"not done{why}{'; what was begun is undone' if undone else ''}", "void"
    return "not done", "void"
