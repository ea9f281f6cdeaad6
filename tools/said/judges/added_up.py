"""What several things that a sentence names come to together, and by how much a few things differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Final

from daybook.tools.said.judges.allowed import FEW_OF, Allowed
from daybook.tools.said.known import Known
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.rows import Record
from daybook.tools.said.spoken_of import Mentioned, heads_in, mentioned
from daybook.tools.said.text import Amount, amounts_in, plain

PRICED: Final = re.compile(
    r"\b(?:priced|set|now|available|listed|sold|comes|sells|goes|retails|is|are)?[ *]*(?:at|for)(?: (?:just|only|the price of|a price of))?[\s*$€£]*$|"
    r"\b(?:costs?|costing|priced|price(?: of|:| is| was)?)(?: (?:just|only))?[\s*:$€£]*$",
    re.IGNORECASE,
)
"""Stands before an amount that is the price of the thing that is named."""
_OF_A_SUM: Final = re.compile(
    r"\b(?:charg\w+|paid|refund\w*|costs?|costing|prices?|priced|total\w*|comes? to|came to|orders?|ordered|bill\w*)\b",
    re.IGNORECASE,
)
"""In a sentence that tells a price, or what was paid."""
_FOR: Final = re.compile(r"\bfor[\s*$€£]*$", re.IGNORECASE)
_SEVERAL_NAMED: Final = re.compile(r"\b(?:and|plus|with)\b|&|\+|,")
_ALL_IN: Final = re.compile(
    r"^[\s*]*(?:USD )?(?:all in|in all|altogether|all together|together|in total|total|all told|for (?:it all|all of it|everything|the lot|both))\b",
    re.I,
)
"""Behind what several things come to."""
_TOGETHER: Final = re.compile(r"\b(?:and|plus|with|including|together|both)\b|&|\+", re.IGNORECASE)
"""In a sentence that may tell what several things come to."""
_SO_MANY: Final = re.compile(
    rf"(?<![\w.,$€£])(\d{{1,2}}|{'|'.join(SMALL)})(?: x)?(?! (?:burner|person|man|season|lit(?:re|er)|layer|day|night|kilo|gram)\b)"
    r"(?: (?!(?:and|with|plus|for|to|at|or|including|in|on|is|are|as)\b)[a-z']+){0,3} $"
)
"""Before what is counted: "two pairs of the"."""
_MOST_NAMED: Final = 6
"""Things of which any two may be added up, or set beside one another."""


def things_in(text: str, about: Sequence[Mentioned], known: Known) -> Sequence[Mentioned]:
    """Return the things with a price that a text speaks of, by their names or nouns."""
    named = [one for one in about if not one.record.statuses and is_of_a_thing(one)]
    said = plain(text)
    heads = [
        Mentioned(records[0], place.group(), place.start(), place.end())
        for place, records in heads_in(said, known)
        if len(records) == 1 and not records[0].statuses and _is_of_a_thing_alone(records[0])
    ]
    return [*named, *heads]


def _is_of_a_thing_alone(record: Record) -> bool:
    return any(" " in name and not any(map(str.isdigit, name)) for name in record.names)


def is_of_a_thing(one: Mentioned) -> bool:
    """Tell whether something is named that has a name, and no order or account by its id."""
    return any(" " in name and not any(map(str.isdigit, name)) for name in one.record.names)


def is_of_all_named(text: str, amount: Amount, allowed: Allowed) -> bool:
    """Tell whether an amount is what several things come to that stand before it: "one A and two Bs for $90"."""
    before = text[: amount.start]
    if is_a_few_of_those_named(text, amount.value, allowed.known):
        return True
    if amount.value not in allowed.wholes or _SEVERAL_NAMED.search(before) is None:
        return False
    if _FOR.search(before) is not None:
        return True
    named = {
        id(one.record) for one in things_in(before, mentioned(before, allowed.known), allowed.known)
    }
    return len(named) > 1 and _ALL_IN.match(what_follows(text, amount)) is not None


def is_a_few_of_those_named(text: str, value: Decimal, known: Known) -> bool:
    """Tell whether an amount is what a few of one thing and a few of another come to: "three of them with the poles"."""
    if _TOGETHER.search(text) is None:
        return False
    said = plain(text)
    places = [(one.start, one.record) for one in things_in(text, mentioned(text, known), known)]
    places += [(place.start(), one) for place, some in heads_in(said, known) for one in some]
    named = {id(one): one for _, one in places if not one.statuses}
    costs = [
        frozenset(
            price * many
            for price in _prices_of(one)
            for many in _counted(said, [at for at, it in places if it is one])
        )
        for one in named.values()
    ]
    return len(costs) <= _MOST_NAMED and any(
        a + b == value for one, other in combinations(costs, 2) for a in one for b in other
    )


def _counted(said: str, places: Sequence[int]) -> Sequence[int]:
    """Return how many of a thing are told before its noun or name; any few where none are."""
    found = [one for at in places if (one := _SO_MANY.search(said[:at])) is not None]
    return [SMALL.get(one[1]) or int(one[1]) for one in found] or FEW_OF


IS_APART = re.compile(r"\bdifference(?: is| of|:)?(?: only| just)?[\s*$€£]*$", re.IGNORECASE)
"""Stands before by how much two things differ."""


def is_by_how_much_they_differ(text: str, amount: Amount, allowed: Allowed) -> bool:
    """Tell whether an amount is what lies between the few things that were read, and no price: "is it worth the $62?"."""
    before = text[: amount.start]
    if IS_APART.search(before) and any(
        abs(one - other) == amount.value for one, other in combinations(allowed.known.figures, 2)
    ):
        return True
    if PRICED.search(before) or _OF_A_SUM.search(text):
        return False
    goods = [one for one in allowed.known.records if one.stock and one.shown]
    prices = {price for one in goods for price in _prices_of(one)}
    return len(goods) <= _MOST_NAMED and any(
        abs(one - other) == amount.value for one, other in combinations(prices, 2)
    )


def _prices_of(record: Record) -> Iterator[Decimal]:
    """Yield what one of a thing costs; of a line of a cart what all of it does too."""
    yield from (one.value for one in amounts_in(record.shown))


def what_follows(text: str, amount: Amount) -> str:
    """Return what of a text stands behind an amount."""
    return text[amount.start + len(amount.shown.lstrip("$€£ ")) :]
