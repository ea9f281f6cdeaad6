"""Payments, as Stripe's API v1 has them.

By docs.stripe.com/api/idempotent_requests, /api/errors, /error-codes, /search, /rate-limits:

- Requests are forms with brackets for what is nested, answers JSON, errors nested in `error`.
- Status and body of the first request under a key are stored once its endpoint has begun to
  execute, whether it succeeded or failed, 500s too, for at least 24 hours. Other parameters under
  the same key are an `idempotency_error` (400). What failed validation, or met another request that
  still runs under its key (409, `idempotency_key_in_use`), is not stored.
- A charge may be `pending` in the reply and `succeeded` when it is looked up.
- A search (`metadata['reference']:'...'`) shows what was made after a while only.
- Too many requests are refused (429) before they are executed.
"""

from __future__ import annotations

import re
from typing import ClassVar

from tests.beside import TIME
from tests.strangers.services.keyed import Keyed
from tests.strangers.services.stranger import Fault, Kind, Refusal, Row
from tests.strangers.services.wire import Answer, Request, as_json

SECRET = "sk_test_strangers"

SEARCHABLE_S = 0.2
"""Seconds until a search shows a new row; "under a minute" is what Stripe says."""

_QUERY = re.compile(r"metadata\['reference'\]:'(?P<reference>[^']*)'")
_NEEDS = {"charge": ("amount", "currency", "source"), "refund": ("charge",), "order": ("charge",)}

_CODES = {"refunded": "charge_already_refunded"}


class StripeV1(Keyed):
    """Charge, refund and take orders as Stripe's v1 does."""

    name = "stripe_v1"
    paths: ClassVar = {"/v1/charges": "charge", "/v1/refunds": "refund", "/v1/orders": "order"}

    def handle(self, request: Request) -> Answer | None:
        is_api = request.path.startswith("/v1/")
        if is_api and request.headers.get("authorization") != f"Bearer {SECRET}":
            return self._error(401, "invalid_request_error", "", "You did not provide an API key.")
        return super().handle(request)

    def act(self, kind: Kind, request: Request, fault: Fault | None) -> Answer:
        missing = [name for name in _NEEDS[kind] if not request.form().get(name)]
        if missing:
            said = f"Missing required param: {missing[0]}."
            return self._error(400, "invalid_request_error", "parameter_missing", said)
        return super().act(kind, request, fault)

    def asked(self, request: Request) -> Row:
        form = request.form()
        amount = {"amount": int(form["amount"])} if "amount" in form else {}
        return {**form, **amount, "charge_id": form.get("charge", "")}

    def reference(self, request: Request) -> str:
        return request.form().get("metadata[reference]", "")

    def made(self, kind: Kind, asked: Row) -> Row:
        row = super().made(kind, asked)
        status = "pending" if kind == "charge" else "succeeded"
        return row | {"object": kind, "status": status, "created": TIME.now()}

    def new_id(self, kind: Kind) -> str:
        made = sum(effect["effect"] == kind for effect in self.effects) + 1
        return f"{ {'charge': 'ch', 'refund': 're', 'order': 'or'}[kind] }_{made:024d}"

    def shown(self, kind: Kind, row: Row) -> Answer:
        reference = row.pop("reference")
        return as_json(200, row | {"metadata": {"reference": reference}})

    def refused(self, refusal: Refusal) -> Answer:
        status, kind = {
            "card_declined": (402, "card_error"),
            "sold_out": (402, "card_error"),
            "no_such_charge": (404, "invalid_request_error"),
        }.get(refusal.code, (400, "invalid_request_error"))
        return self._error(status, kind, _CODES.get(refusal.code, refusal.code), refusal.message)

    def failed(self) -> Answer:
        return self._error(500, "api_error", "", "An unknown error occurred.")

    def limited(self, kind: Kind, request: Request) -> Answer:
        return self._error(429, "invalid_request_error", "rate_limit", "Too many requests.")

    def reused(self) -> Answer:
        said = "Keys can only be used with the same parameters they were first used with."
        return self._error(400, "idempotency_error", "", said)

    def in_use(self) -> Answer:
        said = "There is currently another in-progress request using this key."
        return self._error(409, "idempotency_error", "idempotency_key_in_use", said)

    def look(self, request: Request) -> Answer:
        kind = self.paths.get(request.path.removesuffix("/search"))
        query = _QUERY.fullmatch(request.query.get("query", ""))
        if kind is None or query is None:
            return self._error(400, "invalid_request_error", "", "That query cannot be read.")
        found = [
            row | {"status": "succeeded", "metadata": {"reference": row.pop("reference")}}
            for row in self.found(kind, query["reference"])
            if row["created"] + SEARCHABLE_S < TIME.now()
        ]
        return as_json(200, {"object": "search_result", "data": found, "has_more": False})

    def _error(self, status: int, kind: str, code: str, message: str) -> Answer:
        named = {"code": code} if code else {}
        return as_json(status, {"error": {"type": kind, **named, "message": message}})
