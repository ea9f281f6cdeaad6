"""What the machine says beside an answer: what merchants warn of, and what they told of orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from daybook.tools.domain import State, Warned
from daybook.tools.merchants.spoken.standing import instant


def warnings(state: State, text: str, results: Sequence[Any]) -> list[Warned]:
    """Return what a person must have heard; each is said once for as long as it stands."""
    return [*_of_orders(state), *_of_checkouts(state)]


def _of_orders(state: State) -> Iterator[Warned]:
    for order in state["orders"]:
        if order.told:
            key = f"{order.merchant} {order.order_id} {order.newness}"
            said = "; ".join(order.told)
            yield Warned(key, f"{order.merchant} on the order {order.order_id}: {said}.")


def _of_checkouts(state: State) -> Iterator[Warned]:
    """Say what is open at a merchant, and what it says about it: that must not be hidden."""
    for cart in state["carts"]:
        checkout = cart.checkout
        if checkout is None:
            continue
        named = f"{cart.merchant} {checkout.checkout_id} {checkout.revision}"
        for said in checkout.messages:
            yield Warned(f"{named} {said}", f"{cart.merchant} says: {said}")
        if checkout.status == "requires_escalation" and checkout.continue_url:
            yield Warned(
                f"{named} escalated",
                f"{cart.merchant} wants you to go on at its own page: {checkout.continue_url}",
            )
        elif checkout.expires_at:
            yield Warned(
                f"{named} open",
                f"The checkout at {cart.merchant} is open until {instant(checkout.expires_at)}; "
                "then it runs out by itself.",
            )
