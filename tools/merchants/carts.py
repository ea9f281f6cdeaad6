"""What carts have in common, whoever sells: removed products, and how a cart is shown. Pure.

Reads leave removed products out, and adding one again is asked about. They are known by product id
and full name alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from daybook.state.merchants.cart import CartOf, Line, Removed
from daybook.state.money import Money, in_units
from daybook.state.panel import Button, Column, Panel
from daybook.state.panel import Line as Row
from daybook.tools.bumps import Args, Bump, Said, State, has_agreed_to


def is_named_in(gone: Removed, text: str) -> bool:
    """Tell whether a text holds the id or the full name of a product, in whatever case.

    Example:
        >>> boot = Removed(sku="BOOT-1", name="Ridge Boot", turn_id="t")
        >>> is_named_in(boot, "Add boot-1."), is_named_in(boot, "Add BOOT-13.")
        (True, False)
    """
    plain = " ".join(text.split())
    names = [" ".join(name.split()) for name in (gone.sku, gone.name) if name]
    return any(
        re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", plain, re.IGNORECASE) for name in names
    )


def not_named_in(products: Iterable[Removed], words: str) -> tuple[str, ...]:
    """Return the ids of those products that a read is to leave out.

    Args:
        words: the user's message of this turn; a product that it names is shown.
    """
    return tuple(one.sku for one in products if not is_named_in(one, words))


def bump_before_adding(tool: str, removed_before: Callable[[State, Args], Removed | None]) -> Bump:
    """Make the bump of a tool that adds products: one that was removed is asked about.

    Args:
        tool: adds a product.
        removed_before: returns the removed product that a call would add again.
    """

    def question(state: State, args: Args) -> str:
        gone = removed_before(state, args)
        return f"{gone.name} was removed before. Add it again?" if gone is not None else ""

    def may_add(state: State, args: Args, said: Said) -> bool:
        gone = removed_before(state, args)
        if gone is None or is_named_in(gone, said[0] if said else ""):
            return True
        return has_agreed_to(question(state, args), state)

    return Bump(
        tool=tool,
        # No slot: it is asked until the user agrees, since a model may try again and again.
        slot=lambda state, args: "",
        threshold=1,
        cost=lambda state, args: int(removed_before(state, args) is not None),
        is_known=may_add,
        question=question,
    )


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
