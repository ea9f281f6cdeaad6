"""A hire desk: it holds bikes, releases them and charges cards.

Releases and charges honour idempotency keys; holds do not, but can be looked up.
"""

from __future__ import annotations

import json
import threading
import uuid
from pathlib import Path
from typing import Any

from daybook.testing import Answer, Behaviour, Fault, Provider, Refusal, Request, as_json

BIKES = {"blue": 1_500, "red": 2_500, "cargo": 6_000, "gold": 30_000}
"""Each bike and its price per day in cents."""

CARD = 20_000
"""The limit of a card, in cents."""


class Desk(Provider):
    """Carry out requests, and store them in a file if there is one."""

    paths = {"/holds": "hold", "/charges": "charge", "/releases": "release"}
    refers = {"charge": ("hold", "hold"), "release": ("hold", "hold")}
    undoes = frozenset({"release"})
    undone_code = "no_hold"

    def __init__(self, behaviour: Behaviour | None = None, keep: Path | None = None) -> None:
        super().__init__(behaviour)
        self._lock = threading.Lock()
        self._keep: Path | None = None
        self._before: dict[str, dict[str, Any]] = {}
        for line in keep.read_text().splitlines() if keep and keep.exists() else ():
            done = json.loads(line)
            self._before[done["reference"]] = self.perform(**done)
        self._keep = keep

    def look(self, request: Request) -> Answer:
        """List the bikes that are free on a day, or the effects with a reference."""
        if request.path != "/bikes":
            return super().look(request)
        free = [bike for bike in BIKES if not self._is_taken(bike, request.query.get("day", ""))]
        prices = [{"bike": one, "amount": BIKES[one], "currency": "EUR"} for one in free]
        return as_json(200, {"bikes": prices})

    def act(self, kind: str, request: Request, fault: Fault | None) -> Answer | None:
        """Carry out one effect; once per key, if keys are honoured for it."""
        is_keyed = kind != "hold"
        return (super().act if is_keyed else self.attempt)(kind, request, fault)

    def perform(
        self, kind: str, asked: dict[str, Any], reference: str, key: str = ""
    ) -> dict[str, Any]:
        """Carry it out, unless it was done before this process started."""
        with self._lock:
            if kind != "hold" and reference in self._before:
                return self._before[reference]
            if kind == "hold" and self._is_taken(asked["bike"], asked["day"]):
                raise Refusal("taken", "That bike has just been taken.")
            if kind == "charge" and asked["amount"] > CARD:
                raise Refusal("card_declined", "The card was declined.")
            row = super().perform(kind, asked, reference, key)
            if self._keep:
                done = {"kind": kind, "asked": {**asked, "id": row["id"]}, "reference": reference}
                self._keep.parent.mkdir(parents=True, exist_ok=True)
                with self._keep.open("a") as file:
                    file.write(f"{json.dumps({**done, 'key': key})}\n")
            return row

    def made(self, kind: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Give the effect a unique id, by which the agent identifies it."""
        return {"id": f"{kind[0].upper()}-{uuid.uuid4().hex[:12]}", **asked}

    def declined(self, kind: str) -> Refusal:
        """Decline for good."""
        return Refusal({"charge": "card_declined"}.get(kind, "taken"), "Declined.")

    def _is_taken(self, bike: str, day: str) -> bool:
        free = {one["of"] for one in self.effects if one["undoes"]}
        holds = self.listed("hold", {"bike": bike, "day": day})
        return any(hold["id"] not in free for hold in holds)
