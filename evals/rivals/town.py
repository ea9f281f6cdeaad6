"""All that is outside of a contender, as one HTTP server: model, shop, person; and what kills it.

Each purchase has a world of its own below `/NAME`. The server decides the instant of a kill: a
contender says when it is about to send and when it has read a reply, and is not answered there when
it is to die.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

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

    def gate(self, asked: Body) -> Body:
        """Let it pass, or kill it: it is about to send, or has read a reply."""
        is_model = asked["about"] == "model"
        if not is_model or self._model_calls == _DECIDES_CHARGE:
            self._kill_at(Instant(Point(asked["point"]), asked["about"]))
        return {}

    def model(self, asked: Body) -> Body:
        """Decide from the results so far; the id of a call is new each time, as it always is."""
        with self._lock:
            self._model_calls += 1
        results = asked["results"]
        if len(results) == MODEL_CALLS - 1:
            return {"answer": f"Your order {results[-2]['id']} is placed."}
        name, args = _decision(results)
        return {"call": {"name": name, "args": args, "id": f"call_{uuid.uuid4().hex}"}}

    def read(self, asked: Body) -> Body:
        """Answer a read."""
        return {"id": "BOOT-001", "price": 4_200}

    def perform(self, effect: str, asked: Body, key: str | None) -> Body:
        """Do what is asked, as this service does."""
        with self._lock:
            honoured = key if self._service is Service.KEYED else None
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
                if self._pending is not None and self._pending["effect"] == effect:
                    self._land()
            if honoured is not None:
                self._by_key[honoured] = row
        self._kill_at(here)
        return row

    def look(self, effect: str, reference: str) -> Body:
        """Look an effect up; the late service performs after that what it has accepted."""
        with self._lock:
            wanted = (effect, reference)
            found = [row for row in self._rows if (row["effect"], row["reference"]) == wanted]
            if self._pending is not None and self._pending["effect"] == effect:
                self._land()
            return {"matches": found}

    def approve(self, asked: Body) -> Body:
        """Approve an effect."""
        with self._lock:
            self._approvals.append(asked["effect"])
        return {}

    def settle(self, asked: Body) -> Body:
        """Say whether an effect happened: the person has waited, and asked the service by phone."""
        with self._lock:
            self._doubts += 1
            self._land()
            found = [row for row in self._rows if row["effect"] == asked["effect"]]
            return {"happened": found[0] if found else None}

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
    ids = [result["id"] for result in results]
    decisions: tuple[tuple[str, Callable[[], Body]], ...] = (
        ("search", lambda: {"query": "waterproof hiking boots"}),
        ("add_to_cart", lambda: {"sku": ids[0]}),
        ("reserve", lambda: {"sku": ids[0], "quantity": 1}),
        ("charge", lambda: {"card": "card-1", "cents": 4_200}),
        ("order", lambda: {"hold_id": ids[2], "charge_id": ids[3]}),
        ("mail", lambda: {"to": "ada@example.com", "order_id": ids[4]}),
    )
    name, args = decisions[len(results)]
    return name, args()


class Town:
    """The worlds that are served.

    Attributes:
        url: below which each world has its name.
        bound: of its late services, in seconds.
    """

    def __init__(self, url: str, bound: float) -> None:
        self.url, self.bound = url, bound
        self.worlds: dict[str, World] = {}

    def add(self, name: str, service: Service, instant: Instant | None) -> World:
        """Make a world."""
        self.worlds[name] = World(service, instant, self.bound)
        return self.worlds[name]

    def answer(self, method: str, path: str, body: Body, key: str | None) -> Body:
        """Answer one request."""
        parts = urlsplit(path)
        _, name, what, *about = parts.path.split("/")
        world = self.worlds[name]
        if what == "effects" and method == "GET":
            return world.look(about[0], parse_qs(parts.query)["reference"][0])
        if what == "effects":
            return world.perform(about[0], body, key)
        plain: Mapping[str, Callable[[Body], Body]] = {
            "gate": world.gate,
            "model": world.model,
            "read": world.read,
            "approve": world.approve,
            "settle": world.settle,
        }
        return plain[what](body)


@contextmanager
def open_town(bound: float = BOUND) -> Iterator[Town]:
    """Serve a town on a free port of the loopback address."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.town = Town(f"http://127.0.0.1:{server.server_port}", bound)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server.town
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    town: Town


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _answer(self, body: Body) -> None:
        key = self.headers.get("Idempotency-Key")
        try:
            said = json.dumps(self.server.town.answer(self.command, self.path, body, key)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)
        except (Killed, ConnectionError):
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the table tells."""
