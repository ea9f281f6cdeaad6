"""Requests and answers as bytes, and a server for several services on one port.

The standard library's server lets go of every byte: an answer may break off, never come, or be no
HTTP that anybody would expect.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlsplit

from tests.beside import Answering


@dataclass(frozen=True)
class Request:
    """Hold one request; `path` and `query` are those within the service."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @property
    def key(self) -> str:
        """Return its idempotency key, or "" where it has none."""
        return self.headers.get("idempotency-key", "")

    def json(self) -> dict[str, Any]:
        """Read its body as JSON."""
        read: dict[str, Any] = json.loads(self.body or b"{}")
        return read

    def form(self) -> dict[str, str]:
        """Read its body as a form: `metadata[order]=1` stays a name with brackets."""
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True))


@dataclass(frozen=True)
class Answer:
    """Hold one answer; a body of several pieces is streamed."""

    status: int
    body: bytes | Iterable[bytes] = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def as_json(status: int, value: Any, **headers: str) -> Answer:
    """Answer with JSON; `_` in the name of a header stands for `-`."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Answer(status, json.dumps(value).encode(), {"content-type": "application/json", **named})


def as_page(status: int, title: str) -> Answer:
    """Answer as a proxy does: a page for people, and not a word of JSON."""
    page = f"<html><head><title>{status} {title}</title></head><body>{title}</body></html>"
    return Answer(status, page.encode(), {"content-type": "text/html", "server": "proxy"})


class Service(Protocol):
    """What can be served."""

    def handle(self, request: Request) -> Answer | None:
        """Answer a request; None hangs up without a word."""


@contextmanager
def served(services: Mapping[str, Service]) -> Iterator[str]:
    """Serve each service below its name; yields the address of them all."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.services = services
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    services: Mapping[str, Service]
    daemon_threads = True
    # What is still held back when the tests end is not waited for.
    block_on_close = False
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing where who asked was killed meanwhile."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(Answering):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def _answer(self) -> None:
        asked = urlsplit(self.path)
        _, name, *rest = asked.path.split("/", 2)
        length = int(self.headers.get("content-length", 0))
        request = Request(
            self.command,
            "/" + "".join(rest),
            dict(parse_qsl(asked.query, keep_blank_values=True)),
            {title.lower(): text for title, text in self.headers.items()},
            self.rfile.read(length),
        )
        if len(request.body) < length:
            raise ConnectionError("who asked was killed before it had said what")
        service = self.server.services.get(name)
        answer = service.handle(request) if service else Answer(404)
        if answer is None:
            self.close_connection = True
            return
        self.send_response(answer.status)
        for title, text in answer.headers.items():
            self.send_header(title, text)
        if isinstance(answer.body, bytes):
            self.send_header("content-length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)
        else:
            self.close_connection = True
            self.send_header("connection", "close")
            self.end_headers()
            for piece in answer.body:
                self.wfile.write(piece)

    do_GET = do_POST = do_PUT = do_DELETE = _answer
