"""A service that is read from two replicas, each of which is behind by its own time.

As documentation of eventually consistent stores has it (Amazon's DynamoDB, "Read consistency": an
eventually consistent read might not reflect a recently completed write; repeat it after a short
time): a look-up shows an effect, then not, and then does.
"""

from __future__ import annotations

import itertools

from tests.beside import TIME
from tests.strangers.services.stranger import Kind, Row, Stranger

LAGS_S = (0.05, 0.4)
"""Seconds that each replica is behind."""


class Eventual(Stranger):
    """Answer at once, and show it later, one replica after the other."""

    name = "eventual"

    def __init__(self) -> None:
        super().__init__()
        self._replicas = itertools.cycle(LAGS_S)

    def made(self, kind: Kind, asked: Row) -> Row:
        return super().made(kind, asked) | {"created": TIME.now()}

    def found(self, kind: Kind, reference: str) -> list[Row]:
        with self._done:
            shown_until = TIME.now() - next(self._replicas)
        return [row for row in super().found(kind, reference) if row["created"] < shown_until]
