"""What an answer to an effect proves. A business error comes as 200: it is never a confirmation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from daybook.state.effects.outcome import Confirmed, Declined, Outcome, Unknown
from daybook.tools.merchants.ucp.answers import Unusable, refusal, taken
from daybook.tools.merchants.ucp.checkout import IN_HAND, OPEN, Checkout

_DONE = (200, 201)


def opened(body: Mapping[str, Any], status: int) -> Outcome:
    """Judge the answer to Create and to Update: there is a checkout, or a no."""
    if is_no(body):
        return _no(body, status)
    return _judged(body, status, lambda checkout: Confirmed(checkout.facts()))


def canceled(body: Mapping[str, Any], status: int) -> Outcome:
    """Judge the answer to Cancel: only the status says that it is given back."""

    def judge(checkout: Checkout) -> Outcome:
        if checkout.status == "canceled":
            return Confirmed(checkout.facts())
        return declined(checkout) or Unknown(f"its status is {checkout.status}")

    return _judged(body, status, judge)


def completed(body: Mapping[str, Any], status: int) -> Outcome:
    """Judge the answer to Complete.

    Only the status `completed` with an order confirms. Accepted and not done yet
    (`complete_in_progress`) is looked up until it is, and not sent again. Everything else that is
    the merchant's own word is a no, which is believed when Get Checkout says the same.
    """

    def judge(checkout: Checkout) -> Outcome:
        if checkout.status == "completed" and checkout.order_id and not is_no(body):
            return Confirmed(checkout.facts())
        if checkout.status in (*OPEN, "canceled") and (no := declined(checkout)) is not None:
            return no
        if checkout.status == IN_HAND:
            return Unknown("the merchant has accepted it, and has it in hand", in_hand=True)
        return Unknown(f"its status is {checkout.status}, and it does not say that it was done")

    return _judged(body, status, judge)


JUDGES: Final[Mapping[str, Callable[[Mapping[str, Any], int], Outcome]]] = {
    "create_checkout": opened,
    "update_checkout": opened,
    "cancel_checkout": canceled,
    "complete_checkout": completed,
}
"""What judges the answer to an operation."""


def _judged(body: Mapping[str, Any], status: int, judge: Callable[[Checkout], Outcome]) -> Outcome:
    if status not in _DONE or "id" not in body:
        return _no(body, status)
    try:
        return judge(taken(Checkout, body, "a checkout"))
    except Unusable as why:
        return Unknown(f"it answered with a checkout that cannot be used: {why}")


def declined(checkout: Checkout) -> Declined | None:
    """Return the no that a checkout shows; None where it shows none."""
    if checkout.status == "canceled":
        return Declined("canceled", "The merchant has canceled this checkout.", checkout.facts())
    for one in checkout.errors:
        return Declined(one.code or "refused", str(one), checkout.facts())
    if checkout.status == "requires_escalation":
        message = "The merchant wants its customer to go on at its own page."
        return Declined("requires_escalation", message, checkout.facts())
    return None


def is_no(body: Mapping[str, Any]) -> bool:
    """Tell whether an answer says of itself that it gives nothing, whatever else it holds."""
    envelope = body.get("ucp")
    return isinstance(envelope, Mapping) and envelope.get("status") == "error"


def _no(body: Mapping[str, Any], status: int) -> Outcome:
    """Judge an answer without a checkout: an error of the merchant's own, or of the protocol."""
    said = refusal(body)
    if said and status in _DONE:
        return Declined(said[0].code or "refused", str(said[0]))
    if said and 400 <= status < 500 and status not in (408, 409, 425, 429):
        # Who asks, or how it is written: it says nothing of a request that came before.
        return Declined(said[0].code or str(status), str(said[0]), at_the_door=True)
    return Unknown(f"status {status} does not tell what was done{f': {said[0]}' if said else ''}")
