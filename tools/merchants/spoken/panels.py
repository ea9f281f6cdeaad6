"""What is shown beside the conversation: a cart for each merchant, its checkout, the orders."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.state.merchants.state import CartLine, MerchantCart, MerchantOrder
from daybook.state.money import Money, in_units
from daybook.state.panel import Button, Column, Line, Panel
from daybook.tools.domain import State


def panels(state: State) -> Sequence[Panel]:
    """Show the carts, what is open at the merchants, and the orders where there are any."""
    carts: Sequence[MerchantCart] = state.get("carts", ())
    orders: Sequence[MerchantOrder] = state.get("orders", ())
    shown = [_cart(cart) for cart in carts] or [_nothing()]
    return [*shown, *([_orders(orders)] if orders else [])]


def _nothing() -> Panel:
    return Panel(title="Carts", columns=(Column("Product"),), lines=(), empty="There is no cart.")


def _cart(cart: MerchantCart) -> Panel:
    gone = ", ".join(one.title for one in cart.removed)
    notes = [*_checkout(cart), *([f"Taken out, and not suggested again: {gone}"] if gone else [])]
    return Panel(
        title=f"Cart at {cart.merchant}",
        columns=(
            Column("Product"),
            Column("Item", "id"),
            Column("Quantity", "number"),
            Column("Each", "number"),
        ),
        lines=tuple(_line(line, cart) for line in cart.lines),
        total=str(cart.total) if cart.lines and cart.total is not None else "",
        empty="The cart is empty.",
        note=" ".join(notes),
    )


def _checkout(cart: MerchantCart) -> list[str]:
    open_ = cart.checkout
    if open_ is None:
        return []
    total = Money(amount=open_.total, currency=open_.currency)
    said = [f"Checkout {open_.checkout_id}: {open_.status}, {total}."]
    said += [f"{cart.merchant} says: {one}" for one in open_.messages]
    if open_.expires_at:
        said.append(f"It is open until {open_.expires_at}.")
    if open_.continue_url:
        said.append(f"To go on at the merchant's page: {open_.continue_url}")
    return said


def _line(line: CartLine, cart: MerchantCart) -> Line:
    each = in_units(line.unit_price, cart.currency) if line.unit_price is not None else ""
    return Line(
        cells=(line.title, line.item_id, str(line.quantity), each),
        button=Button(
            words="Remove",
            about=f"Remove {line.title} from the cart at {cart.merchant}",
            key=f"remove-{cart.merchant}-{line.item_id}-r{cart.revision}",
            event={"type": "remove", "merchant": cart.merchant, "item_id": line.item_id},
        ),
    )


def _orders(orders: Sequence[MerchantOrder]) -> Panel:
    return Panel(
        title="Orders",
        columns=(
            Column("Merchant"),
            Column("Order", "id"),
            Column("Total", "number"),
            Column("Told by the merchant"),
        ),
        lines=tuple(
            Line(
                (
                    one.merchant,
                    one.order_id,
                    str(Money(amount=one.total, currency=one.currency)),
                    "; ".join(one.told),
                ),
            )
            for one in reversed(orders)
        ),
        told=False,
    )
