"""The amounts that follow from what is known: as they stand, reckoned, or added up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cached_property
from itertools import combinations

from daybook.tools.said.judges.lines_of_orders import is_of_a_line, lines_of_orders
from daybook.tools.said.judges.reckoned import OF_A_WHOLE, REASONED, reckoned_in
from daybook.tools.said.known import Known
from daybook.tools.said.mentions import held_in
from daybook.tools.said.rows import Record
from daybook.tools.said.spoken_of import mentioned
from daybook.tools.said.text import Amount, amounts_in

_MOST_OF_ONE = 20
_FEW = 60
"""Numbers of which every sum and difference of two is reckoned."""
_MOST_RECKONED = 20_000
"""Sums and differences that are reckoned for one amount."""
_MOST_RECKONED_BESIDE = 12
"""Things that were read with one of which another may be compared that is not named."""
_LEAST_AMOUNT = 100
_MOST_IN_AN_ID = 31
_MOST_NAMED = 6
"""Things in one answer that may be set beside one another without their prices."""
_LEAST_ROUNDED, _HALF = 10, Decimal("0.5")
_CENTS = -2
"""The exponent of what is written with two decimals."""
_BEST = 5
"""Of a rating."""
_MANY = 512
"""Sums of what effects named of which every difference of two is reckoned."""
_MOST_ADDED = 10
"""Amounts of one answer of which every sum is reckoned."""
_RECKONED = re.compile(
    r"\b(?:more|less|cheaper|dearer|pricier|costlier|short|without|differs?|apart|gap|not counting|leaving out|excluding|except|apart from|minus|leaves?|differences?|save[sd]?|saving|totals?|together|both|left|sum|in all|"
    r"spent|extra|plus|minus|off|each|refund(?:ed)?|balance|pay|additional|charged?|combined|overall|net|"
    r"remaining|add(?:s|ed)? up|altogether|credit(?:ed)?|amount|would|comes? to|came to|brings?|makes?|making)\b|\b(?:it|that|you)'d\b|[=+]",
    re.IGNORECASE,
)
"""In an answer that may tell what was worked out from what was read."""
_WOULD_BE = re.compile(
    r"\b(?:would|could)\b|\b(?:you|it|that|we)'d\b|\bnew (?:total|sum|price)\b|\bdrops? to\b",
    re.IGNORECASE,
)
"""In a sentence that tells what all would come to if something were changed."""
WORKED_OUT = re.compile(
    r"\d (?:\w+ )?(?:more|less|cheaper|dearer)\b|\b(?:spent|pricier|costlier|dearer|cheaper|short|differences?|save[sd]?|saving|totals?|together|both|"
    r"left|sum|in all|extra|plus|minus|off|each|refund(?:ed)?|balance|additional|charged?|combined|overall|"
    r"net|remaining|altogether|credit(?:ed)?|adjust\w*|without|differs?|apart|gap|not counting|leaving out|excluding|except|apart from|minus|leaves?|would|comes? to|came to|brings?|makes?|making)\b|\b(?:it|that|you)'d\b|[=+]",
    re.IGNORECASE,
)
"""In a sentence that tells what was worked out of more than the one thing that it names."""
CLAUSE = re.compile(r"[;(—]|[.,:](?!\d)|\b(?:and|but|while|with)\b")
_OFF = re.compile(
    r"\b(\d{1,2}) (?:dollars|bucks|euros|usd) (?:off|less|more|cheaper|dearer|lower|higher)\b", re.I
)
_TAKEN_OFF = re.compile(
    r"\b(?:fees?|kept|keep|deduct\w*|withh\w+|retain\w*|left|missing|rest|later|discount)\b", re.I
)
"""In a sentence whose parts of a sum are no lines of an order."""
_KEPT_BACK = re.compile(
    r"\b(?:fees?|kept|keep|deduct\w*|withh\w+|retain\w*|missing|discount)\b", re.I
)
"""In a sentence that tells of what somebody takes off a sum."""
FEW_OF = (1, 2, 3, 4, 5)
_MOST_VARIANTS = 40
_DIFFERENCE = re.compile(
    r"\b(?:difference|diff|refund\w*|charged?|savings?|saved?|cheaper|dearer|more|less|lower|higher|increase|decrease|reduce|extra|"
    r"additional|impact|adjust\w*|pay|credit\w*|cover|net|change)\b|[-+−|] ?\**[$€£]",
    re.IGNORECASE,
)
"""In a sentence that may tell by how much two variants differ."""


class Allowed:
    """The amounts that follow from what is known: as they stand, reckoned, or added up."""

    def __init__(self, known: Known, answer: str) -> None:
        self.known = known
        self._answer = answer
        self._reckoned = dict[bool, frozenset[Decimal]]()
        self._amounts = [one.value for one in amounts_in(answer)]
        self._told = frozenset(value for value in self._amounts if value in known.figures)
        self._said = frozenset(figure for text in known.said for figure in held_in(text).figures)
        loose = frozenset(one for one in known.loose if not _is_a_count(one))
        self._beside = (self._said | loose) - {Decimal(0)}
        self._reckons = _RECKONED.search(answer) is not None
        spelt = {Decimal(one) for one in _OFF.findall(answer)}
        self._others = (self._told | self._said | loose | spelt | _costs_in(answer, known)) - {
            Decimal(0)
        }

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
    def wholes(self) -> frozenset[Decimal]:
        """Return what the orders come to that were read, and what was to be done in this turn."""
        shown = [record.shown for record in self.known.records if record.statuses]
        shown += [one.line for one in self.known.effects if one.is_now]
        return frozenset(one.value for line in shown for one in amounts_in(line))

    def _is_reckoned(self, value: Decimal, text: str) -> bool:
        """Tell whether an amount follows from others of the answer, by a sentence that reasons."""
        if not REASONED.search(text) or _KEPT_BACK.search(text):
            return False
        is_of_a_whole = OF_A_WHOLE.search(text) is not None and _WOULD_BE.search(text) is None
        if is_of_a_whole not in self._reckoned:
            self._reckoned[is_of_a_whole] = reckoned_in(
                self._answer,
                self.known,
                lambda one: one in self.known.figures or one in self._beside,
                is_of_a_whole=is_of_a_whole,
            )
        return value in self._reckoned[is_of_a_whole]

    @cached_property
    def _apart(self) -> frozenset[Decimal]:
        """Return by how much the variants of one thing differ in what they cost."""
        found = set[Decimal]()
        for record in self.known.records:
            prices = {self.known.prices[one] for one in record.names if one in self.known.prices}
            if len(prices) <= _MOST_VARIANTS:
                found |= {abs(one - other) for one, other in combinations(prices, 2)}
        return frozenset(found)

    @cached_property
    def _acted_on(self) -> frozenset[Decimal]:
        """Return what the things cost that effects named: each, some of them, and differences."""
        sums = {Decimal(0)}
        for effect in self.known.effects:
            prices = [self.known.prices[one] for one in effect.ids if one in self.known.prices]
            for price in sorted(prices)[:_MOST_ADDED]:
                if len(sums) <= _MANY:
                    sums |= {price + other for other in sums}
        apart = (
            {abs(one - other) for one, other in combinations(sums, 2)}
            if len(sums) <= _MANY
            else set()
        )
        return frozenset(sums | apart) - {Decimal(0)}

    @cached_property
    def _lines_of_orders(self) -> frozenset[Decimal]:
        return lines_of_orders(self._amounts[:_MOST_ADDED], self.known)

    def _is_of_one(self, value: Decimal) -> bool:
        """Tell whether it is the price of one of so many, of which only the total was read."""
        counts = {many for record in self.known.records for many in record.counts if many > 1}
        return any(
            value * many in record.figures
            for many in counts
            for record in self.known.records
            if many in record.counts and record.statuses
        )

    def is_between(
        self, value: Decimal, records: Sequence[Record], *, is_of_several: bool = False
    ) -> bool:
        """Tell whether an amount is the difference of what is named and one of a few other things.

        Args:
            is_of_several: it may be that of a few of each.
        """
        goods = [one for one in self.known.records if one.stock]
        if not records or len(goods) > _MOST_RECKONED_BESIDE:
            return False
        own = {one.value for record in records for one in amounts_in(record.shown)}
        others = {one.value for record in goods for one in amounts_in(record.shown)}
        counts = FEW_OF if is_of_several else (1,)
        return any(
            abs(one * many - other * few) == value
            for one in own
            for other in others
            for many in counts
            for few in counts
        )

    def is_apart(self, value: Decimal) -> bool:
        """Tell whether an amount is by how much two things differ that were read, or a few of them."""
        goods = [one for one in self.known.records if one.shown and not one.statuses]
        if len(goods) > _MOST_RECKONED_BESIDE:
            return False
        prices = {one.value for record in goods for one in amounts_in(record.shown)}
        counted = {one * many for one in prices for many in FEW_OF}
        return value in counted or any(
            abs(one - other) == value for one, other in combinations(counted, 2)
        )

    def is_of_another(
        self,
        amount: Amount,
        amounts: Sequence[Amount],
        records: Sequence[Record],
        heads: Sequence[Record],
        text: str,
    ) -> bool:
        """Tell whether one of several amounts may be that of what no name beside it tells.

        Args:
            records: that the sentence names; one of the other amounts is of them.
            heads: what may be called by its nouns.
        """
        own = frozenset[Decimal]().union(*(one.figures for one in records))
        if amount.value in own or not any(
            one.value in own for one in amounts if one.value != amount.value
        ):
            return False
        if any(amount.value / many in one.figures for one in heads for many in FEW_OF):
            return True
        is_read = any(
            amount.value == one.value
            for record in self.known.records
            for one in amounts_in(record.shown)
        )
        is_read |= amount.value in self.known.prices.values()
        return is_read and not mentioned(part_at(text, amount.start), self.known)

    def as_bound(self, amount: Amount) -> bool:
        """Tell whether an amount may be said as a bound: a round one, or one that is known."""
        is_round = amount.value.as_tuple().exponent == 0 or amount.value % 5 == 0
        return is_round or amount.value in self.known.figures

    def as_price(self, value: Decimal, record: Record) -> bool:
        """Tell whether an amount may be the price of one thing, and not only of another one."""
        if value in record.figures or not any(value in one.figures for one in self.known.records):
            return True
        prices = frozenset(one for one in record.figures if not _is_a_count(one))
        return _is_of_several(value, prices, "")

    def of(self, value: Decimal, records: Sequence[Record], text: str) -> bool:
        """Tell whether an amount may be said of these records; of any without one.

        Args:
            text: the sentence that says it.
        """
        own = frozenset[Decimal]().union(*(record.figures for record in records))
        is_worked_out = WORKED_OUT.search(text) is not None
        if own and value in self.known.figures:
            # Where nothing is worked out, it is another thing's.
            return is_worked_out or value in own or value in self._beside
        own = own or self.known.figures
        if value in own or value in self._beside or not value:
            return True
        if value in self._lines_of_orders and not _TAKEN_OFF.search(text):
            return True
        if is_of_a_line(value, self._amounts, self._lines_of_orders, self.known):
            return True
        if self._is_reckoned(value, text):
            return True
        if value in self._sums or value in self._acted_on or self._is_of_one(value):
            return True
        if value in self._apart and _DIFFERENCE.search(text):
            return True
        prices = frozenset(one for one in own if not _is_a_count(one) and not _is_a_rating(one))
        if not (self._reckons if not records else is_worked_out):
            return _is_of_several(value, prices, text)
        if _is_of_several(value, prices, text):
            return True
        told = {
            one
            for one in self._amounts
            if one in self._told or one in self._acted_on or one in self._apart
        }
        if any(value in (one + two, abs(one - two)) for one in own for two in told - {value}):
            # A balance: what it was, and what was paid or given back.
            return True
        others = self._others | (prices if not records and len(prices) <= _FEW else frozenset())
        if len(own) > _FEW:
            own &= others
        if len(own) * len(others) > _MOST_RECKONED:
            own &= self._told
        return any(
            _is_told_as(value, one + other) or _is_told_as(value, abs(one - other))
            for one in own - {Decimal(0), value}
            if not _is_of_an_id(one)
            for other in others - {value}
        )


def part_at(text: str, place: int) -> str:
    """Return the clause of a text in which a place lies."""
    ends = [one.end() for one in CLAUSE.finditer(text) if one.end() <= place]
    behind = next((one.start() for one in CLAUSE.finditer(text, place)), len(text))
    return text[max(ends, default=0) : behind]


def _costs_in(answer: str, known: Known) -> frozenset[Decimal]:
    """Return what the things cost that an answer names, where they are few."""
    named = {id(one.record): one.record for one in mentioned(answer, known)}
    shown = [one.shown for one in named.values()] if len(named) <= _MOST_NAMED else []
    return frozenset(one.value for line in shown for one in amounts_in(line))


def _is_told_as(value: Decimal, reckoned: Decimal) -> bool:
    """Tell whether what was reckoned may be told so: to the cent, or rounded to what has none."""
    if value == reckoned:
        return True
    return (
        value >= _LEAST_ROUNDED and value.as_tuple().exponent == 0 and abs(value - reckoned) < _HALF
    )


def _is_of_an_id(number: Decimal) -> bool:
    """Tell what may only be the number in an id or a place in a list from an amount."""
    return number < _MOST_IN_AN_ID and number.as_tuple().exponent == 0


def _is_a_rating(number: Decimal) -> bool:
    return number <= _BEST and number.as_tuple().exponent == -1


def _is_of_several(value: Decimal, prices: frozenset[Decimal], text: str) -> bool:
    """Tell whether an amount is what a few of one cost, or as many as its sentence tells."""
    told = {int(one) for one in _INTEGERS.findall(text) if int(one) > 1}
    return any(value / count in prices for count in (*range(2, _MOST_OF_ONE + 1), *told))


_INTEGERS = re.compile(r"(?<![\w.,$€£-])\d{2,3}(?![\w.,])")


def _is_a_count(number: Decimal) -> bool:
    """Tell a count, or a place in a list, from what may be an amount."""
    is_whole = number == number.to_integral_value() and number.as_tuple().exponent != _CENTS
    return number < _LEAST_AMOUNT and is_whole
