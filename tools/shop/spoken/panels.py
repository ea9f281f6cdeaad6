"""What the shop shows beside the conversation: cart and orders."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.state.money import Money, in_units
from daybook.state.panel import Button, Column, Line, Panel
from daybook.state.shop.cart import Cart, CartLine
from daybook.state.shop.state import Checkout, OrderSeen
from daybook.tools.domain import State


def panels(state: State) -> Sequence[Panel]:
    """Show the cart, and the orders of the thread where there are any."""
    checkout: Checkout = state.get("checkout", Checkout())
    return [_cart(state["cart"]), _orders(checkout.orders)] if "cart" in state else []


def _cart(cart: Cart) -> Panel:
    gone = ", ".join(one.name for one in cart.removed)
    return Panel(
        title="Cart",
        columns=(
            Column("Product"),
            Column("sku", "id"),
            Column("Quantity", "number"),
            Column("Each", "number"),
            Column(cart.currency, "number"),
        ),
        lines=tuple(_line(line, cart.revision) for line in cart.lines),
        total=in_units(cart.total.amount) if cart.lines else "",
        empty="The cart is empty.",
        note=f"Taken out, and not suggested again: {gone}" if gone else "",
    )


def _line(line: CartLine, revision: int) -> Line:
    quantity, each = str(line.quantity), in_units(line.unit_price)
    return Line(
        cells=(line.name, line.sku, quantity, each, in_units(line.price)),
        button=Button(
            words="Remove",
            about=f"Remove {line.name} from the cart",
            key=f"remove-{line.sku}-r{revision}",
            event={"type": "remove", "sku": line.sku},
        ),
    )


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
