"""A service that says 202 and does it later, with a resource that tells how far it is.

By RFC 9110, 15.3.3 (202 Accepted: not committed to, "the representation ought to describe the
request's current status and point to a status monitor") and the pattern that cloud providers
document as asynchronous request-reply: `Location` names the monitor, `Retry-After` when to ask.
"""

from __future__ import annotations

import uuid

from tests.beside import TIME
from tests.strangers.services.stranger import Fault, Kind, Refusal, Row, Stranger, mode_of
from tests.strangers.services.wire import Answer, Request, as_json

LATER_S = 0.2
"""Seconds until what was accepted is done."""


class Accepted(Stranger):
    """Accept everything that is well-formed, and do it later; nothing is under a key."""

    name = "accepted"

    def __init__(self) -> None:
        super().__init__()
        self._operations: dict[str, Row] = {}

    def act(self, kind: Kind, request: Request, fault: Fault | None) -> Answer:
        if mode_of(fault) in ("decline", "error before", "limit"):
            return super().act(kind, request, fault)
        name = f"op-{uuid.uuid4().hex[:8]}"
        operation = self._operations[name] = {"operation": name, "status": "pending"}
        told = {**operation, "reference": self.reference(request)}
        later = LATER_S + (fault.seconds if fault and fault.mode == "late" else 0)
        with self._done:
            self.under_way += 1
        TIME.later(later, lambda: self._do(kind, request, operation))
        if mode_of(fault) == "error after":
            return self.failed()
        return as_json(202, told, location=f"/operations/{name}", retry_after="1")

    def _do(self, kind: Kind, request: Request, operation: Row) -> None:
        with self._done:
            self.under_way -= 1
        try:
            row = self.perform(kind, self.asked(request), self.reference(request))
        except Refusal as refusal:
            operation |= {"status": "failed", "error": refusal.code}
        else:
            operation |= {"status": "succeeded", "id": row["id"]}

    def look(self, request: Request) -> Answer:
        operation = self._operations.get(request.path.removeprefix("/operations/"))
        return as_json(200, operation) if operation else super().look(request)
