"""Receipt lines of a plan: the outcome of each effect, from the ledger alone. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.receipts import ReceiptLine, ReceiptStatus

_STATUS: Mapping[StepState, ReceiptStatus] = {
    StepState.INTENDED: ReceiptStatus.WAITING,
    StepState.UNKNOWN: ReceiptStatus.PENDING,
    StepState.UNDOING: ReceiptStatus.PENDING,
    StepState.DONE: ReceiptStatus.DONE,
    StepState.IN_DOUBT: ReceiptStatus.IN_DOUBT,
    StepState.STUCK: ReceiptStatus.IN_DOUBT,
    StepState.UNDONE: ReceiptStatus.UNDONE,
    StepState.NEGATIVE: ReceiptStatus.NOT_DONE,
    StepState.VOID: ReceiptStatus.NOT_DONE,
}

_AMOUNTS = ("amount", "refunded", "total", "cents")
"""Fields of a result, or of arguments, that hold an effect's own amount in integer cents."""

_NOT_CARRIED_OUT = {
    "expired": "the approval expired",
    "withdrawn": "withdrawn",
    "edited": "replaced by an edited version",
    "moved": "a precondition changed",
}


def receipt_lines(plans: Iterable[Plan]) -> list[ReceiptLine]:
    """Return what became of the effects of plans, in order.

    An action of which nothing was ever sent is one line. A version that an edit replaced is left
    out: the version that took its place has lines of its own.
    """
    return [
        line
        for plan in plans
        if not plan.edits
        for action in plan.actions
        for line in _lines(action)
    ]


def withdrawn_lines(plan: Plan) -> list[ReceiptLine]:
    """Return the lines of a plan under which something changed and that no other version replaced.

    Nothing of it was ever sent, whatever was decided on the single actions.
    """
    return [
        _unsent(action, ReceiptStatus.NOT_DONE, action.told or _why_not(action))
        for action in plan.actions
    ]


def _lines(action: Action) -> list[ReceiptLine]:
    sent = [step for step in action.steps if step.attempts or step.state in _SETTLED]
    return [_line(step, action) for step in sent] or [_never_sent(action)]


_SETTLED = (StepState.DONE, StepState.UNDONE, StepState.IN_DOUBT)


def _line(step: Step, action: Action) -> ReceiptLine:
    amount, currency = _amount(step, action)
    status = _STATUS[step.state]
    if any(attempt.answer is Event.DECLINED for attempt in step.attempts[-1:]):
        status = ReceiptStatus.DECLINED if step.state is StepState.NEGATIVE else status
    reasons = [_reason(step, action, status)]
    if step.beside:
        also = ", ".join(step.beside)
        reasons.append(f"the provider also shows {also}; review it there")
    return ReceiptLine(
        kind=step.tool,
        id=step.reference or "",
        amount=amount,
        currency=currency,
        status=status,
        reason=_one_line("; ".join(filter(None, reasons))),
    )


def _reason(step: Step, action: Action, status: ReceiptStatus) -> str:
    if step.state is StepState.UNDOING:
        return "being undone"
    if step.state is StepState.STUCK:
        return step.reason or "it could not be undone"
    if status is ReceiptStatus.DONE:
        return ""
    if status is ReceiptStatus.UNDONE:
        return action.reason
    if status in (ReceiptStatus.DECLINED, ReceiptStatus.NOT_DONE):
        return step.reason or action.reason
    return step.reason


def _never_sent(action: Action) -> ReceiptLine:
    if action.decision not in (None, "approved") or action.closing:
        return _unsent(action, ReceiptStatus.NOT_DONE, _why_not(action))
    return _unsent(action, ReceiptStatus.WAITING, "")


def _unsent(action: Action, status: ReceiptStatus, reason: str) -> ReceiptLine:
    total = action.total
    return ReceiptLine(
        kind=action.tool,
        amount=total.amount if total is not None else None,
        currency=total.currency if total is not None else "",
        status=status,
        reason=_one_line(reason),
    )


def _why_not(action: Action) -> str:
    if action.stopped_by is not None:
        return f"stopped by {action.stopped_by}"
    if action.decision == "rejected":
        return f"rejected by {action.decided_by}" + (f": {action.told}" if action.told else "")
    return _NOT_CARRIED_OUT.get(action.decision or "", "") or action.reason


def _amount(step: Step, action: Action) -> tuple[int | None, str]:
    """Return an effect's own amount in cents, and its currency."""
    sources: tuple[Mapping[str, Any], ...] = (step.result or {}, step.bound or {}, step.args)
    if step.money is not None:
        cents, currency = step.money
        code = next((one[currency] for one in sources if currency in one), currency)
        value = next((one[cents] for one in sources if cents in one), None)
        return value if isinstance(value, int) else None, str(code)
    # What a provider showed says what it is; an argument is money where that is declared alone.
    shown = step.result or {}
    for name in _AMOUNTS:
        value = shown.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            code = shown.get("currency")
            total = action.total.currency if action.total is not None else ""
            return value, code if isinstance(code, str) else total
    return None, ""


def _one_line(text: str) -> str:
    return " ".join(text.split())
