"""What crosses the wire: one request under a claim, and the look-up that reads it back."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import httpx

from daybook.nodes.effects.engine import Claimed, Engine
from daybook.nodes.running.tracing import inner_span
from daybook.state.context import EffectContext
from daybook.state.effects.deadline import Deadline
from daybook.state.effects.evidence import Look, differs
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.errors import (
    NothingCame,
    ServiceUnavailable,
    StillInHand,
    ToolFailed,
    ToolRefused,
)
from daybook.state.fault_points import FaultPoint, reached
from daybook.state.ledger.recovery import Event
from daybook.state.trace_ids import SpanKind, opaque
from daybook.tools.boundary import UNABLE, heard, made_or
from daybook.tools.calling import storable_mapping
from daybook.tools.kinds import EffectTool

_LOG = logging.getLogger(__name__)

_OVERTIME = 1.0
"""Seconds after the deadline in which a tool may still say the outcome."""

_AWAY = (OSError, httpx.TransportError)
"""Raised by a look-up that nobody answers; whatever else it raises is a fault of its own."""


@dataclass(frozen=True)
class Request:
    """What is sent under a claim, forward or to compensate.

    Attributes:
        key: the idempotency key.
        expected: what the result of a compensation must show; None for a step's own effect, which
            is judged by its write-ahead record.
    """

    claimed: Claimed
    effect: EffectTool
    args: Mapping[str, Any]
    key: str
    expected: Mapping[str, Any] | None = None

    def shows(self, result: Mapping[str, Any]) -> bool:
        """Tell whether a result is of this compensation, and not of someone else's."""
        return not differs(self.expected or {}, result)


def forward(engine: Engine, claimed: Claimed) -> Request:
    """Make the request of a step's own effect."""
    effect = engine.registry.effect(claimed.step.tool)
    return Request(claimed, effect, claimed.args, claimed.step.step_id)


async def send(engine: Engine, request: Request | Declined) -> tuple[Outcome, Look | None]:
    """Send a request once and look for its effect: read after write."""
    if isinstance(request, Declined):
        return request, None
    outcome = await call(engine, request)
    if request.expected is not None:
        outcome = _of_this_request(request, outcome)
    if not isinstance(outcome, Confirmed | Unknown):
        return outcome, None
    return outcome, await look_up(engine, request)


def _of_this_request(request: Request, outcome: Outcome) -> Outcome:
    """Take an answer that shows another effect than a compensation for no word that it was done."""
    if not isinstance(outcome, Confirmed) or request.shows(outcome.result):
        return outcome
    name = request.effect.name
    if outcome.result:
        why = f"the answer to {name} is about something else than was to be undone"
        return Declined("another_effect", why)
    why = f"the answer to {name} does not say what was undone"
    return Declined("no_effect", why) if request.effect.probe is None else Unknown(why)


async def call(engine: Engine, request: Request) -> Outcome:
    """Call the effect once, if there is still time to."""
    effect, claimed, budget = request.effect, request.claimed, engine.patience.budget
    guarantees = engine.guarantees[effect.name]
    until = claimed.at + budget + engine.patience.settle_after(guarantees)
    deadline = Deadline(
        at=claimed.began + budget.total_seconds(),
        kept_by=guarantees.deadline_kept_by(claimed.first, until),
        clock=engine.clock,
    )
    if deadline.seconds <= 0:
        return NotSent("its deadline passed before it was sent")
    context = EffectContext(
        session=engine.session,
        services=engine.services,
        key=request.key,
        forward=claimed.step.step_id,
        deadline=deadline,
    )
    reached(FaultPoint.BEFORE_REQUEST, effect.name)
    sent, seconds = deadline.sent, deadline.seconds + _OVERTIME
    outcome: Outcome
    try:
        outcome = await heard(
            effect.name, lambda: effect.run(**request.args, ctx=context), seconds, engine.clock
        )
        if isinstance(outcome, Declined | NotSent) and any(sent[:-1]):
            # A no to the last of several requests says nothing of those before it.
            why = reason_of(outcome)
            outcome = Unknown(f"it sent several requests, and the last one was not done: {why}")
    except (ServiceUnavailable, ToolRefused) as error:
        # By contract an effect raises these only before it sends. Where something was sent, it may
        # be a read after the request that says so, and says nothing of the request.
        outcome = (
            Unknown("it was sent, and its outcome is not known")
            if any(sent)
            else NotSent(str(error))
        )
    except ToolFailed as failed:
        # Whether it sent is not known.
        outcome = Unknown(failed.why)
    reached(FaultPoint.AFTER_REPLY, effect.name)
    return outcome


def reason_of(outcome: Outcome) -> str:
    """Say why an attempt did not confirm."""
    match outcome:
        case Declined(message=message):
            return message
        case NotSent(reason=reason) | Unknown(reason=reason):
            return reason
        case Confirmed():
            return ""


async def look_up(engine: Engine, request: Request) -> Look | None:
    """Look an effect up from outside, within a budget; None if that cannot be.

    Whatever the look-up raises says that it could not look: a pending effect is recorded.
    """
    effect, key, began_at = request.effect, request.key, request.claimed.now(engine.clock)
    if effect.probe is None:
        return None
    probe = effect.probe
    deadline = Deadline(engine.clock.monotonic() + engine.seconds, clock=engine.clock)
    context = EffectContext(
        session=engine.session,
        services=engine.services,
        key=key,
        forward=key,
        deadline=deadline,
    )
    reached(FaultPoint.BEFORE_LOOK, effect.name)
    with inner_span(engine, SpanKind.PROBE, effect.name, key=opaque(key)) as span:
        what = f"`probe` of {effect.name}"
        try:
            matches = await heard(
                what,
                lambda: probe(dict(request.args), ctx=context),
                deadline.seconds,
                engine.clock,
            )
        except StillInHand:
            span.tell(outcome="pending")
            return Look(Event.UNREACHABLE, began_at, in_hand=True)
        except NothingCame as none:
            span.tell(outcome="absent", matches=0)
            return _nothing(what, none, began_at)
        except UNABLE as error:
            _LOG.warning("%s cannot be looked up: %s", key, error)
            span.failed("unreachable")
            return Look(Event.UNREACHABLE, began_at, fault=_fault(error))
        # What is shown of another compensation is not this one.
        ours = [match for match in matches if request.expected is None or request.shows(match)]
        span.tell(outcome="found" if ours else "absent", matches=len(ours))
    reached(FaultPoint.AFTER_LOOK, effect.name)
    return Look(Event.FOUND if ours else Event.ABSENT, began_at, ours)


def _nothing(what: str, none: NothingCame, began_at: datetime) -> Look:
    """Say that the provider will not do it, with its reason and detail as far as storable."""
    nothing: Mapping[str, Any] = {}
    said = made_or(lambda: nothing, what, lambda: storable_mapping({"why": str(none)}))
    detail = made_or(lambda: nothing, what, lambda: storable_mapping(none.detail))
    why = said.get("why", "the provider will not do it")
    return Look(Event.ABSENT, began_at, why=why, detail=detail)


def _fault(error: Exception) -> str:
    """Name what a look-up raised that is a fault of its own; "" if the provider is away."""
    match error:
        case ServiceUnavailable():
            return ""
        case ToolFailed(raised=raised):
            return "" if raised is None or isinstance(raised, _AWAY) else type(raised).__name__
        case _:
            return type(error).__name__
