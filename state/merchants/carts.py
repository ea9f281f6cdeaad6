"""Carts, one a merchant: pure functions, changed by events alone."""

from __future__ import annotations

from daybook.state.errors import ToolRefused
from daybook.state.merchants.cart import Line, add
from daybook.state.merchants.state import UNKNOWN, MerchantCart, PerhapsOpen, named_after

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


def add_priced(cart: MerchantCart, line: Line, currency: str) -> MerchantCart:
    """Put something into a cart, or more of what is there, at the price shown now.

    Args:
        currency: of its price; `UNKNOWN` where no price was told.

    Raises:
        ToolRefused: the quantity is outside 1 to 99, or the price in another currency.
    """
    if UNKNOWN not in (currency, cart.currency) and currency != cart.currency and cart.lines:
        raise ToolRefused(
            f"{line.name} is priced in {currency}, and {cart.place} is in {cart.currency}. "
            "Nothing was changed."
        )
    priced = cart if currency == UNKNOWN else cart.model_copy(update={"currency": currency})
    return add(priced, line)


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
