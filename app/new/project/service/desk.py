"""A hire desk: it holds bikes, takes them back and charges cards.

Releases and charges honour idempotency keys. Holds do not, but can be looked up.
"""

from __future__ import annotations

import json
import threading
import uuid
from pathlib import Path
from typing import Any, TypeAlias

BIKES = {"blue": 1_500, "red": 2_500, "cargo": 6_000, "gold": 30_000}
"""Each bike and its price for a day, in cents."""

CARD = 20_000
"""What a card is good for, in cents."""

Answer: TypeAlias = tuple[int, dict[str, Any]]


class Desk:
    """What was really done, and keep it in a file if there is one.

    Attributes:
        effects: what was done, in order: its path, its number, and under which reference.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._lock = threading.Lock()
        kept = json.loads(file.read_text()) if file and file.exists() else {}
        self.effects: list[dict[str, Any]] = kept.get("effects", [])
        self._answers: dict[str, Answer] = kept.get("answers", {})

    def look(self, path: str, asked: dict[str, str]) -> Answer:
        """List the bikes that are free on a day, or what was done under a reference."""
        with self._lock:
            if path == "/effects":
                return 200, {"effects": self.effects}
            if path == "/bikes":
                free = [bike for bike in BIKES if not self._is_taken(bike, asked.get("day"))]
                prices = [{"bike": b, "amount": BIKES[b], "currency": "EUR"} for b in free]
                return 200, {"bikes": prices}
            done = [one for one in self.effects if one["path"] == path]
            return 200, {"matches": [o for o in done if o["reference"] == asked.get("reference")]}

    def act(self, path: str, body: dict[str, Any], key: str) -> Answer:
        """Do one effect; under a key that it honours, once."""
        with self._lock:
            if path != "/holds" and key in self._answers:
                return self._answers[key]
            answer = self._answers[key] = self._do(path, body)
            if self._file:
                kept = {"effects": self.effects, "answers": self._answers}
                self._file.parent.mkdir(parents=True, exist_ok=True)
                self._file.write_text(json.dumps(kept))
            return answer

    def _do(self, path: str, body: dict[str, Any]) -> Answer:
        if path == "/holds":
            if self._is_taken(body["bike"], body["day"]):
                return _no("taken", "That bike has just been taken.")
        elif path in ("/releases", "/charges"):
            held = next((h for h in self.effects if h["id"] == body["hold"]), None)
            if held is None or held["state"] != "held":
                return _no("no_hold", "That bike is not held any more.")
            if path == "/charges" and body["amount"] > CARD:
                return _no("card_declined", "The card was declined.")
            held["state"] = {"/releases": "free", "/charges": "hired"}[path]
        else:
            return 404, {"error": "no_such_page", "message": "There is no such page."}
        # Never given twice, whatever was forgotten: the agent knows an effect by it.
        number = f"{path[1].upper()}-{uuid.uuid4().hex[:12]}"
        done = {**body, "id": number, "path": path, "state": "held"}
        self.effects.append(done)
        return 200, done

    def _is_taken(self, bike: str, day: str | None) -> bool:
        holds = (one for one in self.effects if one["path"] == "/holds" and one["state"] != "free")
        return any((one["bike"], one["day"]) == (bike, day) for one in holds)


def _no(error: str, message: str) -> Answer:
    return 409, {"error": error, "message": message}
