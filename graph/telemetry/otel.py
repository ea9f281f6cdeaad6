"""Spans as OpenTelemetry has them, with names of its conventions for generative AI."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache, partial

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags

from daybook.graph.aside import aside
from daybook.state.errors import ServiceUnavailable
from daybook.state.telemetry.spans import Span, SpanStatus, Value, shown_id, shown_turn
from daybook.state.telemetry.spans import SpanKind as Kind

_SCOPE = InstrumentationScope("daybook")

_OPERATIONS = {
    Kind.TURN: "invoke_agent",
    Kind.MODEL: "chat",
    Kind.READ: "execute_tool",
    Kind.ATTEMPT: "execute_tool",
    Kind.COMPENSATION: "execute_tool",
}
"""What of the conventions a span is; the others are our own."""

_CONVENTIONS = {
    "tokens_in": "gen_ai.usage.input_tokens",
    "tokens_out": "gen_ai.usage.output_tokens",
    "tokens_cached": "gen_ai.usage.cache_read.input_tokens",
}


def otlp_exporter() -> SpanExporter:
    """Make what sends to the collector of the standard variables (OTEL_EXPORTER_OTLP_...)."""
    # It logs each failure; the outbox logs the first.
    logging.getLogger("opentelemetry.exporter.otlp").setLevel(logging.CRITICAL)
    return OTLPSpanExporter()


class Exported:
    """Send spans by an exporter, which is made when the first one is sent."""

    name = "opentelemetry"

    def __init__(self, exporter: Callable[[], SpanExporter]) -> None:
        self._make = exporter
        self._exporter: SpanExporter | None = None

    async def deliver(self, spans: Sequence[Span]) -> None:
        """Send spans that have ended.

        Raises:
            ServiceUnavailable: the collector did not take them.
        """
        if ended := [span for span in spans if span.ended is not None]:
            await aside(partial(self._export, ended))

    async def close(self) -> None:
        """Close the exporter."""
        if self._exporter is not None:
            await aside(self._exporter.shutdown)

    def _export(self, spans: Sequence[Span]) -> None:
        if self._exporter is None:
            self._exporter = self._make()
        resource = service()
        if self._exporter.export([readable(span, resource) for span in spans]) is not (
            SpanExportResult.SUCCESS
        ):
            raise ServiceUnavailable("The collector did not take spans. Runs go on without.")


class Processed:
    """Hand spans to a processor of one's own, at its end: `postgres.outbox.add(Processed(...))`."""

    name = "processor"

    def __init__(self, processor: SpanProcessor) -> None:
        self._processor = processor

    async def deliver(self, spans: Sequence[Span]) -> None:
        """Hand over spans that have ended."""
        await aside(partial(self._end, spans))

    async def close(self) -> None:
        """Let the processor finish what it has."""
        await aside(self._processor.shutdown)

    def _end(self, spans: Sequence[Span]) -> None:
        resource = service()
        for span in spans:
            if span.ended is not None:
                self._processor.on_end(readable(span, resource))


@lru_cache(maxsize=1)
def service() -> Resource:
    """Say who sends: as OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES do, else Daybook."""
    said = Resource.create()
    named = str(said.attributes.get("service.name", ""))
    own = Resource({"service.name": "daybook"})
    return said.merge(own) if named.startswith("unknown_service") else said


def readable(span: Span, resource: Resource) -> ReadableSpan:
    """Make of a span that has ended what exporters and processors take."""
    assert span.ended is not None
    failed = span.status is SpanStatus.ERROR
    return ReadableSpan(
        name=_name(span),
        context=_context(span.trace.trace_id, span.span_id),
        parent=_context(span.trace.trace_id, span.parent_id) if span.parent_id else None,
        resource=resource,
        attributes=_attributes(span),
        kind=SpanKind.CLIENT if span.kind in (Kind.MODEL, Kind.PROBE) else SpanKind.INTERNAL,
        status=Status(StatusCode.ERROR if failed else StatusCode.OK),
        start_time=_nanoseconds(span.started),
        end_time=_nanoseconds(span.ended),
        instrumentation_scope=_SCOPE,
    )


def _name(span: Span) -> str:
    operation = _OPERATIONS.get(span.kind)
    if operation == "invoke_agent":
        return "invoke_agent daybook"
    return f"{operation or span.kind.value} {span.name}"


def _attributes(span: Span) -> dict[str, Value]:
    said: dict[str, Value] = {
        "daybook.kind": span.kind.value,
        "daybook.turn": shown_turn(span.trace.turn_id),
        "gen_ai.conversation.id": shown_id(span.trace.thread_id),
    }
    if operation := _OPERATIONS.get(span.kind):
        said["gen_ai.operation.name"] = operation
    if span.kind is Kind.TURN:
        said["gen_ai.agent.name"] = "daybook"
    elif span.kind is Kind.MODEL:
        said["gen_ai.request.model"] = span.name
    elif operation == "execute_tool":
        said["gen_ai.tool.name"] = span.name
    return said | {_CONVENTIONS.get(n, f"daybook.{n}"): value for n, value in span.about.items()}


def _context(trace_id: str, span_id: str) -> SpanContext:
    flags = TraceFlags(TraceFlags.SAMPLED)
    return SpanContext(int(trace_id, 16), int(span_id, 16), is_remote=False, trace_flags=flags)


def _nanoseconds(at: datetime) -> int:
    return int(at.timestamp() * 1_000_000) * 1_000
