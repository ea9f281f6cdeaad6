"""What the shop shows beside the conversation: cart and orders."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.state.money import Money
from daybook.state.panel import Column, Line, Panel
from daybook.state.shop.cart import Cart
from daybook.state.shop.state import Checkout, OrderSeen
from daybook.tools.domain import State
from daybook.tools.merchants.spoken.cart_panel import cart_panel


def panels(state: State) -> Sequence[Panel]:
    """Show the cart, and the orders of the thread where there are any."""
    checkout: Checkout = state.get("checkout", Checkout())
    cart: Cart | None = state.get("cart")
    if cart is None:
        return []
    shown = cart_panel(cart, "Cart", cart.total, lambda sku: {"type": "remove", "sku": sku})
    return [shown, _orders(checkout.orders)]


def _orders(orders: Sequence[OrderSeen]) -> Panel:
    return Panel(
        title="Orders",
        columns=(Column("Order", "id"), Column("Status", "state"), Column("Total", "number")),
        lines=tuple(
            Line(
                (one.order_id, one.status, str(Money(amount=one.total, currency=one.currency))),
                stands=one.status == "placed",
            )
            for one in reversed(orders)
        ),
        told=False,
    )
