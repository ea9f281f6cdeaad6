"""What the shop asks before a costly step, and which products it does not show again. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daybook.state.shop.brief import Brief
from daybook.state.shop.cart import Cart, Removed
from daybook.tools.bumps import Args, Bump, Said, State
from daybook.tools.shop.carts import bump_before_adding, not_named_in

_LARGE_CART = 100_000
"""Integer cents."""


def hidden(state: State, words: str, result: Any) -> tuple[str, ...]:
    """Return the SKUs of a read's result that the cart holds as removed.

    Args:
        words: the user's message of this turn; a product that it names is shown.
    """
    if not isinstance(result, Mapping):
        return ()
    verdict: Mapping[str, Any] = result.get("verdict", {})
    rows = [*result.get("hits", ()), *verdict.get("products", ()), result]
    shown = {row["sku"] for row in rows if "sku" in row}
    return not_named_in((one for one in _removed(state) if one.sku in shown), words)


def _removed(state: State) -> Sequence[Removed]:
    cart: Cart | None = state.get("cart")
    return cart.removed if cart else ()


def _removed_before(state: State, args: Args) -> Removed | None:
    """Return the removed product that a call would add again."""
    sku = str(args["sku"]).casefold()
    return next((one for one in _removed(state) if one.sku.casefold() == sku), None)


def _has_budget(state: State, args: Args, said: Said) -> bool:
    brief: Brief = state.get("brief", Brief())
    if brief.max_price is not None:
        return True
    return any("budget" in fact.subject.split() for fact in state.get("facts", ()))


def _total(state: State, args: Args) -> int:
    """Return what the cart adds up to; a single piece was chosen at its price."""
    cart: Cart = state["cart"]
    return cart.total.amount if sum(line.quantity for line in cart.lines) > 1 else 0


BUMPS = (
    Bump(
        tool="checkout",
        slot=lambda state, args: "budget",
        threshold=_LARGE_CART,
        cost=_total,
        is_known=_has_budget,
        question=lambda state, args: (
            "This cart comes to more than a thousand, and no budget is known. Is there a limit "
            "that I should keep to, or shall I check out as it is?"
        ),
    ),
    bump_before_adding("add_to_cart", _removed_before),
)
