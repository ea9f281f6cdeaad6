"""What all carts share: events, removed products, and their panel. Pure.

Reads leave removed products out, and adding one again is asked about. They are known by product id
and full name alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from daybook.state.errors import ToolRefused
from daybook.state.misfits import faults_of
from daybook.state.money import in_units
from daybook.state.panel import Button, Column, Line, Panel
from daybook.state.shop import cart as carts
from daybook.state.shop.cart import MOST_OF_ONE, AnyCart, Cart, CartLine, Removed
from daybook.tools.bumps import Args, Bump, Said, State, has_agreed_to

Quantity = Annotated[int, Field(ge=1, le=MOST_OF_ONE)]


class CartEvent(BaseModel):
    """Something happened to the cart at a seller; `merchant` is "" if there is one seller."""

    merchant: str = ""


class Added(CartEvent):
    """A product was put into a cart."""

    type: Literal["add"] = "add"
    line: CartLine
    currency: str = ""


class TakenOut(CartEvent):
    """A product was taken out of a cart."""

    type: Literal["remove"] = "remove"
    sku: str


class QuantitySet(CartEvent):
    """The quantity of a product was set."""

    type: Literal["set_quantity"] = "set_quantity"
    sku: str
    quantity: int


Changing: TypeAlias = Added | TakenOut | QuantitySet
"""An event that changes what is in a cart."""


def cart_event(known: TypeAdapter[Any], event: Mapping[str, Any]) -> Any:
    """Read an event of a cart.

    Raises:
        ToolRefused: it is invalid.
    """
    try:
        return known.validate_python({k: v for k, v in event.items() if k != "id"})
    except ValidationError as error:
        raise ToolRefused(f"The cart event is invalid: {faults_of(error, 'event')}.") from error


def changed_by(cart: AnyCart, event: Changing, turn_id: str) -> tuple[AnyCart, str]:
    """Return a cart after an event, and what happened in a few words.

    Raises:
        ToolRefused: the cart cannot take it.
    """
    match event:
        case Added(line=line):
            return carts.add(cart, line), f"+{line.sku} x{line.quantity} ({line.name})"
        case TakenOut(sku=sku):
            return carts.remove(cart, sku, turn_id), f"-{sku} ({_name(cart, sku)})"
        case QuantitySet(sku=sku, quantity=quantity):
            after = carts.set_quantity(cart, sku, quantity)
            return after, f"{sku} x{quantity} ({_name(cart, sku)})"


def _name(cart: Cart, sku: str) -> str:
    line = cart.line(sku)
    return line.name if line else sku


def named_together(names: Sequence[str]) -> str:
    """Name what is bought so that it fits into a line."""
    more = len(names) - 2
    return f"{', '.join(names[:2])}{f' and {more} more' if more > 0 else ''}"


# -- removed products -----------------------------------------------------------------------------


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


def bump_before_adding(removed_before: Callable[[State, Args], Removed | None]) -> Bump:
    """Make the bump of `add_to_cart`: a product that was removed is asked about.

    Args:
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
        tool="add_to_cart",
        # No slot: it is asked until the user agrees, since a model may try again and again.
        slot=lambda state, args: "",
        threshold=1,
        cost=lambda state, args: int(removed_before(state, args) is not None),
        is_known=may_add,
        question=question,
    )


# -- beside the conversation ----------------------------------------------------------------------


def cart_panel(cart: Cart, title: str, merchant: str = "", notes: Sequence[str] = ()) -> Panel:
    """Show a cart, with a button that removes each line.

    Args:
        merchant: whose it is, for the event of the button.
        notes: what else is said below it.
    """
    gone = ", ".join(one.name for one in cart.removed)

    def row(line: CartLine) -> Line:
        event = {"type": "remove", "merchant": merchant, "sku": line.sku}
        event = {name: value for name, value in event.items() if value}
        is_priced = line.unit_price is not None
        each, whole = (
            in_units(cents, cart.currency) if is_priced else ""
            for cents in (line.unit_price or 0, line.price)
        )
        return Line(
            cells=(line.name, line.sku, str(line.quantity), each, whole),
            button=Button(
                words="Remove",
                about=f"Remove {line.name} from {cart.phrase}",
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
            Column(cart.currency if cart.is_priced else "Price", "number"),
        ),
        lines=tuple(map(row, cart.lines)),
        total=in_units(cart.total.amount, cart.currency) if cart.is_priced else "",
        empty=f"{cart.phrase[0].upper()}{cart.phrase[1:]} is empty.",
        note=" ".join([*([f"Taken out, and not suggested again: {gone}"] if gone else []), *notes]),
    )
