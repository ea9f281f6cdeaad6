"""The amounts that may be those of the lines of an order of which only the total was read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from decimal import Decimal
from itertools import combinations
from typing import Final

from daybook.tools.said.known import Known
from daybook.tools.said.rows import Record
from daybook.tools.said.text import amounts_in

_LINE: Final = re.compile(r" x(\d{1,2})\b")
_MOST_LINES: Final = 4


def lines_of_orders(told: Sequence[Decimal], known: Known) -> frozenset[Decimal]:
    """Return those of the amounts of an answer that make up the total of an order of several lines."""
    totals = {total for one, _ in _of_several(known) for total in _totals_of(one)}
    return frozenset(
        one
        for size in range(2, _MOST_LINES + 1)
        for some in combinations(told, size)
        if sum(some, Decimal(0)) in totals
        for one in some
    )


def is_of_a_line(
    value: Decimal, told: Iterable[Decimal], lines: Set[Decimal], known: Known
) -> bool:
    """Tell whether so many of an amount make up a line, or the only one of which an answer tells.

    Args:
        told: all amounts of the answer.
        lines: those of them that make up the total of an order.
    """
    every = set(told)
    for one, counts in _of_several(known):
        for many in counts:
            if value * many in lines:
                return True
            unit, whole = (value, value * many) if value * many in every else (value / many, value)
            totals = {*_totals_of(one)}
            if {unit, whole} <= every <= {unit, whole, *totals} and whole < max(totals):
                # What the other lines cost nobody says, and nobody read.
                return True
    return False


def _of_several(known: Known) -> Iterator[tuple[Record, frozenset[int]]]:
    """Yield the orders of several lines, with how many there are of a thing."""
    for one in known.records:
        found = max((_LINE.findall(name) for name in one.names), key=len, default=[])
        if one.statuses and len(found) > 1:
            yield one, frozenset(map(int, found)) - {1}


def _totals_of(order: Record) -> list[Decimal]:
    return [amount.value for amount in amounts_in(order.shown)] or [Decimal(0)]
