"""A service that does what it is asked and then says something else.

Each lie was seen at some service: a row of another customer out of a cache that is keyed too
coarsely, an id of an earlier request out of a retried worker, ids that change their case or their
type between versions, JSON that is none (RFC 8259 leaves duplicate names, large numbers and lone
surrogates to whoever reads; Python writes NaN), a redirect that a proxy answers with a body
(RFC 9110, 15.4.9), a body without an end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from tests.strangers.services.stranger import Fault, Kind, Row, Stranger
from tests.strangers.services.wire import Answer, Request, as_json

Where = Literal["reply", "look", "early", "alone"]
"""Which answers are wrong: the reply; the look-ups; the reply, and the first look-up behind it shows
nothing yet; or the look-ups, of what was never done."""


def theirs(customer: str) -> str:
    """Name a charge of somebody else's, of which a customer is told: each of another one."""
    return f"CH-beside-{customer}"


Lie = Callable[[Row], Row]


class Wrong(Stranger):
    """Do the right thing and answer wrongly.

    It honours no keys; an effect is shown at once under the reference that its caller chose. Its
    replies say `status: ok` where its rows say `status: held`.

    Attributes:
        STRANGER: whose charge a wrong row may be.
    """

    name = "wrong"
    STRANGER = "somebody-else"

    def __init__(self) -> None:
        super().__init__()
        self._lies: dict[tuple[Where, Kind, str], Lie | bytes | Answer] = {}
        self._late: set[str] = set()
        self._never_done: dict[str, Row] = {}

    def lie(self, where: Where, kind: Kind, customer: str, lie: Lie | bytes | Answer) -> None:
        """Say something else of what is done for a customer.

        Args:
            lie: what becomes of the row; or the bytes, or the whole answer, in its place.
        """
        self._lies[where, kind, customer] = lie

    def charged(self, customer: str, amount: int = 500) -> Row:
        """Charge somebody who has nothing to do with the test's purchase."""
        asked = {"customer": customer, "amount": amount, "currency": "USD", "card": "**** 1111"}
        return self.perform("charge", asked, f"earlier/{customer}")

    def charged_beside(self, customer: str) -> None:
        """Charge somebody else, under the id of which a customer will be told."""
        with self._done:
            row = self.charged(self.STRANGER)
            del self._rows["charge"][row["id"]]
            name = {"id": theirs(customer)}
            self._rows["charge"][name["id"]] = row | name
            self.effects[-1] |= {**name, "named": name["id"]}

    def act(self, kind: Kind, request: Request, fault: Fault | None) -> Answer | None:
        asked, reference = self.asked(request), self.reference(request)
        lie = self._lies.pop(("alone", kind, self.customer(asked)), None)
        if not callable(lie):
            return super().act(kind, request, fault)
        self._never_done[reference] = lie(
            asked | {"id": theirs(asked["customer"]), "status": "held"}
        )
        return None

    def made(self, kind: Kind, asked: Row) -> Row:
        card = {"card": asked["card"]} if "card" in asked else {}
        times = {"expires_at": "2099-01-01T00:00:00+00:00"} if kind == "charge" else {}
        return super().made(kind, asked) | {"status": "held"} | card | times

    def shown(self, kind: Kind, row: Row) -> Answer:
        early = self._lies.get(("early", kind, row["customer"]))
        if early is not None:
            self._late.add(row["reference"])
        where: Where = "reply" if early is None else "early"
        return self._said(where, kind, [row | {"status": "ok"}], lambda rows: rows[0])

    def look(self, request: Request) -> Answer:
        kind, reference = self.paths.get(request.path), request.query.get("reference", "")
        rows = self.found(kind, reference) if kind else []
        if kind is None or not rows or reference in self._late:
            self._late.discard(reference)
            instead = self._never_done.get(reference)
            return as_json(200, {"matches": [instead] if instead else []})
        return self._said("look", kind, rows, lambda rows: {"matches": rows})

    def _said(
        self, where: Where, kind: Kind, rows: list[Row], body: Callable[[list[Any]], Any]
    ) -> Answer:
        lie = self._lies.get((where, kind, rows[0]["customer"]))
        if isinstance(lie, Answer):
            return lie
        if isinstance(lie, bytes):
            whole = lie if where != "look" else b'{"matches": [' + lie + b"]}"
            return Answer(200, whole, {"content-type": "application/json"})
        return as_json(200, body([lie(row) for row in rows] if lie else rows))


# -- lies ------------------------------------------------------------------------------------------


def with_fields(**fields: Any) -> Lie:
    """Show other values in some fields."""
    return lambda row: row | fields


def instead(other: Mapping[str, Any]) -> Lie:
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


def _endless() -> Iterator[bytes]:
    yield b'{"id": "CH-1", "note": "'
    for _ in range(400):
        yield b"x" * 1_000_000
    yield b'"}'


class Large(Answer):
    """Stream 400 MB of one answer, to whoever reads them."""

    def __init__(self) -> None:
        super().__init__(200, (), {"content-type": "application/json"})

    def __getattribute__(self, name: str) -> Any:
        return _endless() if name == "body" else super().__getattribute__(name)


def id_as(value: Any) -> bytes:
    """Show an id of another type."""
    return json.dumps({"id": value, "status": "ok"}).encode()


MALFORMED: Mapping[str, bytes | Answer] = {
    "an id that is an object": id_as({"value": "CH-1", "version": 2}),
    "an id that is a list": id_as(["CH-1"]),
    "an id that is nothing": id_as(None),
    "an id of 400 digits": b'{"id": ' + b"9" * 400 + b', "status": "ok"}',
    "a number that is too large": b'{"id": "CH-9", "rate": 1e999, "status": "ok"}',
    "a number that is none": b'{"id": "CH-9", "rate": NaN, "status": "ok"}',
    "half of a surrogate pair": b'{"id": "CH-\\ud800", "status": "ok"}',
    "a NUL": b'{"id": "CH-\\u0000", "status": "ok"}',
    "a name twice": b'{"id": "CH-9", "id": "CH-8", "status": "ok"}',
    "an array in 100,000 arrays": b'{"id": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "bytes that are no text": b'{"id": "CH-\xff\xfe", "status": "ok"}',
    "half of an answer": b'{"id": "CH-9", "sta',
    "a redirect": as_json(308, {"id": "CH-9"}, location="/wrong/elsewhere"),
    "no content": Answer(204),
    "400 MB": Large(),
}
"""Answers that no service's documentation has, after the effect was done."""

LIES: Mapping[str, Lie | bytes | Answer] = {
    "status": with_fields(status="succeeded", updated_at="2031-05-06T12:00:01Z"),
    "zulu": zulu,
    "masked": masked,
    "lower": lower_id,
    "amount": with_fields(amount=1),
    "currency": with_fields(currency="EUR"),
    "owner": with_fields(customer="somebody-else"),
    "id": lambda row: row | {"id": theirs(row["customer"])},
    "nameless": instead({"note": "done"}),
    "theirs": instead({"id": "CH-1", "customer": "somebody-else", "status": "held"}),
    **{name.replace(" ", "-"): answer for name, answer in MALFORMED.items()},
}
"""Wrong answers by a name of one word, for whoever plays all of them."""
