"""The cart at a seller: lines, a revision, removed products. Only events change it. Pure."""

from __future__ import annotations

import uuid
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from daybook.state.effects.keys import canonical
from daybook.state.errors import ToolRefused
from daybook.state.money import Money, in_units

MOST_OF_ONE = 99

_LONGEST = 120
"""Characters of a name."""

Name = Annotated[str, AfterValidator(lambda text: " ".join(text.split())[:_LONGEST])]
"""In one line: it stands among the lines of the prompt that are the truth."""

Sku = Annotated[str, AfterValidator(lambda text: " ".join(text.splitlines()))]


class Frozen(BaseModel):
    """A part of the state that is replaced and never changed."""

    model_config = ConfigDict(frozen=True)


class CartLine(Frozen):
    """One product in a cart."""

    sku: Sku = Field(description="product id, as its seller writes it, such as BOOT-004")
    name: Name = Field(description="the seller's name for it")
    quantity: int = Field(ge=1, le=MOST_OF_ONE, description=f"1 to {MOST_OF_ONE}")
    unit_price: int | None = Field(
        default=None,
        ge=0,
        description="integer cents, as shown when it was added; null where it was not told",
    )

    @property
    def price(self) -> int:
        """Return the price of the whole line in cents."""
        return self.quantity * (self.unit_price or 0)


class Removed(Frozen):
    """A product that was removed: never recommended again unless the user asks for it."""

    sku: str = Field(description="product id, as its seller writes it")
    name: str = Field(description="the seller's name for it")
    turn_id: str = Field(description="the turn in which it was removed")


class Cart(Frozen):
    """What the user means to buy from one seller."""

    cart_id: str = Field(description="names the cart for its checkouts")
    currency: str = Field(description="ISO 4217 code of every price in it")
    revision: int = Field(default=0, description="grows by one with each change")
    lines: tuple[CartLine, ...] = Field(default=(), description="what is in it, as it was added")
    removed: tuple[Removed, ...] = Field(default=(), description="what was removed from it")

    @property
    def total(self) -> Money:
        """Return the price of all lines, as they were shown."""
        return Money(amount=sum(line.price for line in self.lines), currency=self.currency)

    @property
    def is_priced(self) -> bool:
        """Tell whether there are lines, and the price of each is known."""
        return bool(self.lines) and all(line.unit_price is not None for line in self.lines)

    @property
    def phrase(self) -> str:
        """Return how sentences name it."""
        return "the cart"

    def line(self, sku: str) -> CartLine | None:
        """Return the line of a product, if there is one."""
        return next((line for line in self.lines if line.sku == sku), None)


AnyCart = TypeVar("AnyCart", bound=Cart)


def changed(cart: AnyCart, **update: Any) -> AnyCart:
    """Return a cart with something else in it, at its next revision."""
    return cart.model_copy(update={**update, "revision": cart.revision + 1})


def add(cart: AnyCart, line: CartLine) -> AnyCart:
    """Put a product into a cart, or more of one that is there, at the price shown now.

    Raises:
        ToolRefused: the quantity is outside 1 to 99.
    """
    there = cart.line(line.sku)
    quantity = line.quantity + (there.quantity if there else 0)
    fresh = _with_quantity(cart, line, quantity)
    lines = _with_line(cart, fresh) if there else (*cart.lines, fresh)
    return changed(cart, lines=lines, removed=_others(cart.removed, line.sku))


def remove(cart: AnyCart, sku: str, turn_id: str) -> AnyCart:
    """Remove a product and remember that it was removed.

    Raises:
        ToolRefused: it is not in the cart.
    """
    gone = Removed(sku=sku, name=_there(cart, sku).name, turn_id=turn_id)
    removed = (*_others(cart.removed, sku), gone)
    return changed(cart, lines=_others(cart.lines, sku), removed=removed)


def set_quantity(cart: AnyCart, sku: str, quantity: int) -> AnyCart:
    """Set how many of a product are in a cart.

    Raises:
        ToolRefused: it is not in the cart, or the quantity is outside 1 to 99.
    """
    fresh = _with_quantity(cart, _there(cart, sku), quantity)
    return changed(cart, lines=_with_line(cart, fresh))


def _with_line(cart: Cart, fresh: CartLine) -> tuple[CartLine, ...]:
    return tuple(fresh if old.sku == fresh.sku else old for old in cart.lines)


def _others(rows: tuple[Any, ...], sku: str) -> tuple[Any, ...]:
    return tuple(one for one in rows if one.sku != sku)


def _there(cart: Cart, sku: str) -> CartLine:
    line = cart.line(sku)
    if line is None:
        inside = ", ".join(known.sku for known in cart.lines) or "nothing"
        raise ToolRefused(f"{sku} is not in {cart.phrase}, which has: {inside}.", code="not_found")
    return line


def _with_quantity(cart: Cart, line: CartLine, quantity: int) -> CartLine:
    if not 1 <= quantity <= MOST_OF_ONE:
        raise ToolRefused(
            f"{quantity} of {line.sku} cannot be added to {cart.phrase}: the quantity of a product "
            f"is 1 to {MOST_OF_ONE}."
        )
    return line.model_copy(update={"quantity": quantity})


def described(cart: Cart, total: str = "total") -> list[str]:
    """Write a cart as compact lines: a third of the tokens of JSON.

    Args:
        total: what its sum is called, where each price is known.
    """
    head = f"{cart.phrase.removeprefix('the ')} r{cart.revision} ({cart.currency}):"
    if not cart.lines:
        return [f"{head} empty"]
    rows = []
    for line in cart.lines:
        prices = [] if line.unit_price is None else [line.unit_price, line.price]
        each = " = ".join(in_units(cents, cart.currency) for cents in prices)
        rows.append(f"  {line.sku} x{line.quantity}{each and f' @ {each}'} | {line.name}")
    return [head, *rows, *([f"{total}: {cart.total}"] if cart.is_priced else [])]


# -- in the shop: the names of its checkouts -------------------------------------------------------

_NAMESPACE = uuid.UUID("6c1f6e0e-3f0b-5d0a-9a53-0d6b0a9d2f57")


def cart_id(thread_id: str, turn_id: str, currency: str) -> str:
    """Name the cart that begins in a turn; carts of different currencies never share a key."""
    return f"{currency.lower()}-{uuid.uuid5(_NAMESPACE, canonical([thread_id, turn_id, currency]))}"


def checkout_id(cart: str, n: int) -> str:
    """Name the n-th checkout of a cart, from 1. It keeps the cart's currency in front.

    n grows only when checkout n-1 is closed and compensated, so a cart is bought at most once.
    """
    currency = cart.split("-", 1)[0]
    return f"{currency}-{uuid.uuid5(_NAMESPACE, canonical([cart, n]))}"
