"""What is said to have been taken out of a cart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from daybook.state.shop.cart import Cart, CartLine, Removed
from daybook.tools.said.grammar.things import sorts_in, sorts_of
from daybook.tools.said.text import plain
from daybook.tools.shop.spoken.claimed.lines import is_called, names_of
from daybook.tools.shop.spoken.claimed.wording import CART

_OF_NO_GOODS: Final = re.compile(
    r"\b(?:mail|e ?mail|message|confirmation|receipt|money|amount|charge|account|card|bank|payment|funds|sum|usd|dollars|request|query|question|answer)\b|[$€£]"
)
"""Tells of what came or went that was in no cart."""

_REMOVED: Final = re.compile(
    rf"^\W*(?:removed|deleted|dropped)\b|\b(?:removed|took|taken|deleted|dropped|dumped|chucked|tossed|binned|ditched|scrapped|(?<=i )take|(?<=we )take|"
    rf"thrown|struck|cleared?|pulled|kicked|moved|gone|cut|"
    rf"had to (?:drop|remove|delete|clear|pull|cut|take|throw|kick))\b.*"
    rf"\b(?:out|off|from|{CART})\b|\b(?:have|'ve|i|we) (?:just |now )*removed\b|"
    rf"\b(?:i|we)(?:'ve| have)? (?:just |now )?put (?:the|your|both) (?:\w+ ){{1,4}}away from (?:your|the) {CART}\b|"
    rf"\b(?:i|we)(?:'ve| have)? left out (?:the|your|both|one)\b|\b(?:the|your) (?:\w+ ){{1,4}}(?:went|came) out\b|"
    rf"\bleft out of\b.*\b{CART}\b|"
    rf"\b(?:is|are|was|were|'s|'re) (?:now |already )*(?:out of|off|gone from) "
    rf"(?:your|the) {CART}\b",
    re.IGNORECASE,
)


def said_to_be_out(said: str) -> re.Match[str] | None:
    """Find what is said to have gone out of a cart: no mail, and no money."""
    is_of_cart = re.search(rf"\b{CART}\b", said) is not None
    return _REMOVED.search(said) if is_of_cart or not _OF_NO_GOODS.search(said) else None


def may_be_of_what_is_gone(cart: Cart, said: str, gone: Sequence[Removed]) -> bool:
    """Tell whether a clause calls what was taken out by as much of its name as what is there."""
    words = {word.rstrip("s") for word in re.findall(r"\w+", said)}

    def called(one: CartLine | Removed) -> int:
        return len(words & {word.rstrip("s") for word in plain(one.name).split()})

    most = max(map(called, gone), default=0)
    return 0 < most >= max(map(called, cart.lines), default=0)


def took(cart: Cart, said: str, names: Sequence[frozenset[str]], gone: Sequence[Removed]) -> bool:
    """Tell whether what is said to be out is out."""
    if may_be_of_what_is_gone(cart, said, gone):
        return True
    if names:
        return not all(any(names_ & names_of(line) for line in cart.lines) for names_ in names)
    told = {sort for sort, _, _ in sorts_in(said)}
    out = frozenset[str]().union(
        *(sorts_of([plain(one.name), plain(one.sku)]) for one in cart.removed)
    )
    if told and gone and out and not told & out:
        return False
    words = set(re.findall(r"\w+", said))
    left = any(is_called(line, word) for line in cart.lines for word in words)
    return not left and (bool(gone) or not cart.lines)


def lists_what_is_gone(cart: Cart, said: str) -> bool:
    """Tell whether a row of a table counts what was taken out."""
    kept = {line.sku for line in cart.lines}
    gone = [one for one in cart.removed if one.sku not in kept]
    return any(re.search(rf"{re.escape(plain(one.name))}\W*\|\s*\d+\s*\|", said) for one in gone)
