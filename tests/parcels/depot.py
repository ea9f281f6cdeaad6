"""A depot that takes whatever it is sent and keeps the bytes: the judge of what was decided."""

from __future__ import annotations

import json
import threading

from daybook.testing.http import Answer, Request, as_json
from daybook.testing.provider import HELD_S, Fault, Provider
from daybook.testing.wrong_answers import Row


class Depot(Provider):
    """Take each parcel once under its key; keep the bytes of every request.

    Attributes:
        bodies: raw bodies by key, in the order in which they came.
        done: what happened, in order: each write once, and each read.
        is_slow: answers are held back until `go_on` is set.
        met: set when something was done.
    """

    def __init__(self) -> None:
        super().__init__()
        self.bodies: dict[str, list[bytes]] = {}
        self.done: list[str] = []
        self.is_slow = False
        self.met = threading.Event()

    @property
    def raw(self) -> list[bytes]:
        """Return all bodies that came."""
        return [body for bodies in self.bodies.values() for body in bodies]

    @property
    def sent(self) -> list[str]:
        """Return what each body says, as text in which the order of keys and numbers counts."""
        return [json.dumps(json.loads(body)) for body in self.raw]

    def act(self, kind: str, request: Request, fault: Fault | None) -> Answer | None:
        self.bodies.setdefault(request.key, []).append(request.body)
        answer = super().act(kind, request, fault)
        self.met.set()
        if self.is_slow:
            self.go_on.wait(HELD_S)
        return answer

    def perform(self, kind: str, asked: Row, reference: str, key: str = "") -> Row:
        row = super().perform(kind, asked, reference, key)
        self.done.append(f"/{kind}")
        return row

    def look(self, request: Request) -> Answer:
        self.done.append("read")
        return as_json(200, {"writes": [one for one in self.done if one != "read"]})

    def confirm(self, kind: str, row: Row) -> Answer:
        return as_json(200, {"id": row["id"]})

    def new_id(self, kind: str) -> str:
        return f"P-{len(self.effects) + 1}"
