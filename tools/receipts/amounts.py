"""Parse amounts of money in common notations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from daybook.state.money import in_units
from daybook.tools.receipts.text import TABLES, compiled

_SIGNS: Final[dict[str, str]] = {
    **dict(sign.split("=") for sign in TABLES["currencies"]["signs"].split()),
    **{code.lower(): code for code in TABLES["currencies"]["codes"].split()},
}
_UNIT: Final = "|".join(map(re.escape, sorted(_SIGNS, key=len, reverse=True)))
_AMOUNT: Final = re.compile(
    rf"(?<![\w.,])(?P<before>{_UNIT})? ?"
    r"(?P<number>\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d{1,2})?(?!\d|[,.]\d)|\d+(?:[.,]\d{1,3})?)"
    rf"(?:[.,][-\u2013\u2014]{{1,2}})? ?(?P<after>(?:{_UNIT})(?!\w))?"
)
_ROUGH: Final = compiled("rough")
_DERIVED: Final = compiled("derived")
_MOST_LINES: Final = 8
_MOST_VALUES: Final = 60


class Amount(NamedTuple):
    """An amount in a text.

    Attributes:
        digits: with their separators.
        currency: ISO 4217 code; empty if the sign belongs to several or there is none.
        is_rough: it is an approximation, a bound, or part of a calculation.
    """

    start: int
    end: int
    digits: str
    currency: str
    is_rough: bool

    @property
    def cents(self) -> int:
        """Return the amount in the smallest unit of its currency, a hundredth if there is none."""
        decimals = _decimals(self.currency)
        whole, fraction = self.digits, ""
        if parts := re.fullmatch(rf"(.*)[.,](\d{{1,{max(2, decimals)}}})", self.digits):
            whole, fraction = parts[1], parts[2]
        return int((re.sub(r"\D", "", whole) or "0") + (fraction + "000")[:decimals])

    def agrees(self, allowed: Iterable[int], currency: str) -> bool:
        """Tell whether it is one of those allowed; without decimals it may be rounded."""
        if self.currency and currency and self.currency != currency:
            return False
        value = self._replace(currency=currency).cents
        unit = 1 if re.search(r"[.,]\d\d?$", self.digits) else 10 ** _decimals(currency)
        return any(abs(value - one) < unit for one in allowed)

    def is_near(self, value: int) -> bool:
        """Tell whether it is within a fiftieth of a value."""
        return abs(self.cents - value) * 50 <= value


def _decimals(currency: str) -> int:
    return len(in_units(1, currency).partition(".")[2])


def amounts_in(text: str, start: int = 0, end: int | None = None) -> Iterator[Amount]:
    """Yield the amounts in a normalised text in lower case, also numbers with two decimals."""
    for found in _AMOUNT.finditer(text, start, len(text) if end is None else end):
        unit, digits = found["before"] or found["after"] or "", found["number"]
        is_decimal = re.fullmatch(r"\d[\d.,' ]*[.,]\d\d", digits)
        if unit or (is_decimal and not re.match(r"[.,:/-]\d", text[found.end() : found.end() + 2])):
            first = found.start("before" if found["before"] else "number")
            rough = _ROUGH.search(text[max(0, first - 14) : first])
            rough = rough or _DERIVED.match(text[found.end() : found.end() + 14])
            yield Amount(first, found.end(), digits[:30], _SIGNS.get(unit, ""), bool(rough))


def derived(values: Iterable[int]) -> set[int]:
    """Return some values with their sums, differences, multiples and shares."""
    some = sorted(values)[:_MOST_VALUES]
    found = {one * times for one in some for times in range(1, 13)}
    found |= {round(one / parts) for one in some for parts in range(2, 13)}
    return found | {abs(one + sign * other) for one in some for other in some for sign in (1, -1)}


def sums(values: Sequence[int]) -> set[int]:
    """Return 0 and the sums of all choices of a few values; of many, each one and the total."""
    if len(values) > _MOST_LINES:
        return {0, *values, sum(values)}
    return {sum(some) for size in range(len(values) + 1) for some in combinations(values, size)}
