"""What the machine says beside an answer: what merchants warn of, and what they told of orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from daybook.state.merchants.state import PerhapsOpen
from daybook.state.money import Money
from daybook.tools.domain import State, Warned
from daybook.tools.merchants.spoken.standing import instant


def warnings(state: State) -> list[Warned]:
    """Return what a person must have heard; each is said once for as long as it stands."""
    return [*_of_orders(state), *_of_checkouts(state), *_of_lost_answers(state)]


def _of_orders(state: State) -> Iterator[Warned]:
    """Say each thing that was told of an order; of two that are said alike each is said."""
    for order in state["orders"]:
        named = f"{order.merchant} {order.order_id}"
        if order.placed_there:
            total = Money(amount=order.total, currency=order.currency)
            said = f"The order {order.order_id} at {order.merchant} ({total}) was placed there"
            yield Warned(f"{named} placed there", f"{said}, at its own page.")
        counts: Counter[str] = Counter()
        for line in order.told:
            counts[line] += 1
            key = f"{named} {counts[line]} {line}"
            yield Warned(key, f"{order.merchant} on the order {order.order_id}: {line}.")


def _of_checkouts(state: State) -> Iterator[Warned]:
    """Say what is open at a merchant, and what it says about it: that must not be hidden."""
    for cart in state["carts"]:
        checkout = cart.checkout
        if checkout is None:
            if cart.ended:
                key = f"{cart.merchant} {cart.cart_id} {cart.revision} ended {cart.ended}"
                yield Warned(key, f"The checkout at {cart.merchant} is over there: {cart.ended}.")
            continue
        named = f"{cart.merchant} {checkout.checkout_id} {checkout.revision}"
        for said in checkout.messages:
            yield Warned(f"{named} {said}", f"{cart.merchant} says: {said}")
        if checkout.status == "requires_escalation" and checkout.continue_url:
            yield Warned(
                f"{named} escalated",
                f"{cart.merchant} wants you to go on at its own page: {checkout.continue_url}",
            )
        elif checkout.status == "requires_escalation":
            yield Warned(
                f"{named} escalated",
                f"{cart.merchant} wants you to go on with this at its own page, and names none "
                "of its own: look there yourself.",
            )
        else:
            until = checkout.expires_at
            yield Warned(
                f"{named} open",
                f"The checkout at {cart.merchant} is open until {instant(until)}; then it runs out "
                "by itself."
                if until
                else f"The checkout at {cart.merchant} is open until it is ordered or given back; "
                f"{cart.merchant} does not say when it runs out.",
            )


def _of_lost_answers(state: State) -> Iterator[Warned]:
    for cart in state["carts"]:
        for one in cart.perhaps_open:
            key = f"{cart.merchant} {one.opening} {one.count} lost"
            yield Warned(key, perhaps_open(cart.merchant, one))


def perhaps_open(merchant: str, one: PerhapsOpen) -> str:
    """Tell of sessions that may be open at a merchant without anybody knowing their ids."""
    more = "another checkout" if one.besides else "a checkout"
    if one.count > 1:
        more = f"{one.count} {'other checkouts' if one.besides else 'checkouts'}"
    return (
        f"An answer of {merchant} was lost: {more} may be open there, which nobody can order or "
        f"give back, and which has run out by {one.until}."
    )
