"""Requests and answers as bytes, and a server for many providers on one port.

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
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol
from urllib.parse import parse_qsl, unquote, urlsplit


@dataclass(frozen=True)
class Request:
    """Hold one request; `path` and `query` are those within the provider."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @property
    def key(self) -> str:
        """Return its idempotency key, or "" if it has none."""
        return unquote(self.headers.get("idempotency-key", ""))

    def json(self) -> dict[str, Any]:
        """Parse its body as JSON."""
        parsed: dict[str, Any] = json.loads(self.body or b"{}")
        return parsed

    def form(self) -> dict[str, str]:
        """Parse its body as a form: `metadata[order]=1` stays a name with brackets."""
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
    """Answer as a proxy does: a page of HTML, and no JSON."""
    page = f"<html><head><title>{status} {title}</title></head><body>{title}</body></html>"
    return Answer(status, page.encode(), {"content-type": "text/html", "server": "proxy"})


class Service(Protocol):
    """Anything that can be served."""

    def handle(self, request: Request) -> Answer | None:
        """Answer a request; None hangs up without an answer."""


class Handler(BaseHTTPRequestHandler):
    """Answer the requests of one connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the console clean."""

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
            raise ConnectionError("the client was killed while it was sending")
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


class Server(ThreadingHTTPServer):
    """Serve each service below its name."""

    daemon_threads = True
    # A reply that is still held back when the tests end is not waited for.
    block_on_close = False
    request_queue_size = 64

    def __init__(self, services: Mapping[str, Service], handler: type[Handler] = Handler) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.services = services

    @property
    def url(self) -> str:
        """Return the address of them all."""
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing if the client was killed meanwhile."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serve(services: Mapping[str, Service], handler: type[Handler] = Handler) -> Iterator[str]:
    """Serve services in a thread of this process; yield the address below which each is."""
    server = Server(services, handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server.url
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
