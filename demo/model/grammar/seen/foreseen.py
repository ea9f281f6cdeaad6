"""Foresee what the cart would come to if a question that is open were answered by yes. Pure."""

from collections.abc import Sequence

from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    ClearCart,
    Keep,
    Remove,
    SetQuantity,
    Swap,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Sku
from daybook.demo.model.grammar.seen.results import cents
from daybook.demo.model.grammar.seen.scene import Scene


def total_after(changes: Sequence[Intent], scene: Scene) -> int | None:
    """Return the cart's total in cents after changes of named products.

    None where a price was never seen, or a change is none of the cart.
    """
    cart = {line.sku: line.quantity for line in scene.cart}
    for change in changes:
        if not _is_made(change, cart):
            return None
    each = {sku: row.cents for sku, row in scene.known.items()}
    each |= {line.sku: cents(f"{line.each} USD") for line in scene.cart}
    if not all(each.get(sku) for sku in cart):
        return None
    return sum(each[sku] * quantity for sku, quantity in cart.items())


def _is_made(change: Intent, cart: dict[str, int]) -> bool:
    """Make a change in a cart; return whether it is one that can be made."""
    match change:
        case Add(Sku(sku), quantity):
            cart[sku] = cart.get(sku, 0) + quantity
        case Remove(Sku(sku), fewer):
            left = cart.get(sku, 0) - fewer if fewer is not None else 0
            cart.pop(sku, None)
            cart |= {sku: left} if left > 0 else {}
        case SetQuantity(Sku(sku), int() as quantity):
            cart[sku] = quantity
        case Keep(Sku(sku)):
            for other in [one for one in cart if one != sku]:
                del cart[other]
        case Swap(Sku(come), Sku(gone)):
            cart.pop(gone, None)
            cart[come] = cart.get(come, 0) + 1
        case ClearCart():
            cart.clear()
        case _:
            return False
    return True
