"""What every cart is: lines, a revision, and what was removed. Changed by events alone; pure."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from daybook.state.errors import ToolRefused

MOST_OF_ONE = 99


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class Line(_Frozen):
    """One product in a cart."""

    sku: str = Field(description="product id, as its seller writes it")
    name: str = Field(description="the seller's name for it")
    quantity: int = Field(ge=1, le=MOST_OF_ONE, description=f"1 to {MOST_OF_ONE}")
    unit_price: int | None = Field(
        default=None,
        ge=0,
        description="integer cents, as shown when it was added; null where it was not told",
    )


class Removed(_Frozen):
    """A product that was removed: never recommended again unless the user asks for it."""

    sku: str = Field(description="product id, as its seller writes it")
    name: str = Field(description="the seller's name for it")
    turn_id: str = Field(description="the turn in which it was removed")


AnyLine = TypeVar("AnyLine", bound=Line)


class CartOf(_Frozen, Generic[AnyLine]):
    """What the user means to buy from one seller."""

    cart_id: str = Field(description="names the cart for its checkouts")
    currency: str = Field(description="ISO 4217 code of every price in it")
    revision: int = Field(default=0, description="grows by one with each change")
    lines: tuple[AnyLine, ...] = Field(default=(), description="what is in it, as it was added")
    removed: tuple[Removed, ...] = Field(default=(), description="what was removed from it")

    @property
    def place(self) -> str:
        """Return how sentences name it."""
        return "the cart"

    def line(self, sku: str) -> AnyLine | None:
        """Return the line of a product, if there is one."""
        return next((line for line in self.lines if line.sku == sku), None)


AnyCart = TypeVar("AnyCart", bound=CartOf[Any])


def changed(cart: AnyCart, **update: Any) -> AnyCart:
    """Return a cart with something else in it, at its next revision."""
    return cart.model_copy(update={**update, "revision": cart.revision + 1})


def add(cart: AnyCart, line: Line) -> AnyCart:
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


def _with_line(cart: CartOf[Any], fresh: Line) -> tuple[Line, ...]:
    return tuple(fresh if old.sku == fresh.sku else old for old in cart.lines)


def _others(rows: tuple[Any, ...], sku: str) -> tuple[Any, ...]:
    return tuple(one for one in rows if one.sku != sku)


def _there(cart: CartOf[Any], sku: str) -> Line:
    line: Line | None = cart.line(sku)
    if line is None:
        inside = ", ".join(known.sku for known in cart.lines) or "nothing"
        raise ToolRefused(f"{sku} is not in {cart.place}; in it: {inside}.", code="not_found")
    return line


def _with_quantity(cart: CartOf[Any], line: Line, quantity: int) -> Line:
    if not 1 <= quantity <= MOST_OF_ONE:
        raise ToolRefused(
            f"{quantity} of {line.sku} cannot be in {cart.place}: 1 to {MOST_OF_ONE} of one "
            "product can."
        )
    return line.model_copy(update={"quantity": quantity})
