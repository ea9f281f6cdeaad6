"""Carts, one a merchant: pure functions, changed by events alone."""

from __future__ import annotations

from daybook.state.errors import ToolRefused
from daybook.state.merchants.state import (
    MOST_OF_ONE,
    UNKNOWN,
    CartLine,
    MerchantCart,
    PerhapsOpen,
    Removed,
    named_after,
)

Carts = tuple[MerchantCart, ...]


def cart_of(carts: Carts, merchant: str) -> MerchantCart | None:
    """Return the cart at a merchant, if there is one."""
    return next((cart for cart in carts if cart.merchant == merchant), None)


def with_cart(carts: Carts, cart: MerchantCart) -> Carts:
    """Return the carts with this one in the place of its merchant's, or beside the others."""
    if cart_of(carts, cart.merchant) is None:
        return (*carts, cart)
    return tuple(cart if one.merchant == cart.merchant else one for one in carts)


def begun(merchant: str, *named_by: str) -> MerchantCart:
    """Begin a cart at a merchant.

    Args:
        named_by: the origin of its thread, or the cart and order before it.
    """
    return MerchantCart(merchant=merchant, cart_id=named_after(merchant, *named_by))


def add(cart: MerchantCart, line: CartLine, currency: str) -> MerchantCart:
    """Put something into a cart, or more of what is there, at the price shown now.

    Args:
        currency: of its price; `UNKNOWN` where no price was told.

    Raises:
        ToolRefused: the quantity is outside 1 to 99, or the price in another currency.
    """
    if UNKNOWN not in (currency, cart.currency) and currency != cart.currency and cart.lines:
        raise ToolRefused(
            f"{line.title} is priced in {currency}, and the cart at {cart.merchant} is in "
            f"{cart.currency}. Nothing was changed."
        )
    there = cart.line(line.item_id)
    quantity = line.quantity + (there.quantity if there else 0)
    _check(quantity, line.item_id)
    fresh = line.model_copy(update={"quantity": quantity})
    lines = (
        tuple(fresh if old.item_id == line.item_id else old for old in cart.lines)
        if there
        else (*cart.lines, fresh)
    )
    return cart.changed(
        lines=lines,
        currency=cart.currency if currency == UNKNOWN else currency,
        removed=tuple(gone for gone in cart.removed if gone.item_id != line.item_id),
    )


def remove(cart: MerchantCart, item_id: str) -> MerchantCart:
    """Take something out and remember that it was taken out.

    Raises:
        ToolRefused: it is not in the cart.
    """
    gone = _there(cart, item_id)
    kept = tuple(old for old in cart.removed if old.item_id != item_id)
    return cart.changed(
        lines=tuple(line for line in cart.lines if line.item_id != item_id),
        removed=(*kept, Removed(item_id=item_id, title=gone.title)),
    )


def set_quantity(cart: MerchantCart, item_id: str, quantity: int) -> MerchantCart:
    """Set how many of something are in the cart.

    Raises:
        ToolRefused: it is not in the cart, or the quantity is outside 1 to 99.
    """
    fresh = _there(cart, item_id).model_copy(update={"quantity": quantity})
    _check(quantity, item_id)
    return cart.changed(lines=tuple(fresh if old.item_id == item_id else old for old in cart.lines))


def emptied(cart: MerchantCart, order_id: str) -> MerchantCart:
    """Begin the next cart at a merchant: named after the order that emptied the last one."""
    fresh = begun(cart.merchant, cart.cart_id, order_id)
    return fresh.model_copy(
        update={
            "currency": cart.currency,
            "revision": cart.revision + 1,
            "removed": cart.removed,
            "perhaps_open": cart.perhaps_open,
        }
    )


_MOST_KEPT = 10
"""Openings whose answer was lost, of one cart: the oldest ran out long ago."""


def with_perhaps_open(cart: MerchantCart, found: PerhapsOpen) -> MerchantCart:
    """Return a cart that knows what an opening may have left at its merchant."""
    others = [one for one in cart.perhaps_open if one.opening != found.opening]
    return cart.model_copy(update={"perhaps_open": (*others, found)[-_MOST_KEPT:]})


def _there(cart: MerchantCart, item_id: str) -> CartLine:
    line = cart.line(item_id)
    if line is None:
        inside = ", ".join(known.item_id for known in cart.lines) or "nothing"
        raise ToolRefused(
            f"{item_id} is not in the cart at {cart.merchant}; in it: {inside}.", code="not_found"
        )
    return line


def _check(quantity: int, item_id: str) -> None:
    if not 1 <= quantity <= MOST_OF_ONE:
        raise ToolRefused(
            f"{quantity} of {item_id} cannot be in the cart: 1 to {MOST_OF_ONE} of one thing can."
        )
