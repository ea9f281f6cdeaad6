"""How a plan is decided: by a user, by policy, by expiry, or by new input.

One function writes it down. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from daybook.state.effects.arguments import stored_args
from daybook.state.effects.keys import fresh_salt
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.session import Session

_VOIDS = {
    "rejected": Event.REJECTED,
    "edited": Event.SUPERSEDED,
    "moved": Event.SUPERSEDED,
    "withdrawn": Event.WITHDRAWN,
    "expired": Event.EXPIRED,
}
"""How the steps of an action end that nobody approved."""


def decision(
    plan: Plan,
    verdicts: Sequence[str],
    by: Session | None = None,
    *,
    until: datetime | None = None,
    words: Mapping[int, str] | None = None,
    edits: Mapping[str, tuple[str, Mapping[str, Any]]] | None = None,
    **facts: Any,
) -> list[Entry]:
    """Write a decision on a plan that nobody has decided, and how steps end by it.

    Args:
        verdicts: of each action: approved, rejected, edited, moved, withdrawn or expired.
        by: who decided; None if time did.
        until: UTC; until when a step may be begun on it.
        words: what the person said about an action, by position.
        edits: call to the tool and arguments of the plan's next version; nothing of this one is
            done then.
        facts: more of its details, such as that it was a wish to stop.
    """
    detail: dict[str, Any] = {"decisions": [*verdicts], **facts}
    payload: dict[str, Any] = {}
    if words:
        payload["told"] = {str(position): said for position, said in words.items()}
    if edits:
        payload["edits"] = {
            call: {"tool": tool, **stored_args(args)} for call, (tool, args) in edits.items()
        }
    if "approved" in verdicts:
        # Salted: after the payloads were erased, arguments could be guessed from the hash.
        payload["salt"] = fresh_salt()
        detail["bound_to"] = plan.bound_to(payload["salt"])
    entry = plan.entry(
        Event.DECISION,
        author=by.author if by else None,
        role=by.role if by else None,
        deadline_at=until,
        detail=detail,
        payload=payload or None,
    )
    voided = [
        plan.entry(_VOIDS.get(verdict, Event.SUPERSEDED), step)
        for action, verdict in zip(plan.actions, verdicts, strict=True)
        if edits or verdict in _VOIDS
        for step in action.steps
        if step.state is StepState.INTENDED
    ]
    return [entry, *voided]
