"""What to do otherwise after a kind of failure: fixed sentences, nothing of anybody."""

from __future__ import annotations

from collections.abc import Mapping

_ADVICE: Mapping[tuple[str, str], str] = {
    ("checkout", "charge card declined"): "Offer another card on file; the same one fails again.",
}

_WORDS: tuple[tuple[str, str], ...] = (
    ("in stock", "Look the product up first, and offer as many as there are."),
    ("out of stock", "Look the product up first, and offer as many as there are."),
    ("cart is empty", "Put something into the cart first."),
    ("is not in the cart", "Take the sku from the lines of the cart."),
    ("order", "List the orders first, and take the number from there."),
    ("arguments do not fit", "Read the tool's arguments again; take ids from results."),
    ("unknown", "Take ids from results, as they stand there."),
)


def advice(tool: str, error: str) -> str:
    """Say what to do otherwise after a failure of a kind."""
    known = _ADVICE.get((tool, error))
    if known is not None:
        return known
    words = (sentence for words, sentence in _WORDS if words in error)
    return next(words, "It was refused before; look at what it needs before you call it.")
