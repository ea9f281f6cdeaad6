"""What a product may be told by without its name, as far as the shop says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daybook.state.shop.cart import Traits
from daybook.tools.shop.named.words import is_telling, words_in


def traits_of(product: Mapping[str, Any]) -> Traits:
    """Take what a product may be told by without its name, as far as the shop says it."""
    found = product.get("attributes") or {}
    has = [name for name, value in found.items() if value is True]
    said = [str(value) for value in found.values() if not isinstance(value, bool)]
    held = _telling([*has, *said])
    rating = product.get("rating")
    return Traits(
        brand=str(product.get("brand") or ""),
        words=tuple(dict.fromkeys([*held, *_telling([str(product.get("description") or "")])])),
        held=held,
        rating=rating if isinstance(rating, int | float) else None,
    )


def _telling(texts: Sequence[str]) -> tuple[str, ...]:
    words = (word for text in texts for word in words_in(text) if is_telling(word))
    return tuple(dict.fromkeys(words))
