"""Wrong answers of a provider that has done what it was asked.

Each was seen at some service: a row of another customer out of a cache that is keyed too coarsely,
an id of an earlier request out of a retried worker, ids that change their case or their type
between versions, JSON that is none (RFC 8259 leaves duplicate names, large numbers and lone
surrogates to the reader; Python writes NaN), a redirect that a proxy answers with a body (RFC 9110,
15.4.9), a body without an end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, TypeAlias

from daybook.testing.http import Answer, as_json

Row: TypeAlias = dict[str, Any]

Where = Literal["reply", "look", "early", "alone"]
"""Which answers are wrong: the reply; the look-ups; the reply, and the first look-up after it shows
nothing yet; or the look-ups, for something that was never done."""

WrongAnswer: TypeAlias = Callable[[Row], Row] | bytes | Answer
"""What becomes of the row; or the bytes, or the whole answer, in its place."""

STRANGER = "somebody-else"
"""The customer whose effect a wrong row may show."""


def foreign_id(customer: str) -> str:
    """Name an effect of somebody else, of which a customer is told: another one for each."""
    return f"beside-{customer}"


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


class _Large(Answer):
    """Stream 400 MB of one answer, to every reader."""

    def __init__(self) -> None:
        super().__init__(200, (), {"content-type": "application/json"})

    def __getattribute__(self, name: str) -> Any:
        return _endless() if name == "body" else super().__getattribute__(name)


def _endless() -> Iterator[bytes]:
    yield b'{"id": "CH-1", "note": "'
    for _ in range(400):
        yield b"x" * 1_000_000
    yield b'"}'


def _id_as(value: Any) -> bytes:
    return json.dumps({"id": value, "status": "ok"}).encode()


MALFORMED: Mapping[str, bytes | Answer] = {
    "an id that is an object": _id_as({"value": "CH-1", "version": 2}),
    "an id that is a list": _id_as(["CH-1"]),
    "an id that is nothing": _id_as(None),
    "an id of 400 digits": b'{"id": ' + b"9" * 400 + b', "status": "ok"}',
    "a number that is too large": b'{"id": "CH-9", "rate": 1e999, "status": "ok"}',
    "a number that is none": b'{"id": "CH-9", "rate": NaN, "status": "ok"}',
    "half of a surrogate pair": b'{"id": "CH-\\ud800", "status": "ok"}',
    "a NUL": b'{"id": "CH-\\u0000", "status": "ok"}',
    "a name twice": b'{"id": "CH-9", "id": "CH-8", "status": "ok"}',
    "an array in 100,000 arrays": b'{"id": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "bytes that are no text": b'{"id": "CH-\xff\xfe", "status": "ok"}',
    "half of an answer": b'{"id": "CH-9", "sta',
    "a redirect": as_json(308, {"id": "CH-9"}, location="/elsewhere"),
    "no content": Answer(204),
    "400 MB": _Large(),
}
"""Answers that no service's documentation has, after the effect was done."""

WRONG_ANSWERS: Mapping[str, WrongAnswer] = {
    "status": with_fields(status="succeeded", updated_at="2031-05-06T12:00:01Z"),
    "zulu": zulu,
    "masked": masked,
    "lower": lower_id,
    "amount": with_fields(amount=1),
    "currency": with_fields(currency="EUR"),
    "owner": with_fields(customer=STRANGER),
    "id": lambda row: row | {"id": foreign_id(row["customer"])},
    "nameless": instead({"note": "done"}),
    "theirs": instead({"id": "CH-1", "customer": STRANGER, "status": "held"}),
    **{name.replace(" ", "-"): answer for name, answer in MALFORMED.items()},
}
"""Wrong answers by a name of one word, as a cell names them."""
