"""What the shop itself knows of a sentence of an answer: what is in the cart, and what is not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from daybook.state.shop.cart import Cart, CartLine, described
from daybook.tools.said.grammar import CONDITION_BEFORE, OF_NOTHING, ONLY_SPOKEN_OF
from daybook.tools.said.text import Sentence, plain

_CART: Final = r"(?:cart|basket)"
_EMPTY: Final = re.compile(
    rf"\b{_CART}(?:'s| is| was)? (?:now |already )?empty|"
    rf"\bnothing (?:is |was |)?(?:left )?in (?:your|the) {_CART}|\bempty {_CART}\b",
    re.IGNORECASE,
)
_NONE_OF: Final = re.compile(rf"\bno (\w+) (?:in|left in) (?:your|the) {_CART}", re.IGNORECASE)
_ADDED: Final = re.compile(
    rf"^\W*added\b|\b(?:added|put)\b.*\b{_CART}\b|"
    r"\b(?:have|has|'ve|i|we) (?:just |now |also )*added\b|\b(?:was|were|been) added\b",
    re.IGNORECASE,
)
_WITHIN: Final = re.compile(
    rf"\b(?:is|are|'s|'re) (?:now |both |all )?in (?:your|the) {_CART}\b", re.I
)
_REMOVED: Final = re.compile(
    rf"^\W*(?:removed|deleted|dropped)\b|\b(?:removed|took|taken|deleted|dropped|take|thrown)\b.*"
    rf"\b(?:out|off|from|{_CART})\b|\b(?:have|'ve|i|we) (?:just |now )*removed\b",
    re.IGNORECASE,
)
_OF_BEFORE: Final = re.compile(r"\W*you (?:took|removed|have|had|put|added)\b", re.IGNORECASE)
"""Tells of what a person did, at whatever time."""

_HOW_MANY: Final = re.compile(r"\badded:? (\d{1,2})\b(?!\.)", re.IGNORECASE)
_NOT_REMOVED: Final = re.compile(
    r"\b(?:haven't|have not|didn't|did not|not|nothing)\b.*\b(?:removed?|taken|took)\b",
    re.IGNORECASE,
)
_NOT_ADDED: Final = re.compile(
    r"\b(?:did not|didn't|haven't|have not)\b.{0,12}\badd(?:ed)? anything\b", re.I
)


def denies(state: Mapping[str, Any], sentence: str, names: Sequence[frozenset[str]]) -> str:
    """Say what is in the cart, where a sentence says otherwise.

    Args:
        names: of each thing that it mentions, as `plain` writes them.
    """
    cart: Cart = state["cart"]
    if plain(sentence).rstrip(" *_").endswith("?") or CONDITION_BEFORE.search(sentence):
        return ""
    turn_id = state["turn"]["turn_id"]
    clauses = [*map(plain, Sentence(sentence, 0, 0, begins=False).clauses)]
    is_denied = any(_contradicts(cart, clause, names, turn_id) for clause in clauses)
    return _told(cart) if is_denied else ""


def _contradicts(cart: Cart, said: str, names: Sequence[frozenset[str]], turn_id: str) -> bool:
    gone = [one for one in cart.removed if one.turn_id == turn_id]
    if _EMPTY.search(said):
        return bool(cart.lines)
    if none := _NONE_OF.search(said):
        return any(_is_called(line, none.group(1)) for line in cart.lines)
    if _NOT_REMOVED.search(said):
        return bool(gone)
    if _NOT_ADDED.search(said) or ONLY_SPOKEN_OF.search(said) or OF_NOTHING.search(said):
        return False
    if _REMOVED.search(said) and not _OF_BEFORE.match(said):
        return not _took(cart, said, names, bool(gone))
    if _ADDED.search(said) or _WITHIN.search(said):
        many = _HOW_MANY.search(said)
        most = max((line.quantity for line in cart.lines), default=0)
        return not _holds(cart, said, names) or (many is not None and int(many.group(1)) > most)
    return False


def _took(cart: Cart, said: str, names: Sequence[frozenset[str]], has_gone: bool) -> bool:
    """Tell whether what is said to be out is out."""
    if names:
        return not all(any(names_ & _names(line) for line in cart.lines) for names_ in names)
    words = set(re.findall(r"\w+", said))
    left = any(_is_called(line, word) for line in cart.lines for word in words)
    return has_gone and not left if left else has_gone or not cart.lines


def _holds(cart: Cart, said: str, names: Sequence[frozenset[str]]) -> bool:
    """Tell whether what is said to be in the cart is in it."""
    if names:
        return any(names_ & _names(line) for names_ in names for line in cart.lines)
    return bool(cart.lines)


def _names(line: CartLine) -> frozenset[str]:
    return frozenset({plain(line.sku), plain(line.name)})


def _is_called(line: CartLine, word: str) -> bool:
    """Tell whether a word is what a thing is: the last of its name, or of its kind."""
    stem = word.rstrip("s")
    if len(stem) <= 2:
        return False
    kinds = {*line.name.lower().split()[-1:], *line.category.lower().split("-")}
    return stem in {kind.rstrip("s") for kind in kinds}


def _told(cart: Cart) -> str:
    if not cart.lines:
        return "The cart is empty."
    _, *rows, total = described(cart)
    return f"In the cart: {'; '.join(row.strip() for row in rows)}; {total}."
