"""Products removed from a merchant's cart: left out of reads, asked about before they return."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from daybook.state.merchants.carts import Carts, cart_of
from daybook.tools.bumps import Args, Bump, Said, State, has_agreed_to
from daybook.tools.removed_products import RemovedProduct, named_in


def hidden(state: State, words: str, result: Any) -> Sequence[str]:
    """Return the product ids that a cart holds as removed, and no cart holds as wanted.

    Args:
        words: the user's message of this turn; a product that it names is shown.
    """
    carts: Carts = state["carts"]
    kept = {name for cart in carts for line in cart.lines for name in (line.item_id, line.title)}
    gone = [
        RemovedProduct(one.item_id, one.title)
        for cart in carts
        for one in cart.removed
        if not {one.item_id, one.title} & kept
    ]
    wanted = named_in(gone, words)
    return [one.id for one in gone if one not in wanted]


def _removed_before(state: State, args: Args) -> RemovedProduct | None:
    """Return the product that a call would add again to the cart from which it was removed."""
    cart = cart_of(state["carts"], str(args["merchant"]))
    found = cart.removed if cart is not None else ()
    return next(
        (RemovedProduct(one.item_id, one.title) for one in found if one.item_id == args["item_id"]),
        None,
    )


def _may_add(state: State, args: Args, said: Said) -> bool:
    gone = _removed_before(state, args)
    if gone is None:
        return True
    return gone.is_named_in(said[0] if said else "") or has_agreed_to(gone.question, state)


def _question(state: State, args: Args) -> str:
    gone = _removed_before(state, args)
    return gone.question if gone is not None else ""


BUMPS = (
    Bump(
        tool="add_to_cart",
        # No slot: it is asked until the user agrees, since a model may try again and again.
        slot=lambda state, args: "",
        threshold=1,
        cost=lambda state, args: int(_removed_before(state, args) is not None),
        is_known=_may_add,
        question=_question,
    ),
)
