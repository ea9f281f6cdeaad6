"""Payments, as Stripe's API v2 has them.

By docs.stripe.com/api-v2-overview (idempotency, errors): JSON both ways; a key is kept for 30 days;
a repeated request that succeeded is answered and not done again; one that failed is executed again,
so no failure is stored, and a retry after a decline may succeed.
"""

from __future__ import annotations

from typing import ClassVar

from tests.strangers.services.keyed import Keyed
from tests.strangers.services.stranger import Kind, Refusal, Row
from tests.strangers.services.wire import Answer, Request, as_json

_CODES = {"refunded": "charge_already_refunded"}


class StripeV2(Keyed):
    """Charge, refund and take orders as Stripe's v2 does."""

    name = "stripe_v2"
    paths: ClassVar = {"/v2/charges": "charge", "/v2/refunds": "refund", "/v2/orders": "order"}
    stores_failures = False

    def reference(self, request: Request) -> str:
        return request.key

    def new_id(self, kind: Kind) -> str:
        made = sum(effect["effect"] == kind for effect in self.effects) + 1
        return f"{kind}_test_{made:016d}"

    def shown(self, kind: Kind, row: Row) -> Answer:
        return as_json(200, row | {"object": f"v2.{kind}", "livemode": False})

    def refused(self, refusal: Refusal) -> Answer:
        status = 404 if refusal.code.startswith("no_") else 402
        return self._error(status, _CODES.get(refusal.code, refusal.code), refusal.message)

    def failed(self) -> Answer:
        return self._error(500, "internal_error", "Something went wrong on our side.")

    def limited(self, kind: Kind, request: Request) -> Answer:
        return self._error(429, "rate_limit", "Too many requests.")

    def reused(self) -> Answer:
        return self._error(400, "idempotency_error", "The key was used with another request.")

    def in_use(self) -> Answer:
        return self._error(409, "idempotency_key_in_use", "The first request still runs.")

    def look(self, request: Request) -> Answer:
        return self._error(404, "not_found", "There is no such resource.")

    def _error(self, status: int, code: str, message: str) -> Answer:
        return as_json(status, {"error": {"code": code, "message": message}})
