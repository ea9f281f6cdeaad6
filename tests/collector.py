"""A collector of traces on a real socket: takes OTLP."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

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
        return self.spans_at("/v1/traces")

    def spans_at(self, at: str) -> list[Span]:
        """Return the spans that were sent to a path."""
        found: list[Span] = []
        for path, body, _ in self.bodies:
            if path == at:
                for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                    for scope in resource.scope_spans:
                        found += scope.spans
        return found


@contextmanager
def collecting() -> Iterator[Collector]:
    """Yield a collector that listens, and is gone afterwards."""
    collector = Collector("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            if self.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            collector.bodies.append((self.path, body, self.headers))
            self.send_response(collector.status)
            self.send_header("content-length", "0")
            self.end_headers()

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
