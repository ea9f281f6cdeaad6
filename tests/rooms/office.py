"""The office that rents the rooms out: what it really did is the judge of every test."""

from __future__ import annotations

import threading
from typing import ClassVar

from daybook.testing.http import Answer, Request, as_json
from daybook.testing.provider import Fault, Provider, Refusal
from daybook.testing.wrong_answers import Row

ROOMS = {"Attic": 4, "Barn": 12, "Cellar": 30}
"""Room to seats."""


class Office(Provider):
    """Hold rooms for a while, book them, and bring coffee.

    Bookings and releases honour keys. Holds do not, but can be looked up by their reference.
    Coffee does neither. An endpoint that fails says nothing; what is late is done when `go_on` is
    set, and a rate limit is said before the effect.

    Attributes:
        lists: how often the free rooms were asked for.
        met: set when a late request has come.
    """

    paths: ClassVar = {
        "/holds": "hold",
        "/releases": "release",
        "/bookings": "booking",
        "/coffee": "coffee",
    }
    refers: ClassVar = {"booking": ("hold_id", "hold"), "release": ("hold_id", "hold")}
    undoes = frozenset({"release"})
    undone_code = "no_hold"

    def __init__(self) -> None:
        super().__init__()
        self.lists = 0
        self.met = threading.Event()

    def left_held(self) -> list[str]:
        """Return the rooms that are held and neither booked nor released."""
        holds = self._rows.get("hold", {})
        return [row["room"] for name, row in holds.items() if name not in self._undone]

    def key(self, request: Request) -> str:
        return super().key(request) if self.kind(request) in self.refers else ""

    def look(self, request: Request) -> Answer:
        if request.path != "/rooms":
            return super().look(request)
        self.lists += 1
        day, people = request.query["day"], int(request.query["people"])
        booked = {
            row["room"] for row in self._rows.get("booking", {}).values() if row["day"] == day
        }
        return as_json(
            200,
            {
                "rooms": [
                    {"room": room, "seats": seats}
                    for room, seats in ROOMS.items()
                    if seats >= people and room not in booked
                ]
            },
        )

    def attempt(self, kind: str, request: Request, fault: Fault | None) -> Answer | None:
        if fault and fault.mode == "error before":
            return None
        if fault and fault.mode == "late":
            self.met.set()
            self.go_on.wait(fault.seconds)
            fault = None
        return super().attempt(kind, request, fault)

    def perform(self, kind: str, asked: Row, reference: str, key: str = "") -> Row:
        with self._done:
            row = super().perform(kind, asked, reference, key)
            if kind == "booking":
                # A hold that is booked can be neither released nor booked again.
                self._undone.add(asked["hold_id"])
            return row

    def made(self, kind: str, asked: Row) -> Row:
        hold = self._rows.get("hold", {}).get(asked.get("hold_id", ""), {})
        about = {name: hold[name] for name in ("room", "day") if name in hold}
        return super().made(kind, asked | about)

    def new_id(self, kind: str) -> str:
        return f"{kind[0].upper()}-{len(self.effects) + 1}"

    def declined(self, kind: str) -> Refusal:
        return Refusal("full", "The room has just been taken.")

    def refused(self, refusal: Refusal) -> Answer:
        code = "no_hold" if refusal.code == "no_such_hold" else refusal.code
        return as_json(409, {"error": code, "message": refusal.message})

    def limited(self, kind: str, request: Request) -> Answer:
        return as_json(503, {"error": "busy", "message": "The office is busy."})
