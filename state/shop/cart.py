"""The shop's cart: its lines have prices, and it is named for its checkouts."""

from __future__ import annotations

import uuid
from typing import Annotated

from pydantic import AfterValidator, Field

from daybook.state.effects.keys import canonical
from daybook.state.merchants.cart import CartOf, Line
from daybook.state.money import Money, in_units

_NAMESPACE = uuid.UUID("6c1f6e0e-3f0b-5d0a-9a53-0d6b0a9d2f57")


_LONGEST = 120
"""Characters of a name."""


def _line(text: str) -> str:
    """Bring a name to one line: it stands among the lines of the prompt that are the truth."""
    return " ".join(text.split())[:_LONGEST]


Name = Annotated[str, AfterValidator(_line)]


class CartLine(Line):
    """One product in the cart."""

    sku: Name = Field(description="product id, such as BOOT-004")
    name: Name = Field(description="the shop's name for it")
    unit_price: int = Field(ge=0, description="integer cents, as shown when it was added")

    @property
    def price(self) -> int:
        """Return the price of the whole line in cents."""
        return self.quantity * self.unit_price


class Cart(CartOf[CartLine]):
    """What the person means to buy; the name of the cart has the currency in front."""

    @property
    def total(self) -> Money:
        """Return the price of all lines."""
        return Money(amount=sum(line.price for line in self.lines), currency=self.currency)


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


def cart_id(thread_id: str, turn_id: str, currency: str) -> str:
    """Name the cart that begins in a turn; carts of different currencies never share a key."""
    return f"{currency.lower()}-{uuid.uuid5(_NAMESPACE, canonical([thread_id, turn_id, currency]))}"


def checkout_id(cart: str, n: int) -> str:
    """Name the n-th checkout of a cart, from 1. It keeps the cart's currency in front.

    n grows only when checkout n-1 is closed and compensated, so a cart is bought at most once.
    """
    currency = cart.split("-", 1)[0]
    return f"{currency}-{uuid.uuid5(_NAMESPACE, canonical([cart, n]))}"
