"""All that is outside of a contender, as one HTTP server: model, shop, person; and what kills it.

Each purchase has a world of its own below `/NAME`. The server decides the instant of a kill: a
contender says when it is about to send and when it has read a reply, and is not answered there when
it is to die.
"""

from __future__ import annotations

import os
import signal
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from daybook.testing import Answer, Request, as_json
from daybook.testing.http import serve
from evals.rivals.cells import EFFECTS, MODEL_CALLS, Instant, Point, Record, Service

BOUND = 5.0
"""Seconds within which the late service performs what it has accepted, where nobody says less."""

Body = dict[str, Any]


class Killed(Exception):
    """Raised in place of a reply: whoever waited for it was killed."""


class World:
    """One purchase's model, shop and person.

    Args:
        instant: the one at which whoever asks is killed, once.
        bound: see `BOUND`.
    """

    def __init__(self, service: Service, instant: Instant | None, bound: float) -> None:
        self._service, self._instant, self._bound = service, instant, bound
        self._lock = threading.RLock()
        self._pid, self._is_known = 0, threading.Event()
        self._rows: list[Body] = []
        self._by_key: dict[str, Body] = {}
        self._pending: Body | None = None
        self._timer: threading.Timer | None = None
        self._approvals: list[str] = []
        self._doubts = 0
        self._model_calls = 0
        self.was_killed = False

    def runs_as(self, pid: int) -> None:
        """Say which process is to be killed."""
        self._pid = pid
        self._is_known.set()

    def kill(self) -> None:
        """Kill it."""
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)

    def record(self, *, is_finished: bool, is_named: bool) -> Record:
        """Return what happened; what was still to be performed is performed first."""
        with self._lock:
            self._land()
            return Record(
                [row["effect"] for row in self._rows],
                [row["id"] for row in self._rows if row["effect"] == "reserve"],
                [row["args"]["hold_id"] for row in self._rows if row["effect"] == "order"],
                list(self._approvals),
                self._doubts,
                self._model_calls,
                is_finished,
                is_named,
            )

    # -- what a contender asks --------------------------------------------------------------------

    def handle(self, request: Request) -> Answer | None:
        """Answer a request, or nothing where whoever asks is killed (a `Service`)."""
        _, what, *about = request.path.split("/")
        answers: Mapping[str, Callable[[Body], Body]] = {
            "gate": self._gate,
            "model": self._model,
            "read": lambda asked: {"id": "BOOT-001", "price": 4_200},
            "approve": self._approve,
            "settle": self._settle,
        }
        try:
            if what != "effects":
                answer = answers[what](request.json())
            elif request.method == "GET":
                answer = self._look(about[0], request.query["reference"])
            else:
                answer = self._perform(about[0], request.json(), request.key)
        except Killed:
            return None
        return as_json(200, answer)

    def _gate(self, asked: Body) -> Body:
        """Let it pass, or kill it: it is about to send, or has read a reply."""
        is_model = asked["about"] == "model"
        if not is_model or self._model_calls == _DECIDES_CHARGE:
            self._kill_at(Instant(Point(asked["point"]), asked["about"]))
        return {}

    def _model(self, asked: Body) -> Body:
        """Decide from the results so far; the id of a call is new each time, as it always is."""
        with self._lock:
            self._model_calls += 1
        results = asked["results"]
        if len(results) == MODEL_CALLS - 1:
            return {"answer": f"Your order {results[-2]['id']} is placed."}
        name, args = _decision(results)
        return {"call": {"name": name, "args": args, "id": f"call_{uuid.uuid4().hex}"}}

    def _perform(self, effect: str, asked: Body, key: str) -> Body:
        """Do what is asked, as this service does."""
        with self._lock:
            honoured = key if self._service is Service.KEYED else ""
            if honoured in self._by_key:
                return self._by_key[honoured]
            row = {"effect": effect, "id": f"{effect}-{uuid.uuid4().hex[:8]}", **asked}
            here = Instant(Point.ACCEPTED, effect)
            if self._service is Service.LATE and here == self._instant and not self.was_killed:
                self._pending = row
                self._timer = threading.Timer(self._bound, self._land)
                self._timer.start()
            else:
                self._rows.append(row)
                self._land_if(effect)
            if honoured:
                self._by_key[honoured] = row
        self._kill_at(here)
        return row

    def _look(self, effect: str, reference: str) -> Body:
        """Look an effect up; the late service performs after that what it has accepted."""
        with self._lock:
            wanted = (effect, reference)
            found = [row for row in self._rows if (row["effect"], row["reference"]) == wanted]
            self._land_if(effect)
            return {"matches": found}

    def _approve(self, asked: Body) -> Body:
        with self._lock:
            self._approvals.append(asked["effect"])
        return {}

    def _settle(self, asked: Body) -> Body:
        """Say whether an effect happened: the person has waited, and asked the service by phone."""
        with self._lock:
            self._doubts += 1
            self._land()
            found = [row for row in self._rows if row["effect"] == asked["effect"]]
            return {"happened": found[0] if found else None}

    def _land_if(self, effect: str) -> None:
        if self._pending is not None and self._pending["effect"] == effect:
            self._land()

    def _land(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            if self._pending is not None:
                self._rows.append(self._pending)
            self._pending = self._timer = None

    def _kill_at(self, here: Instant) -> None:
        with self._lock:
            if here != self._instant or self.was_killed:
                return
            self.was_killed = True
        self._is_known.wait()
        self.kill()
        raise Killed


_DECIDES_CHARGE = 2 + EFFECTS.index("charge") + 1
"""The how manieth call of the model asks for the charge."""


def _decision(results: list[Body]) -> tuple[str, Body]:
    """Return the next call, whose arguments are from the results before."""
    ids = [result["id"] for result in results]
    match len(ids):
        case 0:
            return "search", {"query": "waterproof hiking boots"}
        case 1:
            return "add_to_cart", {"sku": ids[0]}
        case 2:
            return "reserve", {"sku": ids[0], "quantity": 1}
        case 3:
            return "charge", {"card": "card-1", "cents": 4_200}
        case 4:
            return "order", {"hold_id": ids[2], "charge_id": ids[3]}
        case _:
            return "mail", {"to": "ada@example.com", "order_id": ids[4]}


@dataclass(frozen=True)
class Town:
    """The worlds that are served.

    Attributes:
        url: below which each world has its name.
        bound: of its late services, in seconds.
    """

    url: str
    bound: float
    worlds: dict[str, World]

    def add(self, name: str, service: Service, instant: Instant | None) -> World:
        """Make a world."""
        self.worlds[name] = World(service, instant, self.bound)
        return self.worlds[name]


@contextmanager
def open_town(bound: float = BOUND) -> Iterator[Town]:
    """Serve a town on a free port of the loopback address."""
    worlds: dict[str, World] = {}
    with serve(worlds) as url:
        yield Town(url, bound, worlds)
