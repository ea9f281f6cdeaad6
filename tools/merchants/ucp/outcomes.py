"""What an answer to an effect proves. A business error comes as 200: it is never a confirmation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.state.effects.outcome import Confirmed, Declined, Outcome, Unknown
from daybook.tools.merchants.ucp import answers
from daybook.tools.merchants.ucp.answers import Checkout, Unusable
from daybook.tools.merchants.ucp.whose import advised

OPEN = ("incomplete", "requires_escalation", "ready_for_complete")
"""Statuses of a checkout that can still be changed, and completed."""

IN_HAND = "complete_in_progress"
"""The status of a checkout whose order was accepted: it is neither changed nor completed again."""

_DONE = (200, 201)


def facts(checkout: Checkout) -> dict[str, Any]:
    """Write down what a checkout shows: no address, no instrument, nothing of its person."""
    told: dict[str, Any] = {
        "checkout_id": checkout.checkout_id,
        "status": checkout.status,
        "total": checkout.total.amount,
        "currency": checkout.currency,
        "terms": checkout.terms,
        "bought": checkout.bought,
        "lines": [
            {
                "item_id": one.item_id,
                "title": one.title,
                "quantity": one.quantity,
                "total": one.total,
            }
            for one in checkout.lines
        ],
        "totals": [
            {"type": one.kind, "label": one.label, "amount": one.amount} for one in checkout.totals
        ],
        "messages": [
            {
                "type": one.kind,
                "code": one.code,
                "severity": one.severity,
                "text": one.said,
                "advice": advised(one),
            }
            for one in checkout.messages
        ],
    }
    if checkout.expires_at is not None and checkout.status in OPEN:
        told["expires_at"] = checkout.expires_at.isoformat()
    others = {
        "continue_url": checkout.continue_url,
        "order_id": checkout.order_id,
        "order_url": checkout.order_url,
    }
    return {**told, **{name: value for name, value in others.items() if value}}


def opened(body: Mapping[str, Any], status: int) -> Outcome:
    """Judge the answer to Create and to Update: there is a checkout, or a no."""
    if status in _DONE and "id" in body and not is_no(body):
        return _shown(body, lambda checkout: Confirmed(facts(checkout)))
    return _no(body, status)


def canceled(body: Mapping[str, Any], status: int) -> Outcome:
    """Judge the answer to Cancel: only the status says that it is given back."""
    if status not in _DONE or "id" not in body:
        return _no(body, status)

    def judge(checkout: Checkout) -> Outcome:
        if checkout.status == "canceled":
            return Confirmed(facts(checkout))
        return declined(checkout) or Unknown(f"its status is {checkout.status}")

    return _shown(body, judge)


def completed(body: Mapping[str, Any], status: int) -> Outcome:
    """Judge the answer to Complete.

    Only the status `completed` with an order confirms. Accepted and not done yet
    (`complete_in_progress`) is looked up until it is, and not sent again. Everything else that is
    the merchant's own word is a no, which is believed when Get Checkout says the same.
    """
    if status not in _DONE or "id" not in body:
        return _no(body, status)

    def judge(checkout: Checkout) -> Outcome:
        if checkout.status == "completed" and checkout.order_id and not is_no(body):
            return Confirmed(facts(checkout))
        if checkout.status in OPEN or checkout.status == "canceled":
            return declined(checkout) or Unknown(f"its status is {checkout.status}")
        if checkout.status == IN_HAND:
            return Unknown("the merchant has accepted it, and has it in hand", in_hand=True)
        return Unknown(f"its status is {checkout.status}, and it does not say that it was done")

    return _shown(body, judge)


def _shown(body: Mapping[str, Any], judge: Any) -> Outcome:
    try:
        outcome: Outcome = judge(answers.checkout(body))
    except Unusable as why:
        return Unknown(f"it answered with a checkout that cannot be used: {why}")
    return outcome


def declined(checkout: Checkout) -> Declined | None:
    """Return the no that a checkout shows; None where it shows none."""
    if checkout.status == "canceled":
        return Declined("canceled", "The merchant has canceled this checkout.", facts(checkout))
    for one in checkout.errors:
        return Declined(one.code or "refused", str(one), facts(checkout))
    if checkout.status == "requires_escalation":
        message = "The merchant wants its customer to go on at its own page."
        return Declined("requires_escalation", message, facts(checkout))
    return None


def is_no(body: Mapping[str, Any]) -> bool:
    """Tell whether an answer says of itself that it gives nothing, whatever else it holds."""
    envelope = body.get("ucp")
    return isinstance(envelope, Mapping) and envelope.get("status") == "error"


def _no(body: Mapping[str, Any], status: int) -> Outcome:
    """Judge an answer without a checkout: an error of the merchant's own, or of the protocol."""
    said = answers.refusal(body)
    if said and status in _DONE:
        return Declined(said[0].code or "refused", str(said[0]))
    if said and 400 <= status < 500 and status not in (408, 409, 425, 429):
        # Who asks, or how it is written: it says nothing of a request that came before.
        return Declined(said[0].code or str(status), str(said[0]), at_the_door=True)
    return Unknown(f"status {status} does not tell what was done{f': {said[0]}' if said else ''}")
