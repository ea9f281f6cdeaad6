"""Whether words mean a line of a cart."""

from __future__ import annotations

from daybook.state.shop.cart import CartLine, Removed
from daybook.tools.said.text import plain


def is_called(line: CartLine | Removed, word: str) -> bool:
    """Tell whether a word is what a thing is: the last of its name, or of its kind."""
    stem = word.rstrip("s")
    if len(stem) <= 2:
        return False
    kinds = {*line.name.lower().split()[-1:], *line.category.lower().split("-")}
    return stem in {kind.rstrip("s") for kind in kinds}


def is_named(name: str, said: str) -> bool:
    """Tell whether a clause has a name, or the two words that it begins with."""
    return " ".join(name.split()[:2]) in said


def names_of(line: CartLine) -> frozenset[str]:
    """Return what a line is told by: its sku and its name."""
    return frozenset({plain(line.sku), plain(line.name)})
