"""OpenTelemetry spans around the work of nodes; without the SDK they do nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import NonRecordingSpan, SpanContext, Status, StatusCode, TraceFlags
from opentelemetry.trace import Span as OpenTelemetrySpan
from opentelemetry.trace import SpanKind as Side

from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_action import Claim, ClaimUndo, LookFor, NextAction
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.ledger.waits import waits
from daybook.state.trace_ids import SpanKind, Trace, opaque, shown_id, shown_turn
from daybook.tools.kinds import EffectTool

if TYPE_CHECKING:
    from daybook.nodes.effects.engine import Engine

Value: TypeAlias = str | int | float | bool | list[int]

NEXT_IDS: ContextVar[tuple[int, int] | None] = ContextVar("trace and span", default=None)
"""The ids of a turn's own span, for the id generator of `daybook.graph.telemetry`."""

_UNDER_WAY: ContextVar[Trace | None] = ContextVar("turn of the span under way", default=None)

_CALLED = ("execute_tool", "gen_ai.tool.name")
_OPERATIONS = {
    SpanKind.TURN: ("invoke_agent", "gen_ai.agent.name"),
    SpanKind.MODEL: ("chat", "gen_ai.request.model"),
    SpanKind.READ: _CALLED,
    SpanKind.ATTEMPT: _CALLED,
    SpanKind.COMPENSATION: _CALLED,
}
"""What of the conventions for generative AI a span is, and its subject; others are our own."""

_CONVENTIONS = {
    "tokens_in": "gen_ai.usage.input_tokens",
    "tokens_out": "gen_ai.usage.output_tokens",
    "tokens_cached": "gen_ai.usage.cache_read.input_tokens",
}

_NOT_DONE: dict[type, str] = {Declined: "declined", NotSent: "not sent", Unknown: "unknown"}


class OpenSpan:
    """A span that is in progress."""

    def __init__(self, span: OpenTelemetrySpan) -> None:
        self._span = span

    def tell(self, **about: Value | None) -> None:
        """Say something of it: names, ids, counts and outcomes only."""
        for name, value in about.items():
            if value is not None:
                self._span.set_attribute(_CONVENTIONS.get(name, f"daybook.{name}"), value)

    def failed(self, outcome: str) -> None:
        """Say that it did not do what it was to do."""
        self._span.set_status(Status(StatusCode.ERROR))
        self.tell(outcome=outcome)


@contextmanager
def span(
    engine: Engine, turn_id: str, kind: SpanKind, name: str, **about: Value | None
) -> Iterator[OpenSpan]:
    """Open a span of a turn for the length of the block, within the one that is in progress.

    Args:
        name: what is called, or done.
        about: what it says from the start.
    """
    of = _trace_of(engine, turn_id)
    context = None if _UNDER_WAY.get() == of else _within_turn(of)
    begun = _start(of, kind, name, engine.clock.now(), context)
    opened = OpenSpan(begun)
    opened.tell(**about)
    token = _UNDER_WAY.set(of)
    try:
        # An error's words may be those of others.
        with trace.use_span(begun, record_exception=False, set_status_on_exception=False):
            yield opened
    except BaseException as error:
        is_cut_off = isinstance(error, asyncio.CancelledError)
        opened.failed("cut off" if is_cut_off else type(error).__name__)
        raise
    finally:
        _UNDER_WAY.reset(token)
        begun.end(_nanoseconds(engine.clock.now()))


def inner_span(
    engine: Engine, kind: SpanKind, name: str, **about: Value | None
) -> AbstractContextManager[OpenSpan]:
    """Open a span within the one that is in progress; without one, of nothing."""
    of = _UNDER_WAY.get()
    if of is None:
        return nullcontext(OpenSpan(trace.INVALID_SPAN))
    return span(engine, of.turn_id, kind, name, **about)


def attempt_span(
    engine: Engine, plan: Plan, claim: Claim | ClaimUndo, effect: EffectTool
) -> AbstractContextManager[OpenSpan]:
    """Open the span of a claimed attempt."""
    is_undo = isinstance(claim, ClaimUndo)
    return span(
        engine,
        plan.turn_id,
        SpanKind.COMPENSATION if is_undo else SpanKind.ATTEMPT,
        effect.name,
        step=opaque(claim.step_id),
        key=opaque(claim.step_id + ("/undo" if is_undo else "")),
        effect=effect.kind,
        attempt=claim.number,
        worker=engine.session.worker,
    )


def came_to(opened: OpenSpan, outcome: Outcome, *, is_done: bool = False) -> None:
    """Say what an attempt came to.

    Args:
        is_done: whatever the answer was, there is nothing left to do of it.
    """
    if is_done or isinstance(outcome, Confirmed):
        opened.tell(outcome="confirmed")
    else:
        opened.failed(_NOT_DONE[type(outcome)])


def recovering(engine: Engine, plan: Plan, move: NextAction) -> AbstractContextManager[object]:
    """Open a span where a move takes up what was attempted and never answered."""
    if not isinstance(move, Claim | ClaimUndo | LookFor):
        return nullcontext()
    _, step = plan.find(move.step_id)
    sent = step.undos if isinstance(move, ClaimUndo) else step.attempts
    if not any(attempt.is_open for attempt in sent):
        return nullcontext()
    return span(
        engine,
        plan.turn_id,
        SpanKind.RECOVERY,
        step.tool,
        step=opaque(step.step_id),
        attempt=sent[-1].number,
        worker=engine.session.worker,
    )


def turn_ended(engine: Engine, known: list[Entry]) -> None:
    """Send the span of a turn that is done: it began where the ledger says, in any process."""
    began = next((entry.at for entry in known if entry.event is Event.RECEIVED), None)
    if began is None:
        return
    of = _trace_of(engine, known[0].turn_id or "")
    token = NEXT_IDS.set((of.trace_id, of.root_id))
    try:
        turn = _start(of, SpanKind.TURN, "daybook", began, Context())
    finally:
        NEXT_IDS.reset(token)
    # By the process's clock, as all within it; never before it began by the database's.
    turn.end(_nanoseconds(max(began, engine.clock.now())))


async def waited(engine: Engine, plan: Plan) -> None:
    """Send the spans of a plan's waits for a person that are over, as its ledger dates them."""
    if not is_traced():
        return
    of = _trace_of(engine, plan.turn_id)
    for wait in waits(await engine.ledger.entries_of_plan(of.thread_id, plan.plan_id)):
        if wait.ended is None:
            continue
        kind, about = SpanKind.APPROVAL, "question"
        if wait.is_doubt:
            kind, about = SpanKind.DOUBT, "doubt"
        begun = _start(of, kind, about, wait.started, _within_turn(of))
        step = opaque(wait.asked.step_id) if wait.asked.step_id else None
        by = (wait.answer and wait.answer.role) or None
        OpenSpan(begun).tell(outcome=wait.outcome, by=by, step=step)
        begun.end(_nanoseconds(wait.ended))


def is_traced() -> bool:
    """Tell whether anybody takes spans: a provider of the SDK, ours or the application's own."""
    return not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)


def _start(
    of: Trace, kind: SpanKind, name: str, at: datetime, context: Context | None
) -> OpenTelemetrySpan:
    """Begin a span; nothing if nobody takes spans."""
    if not is_traced():
        return trace.INVALID_SPAN
    operation, subject = _OPERATIONS.get(kind, (kind.value, ""))
    about: dict[str, Value] = {
        "daybook.kind": kind.value,
        "daybook.turn": shown_turn(of.turn_id),
        "gen_ai.conversation.id": shown_id(of.thread_id),
        "langsmith.metadata.thread_id": shown_id(of.thread_id),
    }
    if subject:
        about |= {"gen_ai.operation.name": operation, subject: name}
    return trace.get_tracer("daybook").start_span(
        f"{operation} {name}",
        context,
        Side.CLIENT if kind in (SpanKind.MODEL, SpanKind.PROBE) else Side.INTERNAL,
        about,
        start_time=_nanoseconds(at),
    )


def _within_turn(of: Trace) -> Context:
    """Return the context of a turn's own span, which is sent when the turn is done."""
    sampled = TraceFlags(TraceFlags.SAMPLED)
    turn = SpanContext(of.trace_id, of.root_id, is_remote=True, trace_flags=sampled)
    return trace.set_span_in_context(NonRecordingSpan(turn), Context())


def _trace_of(engine: Engine, turn_id: str) -> Trace:
    return Trace(engine.session.tenant_id, engine.session.thread_id, turn_id)


def _nanoseconds(at: datetime) -> int:
    return int(at.timestamp() * 1_000_000) * 1_000
