"""A service that gives an id again once it was given back.

As pools of numbers do (telephone numbers at Twilio are released and bought by others; ports, slots,
lockers): an id names something else after its release. A lease names it for good, and a release
may say which lease it means.
"""

from __future__ import annotations

from typing import ClassVar

from tests.strangers.services.stranger import Kind, Refusal, Row, Stranger
from tests.strangers.services.wire import Answer, as_json


class Reusing(Stranger):
    """Lease the lowest slot that is free, and take orders for it."""

    name = "reusing"
    paths: ClassVar = {"/leases": "charge", "/releases": "refund", "/orders": "order"}

    def __init__(self) -> None:
        super().__init__()
        self._slots: dict[str, str] = {}

    def perform(self, kind: Kind, asked: Row, reference: str) -> Row:
        with self._done:
            lease = self._slots.get(str(asked.get("slot", "")), "")
            wanted = asked.get("lease")
            if kind != "charge" and wanted and wanted != lease:
                raise Refusal("lease_over", "That lease is over; the slot may be somebody else's.")
            row = super().perform(kind, asked | {"charge_id": lease}, reference)
            if kind == "charge":
                slot = next(f"SLOT-{n}" for n in range(1, 10_000) if f"SLOT-{n}" not in self._slots)
                self._slots[slot] = row["id"]
                self._rows["charge"][row["id"]] |= {"slot": slot}
                row["slot"] = slot
            if kind == "refund":
                del self._slots[asked["slot"]]
            return row

    def shown(self, kind: Kind, row: Row) -> Answer:
        return as_json(200, self._named(kind, row))

    def found(self, kind: Kind, reference: str) -> list[Row]:
        return [self._named(kind, row) for row in super().found(kind, reference)]

    def back(self, charge: Row) -> Row:
        return {"slot": charge["slot"], "lease": charge["id"]}

    def _named(self, kind: Kind, row: Row) -> Row:
        return row | {"lease": row.pop("id")} if kind == "charge" else row
