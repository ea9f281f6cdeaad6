"""A depot that takes whatever it is sent and keeps the bytes: the judge of what was decided.

It honours keys: a request that comes again is answered as before, and its bytes are kept too.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

from tests.beside import Answering, Gate

LATE = 30.0
"""Seconds after which a request that a test has forgotten goes on by itself."""


@dataclass
class Depot:
    """Hold what arrived.

    Attributes:
        bodies: raw bodies by key, in the order in which they came.
        done: what happened, in order: each write once, and each read.
        is_mute: it does what it is asked and drops the connection.
    """

    url: str = ""
    bodies: dict[str, list[bytes]] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    is_mute: bool = False
    met: threading.Event = field(default_factory=threading.Event)
    go_on: Gate = field(default_factory=Gate)
    is_slow: bool = False

    @property
    def raw(self) -> list[bytes]:
        """Return all bodies that came."""
        return [body for bodies in self.bodies.values() for body in bodies]

    @property
    def sent(self) -> list[str]:
        """Return what each body says, as text in which the order of keys and numbers counts."""
        return [json.dumps(json.loads(body)) for body in self.raw]

    def take(self, path: str, key: str, body: bytes) -> dict[str, Any]:
        """Take one write."""
        is_first = key not in self.bodies
        self.bodies.setdefault(key, []).append(body)
        if is_first:
            self.done.append(path)
        return {"id": f"P-{list(self.bodies).index(key) + 1}"}


@contextmanager
def open_depot() -> Iterator[Depot]:
    """Open the depot on a free port, and close it."""
    depot = Depot()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _counter(depot))
    depot.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield depot
    finally:
        depot.go_on.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _counter(depot: Depot) -> type[BaseHTTPRequestHandler]:
    class Counter(Answering):
        protocol_version = "HTTP/1.0"

        def do_GET(self) -> None:
            depot.done.append("read")
            self._say({"writes": [one for one in depot.done if one != "read"]})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            answer = depot.take(self.path, unquote(self.headers["idempotency-key"]), body)
            depot.met.set()
            if depot.is_slow:
                depot.go_on.wait(LATE)
            if depot.is_mute:
                depot.is_mute = False
                self.close_connection = True
                return
            self._say(answer)

        def _say(self, answer: Any) -> None:
            content = json.dumps(answer).encode()
            try:
                self.send_response(200)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except OSError:
                """Whoever asked has hung up."""

    return Counter
