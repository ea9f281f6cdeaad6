"""How many there are in a cart, of what, and what they cost together."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from daybook.state.money import in_units
from daybook.state.shop.cart import Cart
from daybook.tools.said.grammar.saying import OF_NOTHING, ONLY_SPOKEN_OF
from daybook.tools.said.grammar.things import sorts_in, sorts_of
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.text import plain
from daybook.tools.shop.spoken.claimed.changes import so_many_now
from daybook.tools.shop.spoken.claimed.lines import is_called
from daybook.tools.shop.spoken.claimed.wording import CART, IN_CART, MODAL, THERE

_ADDED_SO_MANY: Final = re.compile(
    rf"^\W*(?:i |i've |i have |just )?added (?P<n>\d{{1,2}}|{'|'.join(SMALL)}) (?P<what>(?:[\w']+ ){{0,4}}\w+)\W*$"
)

PIECES: Final = re.compile(
    rf"(?<![\w.,-])(\d{{1,3}}|{'|'.join(SMALL)}) (?:\w+ )?(?:pieces?|items?|things?|articles?|pairs?(?! of)|"
    rf"goodies|products?|lines?)\b(?: in all)?(?! (?:found|were found|match|over|under|above|below|at a time|more))"
)
"""A number of pieces."""

OF_THE_SHELF: Final = re.compile(r"\b(?:in stock|available|left|remaining|on the shelf)\b")
"""Of what the shop has, and no cart."""

_WENT_INTO_AN_ORDER: Final = re.compile(
    r"\b(?:were|was|been|got|went|have|has|are|is)\b.*\b(?:order\w*|bought|moved|placed|charged|paid|checked out|purchased)\b"
)
"""Tells of what was in a cart that is empty since it was bought."""

_OF_THEM: Final = re.compile(
    rf"\b(?:you(?:'ve| have)(?: got)?|there(?:'s| are| is)|that makes|(?:now|still) with) (\d{{1,2}}|{'|'.join(SMALL)}) of (?:them|those|these|it)\b"
)

_BOTH: Final = re.compile(rf"\bboth\b.*\b(?:{THERE}|still)\b|\b(?:{THERE})\b.*\bboth\b")

_GIVEN: Final = re.compile(
    rf"\b(?:the|your|these|those|both|all|two|three|four|five|\d+) (?:[\w']+ ){{1,6}}{IN_CART}\b"
)

_EXTREME: Final = re.compile(
    r"\b(?P<how>cheapest|lowest priced|least expensive|smallest|dearest|priciest|most expensive|costliest|biggest|highest priced) "
    r"(?:thing|item|line|product|piece|article|one|part|position)\b"
)

_IN_ALL: Final = re.compile(
    r"(?<![\w.,])(?:usd )?[$€£]?(\d+\.\d\d)(?: ?(?:usd|eur|dollars|euros))?(?: \w+){0,2}? (?:for (?:both|the two|the pair|the three|all (?:of them|two|three|four|five|six|\d+))|altogether|together|in all|for the lot)\b"
)

_AMOUNT: Final = re.compile(r"\d\.\d\d\b")

_A_SORT: Final = re.compile(
    rf"(?<![\w.,$-])(\d{{1,2}}|{'|'.join(SMALL)}) (?!person\b|man\b|season\b|litre\b|of\b)(?:pairs? of )?(?:(?!of\b|the\b|in\b|and\b|more\b|fewer\b|less\b|other\b|extra\b|further\b|additional\b|similar\b|different\b|too\b|new\b)[a-z']+ ){{0,3}}?$"
)


def counts_otherwise(cart: Cart, said: str, *, is_of_cart: bool = False) -> bool:
    """Tell whether another number of pieces is told than the cart holds, or of lines."""
    found = so_many_now(PIECES, said)
    if found is None or MODAL.search(said) or OF_NOTHING.search(said):
        return False
    if not cart.lines and _WENT_INTO_AN_ORDER.search(said):
        return False
    if OF_THE_SHELF.search(said) and not re.search(rf"\b(?:{CART}|in there)\b", said):
        return False
    many = SMALL.get(found[1]) or int(found[1])
    quantities = [line.quantity for line in cart.lines]
    is_alone = said.strip(" .!") == found.group()
    is_of_cart = is_of_cart or is_alone or re.search(rf"\b(?:{CART}|in there)\b", said) is not None
    if not cart.lines and is_alone:
        return False
    return is_of_cart and many not in (len(quantities), sum(quantities), *quantities)


def is_otherwise(cart: Cart, said: str) -> bool:
    """Tell whether a clause counts, sets apart or adds what the cart holds, and it does not."""
    if MODAL.search(said) or OF_NOTHING.search(said):
        return False
    quantities = [line.quantity for line in cart.lines]
    if (them := _OF_THEM.search(said)) and len(quantities) == 1:
        return (SMALL.get(them[1]) or int(them[1])) not in quantities
    if _BOTH.search(said) and quantities and max(len(quantities), *quantities) < 2:
        return True
    if _GIVEN.search(said) and not quantities and not _WENT_INTO_AN_ORDER.search(said):
        return True
    if (extreme := _EXTREME.search(said)) and len(quantities) > 1:
        return not _may_be_extreme(cart, said, extreme["how"])
    return False


def _may_be_extreme(cart: Cart, said: str, how: str) -> bool:
    """Tell whether what is named costs most or least, by the piece or as a line."""
    words = re.findall(r"\w+", said)
    named = [line for line in cart.lines if any(is_called(line, word) for word in words)]
    if len(named) != 1:
        return True
    most = min if how in ("cheapest", "lowest priced", "least expensive", "smallest") else max
    return named[0] in (
        most(cart.lines, key=lambda line: line.price),
        most(cart.lines, key=lambda line: line.unit_price),
    )


def adds_up_otherwise(cart: Cart, said: str) -> bool:
    """Tell whether a line that is named is said to cost in all what one piece of it does."""
    found = _IN_ALL.search(said)
    named = [
        line
        for line in cart.lines
        if any(is_called(line, word) for word in re.findall(r"\w+", said))
    ]
    if (
        not named
        and len(cart.lines) == 1
        and re.search(r"\b(?:pairs?|them|both|bottles?|all)\b", said)
    ):
        named = [*cart.lines]
    if found is None:
        return False
    if (
        len(named) == len(cart.lines) > 1
        and not MODAL.search(said)
        and len(_AMOUNT.findall(said)) == 1
    ):
        pieces = sum(line.unit_price for line in cart.lines)
        return (
            Decimal(found[1]) == Decimal(in_units(pieces)) != Decimal(in_units(cart.total.amount))
        )
    if len(named) != 1 or named[0].quantity == 1:
        return False
    return Decimal(found[1]) == Decimal(in_units(named[0].unit_price))


def adds_more_than_there_are(cart: Cart, said: str) -> bool:
    """Tell whether more of one line is said to have been added than the cart holds of it."""
    found = _ADDED_SO_MANY.search(said)
    if found is None or not cart.lines:
        return False
    words = {word.rstrip("s'") for word in found["what"].split()} - {"pair", "of", "the"}
    called = [
        line
        for line in cart.lines
        if words <= {word.rstrip("s") for word in plain(line.name).split()}
    ]
    many = SMALL.get(found["n"]) or int(found["n"])
    return len(called) == 1 and many > called[0].quantity


def may_be_so_many(numeral: str, cart: Cart) -> bool:
    """Tell whether there are so many of a line of the cart, or of all of it."""
    quantities = [line.quantity for line in cart.lines]
    return (SMALL.get(numeral) or int(numeral)) in (*quantities, sum(quantities))


def counts_a_sort_otherwise(cart: Cart, said: str) -> bool:
    """Tell whether the cart is said to hold more of a sort than of all its lines."""
    if not re.search(rf"\b{THERE}\b", said) or ONLY_SPOKEN_OF.search(said):
        return False
    for sort, start, _ in sorts_in(said):
        lines = [
            line for line in cart.lines if sort in sorts_of([plain(line.name), plain(line.sku)])
        ]
        found = _A_SORT.search(said[:start])
        if found is not None and any(found.group().strip() in plain(one.name) for one in lines):
            # A number that is a part of a name: "Two-Burner Camping Stove".
            continue
        if found is not None and lines:
            many = SMALL.get(found[1]) or int(found[1])
            if many not in (
                len(lines),
                sum(line.quantity for line in lines),
                *(line.quantity for line in lines),
            ):
                return True
    return False
