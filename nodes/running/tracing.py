"""Spans of OpenTelemetry around what the nodes do; without its SDK they go nowhere."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from datetime import datetime
from typing import Protocol, TypeAlias

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import NonRecordingSpan, SpanContext, Status, StatusCode, TraceFlags
from opentelemetry.trace import Span as OpenTelemetrySpan
from opentelemetry.trace import SpanKind as Side

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.state.clock import Clock
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_action import Claim, ClaimUndo, LookFor, NextAction
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.ledger.waits import Wait, waits
from daybook.state.session import Session
from daybook.state.trace_ids import SpanKind, Trace, attempt_name, opaque, shown_id, shown_turn
from daybook.tools.kinds import EffectTool


class Traced(Protocol):
    """Where spans belong: a person's thread, and the clock of this process."""

    @property
    def session(self) -> Session:
        """Return whose thread it is."""

    @property
    def clock(self) -> Clock:
        """Return the clock."""

    @property
    def ledger(self) -> Ledger:
        """Return the ledger."""


Value: TypeAlias = str | int | float | bool | list[int]

NEXT_IDS: ContextVar[tuple[int, int] | None] = ContextVar("trace and span", default=None)
"""The ids of the span that begins, for the id generator of `daybook.graph.telemetry`."""

_OPERATIONS = {
    SpanKind.TURN: "invoke_agent",
    SpanKind.MODEL: "chat",
    SpanKind.READ: "execute_tool",
    SpanKind.ATTEMPT: "execute_tool",
    SpanKind.COMPENSATION: "execute_tool",
}
"""What of the conventions for generative AI a span is; the others are our own."""

_CONVENTIONS = {
    "tokens_in": "gen_ai.usage.input_tokens",
    "tokens_out": "gen_ai.usage.output_tokens",
    "tokens_cached": "gen_ai.usage.cache_read.input_tokens",
}

_NOT_DONE: dict[type, str] = {Declined: "declined", NotSent: "not sent", Unknown: "unknown"}


class OpenSpan:
    """A span that is under way."""

    def __init__(self, span: OpenTelemetrySpan, name: tuple[str | int, ...]) -> None:
        self._span = span
        self._name, self._within = name, 0

    def tell(self, **about: Value | None) -> None:
        """Say something of it: names, ids, counts and outcomes only."""
        for name, value in about.items():
            if value is not None:
                self._span.set_attribute(_CONVENTIONS.get(name, f"daybook.{name}"), value)

    def failed(self, outcome: str) -> None:
        """Say that it did not do what it was to do."""
        self._span.set_status(Status(StatusCode.ERROR))
        self.tell(outcome=outcome)

    def next_within(self) -> tuple[str | int, ...]:
        """Name the next span within it."""
        self._within += 1
        return (*self._name, self._within)


_UNDER_WAY: ContextVar[tuple[Trace, OpenSpan] | None] = ContextVar("under way", default=None)


@contextmanager
def span(
    work: Traced, turn_id: str, kind: SpanKind, name: str, *what: str | int, **about: Value | None
) -> Iterator[OpenSpan]:
    """Open a span of a turn for the length of the block.

    Args:
        name: what is called, or done.
        what: names it within the turn; a node that runs again names the same.
        about: what it says from the start.
    """
    of = _trace_of(work, turn_id)
    before = _UNDER_WAY.get()
    context = None if before is not None and before[0] == of else _within_turn(of)
    begun = _start(of, kind, name, of.span_id(*what), work.clock.now(), context)
    opened = OpenSpan(begun, what)
    opened.tell(**about)
    token = _UNDER_WAY.set((of, opened))
    try:
        # An error's words may be those of others.
        with trace.use_span(begun, record_exception=False, set_status_on_exception=False):
            yield opened
    except asyncio.CancelledError:
        opened.failed("cut off")
        raise
    except BaseException as error:
        opened.failed(type(error).__name__)
        raise
    finally:
        _UNDER_WAY.reset(token)
        begun.end(_nanoseconds(work.clock.now()))


def inner_span(
    work: Traced, kind: SpanKind, name: str, **about: Value | None
) -> AbstractContextManager[OpenSpan]:
    """Open a span within the one that is under way; without one, of nothing."""
    under_way = _UNDER_WAY.get()
    if under_way is None:
        return nullcontext(OpenSpan(trace.INVALID_SPAN, ()))
    of, opened = under_way
    return span(work, of.turn_id, kind, name, *opened.next_within(), **about)


def attempt_span(
    work: Traced, plan: Plan, claim: Claim | ClaimUndo, effect: EffectTool
) -> AbstractContextManager[OpenSpan]:
    """Open the span of a claimed attempt."""
    is_undo = isinstance(claim, ClaimUndo)
    return span(
        work,
        plan.turn_id,
        SpanKind.COMPENSATION if is_undo else SpanKind.ATTEMPT,
        effect.name,
        *attempt_name(claim.step_id, claim.number, is_undo=is_undo),
        step=opaque(claim.step_id),
        key=opaque(claim.step_id + ("/undo" if is_undo else "")),
        effect=effect.kind,
        attempt=claim.number,
        worker=work.session.worker,
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


def tell(**about: Value | None) -> None:
    """Say something of the span that is under way, if there is one."""
    if (under_way := _UNDER_WAY.get()) is not None:
        under_way[1].tell(**about)


def recovering(work: Traced, plan: Plan, move: NextAction) -> AbstractContextManager[object]:
    """Open a span where a move takes up what was attempted and never answered."""
    if not isinstance(move, Claim | ClaimUndo | LookFor):
        return nullcontext()
    _, step = plan.find(move.step_id)
    sent = step.undos if isinstance(move, ClaimUndo) else step.attempts
    if not any(attempt.is_open for attempt in sent):
        return nullcontext()
    return span(
        work,
        plan.turn_id,
        SpanKind.RECOVERY,
        step.tool,
        *("recovery", step.step_id, plan.last_seq),
        step=opaque(step.step_id),
        attempt=sent[-1].number,
        worker=work.session.worker,
    )


def turn_ended(work: Traced, known: list[Entry]) -> None:
    """Send the span of a turn that is done: it began where the ledger says, in any process."""
    began = next((entry.at for entry in known if entry.event is Event.RECEIVED), None)
    if began is not None:
        of = _trace_of(work, known[0].turn_id or "")
        turn = _start(of, SpanKind.TURN, "", of.root_id, began, Context())
        # By the process's clock, as all within it; never before it began by the database's.
        turn.end(_nanoseconds(max(began, work.clock.now())))


async def waited(work: Traced, plan: Plan) -> None:
    """Send the spans of a plan's waits for a person that are over, as its ledger dates them."""
    if not is_traced():
        return
    of = _trace_of(work, plan.turn_id)
    for one in waits(await work.ledger.entries_of_plan(of.thread_id, plan.plan_id)):
        if one.ended is not None:
            _send_wait(of, one, one.ended)


def _send_wait(of: Trace, wait: Wait, ended: datetime) -> None:
    kind = SpanKind.DOUBT if wait.is_doubt else SpanKind.APPROVAL
    name = (kind.value, wait.asked.plan_id or "", wait.asked.seq)
    about = "doubt" if wait.is_doubt else "question"
    begun = _start(of, kind, about, of.span_id(*name), wait.started, _within_turn(of))
    opened = OpenSpan(begun, name)
    opened.tell(outcome=wait.outcome, by=(wait.answer and wait.answer.role) or None)
    if wait.asked.step_id:
        opened.tell(step=opaque(wait.asked.step_id))
    begun.end(_nanoseconds(ended))


def _start(
    of: Trace, kind: SpanKind, name: str, span_id: int, at: datetime, context: Context | None
) -> OpenTelemetrySpan:
    """Begin a span under an id of our own; nothing where nobody takes spans."""
    if not is_traced():
        return trace.INVALID_SPAN
    operation = _OPERATIONS.get(kind)
    named = "daybook" if kind is SpanKind.TURN else name
    about: dict[str, Value] = {
        "daybook.kind": kind.value,
        "daybook.turn": shown_turn(of.turn_id),
        "gen_ai.conversation.id": shown_id(of.thread_id),
        "langsmith.metadata.thread_id": shown_id(of.thread_id),
    }
    if operation:
        about["gen_ai.operation.name"] = operation
        about[_SUBJECTS[operation]] = named
    token = NEXT_IDS.set((of.trace_id, span_id))
    try:
        return trace.get_tracer("daybook").start_span(
            f"{operation or kind.value} {named}",
            context,
            Side.CLIENT if kind in (SpanKind.MODEL, SpanKind.PROBE) else Side.INTERNAL,
            about,
            start_time=_nanoseconds(at),
        )
    finally:
        NEXT_IDS.reset(token)


def is_traced() -> bool:
    """Tell whether anybody takes spans: a provider of the SDK, ours or the application's own."""
    return not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)


_SUBJECTS = {
    "invoke_agent": "gen_ai.agent.name",
    "chat": "gen_ai.request.model",
    "execute_tool": "gen_ai.tool.name",
}


def _within_turn(of: Trace) -> Context:
    """Return the context of a turn's own span, which is sent when the turn is done."""
    sampled = TraceFlags(TraceFlags.SAMPLED)
    turn = SpanContext(of.trace_id, of.root_id, is_remote=True, trace_flags=sampled)
    return trace.set_span_in_context(NonRecordingSpan(turn), Context())


def _trace_of(work: Traced, turn_id: str) -> Trace:
    return Trace(work.session.tenant_id, work.session.thread_id, turn_id)


def _nanoseconds(at: datetime) -> int:
    return int(at.timestamp() * 1_000_000) * 1_000
