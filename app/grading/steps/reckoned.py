"""Figures that are worked out: half of what was said, so many times that, or what is left of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from decimal import Decimal

from daybook.tools.said.numbers import numbers_in

_LEAST = 20
"""Of what a person said; less is a count."""

_PARTS = range(2, 11)


def is_reckoned(number: Decimal, said: Iterable[str], known: Collection[Decimal]) -> bool:
    """Tell whether a figure follows from one that a person said.

    It is that so many times, or divided by so many, or more or less by a figure that is known.

    Args:
        number: in units or in cents.
        known: figures that were said, read or shown, in units and in cents.
    """
    spoken = {one for text in said for one in numbers_in(text) if one >= _LEAST}
    of = {amount for one in spoken for amount in (one, one * 100)}
    return any(number in (amount * part, amount / part) for amount in of for part in _PARTS) or any(
        amount - number in known or number - amount in known for amount in of
    )
