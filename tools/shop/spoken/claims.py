"""What the shop itself knows of a sentence of an answer: what is in the cart, and what is not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from daybook.state.money import in_units
from daybook.state.shop.cart import Cart, CartLine, Removed, described
from daybook.tools.said.clauses import Clauses
from daybook.tools.said.grammar.saying import OF_NOTHING, ONLY_SPOKEN_OF
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.text import Sentence, plain

_CART: Final = r"(?:cart|basket)"
_IN_CART: Final = rf"(?:in|into|to|inside) (?:your|the|her|his|their) {_CART}"
_EMPTY: Final = re.compile(
    rf"\b{_CART}(?:'s| is| was| has been| stands| now| left)*(?: all| completely| already|"
    rf" again| as)* (?:empty|cleared out|emptied|bare)\b|"
    rf"\b(?:nothing|not (?:a thing|anything)) (?:is |was |)?(?:left )?(?:{_IN_CART})|"
    rf"\bempty {_CART}\b|"
    rf"\b(?:don't|do not|doesn't|does not) (?:have|hold|contain|list) anything {_IN_CART}|"
    rf"\b(?:emptied|cleared out) (?:your|the) {_CART}|"
    rf"\b{_CART} (?:holds|contains|has|lists) nothing\b",
    re.IGNORECASE,
)
_NONE_OF: Final = re.compile(
    rf"\bno (?:\w+ )?(\w+) (?:in|left in) (?:your|the) {_CART}", re.IGNORECASE
)
_ADDED: Final = re.compile(
    rf"^\W*added\b|\b(?:added|put|popped|dropped|tossed|placed|threw|slipped)\b.*\b{_CART}\b|"
    r"\b(?:have|has|'ve|i|we) (?:just |now |also )*added\b|\b(?:was|were|been) added\b",
    re.IGNORECASE,
)
_WITHIN: Final = re.compile(
    rf"\b(?:is|are|'s|'re|stays?|remains?|sits?|sitting|waiting|still|left|kept|chilling|"
    rf"showing)\b(?: \w+){{0,3}} {_IN_CART}\b|"
    rf"\b{_CART} (?:still |now |currently )*(?:has|holds|contains|shows|"
    rf"lists)\b(?! (?:been|nothing|changed|not))",
    re.I,
)
_LISTED: Final = re.compile(
    rf"^\W*(?:still |now )?(?:in )?(?:your|the) {_CART}(?: now| right now| still)? \w"
)
"""A row under "In your cart:"."""

_REMOVED: Final = re.compile(
    rf"^\W*(?:removed|deleted|dropped)\b|\b(?:removed|took|taken|deleted|dropped|dumped|chucked|tossed|binned|ditched|scrapped|take|"
    rf"thrown|struck|cleared?|pulled|kicked|moved|gone|cut|"
    rf"had to (?:drop|remove|delete|clear|pull|cut))\b.*"
    rf"\b(?:out|off|from|{_CART})\b|\b(?:have|'ve|i|we) (?:just |now )*removed\b|"
    rf"\bleft out of\b.*\b{_CART}\b|"
    rf"\b(?:is|are|was|were|'s|'re) (?:now |already )*(?:out of|off|gone from) "
    rf"(?:your|the) {_CART}\b",
    re.IGNORECASE,
)
_REMOVED_BEHIND: Final = re.compile(
    r"(?:^|\b(?:the|your) )(?:\w+ ){0,5}?(\w+) (?:is |was |has been |'s )?(?:removed|"
    r"deleted|taken out)\W*$"
)
"""The thing and what became of it: "Headlamp removed"."""

_ONLY_ADDED: Final = re.compile(
    rf"\b(?:(?:could|was able to|managed to) only|only (?:managed|was able) to) "
    rf"(?:add|put|fit|get) (\d{{1,2}}|{'|'.join(SMALL)})\b"
)
_TOTAL: Final = re.compile(
    rf"\b{_CART}(?:'s)?(?: (?:sub)?total (?:is|of|comes to|stands at|was|:)?|"
    rf"(?: now)? (?:comes? to|adds? up to|stands at|totals|is worth|sums up to))"
    r"[^\w$]*(?:usd )?\$?(\d[\d,]*\.\d\d)"
)

_OF_BEFORE: Final = re.compile(r"\W*you (?:took|removed|have|had|put|added)\b", re.IGNORECASE)
"""Tells of what a person did, at whatever time."""

_HOW_MANY: Final = re.compile(r"\badded:? (\d{1,2})\b(?!\.)", re.IGNORECASE)
_PIECES: Final = re.compile(
    rf"(?<![\w.,-])(\d{{1,3}}|{'|'.join(SMALL)}) (?:\w+ )?(?:pieces|items|things|articles|"
    rf"goodies|products|lines)\b(?: in all)?(?! (?:found|were found|match|over|under|above|below))"
)
_NOT_REMOVED: Final = re.compile(
    r"\b(?:haven't|have not|didn't|did not|not|nothing|wasn't able to|unable to|couldn't|"
    r"could not)\b.*\b(?:removed?|taken|took|take)\b",
    re.IGNORECASE,
)
_NOT_ADDED: Final = re.compile(
    r"\b(?:did not|didn't|haven't|have not)\b.{0,12}\badd(?:ed)? anything\b", re.I
)
_MODAL: Final = re.compile(
    r"\b(?:(?:will|'ll|would|can|could|may|might|shall|should|if|once|want|wants|please|"
    r"let me|to be)\b|tell me)"
)


_WHAT_IS_WITHIN: Final = re.compile(rf"\b(?:what|whatever|whether)\b.*\b{_CART}\b")
"""Speaks of what the cart holds, and says nothing of it."""


def denies(state: Mapping[str, Any], sentence: str, names: Sequence[frozenset[str]]) -> str:
    """Say what is in the cart, where a sentence says otherwise.

    Args:
        names: of each thing that it mentions, as `plain` writes them.
    """
    cart: Cart = state["cart"]
    turn_id = state["turn"]["turn_id"]
    clauses = Clauses(Sentence(sentence, 0, 0, begins=False)).asserted
    if "|" in sentence and _lists_what_is_gone(cart, plain(sentence)):
        return _told(cart)
    is_denied = any(_contradicts(cart, clause, names, turn_id) for clause in clauses)
    return _told(cart) if is_denied else ""


def _contradicts(cart: Cart, said: str, names: Sequence[frozenset[str]], turn_id: str) -> bool:
    gone = [one for one in cart.removed if one.turn_id == turn_id]
    names = [one for one in names if any(_is_named(name, said) for name in one)]
    if (only := _ONLY_ADDED.search(said)) and cart.lines:
        return not _may_be_so_many(only[1], cart)
    if (total := _TOTAL.search(said)) and not _MODAL.search(said) and cart.lines:
        return Decimal(total[1].replace(",", "")) != Decimal(in_units(cart.total.amount))
    if (empty := _EMPTY.search(said)) and not _MODAL.search(said[: empty.start()]):
        return bool(cart.lines)
    if none := _NONE_OF.search(said):
        return any(_is_called(line, none.group(1)) for line in cart.lines)
    if _NOT_REMOVED.search(said):
        return bool(gone)
    if _counts_otherwise(cart, said):
        return True
    if _NOT_ADDED.search(said) or OF_NOTHING.search(said):
        return False
    if removed := _REMOVED_BEHIND.search(said):
        return any(_is_called(line, removed[1]) for line in cart.lines)
    if (taken := _REMOVED.search(said)) and not _OF_BEFORE.match(said):
        return not _MODAL.search(said[: taken.start()]) and not _took(cart, said, names, bool(gone))
    if _WHAT_IS_WITHIN.search(said):
        return False
    within = _WITHIN.search(said) or _LISTED.search(said)
    if within and not _MODAL.search(said[: within.end()]) and _holds_none_of(cart, said):
        return True
    if ONLY_SPOKEN_OF.search(said):
        return False
    if _ADDED.search(said) or _WITHIN.search(said):
        many = _HOW_MANY.search(said)
        most = max((line.quantity for line in cart.lines), default=0)
        return not _holds(cart, said, names) or (many is not None and int(many.group(1)) > most)
    return False


def _may_be_so_many(numeral: str, cart: Cart) -> bool:
    """Tell whether there are so many of a line of the cart, or of all of it."""
    quantities = [line.quantity for line in cart.lines]
    return (SMALL.get(numeral) or int(numeral)) in (*quantities, sum(quantities))


def _is_named(name: str, said: str) -> bool:
    """Tell whether a clause has a name, or the two words that it begins with."""
    return " ".join(name.split()[:2]) in said


def _lists_what_is_gone(cart: Cart, said: str) -> bool:
    """Tell whether a row of a table counts what was taken out."""
    kept = {line.sku for line in cart.lines}
    gone = [one for one in cart.removed if one.sku not in kept]
    return any(re.search(rf"{re.escape(plain(one.name))}\W*\|\s*\d+\s*\|", said) for one in gone)


def _counts_otherwise(cart: Cart, said: str) -> bool:
    """Tell whether another number of pieces is told than the cart holds, or of lines."""
    found = _PIECES.search(said)
    if found is None or not cart.lines or _MODAL.search(said):
        return False
    many = SMALL.get(found[1]) or int(found[1])
    quantities = [line.quantity for line in cart.lines]
    is_of_cart = re.search(rf"\b{_CART}\b|\bin there\b", said) is not None or said == found.group()
    return is_of_cart and many not in (len(quantities), sum(quantities), *quantities)


def _holds_none_of(cart: Cart, said: str) -> bool:
    """Tell whether something is said to be in the cart that was taken out, or in an empty one."""
    if not cart.lines:
        return True
    kept = {line.sku for line in cart.lines}
    gone = [one for one in cart.removed if one.sku not in kept]
    words = re.findall(r"\w+", said)
    return any(_is_called(one, word) for one in gone for word in words) and not any(
        _is_called(line, word) for line in cart.lines for word in words
    )


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


def _is_called(line: CartLine | Removed, word: str) -> bool:
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
