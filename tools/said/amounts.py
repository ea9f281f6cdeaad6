"""Judge the amounts of a sentence: read of what it names, or worked out from what was read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import combinations

from daybook.tools.said.known import Known
from daybook.tools.said.mentions import held_in
from daybook.tools.said.rows import Record
from daybook.tools.said.spoken_of import Mentioned, shown_of
from daybook.tools.said.text import Amount, amounts_in

_MOST_OF_ONE = 20

_FEW = 60
"""Numbers of which every sum and difference of two is reckoned."""

_MOST_RECKONED = 20_000
"""Sums and differences that are reckoned for one amount."""

_LEAST_AMOUNT = 100

_MANY = 512
"""Sums of what effects named of which every difference of two is reckoned."""

_MOST_ADDED = 10
"""Amounts of one answer of which every sum is reckoned."""

_VAGUE = re.compile(
    r"\d\s?%|(?<!~)~\s?[$€£\d]|\d\+|\b(?:percent|tax|vat|discount|approximately|about|around|roughly|up to|under|"
    r"over|below|above|between|less than|more than|limit|budget)\b",
    re.IGNORECASE,
)
"""In a sentence whose amounts are bounds or estimates."""

_BOUND = re.compile(r"\b(?:up to|under|below|over|above|limit|budget)\b", re.IGNORECASE)
"""In a sentence whose amounts are what a person has named."""

_RECKONED = re.compile(
    r"\b(?:more|less|cheaper|dearer|without|leaves?|differences?|save[sd]?|saving|totals?|together|both|left|sum|in all|"
    r"extra|plus|minus|off|each|refund(?:ed)?|balance|pay|additional|charged?|combined|overall|net|"
    r"remaining|add(?:s|ed)? up|altogether|credit(?:ed)?|amount)\b|[=+]",
    re.IGNORECASE,
)
"""In an answer that may tell what was worked out from what was read."""

_WORKED_OUT = re.compile(
    r"\d (?:\w+ )?(?:more|less|cheaper|dearer)\b|\b(?:differences?|save[sd]?|saving|totals?|together|both|"
    r"left|sum|in all|extra|plus|minus|off|each|refund(?:ed)?|balance|additional|charged?|combined|overall|"
    r"net|remaining|altogether|credit(?:ed)?|adjust\w*|without|leaves?)\b|[=+]",
    re.IGNORECASE,
)
"""In a sentence that tells what was worked out of more than the one thing that it names."""


def of_amounts(text: str, about: Sequence[Mentioned], allowed: Allowed) -> Iterator[str]:
    """Yield what is so, for each amount of a sentence that does not follow from what is known."""
    amounts = [*{one.value: one for one in amounts_in(text)}.values()]
    if _VAGUE.search(text):
        amounts = [one for one in amounts if _BOUND.search(text) and not allowed.as_bound(one)]
    records = [one.record for one in about]
    for amount in amounts:
        if not allowed.of(amount.value, records, text):
            yield _price_of(amount, records)


def _price_of(amount: Amount, records: Sequence[Record]) -> str:
    shown = shown_of([one for one in records if any(amounts_in(one.shown))])
    return shown or f"{amount.shown} stands in nothing that was read or done."


class Allowed:
    """The amounts that follow from what is known: as they stand, reckoned, or added up."""

    def __init__(self, known: Known, answer: str) -> None:
        self._known = known
        self._amounts = [one.value for one in amounts_in(answer)]
        self._told = frozenset(value for value in self._amounts if value in known.figures)
        self._said = frozenset(figure for text in known.said for figure in held_in(text).figures)
        loose = frozenset(one for one in known.loose if not _is_a_count(one))
        self._beside = (self._said | loose) - {Decimal(0)}
        self._reckons = _RECKONED.search(answer) is not None
        self._others = (self._told | self._said | loose) - {Decimal(0)}

    @cached_property
    def _sums(self) -> frozenset[Decimal]:
        """Return what amounts of the answer add up to: each row of it, and their total."""
        few = self._amounts[:_MOST_ADDED]
        return frozenset(
            sum(some, Decimal(0))
            for size in range(2, len(few) + 1)
            for some in combinations(few, size)
        )

    @cached_property
    def _acted_on(self) -> frozenset[Decimal]:
        """Return what the things cost that effects named: each, some of them, and differences."""
        sums = {Decimal(0)}
        for effect in self._known.effects:
            prices = [self._known.prices[one] for one in effect.ids if one in self._known.prices]
            for price in sorted(prices)[:_MOST_ADDED]:
                if len(sums) <= _MANY:
                    sums |= {price + other for other in sums}
        apart = (
            {abs(one - other) for one, other in combinations(sums, 2)}
            if len(sums) <= _MANY
            else set()
        )
        return frozenset(sums | apart) - {Decimal(0)}

    def as_bound(self, amount: Amount) -> bool:
        """Tell whether an amount may be said as a bound: a round one, or one that is known."""
        return amount.value % 5 == 0 or amount.value in self._known.figures

    def of(self, value: Decimal, records: Sequence[Record], text: str) -> bool:
        """Tell whether an amount may be said of these records; of any without one.

        Args:
            text: the sentence that says it.
        """
        own = frozenset[Decimal]().union(*(record.figures for record in records))
        is_worked_out = _WORKED_OUT.search(text) is not None
        if own and value in self._known.figures:
            # Where nothing is worked out, it is another thing's.
            return is_worked_out or value in own or value in self._beside
        own = own or self._known.figures
        if value in own or value in self._beside:
            return True
        if value in self._sums or value in self._acted_on:
            return True
        prices = frozenset(one for one in own if not _is_a_count(one))
        if not (self._reckons if not records else is_worked_out):
            return any(value / count in prices for count in range(2, _MOST_OF_ONE + 1))
        if any(value / count in prices for count in range(2, _MOST_OF_ONE + 1)):
            return True
        told = {one for one in self._amounts if one in self._told or one in self._acted_on}
        if any(value in (one + two, abs(one - two)) for one in own for two in told - {value}):
            # A balance: what it was, and what was paid or given back.
            return True
        others = self._others | (prices if not records and len(prices) <= _FEW else frozenset())
        if len(own) > _FEW:
            own &= others
        if len(own) * len(others) > _MOST_RECKONED:
            own &= self._told
        return any(
            value == one + other or value == abs(one - other)
            for one in own - {Decimal(0), value}
            for other in others - {value}
        )


def _is_a_count(number: Decimal) -> bool:
    """Tell a count, or a place in a list, from what may be an amount."""
    return number < _LEAST_AMOUNT and number == number.to_integral_value()
