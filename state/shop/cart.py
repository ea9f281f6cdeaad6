"""The cart: lines, a revision, and what was removed. Pure functions, changed by events alone."""

from __future__ import annotations

import uuid
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from daybook.state.effects.keys import canonical
from daybook.state.errors import ToolRefused
from daybook.state.money import Money, in_units

MOST_OF_ONE = 99

_NAMESPACE = uuid.UUID("6c1f6e0e-3f0b-5d0a-9a53-0d6b0a9d2f57")


_LONGEST = 120
"""Characters of a name."""


def _line(text: str) -> str:
    """Bring a name to one line: it stands among the lines of the prompt that are the truth."""
    return " ".join(text.split())[:_LONGEST]


Name = Annotated[str, AfterValidator(_line)]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class CartLine(_Frozen):
    """One product in the cart."""

    sku: Name = Field(description="product id, such as BOOT-004")
    name: Name = Field(description="the shop's name for it")
    quantity: int = Field(ge=1, le=MOST_OF_ONE, description=f"1 to {MOST_OF_ONE}")
    unit_price: int = Field(ge=0, description="integer cents, as shown when it was added")

    @property
    def price(self) -> int:
        """Return the price of the whole line in cents."""
        return self.quantity * self.unit_price


class Removed(_Frozen):
    """A product that was taken out: never recommended again unless the person asks for it."""

    sku: Name = Field(description="product id, such as BOOT-004")
    name: Name = Field(description="the shop's name for it")
    turn_id: str = Field(description="the turn in which it was taken out")


class Cart(_Frozen):
    """What the person means to buy."""

    cart_id: str = Field(description="names the cart for its checkouts; has the currency in front")
    currency: str = Field(description="ISO 4217 code of every price in it")
    revision: int = Field(default=0, description="grows by one with each change")
    lines: tuple[CartLine, ...] = Field(default=(), description="what is in it, as it was added")
    removed: tuple[Removed, ...] = Field(default=(), description="what was taken out of it")

    @property
    def total(self) -> Money:
        """Return the price of all lines."""
        return Money(amount=sum(line.price for line in self.lines), currency=self.currency)

    def line(self, sku: str) -> CartLine | None:
        """Return the line of a product, if there is one."""
        return next((line for line in self.lines if line.sku == sku), None)

    def _changed(self, lines: tuple[CartLine, ...], removed: tuple[Removed, ...]) -> Cart:
        return self.model_copy(
            update={"lines": lines, "removed": removed, "revision": self.revision + 1}
        )


def add(cart: Cart, line: CartLine) -> Cart:
    """Put a product into the cart, or more of one that is there, at the price shown now.

    Raises:
        ToolRefused: the quantity is outside 1 to 99.
    """
    there = cart.line(line.sku)
    quantity = line.quantity + (there.quantity if there else 0)
    _check(quantity, line.sku)
    fresh = line.model_copy(update={"quantity": quantity})
    lines = (
        tuple(fresh if old.sku == line.sku else old for old in cart.lines)
        if there
        else (*cart.lines, fresh)
    )
    removed = tuple(gone for gone in cart.removed if gone.sku != line.sku)
    return cart._changed(lines, removed)


def remove(cart: Cart, sku: str, turn_id: str) -> Cart:
    """Take a product out and remember that it was taken out.

    Raises:
        ToolRefused: it is not in the cart.
    """
    gone = _there(cart, sku)
    lines = tuple(line for line in cart.lines if line.sku != sku)
    removed = Removed(sku=sku, name=gone.name, turn_id=turn_id)
    return cart._changed(lines, (*(old for old in cart.removed if old.sku != sku), removed))


def set_quantity(cart: Cart, sku: str, quantity: int) -> Cart:
    """Set how many of a product are in the cart.

    Raises:
        ToolRefused: it is not in the cart, or the quantity is outside 1 to 99.
    """
    line = _there(cart, sku)
    _check(quantity, sku)
    changed = line.model_copy(update={"quantity": quantity})
    return cart._changed(
        tuple(changed if old.sku == sku else old for old in cart.lines), cart.removed
    )


def described(cart: Cart) -> list[str]:
    """Write the cart as compact lines: a third of the tokens of JSON."""
    head = f"cart r{cart.revision} ({cart.currency}):"
    if not cart.lines:
        return [f"{head} empty"]
    rows = [
        f"  {line.sku} x{line.quantity} @ {in_units(line.unit_price)} = {in_units(line.price)}"
        f" | {line.name}"
        for line in cart.lines
    ]
    return [head, *rows, f"total: {cart.total}"]


def _there(cart: Cart, sku: str) -> CartLine:
    line = cart.line(sku)
    if line is None:
        inside = ", ".join(known.sku for known in cart.lines) or "nothing"
        raise ToolRefused(f"{sku} is not in the cart; in the cart: {inside}.", code="not_found")
    return line


def _check(quantity: int, sku: str) -> None:
    if not 1 <= quantity <= MOST_OF_ONE:
        raise ToolRefused(
            f"{quantity} of {sku} cannot be in the cart: 1 to {MOST_OF_ONE} of one product can."
        )


def cart_id(thread_id: str, turn_id: str, currency: str) -> str:
    """Name the cart that begins in a turn; carts of different currencies never share a key."""
    return f"{currency.lower()}-{uuid.uuid5(_NAMESPACE, canonical([thread_id, turn_id, currency]))}"


def checkout_id(cart: str, n: int) -> str:
    """Name the n-th checkout of a cart, from 1. It keeps the cart's currency in front.

    n grows only when checkout n-1 is closed and compensated, so a cart is bought at most once.
    """
    currency = cart.split("-", 1)[0]
    return f"{currency}-{uuid.uuid5(_NAMESPACE, canonical([cart, n]))}"
