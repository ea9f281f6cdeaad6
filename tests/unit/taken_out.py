"""A product that was taken out of a cart, and what is left of an answer then."""

from typing import Any

from daybook.state.shop.cart import Cart, CartLine, Traits, add, remove
from daybook.state.shop.state import Checkout
from daybook.tools.shop.named.removed import sieve_of

EMPTY = Cart(cart_id="usd-1", currency="USD")
"""A cart with nothing in it, from which nothing was taken out."""

BOOTS = CartLine(
    sku="BOOT-001",
    name="Pebble Strand Waterproof Hiking Boot",
    category="hiking-boots",
    quantity=1,
    unit_price=9_890,
    traits=Traits(
        brand="Altura Works",
        words=("waterproof", "mid", "leather", "vibram", "sole", "sealed", "membrane", "unisex"),
        rating=4.7,
    ),
)
"""What is taken out."""


def state_after(row: CartLine = BOOTS, turn: str = "before") -> dict[str, Any]:
    """Make a state in which a product was taken out in an earlier turn, or in this one."""
    return {
        "cart": remove(add(EMPTY, row), row.sku, turn),
        "turn": {"turn_id": "now"},
        "checkout": Checkout(),
    }


def without_removed(state: dict[str, Any], words: str, text: str) -> str:
    """Pass a whole answer through the sieve."""
    sieve = sieve_of(state, words)
    return text if sieve is None else sieve.feed(text) + sieve.end()
