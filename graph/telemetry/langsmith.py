"""Spans as runs of LangSmith: a turn is a trace, a thread's traces stand together.

The runs are given to its client as they are, and not made by `traceable`: a run of that belongs to
one process, and draws its own id. A turn goes on in another process, and its ids stand in the
ledger. Nobody's words are in a run: inputs and outputs are empty.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Literal

from langsmith import Client
from langsmith.utils import get_tracer_project
from urllib3.util import Retry

from daybook.graph.aside import aside
from daybook.state.errors import ServiceUnavailable
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.telemetry.spans import Span, SpanKind, SpanStatus, Trace, run_uuid, shown_id

_TYPES: dict[SpanKind, Literal["llm", "tool", "chain"]] = {
    SpanKind.MODEL: "llm",
    SpanKind.READ: "tool",
    SpanKind.ATTEMPT: "tool",
    SpanKind.COMPENSATION: "tool",
    SpanKind.PROBE: "tool",
}

_KEPT = 1_000
"""Turns whose beginning is remembered."""

_TIMEOUT_MS = (2_000, 5_000)
"""To connect, and to be answered."""


class LangSmith:
    """Send spans to LangSmith, by a client that is made when the first one is sent.

    Args:
        turn: reads the entries of a thread's turn; it began where they say, in whatever process.
    """

    name = "langsmith"

    def __init__(self, turn: Callable[[str, str], Awaitable[list[Entry]]]) -> None:
        self._turn = turn
        self._began: OrderedDict[str, datetime] = OrderedDict()
        self._client: Client | None = None
        self._failed = False

    async def deliver(self, spans: Sequence[Span]) -> None:
        """Send spans.

        Raises:
            ServiceUnavailable: they could not be sent.
        """
        began = {span.trace.trace_id: await self._beginning(span.trace) for span in spans}
        await aside(partial(self._send, spans, began))
        if self._failed:
            self._failed = False
            raise ServiceUnavailable("LangSmith did not take spans. Runs go on without.")

    async def close(self) -> None:
        """Close the client; it has nothing left."""
        if self._client is not None:
            await aside(partial(self._client.close, 0))

    async def _beginning(self, trace: Trace) -> datetime | None:
        """Return when a turn was begun: a run is ordered below its trace by that."""
        if trace.trace_id not in self._began:
            known = await self._turn(trace.thread_id, trace.turn_id)
            received = (entry.at for entry in known if entry.event is Event.RECEIVED)
            if (at := next(received, None)) is None:
                return None
            self._began[trace.trace_id] = at
            while len(self._began) > _KEPT:
                self._began.popitem(last=False)
        return self._began[trace.trace_id]

    def _send(self, spans: Sequence[Span], began: dict[str, datetime | None]) -> None:
        if self._client is None:
            self._client = Client(
                hide_inputs=True,
                hide_outputs=True,
                omit_traced_runtime_info=True,
                tracing_mode="langsmith",
                # A process that ends would wait for its threads, and they for all their tries.
                auto_batch_tracing=False,
                retry_config=Retry(total=0),
                timeout_ms=_TIMEOUT_MS,
                tracing_error_callback=self._note,
            )
        runs = [(span, _run(span, began[span.trace.trace_id] or span.started)) for span in spans]
        self._client.multipart_ingest(
            create=[{"inputs": {}, **run} for span, run in runs if not _ends_a_turn(span)],
            update=[run for span, run in runs if _ends_a_turn(span)],
        )

    def _note(self, error: Exception) -> None:
        """Take note of a failure: the client logs it, and raises nothing."""
        self._failed = True


def _ends_a_turn(span: Span) -> bool:
    return span.kind is SpanKind.TURN and span.ended is not None


def _run(span: Span, began: datetime) -> dict[str, Any]:
    trace_id = span.trace.trace_id
    path = [(span.trace.root_id, began), *span.path]
    if span.parent_id is not None:
        path.append((span.span_id, span.started))
    parent = run_uuid(trace_id, span.parent_id) if span.parent_id is not None else None
    error = span.about.get("outcome", "failed") if span.status is SpanStatus.ERROR else None
    return {
        "id": run_uuid(trace_id, span.span_id),
        "trace_id": run_uuid(trace_id, span.trace.root_id),
        "dotted_order": ".".join(_place(run_uuid(trace_id, one), at) for one, at in path),
        "session_name": get_tracer_project(),
        "name": span.name,
        "run_type": _TYPES.get(span.kind, "chain"),
        "start_time": began if span.parent_id is None else span.started,
        "end_time": span.ended,
        "error": error,
        "extra": {"metadata": _metadata(span)},
        **({"parent_run_id": parent} if parent is not None else {}),
    }


def _place(run_id: Any, at: datetime) -> str:
    return f"{at:%Y%m%dT%H%M%S%fZ}{run_id}"


def _metadata(span: Span) -> dict[str, Any]:
    said: dict[str, Any] = {
        "thread_id": shown_id(span.trace.thread_id),
        "kind": span.kind.value,
        **span.about,
    }
    if span.kind is SpanKind.MODEL:
        said["ls_model_name"] = span.name
    if "tokens_in" in said:
        taken, given = said["tokens_in"], said["tokens_out"]
        counted = {"input_tokens": taken, "output_tokens": given, "total_tokens": taken + given}
        said["usage_metadata"] = counted
    return said
