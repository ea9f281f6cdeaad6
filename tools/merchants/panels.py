"""What a person is shown beside the conversation, and told beside an answer.

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
from daybook.state.money import Money
from daybook.state.panel import Column, Line, Link, Panel
from daybook.tools.domain import State, Warned
from daybook.tools.merchants.carts import cart_panel
from daybook.tools.merchants.ucp.checkout import IN_HAND

_STANDS: Final[Mapping[str, str]] = {
    "incomplete": "is not complete",
    "requires_escalation": "waits for you at its page",
    "ready_for_complete": "can be ordered",
    "complete_in_progress": "is being ordered",
    "completed": "is ordered",
    "canceled": "was given back",
}


def standing(status: str) -> str:
    """Say how a checkout stands: "can be ordered"."""
    return _STANDS.get(status, f"is {status.replace('_', ' ')}")


def instant(given: str) -> str:
    """Write an instant for people; one that cannot be read stays as the merchant wrote it."""
    try:
        at = datetime.fromisoformat(given)
    except ValueError:
        return given
    return f"{at.astimezone(UTC):%d %b %Y, %H:%M} UTC" if at.tzinfo else given


def panels(state: State) -> Sequence[Panel]:
    """Show the carts, what is open at the merchants, and the orders where there are any."""
    carts: Sequence[MerchantCart] = state.get("carts", ())
    orders: Sequence[MerchantOrder] = state.get("orders", ())
    shown = [
        panel
        for cart in carts
        for panel in (
            _cart(cart),
            *([_checkout(cart, _as_it_is(cart.checkout, state))] if cart.checkout else []),
        )
    ]
    return [*(shown or [_nothing()]), *([_orders(orders)] if orders else [])]


def _as_it_is(open_: OpenCheckout, state: State) -> OpenCheckout:
    """Return a checkout as one whose order is sent and not settled, where that is so."""
    is_sent = any(
        call.tool == "complete_session"
        and call.status in (StepState.UNKNOWN, StepState.IN_DOUBT)
        and call.args.get("checkout_id") == open_.checkout_id
        for call in state.get("ledger", {}).values()
        if isinstance(call, WriteCall)
    )
    return open_.model_copy(update={"status": IN_HAND}) if is_sent else open_


def _nothing() -> Panel:
    return Panel(title="Carts", columns=(Column("Product"),), lines=(), empty="There is no cart.")


def _cart(cart: MerchantCart) -> Panel:
    return cart_panel(
        cart,
        f"Cart at {cart.merchant}",
        cart.total if cart.lines else None,
        lambda sku: {"type": "remove", "merchant": cart.merchant, "item_id": sku},
        notes=_perhaps(cart) if cart.checkout is None else (),
    )


def _perhaps(cart: MerchantCart) -> list[str]:
    """Say what may be open at a merchant by no name: it holds goods until it runs out."""
    return [
        perhaps_open(cart.merchant, one.model_copy(update={"until": instant(one.until)}))
        for one in cart.perhaps_open
    ]


def _checkout(cart: MerchantCart, open_: OpenCheckout) -> Panel:
    """Show the session that is open at a merchant, and its page where its person goes on."""
    said = [f"{cart.merchant} says: {one}" for one in open_.messages]
    if open_.expires_at:
        said.append(f"It is open until {instant(open_.expires_at)}; then it runs out by itself.")
    said += _perhaps(cart)
    is_theirs = open_.status == "requires_escalation"
    words = "Go on at its page" if is_theirs else "See it at its page"
    return Panel(
        title=f"Checkout at {cart.merchant}",
        columns=(Column("Session", "id"), Column("It stands", "state"), Column("Total", "number")),
        lines=(
            Line(
                cells=(
                    open_.checkout_id,
                    standing(open_.status),
                    str(Money(amount=open_.total, currency=open_.currency)),
                ),
                stands=not is_theirs,
            ),
        ),
        note=" ".join(said),
        links=(Link(words, open_.continue_url),) if open_.continue_url else (),
        told=False,
    )


def _orders(orders: Sequence[MerchantOrder]) -> Panel:
    newest = [*reversed(orders)]
    return Panel(
        title="Orders",
        columns=(
            Column("Order", "id"),
            Column("Merchant"),
            Column("Told by the merchant"),
            Column("Total", "number"),
        ),
        lines=tuple(
            Line(
                (
                    one.order_id,
                    one.merchant,
                    "; ".join(one.told),
                    str(Money(amount=one.total, currency=one.currency)),
                ),
            )
            for one in newest
        ),
        links=tuple(Link(f"Order {one.order_id}", one.url) for one in newest if one.url),
        told=False,
    )


# -- beside an answer -----------------------------------------------------------------------------


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
