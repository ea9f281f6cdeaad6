"""The panels beside the conversation, and the warnings with an answer.

Shown are a cart for each merchant, its checkout, and the orders; told is what merchants warn of,
and what they told of orders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from daybook.state.calls import WriteCall
from daybook.state.ledger.recovery import StepState
from daybook.state.merchants.state import MerchantCart, MerchantOrder, OpenCheckout, PerhapsOpen
from daybook.state.panel import Column, Line, Link, Panel
from daybook.tools.domain import State, Warned
from daybook.tools.merchants.ucp.checkout import IN_HAND
from daybook.tools.shop.carts import cart_panel

_STANDS: Final[Mapping[str, str]] = {
    "incomplete": "is not complete",
    "requires_escalation": "waits for you on the merchant's page",
    "ready_for_complete": "can be ordered",
    "complete_in_progress": "is being ordered",
    "completed": "is ordered",
    "canceled": "was cancelled",
}


def standing(status: str) -> str:
    """Say how a checkout stands: "can be ordered"."""
    return _STANDS.get(status, f"is {status.replace('_', ' ')}")


def stuck(merchant: str, page: str | None) -> str:
    """Say that a checkout never becomes ready, and what can be done: once, for it stays so."""
    there = f"continue on its page ({page}), or " if page else ""
    return (
        f"{merchant} has the checkout as incomplete and does not say what is missing, so it "
        f"cannot be ordered from here: {there}cancel it (cancel_checkout). Nothing was ordered."
    )


def _instant(given: str) -> str:
    return f"{datetime.fromisoformat(given).astimezone(UTC):%d %b %Y, %H:%M} UTC"


def panels(state: State) -> Sequence[Panel]:
    """Show the carts, what is open at the merchants, and the orders where there are any."""
    shown: list[Panel] = []
    for cart in state.get("carts", ()):
        notes = [] if cart.checkout else _perhaps(cart)
        shown.append(cart_panel(cart, f"Cart at {cart.merchant}", cart.merchant, notes))
        if cart.checkout is not None:
            shown.append(_checkout(cart, cart.checkout, state))
    nothing = Panel("Carts", (Column("Product"),), empty="There are no carts.")
    orders: Sequence[MerchantOrder] = state.get("orders", ())
    return [*(shown or [nothing]), *([_orders(orders)] if orders else [])]


def _perhaps(cart: MerchantCart) -> list[str]:
    """Say what may be open at a merchant by no name: it holds goods until it runs out."""
    return [perhaps_open(cart.merchant, one) for one in cart.perhaps_open]


def _is_sent(checkout: OpenCheckout, state: State) -> bool:
    """Tell whether the order of a checkout is sent and not settled."""
    return any(
        call.tool == "complete_session"
        and call.status in (StepState.UNKNOWN, StepState.IN_DOUBT)
        and call.args.get("checkout_id") == checkout.checkout_id
        for call in state.get("ledger", {}).values()
        if isinstance(call, WriteCall)
    )


def _checkout(cart: MerchantCart, checkout: OpenCheckout, state: State) -> Panel:
    """Show the session that is open at a merchant, and its page where its user goes on."""
    said = [f"{cart.merchant} says: {one}" for one in checkout.messages]
    said += [f"Delivery: {one}." for one in checkout.delivery]
    if checkout.expires_at:
        until = _instant(checkout.expires_at)
        said.append(f"It is open until {until}; then it expires.")
    is_theirs = checkout.is_escalated and not _is_sent(checkout, state)
    stands = standing(IN_HAND if _is_sent(checkout, state) else checkout.status)
    words = "Continue on its page" if is_theirs else "See it on its page"
    return Panel(
        title=f"Checkout at {cart.merchant}",
        columns=(Column("Session", "id"), Column("Status", "state"), Column("Total", "number")),
        lines=(Line((checkout.checkout_id, stands, str(checkout.total)), stands=not is_theirs),),
        note=" ".join([*said, *_perhaps(cart)]),
        links=(Link(words, checkout.continue_url),) if checkout.continue_url else (),
        told=False,
    )


def _orders(orders: Sequence[MerchantOrder]) -> Panel:
    newest = [*reversed(orders)]
    columns = (
        Column("Order", "id"),
        Column("Merchant"),
        Column("Reported by the merchant"),
        Column("Total", "number"),
    )
    return Panel(
        title="Orders",
        columns=columns,
        lines=tuple(
            Line((one.order_id, one.merchant, "; ".join(one.told), str(one.total)))
            for one in newest
        ),
        links=tuple(Link(f"Order {one.order_id}", one.url) for one in newest if one.url),
        told=False,
    )


# -- beside an answer -----------------------------------------------------------------------------


def warnings(state: State) -> list[Warned]:
    """Return what a person must have heard; each is said once for as long as it stands."""
    orders = [one for order in state["orders"] for one in _of_order(order)]
    return [*orders, *(one for cart in state["carts"] for one in _of_cart(cart))]


def _of_order(order: MerchantOrder) -> Iterator[Warned]:
    """Say each thing that was told of an order; of two that are said alike each is said."""
    named = f"{order.merchant} {order.order_id}"
    if order.placed_there:
        said = f"The order {order.order_id} at {order.merchant} ({order.total}) was placed there"
        yield Warned(f"{named} placed there", f"{said}, at its own page.")
    counts: Counter[str] = Counter()
    for line in order.told:
        counts[line] += 1
        key = f"{named} {counts[line]} {line}"
        yield Warned(key, f"{order.merchant} on the order {order.order_id}: {line}.")


def _of_cart(cart: MerchantCart) -> Iterator[Warned]:
    """Say what is open at a merchant, and what it says about it: that must not be hidden."""
    at = cart.merchant
    for one in cart.perhaps_open:
        yield Warned(f"{at} {one.opening} {one.count} lost", perhaps_open(at, one))
    if cart.ended:
        key = f"{at} {cart.cart_id} {cart.revision} ended {cart.ended}"
        yield Warned(key, f"The checkout at {at} ended there: {cart.ended}.")
    checkout = cart.checkout
    if checkout is None:
        return
    named = f"{at} {checkout.checkout_id} {checkout.revision}"
    for said in checkout.messages:
        yield Warned(f"{named} {said}", f"{at} says: {said}")
    if checkout.is_escalated:
        page = checkout.continue_url or "it gives no link, so open its site yourself"
        yield Warned(f"{named} escalated", f"{at} asks you to continue on its own page: {page}")
    elif checkout.expires_at:
        until = f"{_instant(checkout.expires_at)}; then it expires"
        yield Warned(f"{named} open", f"The checkout at {at} is open until {until}.")
    else:
        until = "it is ordered or cancelled; the merchant gives no expiry"
        yield Warned(f"{named} open", f"The checkout at {at} is open until {until}.")


def perhaps_open(merchant: str, one: PerhapsOpen) -> str:
    """Tell of sessions that may be open at a merchant without anybody knowing their ids."""
    more = "another checkout" if one.besides else "a checkout"
    if one.count > 1:
        more = f"{one.count} {'other checkouts' if one.besides else 'checkouts'}"
    return (
        f"An answer of {merchant} was lost or invalid: {more} may be open there, which cannot be "
        f"ordered or cancelled and expires by {_instant(one.until)}."
    )
