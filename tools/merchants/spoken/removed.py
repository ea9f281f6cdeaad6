"""What was taken out of a cart at a merchant stays away: out of hits and answers, asked about.

Unless the person names it. Pure. How goods are named is read as the shop's own domain reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from daybook.state.merchants.carts import Carts, cart_of
from daybook.state.merchants.state import Removed
from daybook.state.people.called import as_said
from daybook.state.people.hearsay import is_yes
from daybook.state.shop.cart import Removed as Known
from daybook.tools.bumps import Args, Bump, Said, State
from daybook.tools.shop.named.mentions import Product
from daybook.tools.shop.named.removed import Sieve, question_before_adding
from daybook.tools.shop.named.wanted import asked_for, asks_what_went, wants_it_back


def hidden(state: State, words: str, result: Any) -> Sequence[str]:
    """Name what was taken out of a cart and that nobody names now."""
    return [gone.sku for gone in _gone(state) if not asked_for(gone, words)]


def sieve_of(state: State, words: str) -> Sieve | None:
    """Make what an answer goes through on its way; None where nothing is to be kept back."""
    if asks_what_went(words) or wants_it_back(words):
        return None
    gone = [Product(one) for one in _gone(state) if not asked_for(one, words)]
    return Sieve(gone) if gone else None


def _gone(state: State) -> Iterator[Known]:
    """Yield what was taken out and stands in no cart, as goods are known by their names."""
    carts: Carts = state["carts"]
    kept = {name for cart in carts for line in cart.lines for name in (line.item_id, line.title)}
    for cart in carts:
        for gone in cart.removed:
            if not {gone.item_id, gone.title} & kept:
                yield _product(gone)


def _product(gone: Removed) -> Known:
    return Known(sku=gone.item_id, name=gone.title, turn_id="")


def _removed(state: State, args: Args) -> Known | None:
    """Return what was taken out of the very cart to which it would be added."""
    cart = cart_of(state["carts"], str(args["merchant"]))
    found = cart.removed if cart is not None else ()
    return next((_product(one) for one in found if one.item_id == args["item_id"]), None)


def _is_wanted_back(state: State, args: Args, said: Said) -> bool:
    """Tell whether the person's last words name it, want it back, or say yes to the question."""
    gone = _removed(state, args)
    if gone is None:
        return True
    words = said[0] if said else ""
    if asked_for(gone, words) or wants_it_back(words):
        return True
    spoken = as_said(list(state.get("messages") or ()))
    asked = next((one.text for one in reversed(spoken[:-1]) if one.type == "ai"), "")
    return question_before_adding(gone) in asked and is_yes(words)


def _asks_again(state: State, args: Args) -> str:
    gone = _removed(state, args)
    return question_before_adding(gone) if gone is not None else ""


BUMPS = (
    Bump(
        tool="add_to_cart",
        # Asked until it is wanted: a model may try again and again.
        slot=lambda state, args: "",
        threshold=1,
        cost=lambda state, args: int(_removed(state, args) is not None),
        is_known=_is_wanted_back,
        question=_asks_again,
    ),
)
