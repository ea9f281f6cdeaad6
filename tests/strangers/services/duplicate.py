"""A service that takes a name of the caller's, and answers a second request with the first result.

As PayPal's Orders API (`PayPal-Request-Id`: the latest status of the earlier request comes back) and
Adyen's `merchantReference` do it: what is made is answered 201, what was made before 200, with the
same body. What failed was not made, and may be asked for again.
"""

from __future__ import annotations

from tests.beside import TIME
from tests.strangers.services.stranger import Fault, Kind, Row, Stranger, mode_of
from tests.strangers.services.wire import Answer, Request, as_json


class Duplicate(Stranger):
    """Make what comes under one `reference` once."""

    name = "duplicate"

    def act(self, kind: Kind, request: Request, fault: Fault | None) -> Answer:
        if fault and fault.mode == "late":
            TIME.block(fault.seconds)
            fault = None
        with self._done:
            made = self.found(kind, self.reference(request))
            if made and mode_of(fault) != "limit":
                return as_json(200, made[0])
            return super().act(kind, request, fault)

    def shown(self, kind: Kind, row: Row) -> Answer:
        return as_json(201, row)
