"""A service of which too much may be believed: it honours no keys, and its look-ups come late."""

from __future__ import annotations

from collections import Counter

from tests.strangers.services.stranger import Kind, Row, Stranger


class Hiding(Stranger):
    """Show nothing in the first look-ups under each reference.

    Every row carries the number of the day's batch beside its id.

    Args:
        looks: how many of them.
    """

    name = "hiding"

    def __init__(self, looks: int = 0) -> None:
        super().__init__()
        self._hides = looks
        self._looks: Counter[str] = Counter()

    def made(self, kind: Kind, asked: Row) -> Row:
        return super().made(kind, asked) | {"batch": "B-2031-05-06"}

    def found(self, kind: Kind, reference: str) -> list[Row]:
        with self._done:
            self._looks[reference] += 1
            hidden = self._looks[reference] <= self._hides
        return [] if hidden else super().found(kind, reference)
