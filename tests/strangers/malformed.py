"""Answers that no service's documentation has, after the effect was done.

JSON that is none (RFC 8259 leaves duplicate names, large numbers and lone surrogates to the reader;
Python writes NaN), a redirect that a proxy answers with a body (RFC 9110, 15.4.9), a body without an
end; and an id of an earlier request, out of a retried worker.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from daybook.testing.http import Answer, as_json
from daybook.testing.wrong_answers import STRANGER, WRONG_ANSWERS, WrongAnswer, instead


def foreign_id(customer: str) -> str:
    """Name an effect of somebody else, of which a customer is told: another one for each."""
    return f"beside-{customer}"


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

LIES: Mapping[str, WrongAnswer] = {
    **{n: w for n, w in WRONG_ANSWERS.items() if n not in ("another-type", "half-of-an-answer")},
    "id": lambda row: row | {"id": foreign_id(row["customer"])},
    "theirs": instead({"id": "CH-1", "customer": STRANGER, "status": "held"}),
    **{name.replace(" ", "-"): answer for name, answer in MALFORMED.items()},
}
"""Wrong answers by a name of one word, as a cell names them."""
