"""A fake provider over HTTP, with configurable behaviour and faults.

`POST /charges` does one effect of the kind `charges` and answers with its row; `GET /charges`
with fields of a row as its query looks effects up. What really happened is kept beside that, at
`GET /effects`: no answer and no look-up is made from it, and it is the judge of every test.

`daybook.testing.provider_process` serves providers in a process of their own.
"""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, ClassVar, Literal

from daybook.state.clock import SYSTEM
from daybook.testing.http import Answer, Request, as_json, as_page
from daybook.testing.wrong_answers import STRANGER, WRONG_ANSWERS, Row, WrongAnswer

Mode = Literal[
    "decline",
    "error before",
    "error after",
    "limit",
    "hold",
    "drop",
    "late",
    "502",
    "503",
    "504",
]
"""How one request fails: it is declined for good; the endpoint fails before or after the effect; it
is refused for its rate; it is done and the answer held back, or the connection dropped; it is done
late, after its caller gave up; a proxy answers in its place after it was forwarded and done."""

PAGES = {502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Time-out"}

HELD_S = 30.0
"""The most seconds that an answer is held back."""


@dataclass(frozen=True)
class Behaviour:
    """Say how a provider behaves towards every request.

    Attributes:
        keys: whether it honours idempotency keys, ignores them, or honours and forgets them.
        forgets_after: seconds after which a key is forgotten.
        stores_failures: a failure is kept under its key once the endpoint has run, errors too.
        late: seconds by which the first request of each kind and key is done late.
        loses: instead of the first reply under each key, in turn: the status of a proxy's
            page, 429, or 0 to hang up. The effect is done.
        accepts: seconds after which is done what is answered with 202; 0 does it at once.
        shows_after: seconds until a look-up shows an effect; several are replicas, read in turn.
        hides: look-ups under each reference that show nothing at first.
        page: rows of one page of a list; 0 for all in one.
        filters: what a look-up can be filtered by; other filters are ignored. Empty for any.
        key_field: the field of the body that holds the key; "" for the header.
        id_field: the field of a row that names an effect, beside `id`.
        list_field: the field of a look-up that holds the rows.
    """

    keys: Literal["honoured", "ignored", "forgotten"] = "honoured"
    forgets_after: float = 0.0
    stores_failures: bool = True
    late: float = 0.0
    loses: tuple[int, ...] = ()
    accepts: float = 0.0
    shows_after: tuple[float, ...] = (0.0,)
    hides: int = 0
    page: int = 0
    filters: tuple[str, ...] = ()
    key_field: str = ""
    id_field: str = "id"
    list_field: str = "matches"


@dataclass
class Fault:
    """Let the next `times` requests of a kind of a customer (any, where "") fail."""

    kind: str
    mode: Mode
    customer: str = ""
    times: int = 1
    seconds: float = HELD_S


@dataclass(frozen=True)
class Refusal(Exception):
    """Raised by an operation that will not do what it was asked.

    Attributes:
        code: the provider's word for it.
    """

    code: str
    message: str


@dataclass
class _Stored:
    body: bytes
    at: float
    answer: Answer | None = None


class Time:
    """The time of a provider; tests in virtual time replace it."""

    def now(self) -> float:
        """Return seconds since 1970."""
        return (SYSTEM.now() - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()

    def block(self, seconds: float) -> None:
        """Hold an answer back."""
        SYSTEM.block(seconds)

    def later(self, seconds: float, act: Callable[[], object]) -> None:
        """Do something after some seconds."""
        timer = threading.Timer(seconds, act)
        timer.daemon = True
        timer.start()


class Provider:
    """Do each effect that is asked for; subclasses say how it is asked and how it answers.

    Attributes:
        paths: path to the kind of effect; empty where every path is a kind of its own.
        refers: kind to the field that names the effect which it is about, and that effect's kind.
        undoes: kinds that undo what they refer to.
        wrong_answers: by the names by which cells have them.
        undone_code: says that what a request refers to was undone already.
        behaviour: how it behaves towards every request.
        url: where it is served.
        effects: what really happened, in order.
        go_on: set to let the answers go that are held back.
        under_way: how much is being done, or accepted and not done yet.
    """

    paths: ClassVar[Mapping[str, str]] = {}
    refers: ClassVar[Mapping[str, tuple[str, str]]] = {}
    undoes: ClassVar[frozenset[str]] = frozenset()
    undone_code: ClassVar[str] = "undone"
    wrong_answers: ClassVar[Mapping[str, WrongAnswer]] = WRONG_ANSWERS
    behaviour: Behaviour = Behaviour()
    time: ClassVar[Time] = Time()
    gate: ClassVar[Callable[[], threading.Event]] = threading.Event

    def __init__(self, behaviour: Behaviour | None = None, **more: Any) -> None:
        self.behaviour = replace(behaviour or self.behaviour, **more)
        self.url = ""
        self.effects: list[Row] = []
        self.go_on = type(self).gate()
        self.under_way = 0
        self._rows: dict[str, dict[str, Row]] = {}
        self._undone: set[str] = set()
        self._made_at: dict[str, float] = {}
        self._faults: list[Fault] = []
        self._stored: dict[tuple[str, str], _Stored] = {}
        self._firsts: set[tuple[str, str, str]] = set()
        self._looks: Counter[str] = Counter()
        self._lost = itertools.cycle(self.behaviour.loses or (0,))
        self._replicas = itertools.cycle(self.behaviour.shows_after)
        self._operations: dict[str, Row] = {}
        self._wrong: dict[tuple[str, str, str], WrongAnswer] = {}
        self._done = threading.Condition(threading.RLock())

    # -- what a test says and asks -----------------------------------------------------------------

    def spoil(self, kind: str, mode: Mode, customer: str = "", **more: Any) -> None:
        """Let the next request of a kind fail."""
        with self._done:
            self._faults.append(Fault(kind, mode, customer, **more))

    def lie(self, where: str, kind: str, customer: str, wrong: WrongAnswer | str) -> None:
        """Answer wrongly about the effects of a kind of a customer (any, where "").

        Args:
            where: `reply`, or `look` for look-ups.
            wrong: or its name in `wrong_answers`.
        """
        named = self.wrong_answers[wrong] if isinstance(wrong, str) else wrong
        self._wrong[where, kind, customer] = named

    def happened(self, customer: str = "") -> list[str]:
        """Return the kinds of what was done for a customer, in order."""
        with self._done:
            return [e["effect"] for e in self.effects if customer in ("", e["customer"])]

    def wait_for(self, kind: str, customer: str, seconds: float) -> bool:
        """Wait until an effect of a kind was done for a customer; tell whether it was."""
        with self._done:
            return self._done.wait_for(lambda: kind in self.happened(customer), seconds)

    # -- over the wire -----------------------------------------------------------------------------

    def handle(self, request: Request) -> Answer | None:
        """Answer a request; None hangs up."""
        if request.path == "/effects":
            with self._done:
                # The record is complete when all that is in progress has come.
                self._done.wait_for(lambda: self.under_way == 0, HELD_S)
                return as_json(200, self.effects)
        if request.path == "/performed":
            return as_json(200, self.wait_for(request.query["kind"], "", HELD_S))
        if request.path == "/by-hand":
            return self._undo_by_hand()
        if request.method == "GET":
            return self.look(request)
        kind = self.kind(request)
        if kind is None:
            return self.refused(Refusal("not_found", "There is no such resource."))
        fault = self._next_fault(kind, request)
        mode = fault.mode if fault else None
        with self.doing():
            answer = self.act(kind, request, fault)
        if self.behaviour.loses and self._is_first("loses", kind, request):
            answer = self._lost_reply(kind, request)
        if fault and mode == "hold":
            self.go_on.wait(fault.seconds)
            return None
        if mode == "drop":
            return None
        if mode in ("502", "503", "504"):
            return as_page(int(mode), PAGES[int(mode)])
        return answer

    @contextmanager
    def doing(self) -> Iterator[None]:
        """Count something as in progress, for the record."""
        with self._done:
            self.under_way += 1
        try:
            yield
        finally:
            with self._done:
                self.under_way -= 1
                self._done.notify_all()

    def kind(self, request: Request) -> str | None:
        """Return the kind of effect that a path is about, or None."""
        return self.paths.get(request.path) if self.paths else request.path.strip("/") or None

    def act(self, kind: str, request: Request, fault: Fault | None) -> Answer | None:
        """Do what is asked, once under a key that is honoured; None hangs up."""
        key, mode = self.key(request), fault.mode if fault else None
        if self.behaviour.keys == "ignored" or not key or mode == "limit":
            # Neither runs the endpoint: nothing is stored.
            return self.attempt(kind, request, fault)
        with self._done:
            stored = self._stored.get((kind, key))
            if stored is not None and self._is_forgotten(stored):
                stored = None
            if stored is not None and stored.body != request.body:
                return self.reused()
            if stored is not None:
                return stored.answer or self.in_use()
            stored = self._stored[kind, key] = _Stored(request.body, self.time.now())
        answer = self.attempt(kind, request, fault)
        with self._done:
            if answer is not None and (answer.status < 400 or self.behaviour.stores_failures):
                stored.answer = answer
            elif done := self.found(kind, self.reference(request)):
                # What was done is found again by a repeated request.
                stored.answer = self.confirm(kind, done[0])
            else:
                del self._stored[kind, key]
        return answer

    def attempt(self, kind: str, request: Request, fault: Fault | None) -> Answer | None:
        """Do what is asked, whether it was done before or not; None hangs up."""
        mode, late = fault.mode if fault else None, 0.0
        if fault and mode == "late":
            late = fault.seconds
        elif self.behaviour.late and self._is_first("late", kind, request):
            late = self.behaviour.late
        if self.behaviour.accepts and mode not in ("decline", "error before", "limit"):
            return self._accepted(kind, request, late, is_failing=mode == "error after")
        if late:
            self.time.block(late)
        try:
            if mode == "decline":
                raise self.declined(kind)
            if mode == "error before":
                return self.failed()
            if mode == "limit":
                return self.limited(kind, request)
            row = self.perform(
                kind, self.asked(request), self.reference(request), self.key(request)
            )
        except Refusal as refusal:
            return self.refused(refusal)
        if mode == "error after":
            return self.failed()
        return self.reply(kind, row)

    def look(self, request: Request) -> Answer:
        """Answer a look-up by the fields of a row."""
        operation = self._operations.get(request.path.removeprefix("/operations/"))
        if operation:
            return as_json(200, operation)
        kind = self.kind(request)
        if kind is None:
            return as_json(404, {"error": "not_found", "message": "There is no such resource."})
        known = self.behaviour.filters
        wanted = {n: v for n, v in request.query.items() if n != "cursor" and n in (known or [n])}
        rows = self.listed(kind, wanted)
        customer = str(rows[0].get("customer", "")) if rows else ""
        wrong = self.wrong_answer("look", kind, customer) if rows else None
        if isinstance(wrong, Answer):
            return wrong
        if isinstance(wrong, bytes):
            body = b'{"%s": [%s]}' % (self.behaviour.list_field.encode(), wrong)
            return Answer(200, body, {"content-type": "application/json"})
        return self._page([wrong(row) for row in rows] if wrong else rows, request)

    # -- how a provider speaks ---------------------------------------------------------------------

    def asked(self, request: Request) -> Row:
        """Return the fields that a request holds."""
        return request.json()

    def key(self, request: Request) -> str:
        """Return the idempotency key of a request, or ""."""
        field = self.behaviour.key_field
        return str(self.asked(request).get(field, "")) if field else request.key

    def reference(self, request: Request) -> str:
        """Return by which name of the caller's the effect can be looked up."""
        return str(self.asked(request).get("reference", "")) or request.key

    def customer(self, asked: Row) -> str:
        """Return for whom something is asked."""
        return str(asked.get("customer", ""))

    def replied(self, kind: str, row: Row) -> Row:
        """Return the row as a reply has it, where look-ups show it otherwise."""
        return row

    def confirm(self, kind: str, row: Row) -> Answer:
        """Say that it was done."""
        return as_json(200, row)

    def declined(self, kind: str) -> Refusal:
        """Make the refusal of what is declined for good."""
        return Refusal("declined", f"{kind} is declined.")

    def refused(self, refusal: Refusal) -> Answer:
        """Say no."""
        return as_json(402, {"error": refusal.code, "message": refusal.message})

    def failed(self) -> Answer:
        """Fail, and say as little as such an answer says."""
        return as_json(500, {"error": "internal", "message": "Something went wrong."})

    def limited(self, kind: str, request: Request) -> Answer:
        """Refuse for the rate of requests."""
        return as_json(429, {"error": "rate_limited", "message": "Slow down."}, retry_after="1")

    def reused(self) -> Answer:
        """Refuse another request under a key that was used."""
        said = "The key was used with another request."
        return as_json(400, {"error": "idempotency_error", "message": said})

    def in_use(self) -> Answer:
        """Say that the first request under a key still runs."""
        return as_json(409, {"error": "key_in_use", "message": "The first request still runs."})

    # -- what is done ------------------------------------------------------------------------------

    def found(self, kind: str, reference: str) -> list[Row]:
        """Return the rows of a kind under a reference, as far as a look-up shows them."""
        return self.listed(kind, {"reference": reference})

    def listed(self, kind: str, wanted: Mapping[str, str]) -> list[Row]:
        """Return the rows of a kind that have some fields, as far as a look-up shows them."""
        with self._done:
            if "reference" in wanted:
                self._looks[wanted["reference"]] += 1
                if self._looks[wanted["reference"]] <= self.behaviour.hides:
                    return []
            until = self.time.now() - next(self._replicas)
            return [
                dict(row)
                for row in self._rows.get(kind, {}).values()
                if all(str(row.get(name, "")) == value for name, value in wanted.items())
                and self._made_at.get(row["id"], 0) <= until
            ]

    def perform(self, kind: str, asked: Row, reference: str, key: str = "") -> Row:
        """Do it, and write it into the record.

        Raises:
            Refusal: it cannot be done.
        """
        with self._done:
            customer, of = self.customer(asked), ""
            if kind in self.refers:
                field, kind_of = self.refers[kind]
                of = str(asked.get(field, ""))
                about = self._standing(kind_of, of)
                customer = customer or str(about["customer"])
                if kind in self.undoes:
                    self._undone.add(of)
            named = {"reference": reference, "customer": customer}
            row = self.made(kind, asked) | named
            row |= {self.behaviour.id_field: row["id"]}
            self._rows.setdefault(kind, {})[row["id"]] = row
            self._made_at[row["id"]] = self.time.now()
            said = {name: asked.get(name) for name in ("amount", "currency")}
            effect = {"effect": kind, "id": row["id"], "named": self.review_name(kind, row)}
            effect |= {"of": of, "undoes": kind in self.undoes}
            self.effects.append({**effect, **named, "key": key, **said})
            self._done.notify_all()
            return dict(row)

    def made(self, kind: str, asked: Row) -> Row:
        """Make the row of what was done."""
        return {**asked, "id": self.new_id(kind)}

    def review_name(self, kind: str, row: Row) -> str:
        """Say how a reviewer names what was done, out of the provider's own pages."""
        return str(row["id"])

    def new_id(self, kind: str) -> str:
        """Choose an id."""
        return f"{kind[:2].upper()}-{sum(e['effect'] == kind for e in self.effects) + 1}"

    def undoing(self, kind: str, row: Row) -> Row:
        """Make what asks for an effect to be undone by a kind."""
        return {self.refers[kind][0]: row["id"]}

    def _standing(self, kind: str, name: str) -> Row:
        row = self._rows.get(kind, {}).get(name)
        if row is None:
            raise Refusal(f"no_such_{kind}", f"There is no such {kind}.")
        if name in self._undone:
            raise Refusal(self.undone_code, f"That {kind} was undone already.")
        return row

    def _undo_by_hand(self) -> Answer:
        """Undo the first standing effect that can be, as people do in a provider's own pages."""
        with self._done:
            for kind in self.undoes:
                for row in self._rows.get(self.refers[kind][1], {}).values():
                    if row["id"] not in self._undone and row["customer"] != STRANGER:
                        return as_json(200, self.perform(kind, self.undoing(kind, row), "by hand"))
        return as_json(200, {})

    def reply(self, kind: str, row: Row) -> Answer | None:
        """Answer what was done, rightly or wrongly."""
        wrong = self.wrong_answer("reply", kind, row["customer"])
        row = self.replied(kind, row)
        if isinstance(wrong, Answer):
            return wrong
        if isinstance(wrong, bytes):
            return Answer(200, wrong, {"content-type": "application/json"})
        return self.confirm(kind, wrong(row) if wrong else row)

    def wrong_answer(self, where: str, kind: str, customer: str) -> WrongAnswer | None:
        """Return how a reply or a look-up is wrong, or None."""
        return self._wrong.get((where, kind, customer)) or self._wrong.get((where, kind, ""))

    def _accepted(self, kind: str, request: Request, late: float, *, is_failing: bool) -> Answer:
        name = f"op-{len(self._operations) + 1}"
        operation = self._operations[name] = {"operation": name, "status": "pending"}
        told = {**operation, "reference": self.reference(request)}
        with self._done:
            self.under_way += 1

        def do() -> None:
            with self._done:
                self.under_way -= 1
            try:
                row = self.perform(
                    kind, self.asked(request), self.reference(request), self.key(request)
                )
            except Refusal as refusal:
                operation.update({"status": "failed", "error": refusal.code})
            else:
                operation.update({"status": "succeeded", "id": row["id"]})

        self.time.later(self.behaviour.accepts + late, do)
        if is_failing:
            return self.failed()
        return as_json(202, told, location=f"/operations/{name}", retry_after="1")

    def _lost_reply(self, kind: str, request: Request) -> Answer | None:
        status = next(self._lost)
        if status == 429:
            return self.limited(kind, request)
        return as_page(status, PAGES[status]) if status else None

    def _page(self, rows: list[Row], request: Request) -> Answer:
        size = self.behaviour.page
        if not size:
            return as_json(200, {self.behaviour.list_field: rows})
        start = int(request.query.get("cursor", "0"))
        cursor = str(start + size) if start + size < len(rows) else None
        shown = rows[start : start + size]
        return as_json(200, {self.behaviour.list_field: shown, "next_cursor": cursor})

    def _is_forgotten(self, stored: _Stored) -> bool:
        is_old = self.time.now() >= stored.at + self.behaviour.forgets_after
        return self.behaviour.keys == "forgotten" and is_old

    def _is_first(self, what: str, kind: str, request: Request) -> bool:
        first = (what, kind, self.key(request) or self.reference(request))
        with self._done:
            is_first = first not in self._firsts
            self._firsts.add(first)
        return is_first

    def _next_fault(self, kind: str, request: Request) -> Fault | None:
        with self._done:
            for fault in self._faults:
                if fault.kind == kind and self._meets(fault, kind, request):
                    fault.times -= 1
                    if fault.times == 0:
                        self._faults.remove(fault)
                    return fault
        return None

    def _meets(self, fault: Fault, kind: str, request: Request) -> bool:
        if not fault.customer:
            return True
        asked = self.asked(request)
        field, kind_of = self.refers.get(kind, ("", ""))
        about = self._rows.get(kind_of, {}).get(str(asked.get(field, "")), {})
        return fault.customer in (self.customer(asked), about.get("customer"))
