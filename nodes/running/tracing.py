"""Spans around what the nodes do: opened, told what came of them, and put into the outbox."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from daybook.nodes.running.work import Work
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_move import Claim, ClaimUndo, LookFor, Move
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.telemetry.ledger_spans import waits
from daybook.state.telemetry.spans import (
    Span,
    SpanKind,
    SpanStatus,
    Trace,
    Value,
    attempt_name,
    opaque,
    turn_span,
)


@dataclass
class OpenSpan:
    """A span that is under way.

    Attributes:
        about: what it says when it ends.
    """

    trace: Trace
    span_id: str
    started: datetime
    path: tuple[tuple[str, datetime], ...] = ()
    about: dict[str, Value] = field(default_factory=dict)
    status: SpanStatus = SpanStatus.OK
    within: int = 0

    def tell(self, **about: Value | None) -> None:
        """Say something of it: names, ids, counts and outcomes only."""
        self.about |= {name: value for name, value in about.items() if value is not None}

    def failed(self, outcome: str) -> None:
        """Say that it did not do what it was to do."""
        self.status = SpanStatus.ERROR
        self.tell(outcome=outcome)

    @property
    def inner(self) -> tuple[tuple[str, datetime], ...]:
        """Return the path of what happens within it."""
        return (*self.path, (self.span_id, self.started))


_UNDER_WAY: ContextVar[OpenSpan | None] = ContextVar("span under way", default=None)


def trace_of(work: Work, turn_id: str) -> Trace:
    """Name the trace of a turn of the thread at work."""
    return Trace(work.session.tenant_id, work.session.thread_id, turn_id)


def trace_id_of(work: Work, turn_id: str) -> dict[str, str]:
    """Return the id of a turn's trace for the ledger; nothing where nobody takes spans."""
    is_on = work.resources.postgres.outbox.is_on
    return {"trace": trace_of(work, turn_id).trace_id} if is_on else {}


def span_id_of(work: Work, turn_id: str, *what: str | int) -> dict[str, str]:
    """Return the id of a span for the ledger; nothing where nobody takes spans.

    Its trace stands with the turn that was received, once for all its entries.
    """
    is_on = work.resources.postgres.outbox.is_on
    return {"span": trace_of(work, turn_id).span_id(*what)} if is_on else {}


@contextmanager
def span(
    work: Work, turn_id: str, kind: SpanKind, name: str, *what: str | int, **about: Value | None
) -> Iterator[OpenSpan]:
    """Open a span of a turn for the length of the block.

    Args:
        name: what is called, or done.
        what: names it within the turn; a node that runs again names the same.
        about: what it says from the start.
    """
    trace, before = trace_of(work, turn_id), _UNDER_WAY.get()
    path = before.inner if before is not None and before.trace == trace else ()
    opened = OpenSpan(trace, trace.span_id(*what), work.clock.now(), path)
    opened.tell(**about)
    began, token = work.clock.monotonic(), _UNDER_WAY.set(opened)
    try:
        yield opened
    except asyncio.CancelledError:
        opened.status = SpanStatus.CUT_OFF
        raise
    except BaseException as error:
        # Its words may be those of others.
        opened.failed(type(error).__name__)
        raise
    finally:
        _UNDER_WAY.reset(token)
        work.resources.postgres.outbox.put(
            _ended(opened, kind, name, work.clock.monotonic() - began)
        )


def inner_span(
    work: Work, kind: SpanKind, name: str, **about: Value | None
) -> AbstractContextManager[OpenSpan]:
    """Open a span within the one that is under way; without one, of nothing."""
    under_way = _UNDER_WAY.get()
    if under_way is None:
        return nullcontext(OpenSpan(trace_of(work, ""), "", work.clock.now()))
    under_way.within += 1
    what = (under_way.span_id, under_way.within)
    return span(work, under_way.trace.turn_id, kind, name, *what, **about)


def attempt_span(
    work: Work, plan: Plan, claim: Claim | ClaimUndo, tool: str
) -> AbstractContextManager[OpenSpan]:
    """Open the span of a claimed attempt; the ledger holds its ids with the claim."""
    effect = work.domain.registry.effect(tool)
    is_undo = isinstance(claim, ClaimUndo)
    return span(
        work,
        plan.turn_id,
        SpanKind.COMPENSATION if is_undo else SpanKind.ATTEMPT,
        tool,
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


_NOT_DONE: dict[type, str] = {Declined: "declined", NotSent: "not sent", Unknown: "unknown"}


def tell(**about: Value | None) -> None:
    """Say something of the span that is under way, if there is one."""
    under_way = _UNDER_WAY.get()
    if under_way is not None:
        under_way.tell(**about)


def recovering(work: Work, plan: Plan, move: Move) -> AbstractContextManager[object]:
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


def turn_began(work: Work, turn_id: str, at: datetime) -> None:
    """Tell that a turn was begun."""
    work.resources.postgres.outbox.put(turn_span(trace_of(work, turn_id), at, None))


def turn_ended(work: Work, known: list[Entry]) -> None:
    """Tell that a turn is done."""
    began = next((entry.at for entry in known if entry.event is Event.RECEIVED), None)
    if began is None:
        return
    trace = trace_of(work, known[0].turn_id or "")
    # By the process's clock, as all within it; never before it began by the database's.
    ended = turn_span(trace, began, max(began, work.clock.now()))
    work.resources.postgres.outbox.put(ended)


async def waited(work: Work, plan: Plan) -> None:
    """Tell others of the waits for a person that are over in a plan, as its ledger dates them.

    Who looks here reads them there (`daybook.state.telemetry.ledger_spans`).
    """
    if not work.resources.postgres.outbox.is_sent:
        return
    session = work.session
    entries = await work.ledger.entries_of_plan(session.thread_id, plan.plan_id)
    for one in waits(session.tenant_id, session.thread_id, entries):
        if one.ended is not None:
            work.resources.postgres.outbox.put(one)


def _ended(opened: OpenSpan, kind: SpanKind, name: str, seconds: float) -> Span:
    ended = opened.started + timedelta(seconds=seconds)
    return Span(
        trace=opened.trace,
        span_id=opened.span_id,
        parent_id=opened.path[-1][0] if opened.path else opened.trace.root_id,
        kind=kind,
        name=name,
        started=opened.started,
        ended=None if opened.status is SpanStatus.CUT_OFF else ended,
        status=opened.status,
        about=opened.about,
        path=opened.path,
    )
