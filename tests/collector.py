"""A collector of traces on a real socket: takes OTLP."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from daybook.testing.http import Answer, Request, serve


@dataclass
class Collector:
    """Hold what was sent.

    Attributes:
        status: what is answered; 200 until a test says otherwise.
        bodies: path, body and headers of all requests, unpacked.
    """

    url: str = ""
    status: int = 200
    bodies: list[tuple[str, bytes, Mapping[str, str]]] = field(default_factory=list)

    def handle(self, request: Request) -> Answer:
        """Take a request."""
        is_packed = request.headers.get("content-encoding") == "gzip"
        body = gzip.decompress(request.body) if is_packed else request.body
        self.bodies.append((request.path, body, request.headers))
        return Answer(self.status)

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
    collector = Collector()
    with serve({"otlp": collector}) as url:
        collector.url = f"{url}/otlp"
        yield collector


class Dripping:
    """Begin an answer and never end it: no reading times out."""

    def __init__(self) -> None:
        self.over = Event()

    def handle(self, request: Request) -> Answer:
        """Send a byte five times a second."""
        return Answer(200, self._drops())

    def _drops(self) -> Iterator[bytes]:
        while not self.over.wait(0.2):
            yield b"x"


@contextmanager
def dripping() -> Iterator[str]:
    """Yield the URL of a server that never ends an answer."""
    service = Dripping()
    with serve({"otlp": service}) as url:
        try:
            yield f"{url}/otlp"
        finally:
            service.over.set()
