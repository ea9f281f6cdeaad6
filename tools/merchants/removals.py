"""Products removed from a merchant's cart: left out of reads, asked about before they return."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from daybook.state.merchants.carts import Carts, cart_of
from daybook.tools.bumps import Args, State
from daybook.tools.removed_products import RemovedProduct, bump_before_adding, not_named_in


def hidden(state: State, words: str, result: Any) -> Sequence[str]:
    """Return the product ids that a cart holds as removed, and no cart holds as wanted.

    Args:
        words: the user's message of this turn; a product that it names is shown.
    """
    carts: Carts = state["carts"]
    kept = {name for cart in carts for line in cart.lines for name in (line.sku, line.name)}
    gone = [
        RemovedProduct(one.sku, one.name)
        for cart in carts
        for one in cart.removed
        if not {one.sku, one.name} & kept
    ]
    return not_named_in(gone, words)


def _removed_before(state: State, args: Args) -> RemovedProduct | None:
    """Return the product that a call would add again to the cart from which it was removed."""
    cart = cart_of(state["carts"], str(args["merchant"]))
    found = cart.removed if cart is not None else ()
    return next(
        (RemovedProduct(one.sku, one.name) for one in found if one.sku == args["item_id"]),
        None,
    )


BUMPS = (bump_before_adding("add_to_cart", _removed_before),)
