"""Wrong answers of a provider that did what it was asked.

Each was seen at some service: a row of another customer out of a cache that is keyed too coarsely,
ids that change their case or their type between versions, JSON that breaks off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from daybook.testing.http import Answer

Row: TypeAlias = dict[str, Any]

WrongAnswer: TypeAlias = Callable[[Row], Row] | bytes | Answer
"""The changed row, or the bytes or whole answer that replace it."""

STRANGER = "somebody-else"
"""Another customer, whose effect a wrong row may show."""


def with_fields(**fields: Any) -> Callable[[Row], Row]:
    """Show other values in some fields."""
    return lambda row: row | fields


def instead(other: Mapping[str, Any]) -> Callable[[Row], Row]:
    """Show another row altogether."""
    return lambda row: dict(other)


def lower_id(row: Row) -> Row:
    """Show the id in lower case."""
    return row | {"id": row["id"].lower()}


def zulu(row: Row) -> Row:
    """Write the times with Z."""
    return {n: v.replace("+00:00", "Z") if isinstance(v, str) else v for n, v in row.items()}


def masked(row: Row) -> Row:
    """Show less of the card."""
    return row | {"card": "************4242"}


WRONG_ANSWERS: Mapping[str, WrongAnswer] = {
    "status": with_fields(status="succeeded", updated_at="2031-05-06T12:00:01Z"),
    "zulu": zulu,
    "masked": masked,
    "lower": lower_id,
    "amount": with_fields(amount=1),
    "currency": with_fields(currency="EUR"),
    "owner": with_fields(customer=STRANGER),
    "nameless": instead({"note": "done"}),
    "another-type": b'{"id": ["CH-1"], "status": "ok"}',
    "half-of-an-answer": b'{"id": "CH-9", "sta',
    "no-content": Answer(204),
}
"""Wrong answers by name, as cells write it; a subclass of `Provider` adds its own."""
