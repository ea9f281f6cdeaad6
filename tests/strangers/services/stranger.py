"""What all services have in common: they charge, refund and take orders, and count what they did.

A service says how it is asked and how it answers. What really happened is kept beside that, for
whoever judges: no answer and no look-up is made from it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from tests.beside import TIME, Gate
from tests.strangers.services.wire import Answer, Request, as_json, as_page

Kind = Literal["charge", "refund", "order"]
Row = dict[str, Any]

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
"""What can go wrong with a request: it is declined for good; the endpoint fails before or after the
effect; it is refused for its rate, in this service's way; it is done and the answer held back, or
the connection dropped; it is done late, after its caller gave up; a proxy answers in its place after
it was forwarded and done."""

_PAGES = {"502": "Bad Gateway", "503": "Service Unavailable", "504": "Gateway Time-out"}

HELD_S = 30.0
"""Seconds that an answer is held back, at most."""


@dataclass
class Fault:
    """Spoil the next `times` requests of a kind whose customer is `customer` (any, where "")."""

    kind: Kind
    mode: Mode
    customer: str = ""
    times: int = 1
    seconds: float = HELD_S


def mode_of(fault: Fault | None) -> Mode | None:
    """Say what goes wrong with a request, if something does."""
    return fault.mode if fault else None


@dataclass(frozen=True)
class Refusal(Exception):
    """Raised by an operation that will not do what it was asked.

    Attributes:
        code: the service's word for it.
    """

    code: str
    message: str


class Stranger:
    """Charge, refund and take orders.

    Attributes:
        effects: what really happened, in order, as `GET /effects` shows it.
        go_on: set by whoever lets the answers go that are held back.
        under_way: how much is being done, or accepted and not done yet.
    """

    name: ClassVar[str]
    paths: ClassVar[Mapping[str, Kind]] = {
        "/charges": "charge",
        "/refunds": "refund",
        "/orders": "order",
    }

    def __init__(self) -> None:
        self.effects: list[Row] = []
        self.go_on = Gate()
        self._rows: dict[Kind, dict[str, Row]] = {"charge": {}, "refund": {}, "order": {}}
        self._faults: list[Fault] = []
        self.under_way = 0
        self._done = threading.Condition(threading.RLock())

    # -- what a test asks and says ----------------------------------------------------------------

    def spoil(self, kind: Kind, mode: Mode, customer: str = "", **more: Any) -> None:
        """Let something go wrong with the next request of a kind."""
        with self._done:
            self._faults.append(Fault(kind, mode, customer, **more))

    def happened(self, customer: str = "") -> list[str]:
        """Return what was done for a customer, in order."""
        with self._done:
            return [e["effect"] for e in self.effects if customer in ("", e["customer"])]

    def wait_for(self, kind: Kind, customer: str, seconds: float) -> bool:
        """Wait until something was done for a customer; tells whether it was."""
        with self._done:
            return self._done.wait_for(lambda: kind in self.happened(customer), seconds)

    # -- over the wire ----------------------------------------------------------------------------

    def handle(self, request: Request) -> Answer | None:
        """Answer a request; None hangs up."""
        if request.path == "/effects":
            with self._done:
                # Whoever asks wants to know what is, once all that is under way has come.
                self._done.wait_for(lambda: self.under_way == 0, HELD_S)
                return as_json(200, self.effects)
        if request.path == "/by-hand":
            return self._by_hand(request)
        if request.method == "GET":
            return self.look(request)
        kind = self.paths.get(request.path)
        if kind is None:
            return self.refused(Refusal("not_found", "There is no such resource."))
        fault = self._next(kind, request)
        mode = mode_of(fault)
        with self.doing():
            answer = self.act(kind, request, fault)
        if fault and mode == "hold":
            self.go_on.wait(fault.seconds)
            return None
        if mode == "drop":
            return None
        return as_page(int(mode), _PAGES[mode]) if mode in _PAGES else answer

    @contextmanager
    def doing(self) -> Iterator[None]:
        """Count something as under way, for whoever asks what really happened."""
        with self._done:
            self.under_way += 1
        try:
            yield
        finally:
            with self._done:
                self.under_way -= 1
                self._done.notify_all()

    def _by_hand(self, request: Request) -> Answer:
        """Give the standing charge of a customer back, as people do in the service's own pages."""
        customer = request.json()["customer"]
        with self._done:
            for charge in self._rows["charge"].values():
                if charge["customer"] == customer and not charge["refunded"]:
                    return as_json(200, self.perform("refund", self.back(charge), "by hand"))
        return as_json(200, {})

    def back(self, charge: Row) -> Row:
        """Make what asks for a charge to be given back."""
        return {"charge_id": charge["id"]}

    def act(self, kind: Kind, request: Request, fault: Fault | None) -> Answer | None:
        """Do what is asked; a service with keys asks here whether it has done it already.

        None hangs up.
        """
        mode = mode_of(fault)
        if fault and mode == "late":
            TIME.block(fault.seconds)
        try:
            if mode == "decline":
                raise self.declined(kind)
            if mode == "error before":
                return self.failed()
            if mode == "limit":
                return self.limited(kind, request)
            row = self.perform(kind, self.asked(request), self.reference(request))
            return self.failed() if mode == "error after" else self.shown(kind, row)
        except Refusal as refusal:
            return self.refused(refusal)

    # -- how a service speaks; each overrides what it says otherwise -------------------------------

    def asked(self, request: Request) -> Row:
        """Read what is asked for."""
        return request.json()

    def reference(self, request: Request) -> str:
        """Read by which name of the caller's the effect can be looked up."""
        return str(self.asked(request).get("reference", ""))

    def customer(self, asked: Row) -> str:
        """Read for whom."""
        return str(asked.get("customer", ""))

    def shown(self, kind: Kind, row: Row) -> Answer:
        """Say that it was done."""
        return as_json(200, row)

    def declined(self, kind: Kind) -> Refusal:
        """Make the refusal of what is declined for good."""
        if kind == "charge":
            return Refusal("card_declined", "The card was declined.")
        return Refusal("sold_out", "It is sold out.")

    def refused(self, refusal: Refusal) -> Answer:
        """Say no."""
        return as_json(402, {"error": refusal.code, "message": refusal.message})

    def failed(self) -> Answer:
        """Fail, and say as little as such an answer says."""
        return as_json(500, {"error": "internal", "message": "Something went wrong."})

    def limited(self, kind: Kind, request: Request) -> Answer:
        """Refuse for the rate of requests: nothing is done."""
        return as_json(429, {"error": "rate_limited", "message": "Slow down."}, retry_after="1")

    def look(self, request: Request) -> Answer:
        """Answer a look-up by reference."""
        kind = self.paths.get(request.path)
        if kind is None or "reference" not in request.query:
            return as_json(404, {"error": "not_found", "message": "There is no such resource."})
        return as_json(200, {"matches": self.found(kind, request.query["reference"])})

    # -- what is done ------------------------------------------------------------------------------

    def found(self, kind: Kind, reference: str) -> list[Row]:
        """Return the rows of a kind under a reference."""
        with self._done:
            return [dict(r) for r in self._rows[kind].values() if r["reference"] == reference]

    def perform(self, kind: Kind, asked: Row, reference: str) -> Row:
        """Do it, and count it.

        Raises:
            Refusal: it cannot be done.
        """
        with self._done:
            of = str(asked.get("charge_id", ""))
            customer = self.customer(asked)
            if kind != "charge":
                charge = self._charge(of)
                customer = customer or charge["customer"]
                if kind == "refund":
                    charge["refunded"] = True
            row = self.made(kind, asked) | {"reference": reference, "customer": customer}
            self._rows[kind][row["id"]] = row
            self.effects.append(
                {
                    "effect": kind,
                    "id": row["id"],
                    "named": self.named(kind, row),
                    "customer": customer,
                    "reference": reference,
                    "of": of,
                    "amount": asked.get("amount"),
                    "currency": asked.get("currency"),
                }
            )
            self._done.notify_all()
            return dict(row)

    def made(self, kind: Kind, asked: Row) -> Row:
        """Make the row of what was done."""
        kept = {name: asked[name] for name in ("amount", "currency", "item") if name in asked}
        of = {"charge_id": asked["charge_id"]} if kind != "charge" else {}
        return {"id": self.new_id(kind), "refunded": False, **kept, **of}

    def named(self, kind: Kind, row: Row) -> str:
        """Say how a person names what was done, out of the service's own pages."""
        return str(row["id"])

    def new_id(self, kind: Kind) -> str:
        """Choose an id."""
        return f"{kind[:2].upper()}-{sum(e['effect'] == kind for e in self.effects) + 1}"

    def _charge(self, charge_id: str) -> Row:
        charge = self._rows["charge"].get(charge_id)
        if charge is None:
            raise Refusal("no_such_charge", "There is no such charge.")
        if charge["refunded"]:
            raise Refusal("refunded", "The charge has been refunded already.")
        return charge

    def _next(self, kind: Kind, request: Request) -> Fault | None:
        with self._done:
            for fault in self._faults:
                if fault.kind == kind and self._meets(fault, request):
                    fault.times -= 1
                    if fault.times == 0:
                        self._faults.remove(fault)
                    return fault
        return None

    def _meets(self, fault: Fault, request: Request) -> bool:
        if not fault.customer:
            return True
        asked = self.asked(request)
        charge = self._rows["charge"].get(str(asked.get("charge_id", "")), {})
        return fault.customer in (self.customer(asked), charge.get("customer"))
