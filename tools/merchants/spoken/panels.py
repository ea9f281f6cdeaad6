"""What is shown beside the conversation: a cart for each merchant, its checkout, the orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from daybook.state.calls import WriteCall
from daybook.state.ledger.recovery import StepState
from daybook.state.merchants.state import MerchantCart, MerchantOrder, OpenCheckout
from daybook.state.money import Money
from daybook.state.panel import Column, Line, Link, Panel
from daybook.tools.domain import State
from daybook.tools.merchants.spoken.cart_panel import cart_panel
from daybook.tools.merchants.spoken.standing import instant
from daybook.tools.merchants.spoken.warnings import perhaps_open
from daybook.tools.merchants.ucp.outcomes import IN_HAND

_STANDS: Mapping[str, str] = {
    "incomplete": "something is missing",
    "requires_escalation": "waits for you at its page",
    "ready_for_complete": "can be ordered",
    "complete_in_progress": "is being ordered",
    "completed": "ordered",
    "canceled": "given back",
}
"""How a checkout stands, in words; the protocol's own where there are none."""


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
                    _STANDS.get(open_.status, open_.status.replace("_", " ")),
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
