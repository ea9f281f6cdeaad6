"""What is shown of a cart beside the conversation, whoever sells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from daybook.state.merchants.cart import CartOf, Line
from daybook.state.money import Money, in_units
from daybook.state.panel import Button, Column, Panel
from daybook.state.panel import Line as Row


def cart_panel(
    cart: CartOf[Any],
    title: str,
    total: Money | None,
    removal: Callable[[str], Mapping[str, str]],
    notes: Sequence[str] = (),
) -> Panel:
    """Show a cart, with a button that removes each line.

    Args:
        total: of all lines; None where a price is not known.
        removal: makes the event that removes a product from the cart.
        notes: what else is said below it.
    """
    gone = ", ".join(one.name for one in cart.removed)

    def row(line: Line) -> Row:
        event, price = removal(line.sku), line.unit_price
        each, whole = (
            "" if price is None else in_units(count * price, cart.currency)
            for count in (1, line.quantity)
        )
        return Row(
            cells=(line.name, line.sku, str(line.quantity), each, whole),
            button=Button(
                words="Remove",
                about=f"Remove {line.name} from {cart.place}",
                key=f"{'-'.join(event.values())}-r{cart.revision}",
                event=event,
            ),
        )

    return Panel(
        title=title,
        columns=(
            Column("Product"),
            Column("Item", "id"),
            Column("Quantity", "number"),
            Column("Each", "number"),
            Column("Price" if total is None else total.currency, "number"),
        ),
        lines=tuple(map(row, cart.lines)),
        total=in_units(total.amount, total.currency) if total is not None and cart.lines else "",
        empty=f"{cart.place[0].upper()}{cart.place[1:]} is empty.",
        note=" ".join([*([f"Taken out, and not suggested again: {gone}"] if gone else []), *notes]),
    )
