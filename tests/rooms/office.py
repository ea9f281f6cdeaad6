"""The office that rents the rooms out: the other side of the domain, over real sockets.

It keeps what really happened in `effects`, which is the judge of every test.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.beside import Answering, Gate

ROOMS = {"Attic": 4, "Barn": 12, "Cellar": 30}
"""Room to seats."""

LATE = 30.0
"""Seconds after which a request that a test has forgotten goes on by itself."""

Answer = tuple[int, dict[str, Any]]


class Office:
    """Hold rooms for a while, book them, and bring coffee.

    Bookings and releases honour keys. Holds do not, but can be looked up by their reference.
    Coffee does neither.

    Attributes:
        effects: what was done and under which reference, in order.
        listed: how often the free rooms were asked for.
        met: set when a request has met its fault.
        go_on: to be set by whoever lets slow requests go on.
        landed: set when a slow request has been done.
    """

    def __init__(self) -> None:
        self.effects: list[tuple[str, str]] = []
        self.listed = 0
        self.met, self.go_on, self.landed = threading.Event(), Gate(), threading.Event()
        self.url = ""
        self._lock = threading.Lock()
        self._made: dict[str, list[dict[str, Any]]] = {}
        self._answers: dict[str, Answer] = {}
        self._faults: dict[str, list[str]] = {}

    def fault(self, path: str, *modes: str) -> None:
        """Say what happens to the next requests to a path.

        Args:
            modes: "full" (refused for good), "busy" (refused before the effect), "deaf" (nothing
                is done and nothing answered), "mute" (done and not answered), "slow" (done when
                `go_on` is set).
        """
        self._faults.setdefault(path, []).extend(modes)

    def happened(self) -> list[str]:
        """Return what really happened, in order."""
        return [what for what, _ in self.effects]

    def left_held(self) -> list[str]:
        """Return the rooms that are held and neither booked nor given back."""
        return [hold["room"] for hold in self._made.get("/holds", ()) if hold["state"] == "held"]

    def read(self, path: str, asked: dict[str, str]) -> Answer:
        """Answer a look-up by reference, or list the rooms that have enough seats."""
        with self._lock:
            if "reference" in asked:
                made = [m for m in self._made.get(path, ()) if m["reference"] == asked["reference"]]
                return 200, {"matches": made}
            self.listed += 1
            booked = {(b["room"], b["day"]) for b in self._made.get("/bookings", ())}
            return 200, {
                "rooms": [
                    {"room": room, "seats": seats}
                    for room, seats in ROOMS.items()
                    if seats >= int(asked["people"]) and (room, asked["day"]) not in booked
                ]
            }

    def act(self, path: str, body: dict[str, Any], key: str) -> Answer | None:
        """Do one effect, as the queued fault allows; None is no answer."""
        mode = (self._faults.get(path) or [""]).pop(0)
        if mode:
            self.met.set()
        match mode:
            case "full":
                refused = 409, {"error": "full", "message": "The room has just been taken."}
                return self._answers.setdefault(key, refused)
            case "busy":
                return 503, {"error": "busy", "message": "The office is busy."}
            case "deaf":
                return None
            case "slow":
                self.go_on.wait(LATE)
        with self._lock:
            answer = self._done(path, body, key)
        if mode == "slow":
            self.landed.set()
        return None if mode == "mute" else answer

    def _done(self, path: str, body: dict[str, Any], key: str) -> Answer:
        known = self._answers.get(key) if path in ("/bookings", "/releases") else None
        if known is not None:
            return known
        answer = self._do(path, body)
        self._answers[key] = answer
        return answer

    def _do(self, path: str, body: dict[str, Any]) -> Answer:
        made = {**body, "id": f"{path[1:2].upper()}-{len(self.effects) + 1}", "state": "held"}
        if path in ("/bookings", "/releases"):
            held = [h for h in self._made.get("/holds", ()) if h["id"] == body["hold_id"]]
            if not held or held[0]["state"] != "held":
                return 409, {"error": "no_hold", "message": "That hold is not there any more."}
            held[0]["state"] = path[1:]
            made |= {"room": held[0]["room"], "day": held[0]["day"]}
        self._made.setdefault(path, []).append(made)
        self.effects.append((path[1:], body.get("reference", "")))
        return 200, made


@contextmanager
def open_office() -> Iterator[Office]:
    """Open the office on a free port, and close it."""
    office = Office()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _counter(office))
    office.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield office
    finally:
        office.go_on.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _counter(office: Office) -> type[BaseHTTPRequestHandler]:
    class Counter(Answering):
        protocol_version = "HTTP/1.0"

        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            self._say(office.read(asked.path, dict(parse_qsl(asked.query))))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            self._say(office.act(self.path, body, self.headers["idempotency-key"]))

        def _say(self, answer: Answer | None) -> None:
            if answer is None:
                return
            content = json.dumps(answer[1]).encode()
            try:
                self.send_response(answer[0])
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except OSError:
                """Whoever asked has hung up."""

    return Counter
