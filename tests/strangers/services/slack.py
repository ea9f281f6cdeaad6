"""Messages, as Slack's Web API has them.

By docs.slack.dev (Web API, "Evaluating responses"; chat.postMessage, chat.delete, pins.add; "Rate
limits"): every answer is a 200 whose body says `ok`, and where that is false, `error`. Too many
requests are a 429 with `Retry-After`. `internal_error` and `fatal_error` say that it is possible
that some of it succeeded. There are no idempotency keys, and nothing can be looked up by a name of
the caller's. A message is named by its channel and `ts`.

Posting is what a charge is elsewhere, deleting the refund, pinning the order.
"""

from __future__ import annotations

from typing import ClassVar

from tests.strangers.services.stranger import Kind, Refusal, Row, Stranger
from tests.strangers.services.wire import Answer, Request, as_json

TOKEN = "xoxb-strangers"


class Slack(Stranger):
    """Post, delete and pin messages."""

    name = "slack"
    paths: ClassVar = {
        "/chat.postMessage": "charge",
        "/chat.delete": "refund",
        "/pins.add": "order",
    }

    def handle(self, request: Request) -> Answer | None:
        is_api = request.path in self.paths
        if is_api and request.headers.get("authorization") != f"Bearer {TOKEN}":
            return as_json(200, {"ok": False, "error": "not_authed"})
        return super().handle(request)

    def asked(self, request: Request) -> Row:
        body = request.json()
        named = body.get("ts") or body.get("timestamp") or ""
        return {"customer": body.get("channel", ""), "item": body.get("text"), "charge_id": named}

    def new_id(self, kind: Kind) -> str:
        return f"1900000000.{len(self.effects) + 1:06d}"

    def shown(self, kind: Kind, row: Row) -> Answer:
        said: Row = {"ok": True}
        if kind != "order":
            ts = row["id"] if kind == "charge" else row["charge_id"]
            said |= {"channel": row["customer"], "ts": ts}
        return as_json(200, said)

    def declined(self, kind: Kind) -> Refusal:
        return Refusal("is_archived" if kind == "charge" else "permission_denied", "")

    def refused(self, refusal: Refusal) -> Answer:
        missing = ("no_such_charge", "refunded")
        error = "message_not_found" if refusal.code in missing else refusal.code
        return as_json(200, {"ok": False, "error": error})

    def failed(self) -> Answer:
        return as_json(200, {"ok": False, "error": "internal_error"})

    def limited(self, kind: Kind, request: Request) -> Answer:
        return as_json(429, {"ok": False, "error": "ratelimited"}, retry_after="1")

    def look(self, request: Request) -> Answer:
        return as_json(200, {"ok": False, "error": "unknown_method"})
