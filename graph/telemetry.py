"""Send traces to a collector and to LangSmith, by OTLP; needs the extra `otel`.

An application with a `TracerProvider` of its own installs that one instead, with
`id_generator=TurnIds()`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Thread

from langsmith.utils import get_api_url, get_env_var, get_tracer_project
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

from daybook.graph.settings.environment import Settings
from daybook.nodes.running.tracing import NEXT_IDS, is_traced

_PATIENCE = 2.0
"""Seconds for which a collector is waited for when all ends."""


class TurnIds(RandomIdGenerator):
    """Give a turn's own span the ids that are derived from it; draw those of other spans."""

    def generate_trace_id(self) -> int:
        """Return the trace of the turn."""
        ids = NEXT_IDS.get()
        return ids[0] if ids is not None else super().generate_trace_id()

    def generate_span_id(self) -> int:
        """Return the id of the turn's own span."""
        ids = NEXT_IDS.get()
        return ids[1] if ids is not None else super().generate_span_id()

    def is_trace_id_random(self) -> bool:
        """Say that ids are derived."""
        return False


@asynccontextmanager
async def exporting(settings: Settings) -> AsyncIterator[None]:
    """Send this process's spans to what the settings name, where no provider is installed yet."""
    if not is_traced():
        trace.set_tracer_provider(tracer_provider(settings))
    try:
        yield
    finally:
        provider = trace.get_tracer_provider()
        if isinstance(provider, TracerProvider):
            # In a thread of its own: a collector that hangs keeps no process from its end.
            flushing = Thread(target=provider.force_flush, daemon=True)
            flushing.start()
            await asyncio.to_thread(flushing.join, _PATIENCE)


def tracer_provider(settings: Settings) -> TracerProvider:
    """Make what sends spans, in the background and in batches, and drops what nobody takes."""
    provider = TracerProvider(resource=service(), id_generator=TurnIds(), shutdown_on_exit=False)
    if settings.exports_otlp:
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    if settings.exports_langsmith:
        headers = {
            "x-api-key": get_env_var("API_KEY") or "",
            "Langsmith-Project": get_tracer_project() or "default",
        }
        url = f"{get_api_url(None).rstrip('/')}/otel/v1/traces"
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(url, headers=headers)))
    return provider


def service() -> Resource:
    """Say who sends: as OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES do, else Daybook."""
    said = Resource.create()
    named = str(said.attributes.get("service.name", ""))
    own = Resource({"service.name": "daybook"})
    return said.merge(own) if named.startswith("unknown_service") else said
