"""Twelve services as others write them, by their public documentation.

They charge, refund and take orders. Most are the fake provider with one behaviour; the others speak
a dialect of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, Literal

from daybook.testing.http import Answer, Request, as_json
from daybook.testing.provider import Behaviour, Fault, Provider, Refusal
from daybook.testing.wrong_answers import (
    STRANGER,
    Row,
    WrongAnswer,
)
from tests.strangers.malformed import LIES, foreign_id

Kind = Literal["charge", "refund", "order"]

UNKEYED = Behaviour(keys="ignored", stores_failures=False)


class Stranger(Provider):
    """Charge, refund and take orders, once for each request."""

    paths: ClassVar[Mapping[str, str]] = {
        "/charges": "charge",
        "/refunds": "refund",
        "/orders": "order",
    }
    refers: ClassVar[Mapping[str, tuple[str, str]]] = {
        "refund": ("charge_id", "charge"),
        "order": ("charge_id", "charge"),
    }
    undoes = frozenset({"refund"})
    undone_code = "refunded"
    behaviour = UNKEYED

    def declined(self, kind: str) -> Refusal:
        if kind == "charge":
            return Refusal("card_declined", "The card was declined.")
        return Refusal("sold_out", "It is sold out.")

    def reference(self, request: Request) -> str:
        return str(self.asked(request).get("reference", ""))


class Accepted(Stranger):
    """Answer 202 and do it later (RFC 9110, 15.3.3; asynchronous request-reply of cloud providers)."""

    behaviour = Behaviour(keys="ignored", stores_failures=False, accepts=0.2)


class Eventual(Stranger):
    """Be looked up at two replicas, each of which lags by its own time (DynamoDB's reads)."""

    behaviour = Behaviour(keys="ignored", stores_failures=False, shows_after=(0.05, 0.4))


class Hiding(Stranger):
    """Show nothing in the first look-ups; every row carries the number of the day's batch."""

    def made(self, kind: str, asked: Row) -> Row:
        return super().made(kind, asked) | {"batch": "B-2031-05-06"}


class Limiting(Stranger):
    """Say 429 of what was done: RFC 6585, 4 says nothing of whether a request was."""

    behaviour = Behaviour(keys="ignored", stores_failures=False, loses=(429,))


class Proxied(Stranger):
    """Stand behind a proxy that loses the first answer (RFC 9110, 15.6.3 to 15.6.5; nginx)."""

    behaviour = Behaviour(keys="ignored", stores_failures=False, loses=(502, 503, 504))


class Paged(Stranger):
    """List in pages, oldest first; the customer has bought four things before."""

    behaviour = Behaviour(keys="ignored", stores_failures=False, page=2, list_field="data")

    def listed(self, kind: str, wanted: Mapping[str, str]) -> list[Row]:
        made = super().listed(kind, wanted)
        if "customer" not in wanted:
            return made
        row = {"customer": wanted["customer"], "amount": 13190, "currency": "USD"}
        old = {"reference": "last-year"}
        return [{**row, **old, "id": f"OLD-{kind}-{number}"} for number in range(4)] + made


class Unfiltered(Stranger):
    """Ignore filters that it does not know (OData, most REST frameworks)."""

    behaviour = Behaviour(
        keys="ignored", stores_failures=False, filters=("customer",), list_field="data"
    )

    def listed(self, kind: str, wanted: Mapping[str, str]) -> list[Row]:
        return super().listed(kind, wanted)[:-101:-1]


class UnfilteredBeside(Unfiltered):
    """The same, where others buy too."""

    def __init__(self, *given: Behaviour) -> None:
        super().__init__(*given)
        self.perform("charge", {"customer": STRANGER, "amount": 500}, "elsewhere")


Where = Literal["reply", "look", "early", "alone"]
"""Which answers are wrong: the reply; the look-ups; the reply, and the first look-up behind it shows
nothing yet; or the look-ups, of what was never done."""


class Wrong(Stranger):
    """Do the right thing and answer wrongly; replies say `ok` where rows say `held`."""

    STRANGER = STRANGER
    wrong_answers = LIES

    def __init__(self, *given: Behaviour) -> None:
        super().__init__(*given)
        self._not_yet: set[str] = set()
        self._never_done: dict[str, Row] = {}

    def lie(self, where: str, kind: str, customer: str, wrong: WrongAnswer | str) -> None:
        if wrong in ("id", "theirs"):
            self._charge_beside(customer)
        super().lie(where, kind, customer, wrong)

    def _charge_beside(self, customer: str) -> None:
        """Charge somebody else, under the id of which a customer will be told."""
        with self._done:
            row = self.charged(self.STRANGER)
            del self._rows["charge"][row["id"]]
            name = {"id": foreign_id(customer)}
            self._rows["charge"][name["id"]] = row | name
            self.effects[-1] |= {**name, "named": name["id"]}

    def attempt(self, kind: str, request: Request, fault: Fault | None) -> Answer | None:
        asked, reference = self.asked(request), self.reference(request)
        wrong = self._wrong.pop(("alone", kind, asked["customer"]), None)
        if wrong is None:
            return super().attempt(kind, request, fault)
        assert callable(wrong)
        row = asked | {"id": foreign_id(asked["customer"]), "status": "held"}
        self._never_done[reference] = wrong(row)
        return None

    def wrong_answer(self, where: str, kind: str, customer: str) -> WrongAnswer | None:
        early = super().wrong_answer("early", kind, customer) if where == "reply" else None
        return early or super().wrong_answer(where, kind, customer)

    def replied(self, kind: str, row: Row) -> Row:
        if super().wrong_answer("early", kind, row["customer"]):
            self._not_yet.add(row["reference"])
        return row | {"status": "ok"}

    def listed(self, kind: str, wanted: Mapping[str, str]) -> list[Row]:
        rows, reference = super().listed(kind, wanted), wanted.get("reference", "")
        if reference in self._not_yet:
            self._not_yet.discard(reference)
            return []
        never = self._never_done.get(reference)
        return rows or ([never] if never else [])

    def charged(self, customer: str, amount: int = 500) -> Row:
        """Charge somebody who has nothing to do with the test's purchase."""
        asked = {"customer": customer, "amount": amount, "currency": "USD", "card": "**** 1111"}
        return self.perform("charge", asked, f"earlier/{customer}")

    def made(self, kind: str, asked: Row) -> Row:
        times = {"expires_at": "2099-01-01T00:00:00+00:00"} if kind == "charge" else {}
        return super().made(kind, asked) | {"status": "held"} | times


class Duplicate(Stranger):
    """Make what comes under one `reference` once (PayPal-Request-Id, Adyen's merchantReference)."""

    def act(self, kind: str, request: Request, fault: Fault | None) -> Answer | None:
        if fault and fault.mode == "late":
            self.time.block(fault.seconds)
            fault = None
        with self._done:
            made = self.found(kind, self.reference(request))
            if made and not (fault and fault.mode == "limit"):
                return as_json(200, made[0])
            return super().act(kind, request, fault)

    def confirm(self, kind: str, row: Row) -> Answer:
        return as_json(201, row)


class Reusing(Stranger):
    """Lease the lowest free slot: a slot is somebody else's after its release, a lease is not."""

    paths: ClassVar = {"/leases": "charge", "/releases": "refund", "/orders": "order"}

    def __init__(self, *given: Behaviour) -> None:
        super().__init__(*given)
        self._slots: dict[str, str] = {}

    def perform(self, kind: str, asked: Row, reference: str, key: str = "") -> Row:
        with self._done:
            lease = self._slots.get(str(asked.get("slot", "")), "")
            wanted = asked.get("lease")
            if kind != "charge" and wanted and wanted != lease:
                raise Refusal("lease_over", "That lease is over; the slot may be somebody else's.")
            row = super().perform(kind, asked | {"charge_id": lease}, reference, key)
            if kind == "charge":
                slot = next(f"SLOT-{n}" for n in range(1, 10_000) if f"SLOT-{n}" not in self._slots)
                self._slots[slot] = row["id"]
                self._rows["charge"][row["id"]] |= {"slot": slot}
                row["slot"] = slot
            if kind == "refund":
                del self._slots[asked["slot"]]
                if asked.get("customer"):
                    # The next one takes it at once.
                    self.perform("charge", {"customer": STRANGER}, f"next/{row['id']}")
            return row

    def confirm(self, kind: str, row: Row) -> Answer:
        return as_json(200, self._named(kind, row))

    def listed(self, kind: str, wanted: Mapping[str, str]) -> list[Row]:
        return [self._named(kind, row) for row in super().listed(kind, wanted)]

    def undoing(self, kind: str, row: Row) -> Row:
        return {"slot": row["slot"], "lease": row["id"]}

    def _named(self, kind: str, row: Row) -> Row:
        return row | {"lease": row.pop("id")} if kind == "charge" else row


class StripeV1(Stranger):
    """Speak as Stripe's API v1 (docs.stripe.com/api/idempotent_requests, /errors, /search).

    Requests are forms with brackets, errors nested. Status and body are stored under the key once
    the endpoint has begun, 500s too; what failed validation or met a running request (409) is not.
    A charge is `pending` in the reply and `succeeded` when it is looked up; a search lags.
    """

    SECRET = "sk_test_strangers"
    paths: ClassVar = {"/v1/charges": "charge", "/v1/refunds": "refund", "/v1/orders": "order"}
    behaviour = Behaviour(shows_after=(0.2,), list_field="data")

    def handle(self, request: Request) -> Answer | None:
        is_api = request.path.startswith("/v1/")
        if is_api and request.headers.get("authorization") != f"Bearer {self.SECRET}":
            return self._error(401, "invalid_request_error", "", "You did not provide an API key.")
        return super().handle(request)

    def act(self, kind: str, request: Request, fault: Fault | None) -> Answer | None:
        needs = {"charge": ("amount", "currency", "source")}.get(kind, ("charge",))
        if missing := [name for name in needs if not request.form().get(name)]:
            said = f"Missing required param: {missing[0]}."
            return self._error(400, "invalid_request_error", "parameter_missing", said)
        return super().act(kind, request, fault)

    def asked(self, request: Request) -> Row:
        form = request.form()
        amount = {"amount": int(form["amount"])} if "amount" in form else {}
        return {**form, **amount, "charge_id": form.get("charge", "")}

    def reference(self, request: Request) -> str:
        return request.form().get("metadata[reference]", "")

    def made(self, kind: str, asked: Row) -> Row:
        kept = {name: asked[name] for name in ("amount", "currency", "item") if name in asked}
        status = "pending" if kind == "charge" else "succeeded"
        return {"id": self.new_id(kind), "object": kind, "status": status, **kept}

    def new_id(self, kind: str) -> str:
        made = sum(effect["effect"] == kind for effect in self.effects) + 1
        return f"{ {'charge': 'ch', 'refund': 're', 'order': 'or'}[kind] }_{made:024d}"

    def confirm(self, kind: str, row: Row) -> Answer:
        reference = row.pop("reference")
        return as_json(200, row | {"metadata": {"reference": reference}})

    def refused(self, refusal: Refusal) -> Answer:
        status, kind = {
            "card_declined": (402, "card_error"),
            "sold_out": (402, "card_error"),
            "no_such_charge": (404, "invalid_request_error"),
        }.get(refusal.code, (400, "invalid_request_error"))
        code = {"refunded": "charge_already_refunded"}.get(refusal.code, refusal.code)
        return self._error(status, kind, code, refusal.message)

    def failed(self) -> Answer:
        return self._error(500, "api_error", "", "An unknown error occurred.")

    def limited(self, kind: str, request: Request) -> Answer:
        return self._error(429, "invalid_request_error", "rate_limit", "Too many requests.")

    def reused(self) -> Answer:
        said = "Keys can only be used with the same parameters they were first used with."
        return self._error(400, "idempotency_error", "", said)

    def in_use(self) -> Answer:
        said = "There is currently another in-progress request using this key."
        return self._error(409, "idempotency_error", "idempotency_key_in_use", said)

    def look(self, request: Request) -> Answer:
        kind = self.paths.get(request.path.removesuffix("/search"))
        query = re.fullmatch(r"metadata\['reference'\]:'([^']*)'", request.query.get("query", ""))
        if kind is None or query is None:
            return self._error(400, "invalid_request_error", "", "That query cannot be read.")
        found = [
            row | {"status": "succeeded", "metadata": {"reference": row.pop("reference")}}
            for row in self.found(kind, query[1])
        ]
        return as_json(200, {"object": "search_result", "data": found, "has_more": False})

    def _error(self, status: int, kind: str, code: str, message: str) -> Answer:
        named = {"code": code} if code else {}
        return as_json(status, {"error": {"type": kind, **named, "message": message}})


class StripeV2(Stranger):
    """Speak as Stripe's API v2 (docs.stripe.com/api-v2-overview): no failure is stored."""

    paths: ClassVar = {"/v2/charges": "charge", "/v2/refunds": "refund", "/v2/orders": "order"}
    behaviour = Behaviour(stores_failures=False)

    def reference(self, request: Request) -> str:
        return request.key

    def new_id(self, kind: str) -> str:
        made = sum(effect["effect"] == kind for effect in self.effects) + 1
        return f"{kind}_test_{made:016d}"

    def confirm(self, kind: str, row: Row) -> Answer:
        return as_json(200, row | {"object": f"v2.{kind}", "livemode": False})

    def refused(self, refusal: Refusal) -> Answer:
        status = 404 if refusal.code.startswith("no_") else 402
        code = {"refunded": "charge_already_refunded"}.get(refusal.code, refusal.code)
        return self._error(status, code, refusal.message)

    def failed(self) -> Answer:
        return self._error(500, "internal_error", "Something went wrong on our side.")

    def limited(self, kind: str, request: Request) -> Answer:
        return self._error(429, "rate_limit", "Too many requests.")

    def reused(self) -> Answer:
        return self._error(400, "idempotency_error", "The key was used with another request.")

    def in_use(self) -> Answer:
        return self._error(409, "idempotency_key_in_use", "The first request still runs.")

    def look(self, request: Request) -> Answer:
        return self._error(404, "not_found", "There is no such resource.")

    def _error(self, status: int, code: str, message: str) -> Answer:
        return as_json(status, {"error": {"code": code, "message": message}})


class Slack(Stranger):
    """Post, delete and pin messages as Slack's Web API: 200 with `ok: false`, no keys, no look-up."""

    TOKEN = "xoxb-strangers"
    paths: ClassVar = {
        "/chat.postMessage": "charge",
        "/chat.delete": "refund",
        "/pins.add": "order",
    }

    def handle(self, request: Request) -> Answer | None:
        is_api = request.path in self.paths
        if is_api and request.headers.get("authorization") != f"Bearer {self.TOKEN}":
            return as_json(200, {"ok": False, "error": "not_authed"})
        return super().handle(request)

    def asked(self, request: Request) -> Row:
        body = request.json()
        named = body.get("ts") or body.get("timestamp") or ""
        return {"customer": body.get("channel", ""), "item": body.get("text"), "charge_id": named}

    def new_id(self, kind: str) -> str:
        return f"1900000000.{len(self.effects) + 1:06d}"

    def confirm(self, kind: str, row: Row) -> Answer:
        ts = row["id"] if kind == "charge" else row["charge_id"]
        named = {"channel": row["customer"], "ts": ts} if kind != "order" else {}
        return as_json(200, {"ok": True, **named})

    def declined(self, kind: str) -> Refusal:
        return Refusal("is_archived" if kind == "charge" else "permission_denied", "")

    def refused(self, refusal: Refusal) -> Answer:
        missing = ("no_such_charge", "refunded")
        error = "message_not_found" if refusal.code in missing else refusal.code
        return as_json(200, {"ok": False, "error": error})

    def failed(self) -> Answer:
        return as_json(200, {"ok": False, "error": "internal_error"})

    def limited(self, kind: str, request: Request) -> Answer:
        return as_json(429, {"ok": False, "error": "ratelimited"}, retry_after="1")

    def look(self, request: Request) -> Answer:
        return as_json(200, {"ok": False, "error": "unknown_method"})


SERVICES: Mapping[str, type[Stranger]] = {
    "stripe_v1": StripeV1,
    "stripe_v2": StripeV2,
    "duplicate": Duplicate,
    "accepted": Accepted,
    "eventual": Eventual,
    "wrong": Wrong,
    "proxied": Proxied,
    "paged": Paged,
    "reusing": Reusing,
    "limiting": Limiting,
    "unfiltered": UnfilteredBeside,
    "slack": Slack,
}
