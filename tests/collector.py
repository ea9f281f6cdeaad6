"""A collector of traces on a real socket: takes OTLP, and what LangSmith's client sends."""

import gzip
import json
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import zstandard
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@dataclass
class Collector:
    """Hold what was sent.

    Attributes:
        status: what is answered; 200 until a test says otherwise.
        bodies: of all requests, unpacked.
    """

    url: str
    status: int = 200
    bodies: list[tuple[str, bytes, Message]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Return all that was sent, as text."""
        return "\n".join(body.decode(errors="replace") for _, body, _ in self.bodies)

    @property
    def spans(self) -> list[Span]:
        """Return the spans that were sent to /v1/traces."""
        found: list[Span] = []
        for path, body, _ in self.bodies:
            if path == "/v1/traces":
                for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                    for scope in resource.scope_spans:
                        found += scope.spans
        return found

    @property
    def runs(self) -> dict[str, dict[str, Any]]:
        """Return LangSmith's runs by id, with what was said of them later."""
        found: dict[str, dict[str, Any]] = {}
        for path, body, head in self.bodies:
            if path == "/runs/multipart":
                whole = b"content-type: " + head["content-type"].encode() + b"\r\n\r\n" + body
                for part in message_from_bytes(whole).get_payload():
                    assert isinstance(part, Message)
                    _take(part, found)
        return found


def _take(part: Message, found: dict[str, dict[str, Any]]) -> None:
    """Read a part: `post.<id>` is a run or a patch of one, `post.<id>.extra` a field of it."""
    name = part.get_param("name", header="content-disposition")
    assert isinstance(name, str)
    _, run_id, *fields = name.split(".")
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    said = json.loads(payload)
    run = found.setdefault(run_id, {})
    if fields:
        run[fields[0]] = said
    else:
        run |= {name: value for name, value in said.items() if value is not None}


_INGEST = {
    "use_multipart_endpoint": True,
    "scale_up_qsize_trigger": 1000,
    "scale_up_nthreads_limit": 16,
    "scale_down_nempty_trigger": 4,
    "size_limit": 100,
    "size_limit_bytes": 20_971_520,
}
"""What LangSmith tells its client of how it takes runs."""


@contextmanager
def collecting() -> Iterator[Collector]:
    """Yield a collector that listens, and is gone afterwards."""
    collector = Collector("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(json.dumps({"version": "0", "batch_ingest_config": _INGEST}).encode())

        def do_POST(self) -> None:
            body = self._body()
            packed = self.headers.get("content-encoding")
            if packed == "gzip":
                body = gzip.decompress(body)
            elif packed == "deflate":
                body = zlib.decompress(body)
            elif packed == "zstd":
                body = zstandard.ZstdDecompressor().decompressobj().decompress(body)
            collector.bodies.append((self.path, body, self.headers))
            self._answer(b"" if self.path == "/v1/traces" else b"{}")

        def _body(self) -> bytes:
            if self.headers.get("transfer-encoding") != "chunked":
                return self.rfile.read(int(self.headers.get("content-length", 0)))
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body

        def _answer(self, content: bytes) -> None:
            self.send_response(collector.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """Say nothing of a sender that was killed."""

    with Server(("127.0.0.1", 0), Handler) as server:
        collector.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield collector
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def dripping() -> Iterator[str]:
    """Yield the URL of a server that begins an answer and never ends it: no reading times out."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nx: ")
            while not over.wait(0.2):
                self.wfile.write(b"x")

        do_POST = do_GET

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """Say nothing of a sender that has ended."""

    over = threading.Event()
    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            over.set()
            server.shutdown()
            thread.join()
