"""Call the other side once, and look from outside at what came of it. No transaction is open."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import httpx

from daybook.nodes.running.tracing import inner_span
from daybook.nodes.running.work import Work
from daybook.nodes.sending.claim import Claimed
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
from daybook.state.ledger.step import Step
from daybook.state.trace_ids import SpanKind, opaque
from daybook.tools.boundary import UNABLE, heard, made, made_or
from daybook.tools.calling import kept
from daybook.tools.kinds import EffectTool
from daybook.tools.signature import keywords

_LOG = logging.getLogger(__name__)

_OVERTIME = 1.0
"""Seconds after the deadline in which a tool may still say what came of it."""


_AWAY = (OSError, httpx.TransportError)
"""Raised by a look-up that nobody answers; whatever else it raises is a fault of its own."""


async def call_once(
    work: Work, effect: EffectTool, args: Mapping[str, Any], claimed: Claimed, *, key: str
) -> Outcome:
    """Call the effect once, if there is still time to."""
    deadline = _deadline(work, effect, claimed)
    if deadline.seconds <= 0:
        return NotSent("its time was over before it was sent")
    context = EffectContext(
        session=work.session,
        services=work.resources.services,
        key=key,
        forward=claimed.step.step_id,
        deadline=deadline,
    )
    reached(FaultPoint.BEFORE_REQUEST, effect.name)
    outcome = await _called(effect, args, context)
    reached(FaultPoint.AFTER_REPLY, effect.name)
    return outcome


async def _called(
    effect: EffectTool, args: Mapping[str, Any], context: EffectContext[Any]
) -> Outcome:
    seconds = context.deadline.seconds + _OVERTIME
    sent, clock = context.deadline.sent, context.deadline.clock
    try:
        outcome = await heard(effect.name, lambda: effect.run(**args, ctx=context), seconds, clock)
        if isinstance(outcome, Declined | NotSent) and any(sent[:-1]):
            # A no to the last of several requests says nothing of those before it.
            return Unknown(
                f"it sent several requests, and the last one was not done: {_no(outcome)}"
            )
        return outcome
    except (ServiceUnavailable, ToolRefused) as error:
        if any(sent):
            # It may be a read after the request that says so, and says nothing of the request.
            return Unknown("it was sent, and what came of it was not told")
        # By contract an effect raises these only before it sends.
        return NotSent(str(error))
    except ToolFailed as failed:
        # Whether it sent is not known.
        return Unknown(failed.why)


def _no(outcome: Declined | NotSent) -> str:
    return outcome.message if isinstance(outcome, Declined) else outcome.reason


def _deadline(work: Work, effect: EffectTool, claimed: Claimed) -> Deadline:
    """Say when a claimed attempt must be over, and who sees to it."""
    patience, guarantees = work.resources.patience, work.guarantees[effect.name]
    until = claimed.at + patience.budget + patience.settle_after(guarantees)
    return Deadline(
        at=claimed.began + patience.budget.total_seconds(),
        kept_by=guarantees.deadline_kept_by(claimed.first, until),
        clock=work.clock,
    )


@dataclass(frozen=True)
class Undoing:
    """The compensation of a step, ready to be sent or looked for.

    Attributes:
        effect: the tool that undoes.
        key: idempotency key of the undo.
        expected: what its result must show.
    """

    claimed: Claimed
    effect: EffectTool
    args: Mapping[str, Any]
    key: str
    expected: Mapping[str, Any]

    def shows(self, result: Mapping[str, Any]) -> bool:
        """Tell whether a result is of this undo, and not of somebody else's."""
        return not differs(self.expected, result)


def undoing(
    work: Work, claimed: Claimed, result: Mapping[str, Any], key: str
) -> Undoing | Declined:
    """Make the compensation of a step from what it came to; a refusal where that cannot be."""
    forward = work.domain.registry.effect(claimed.step.tool)
    assert forward.undo is not None
    effect = work.domain.registry.effect(forward.undo.tool)
    make = forward.undo.args
    what = f"`args` of the undo of {forward.name}"
    try:
        # With what earlier results gave it: to its author these are arguments like the others.
        args = made(what, lambda: dict(make(claimed.args, result)))
        # Refused by its own tool each time it is sent, nobody would be told for as long.
        made(what, lambda: keywords(effect.args, args))
        # Now, and not when it was sent: what is in hand then may not be lost.
        expected = made(what, lambda: kept(effect.expected(args, work.session)))
    except UNABLE as error:
        # A person may have said "it happened", and given no reference that the undo could name.
        why = error.why if isinstance(error, ToolFailed) else str(error)
        return Declined("unknown_result", f"{claimed.step.name} cannot be undone: {why}")
    return Undoing(claimed, effect, args, key, expected)


async def undo_once(work: Work, undoing: Undoing) -> tuple[Outcome, bool]:
    """Send a compensation once and look for it: the outcome, and whether it is there.

    An answer that shows another effect than this undo is no word that it was done.
    """
    outcome = await call_once(work, undoing.effect, undoing.args, undoing.claimed, key=undoing.key)
    if isinstance(outcome, Confirmed) and not undoing.shows(outcome.result):
        name = undoing.effect.name
        if outcome.result:
            why = f"the answer to {name} is about something else than was to be undone"
            return Declined("another_effect", why), False
        why = f"the answer to {name} does not say what was undone"
        outcome = Declined("no_effect", why) if undoing.effect.probe is None else Unknown(why)
    if not isinstance(outcome, Confirmed | Unknown) or undoing.effect.probe is None:
        return outcome, False
    return outcome, (await look_for_undo(work, undoing)).event is Event.FOUND


async def look_for_undo(work: Work, undoing: Undoing) -> Look:
    """Look a compensation up; what is shown of another one is not it."""
    now = undoing.claimed.now(work.clock)
    look = await _looked(work, undoing.effect, undoing.args, undoing.key, now)
    ours = [match for match in look.matches if undoing.shows(match)]
    if look.event is Event.FOUND and not ours:
        return replace(look, event=Event.ABSENT, matches=[])
    return look


def is_undone(work: Work, claimed: Claimed, outcome: Outcome) -> bool:
    """Tell whether an undo did it, or finds that there is nothing left to undo.

    What is not there yet is not found either: that counts once the effect itself has settled.
    """
    settled_at = max((one.settle_at for one in claimed.step.attempts), default=claimed.at)
    finds_nothing = finds_none(work, claimed.step, outcome) and claimed.at >= settled_at
    return finds_nothing or isinstance(outcome, Confirmed)


def finds_none(work: Work, step: Step, outcome: Outcome) -> bool:
    """Tell whether an undo was refused because there is nothing to undo, or nothing yet."""
    forward = work.domain.registry.effect(step.tool)
    settled_by = forward.undo.settled_by if forward.undo else frozenset()
    return isinstance(outcome, Declined) and outcome.code in settled_by


async def look_up(
    work: Work, effect: EffectTool, claimed: Claimed, outcome: Outcome
) -> Look | None:
    """Read after write: look the effect up. None where it cannot be, or need not be."""
    if effect.probe is None or not isinstance(outcome, Confirmed | Unknown):
        return None
    return await _looked(work, effect, claimed.args, claimed.step.step_id, claimed.now(work.clock))


async def _looked(
    work: Work, effect: EffectTool, args: Mapping[str, Any], key: str, began_at: datetime
) -> Look:
    """Look an effect up from outside, within a budget.

    Whatever the look-up raises says that it could not look: what is in hand is recorded.
    """
    assert effect.probe is not None
    probe = effect.probe
    deadline = Deadline(
        work.clock.monotonic() + work.resources.patience.budget.total_seconds(), clock=work.clock
    )
    context = EffectContext(
        session=work.session,
        services=work.resources.services,
        key=key,
        forward=key,
        deadline=deadline,
    )
    reached(FaultPoint.BEFORE_LOOK, effect.name)
    with inner_span(work, SpanKind.PROBE, effect.name, key=opaque(key)) as span:
        what = f"`probe` of {effect.name}"
        try:
            matches = await heard(
                what, lambda: probe(dict(args), ctx=context), deadline.seconds, work.clock
            )
        except StillInHand:
            span.tell(outcome="in hand")
            return Look(Event.UNREACHABLE, began_at, in_hand=True)
        except NothingCame as none:
            span.tell(outcome="absent", matches=0)
            return _decided(what, none, began_at)
        except UNABLE as error:
            _LOG.warning("%s cannot be looked up: %s", key, error)
            span.failed("unreachable")
            return Look(Event.UNREACHABLE, began_at, fault=_fault(error))
        span.tell(outcome="found" if matches else "absent", matches=len(matches))
    reached(FaultPoint.AFTER_LOOK, effect.name)
    return Look(Event.FOUND if matches else Event.ABSENT, began_at, matches)


def _decided(what: str, none: NothingCame, began_at: datetime) -> Look:
    """Say that nothing came of it, in words and with what shows it as far as they can be kept."""
    nothing: Mapping[str, Any] = {}
    said = made_or(lambda: nothing, what, lambda: kept({"why": str(none)}))
    detail = made_or(lambda: nothing, what, lambda: kept(none.detail))
    why = said.get("why", "nothing came of it")
    return Look(Event.ABSENT, began_at, why=why, detail=detail)


def _fault(error: Exception) -> str:
    """Name what a look-up raised that is a fault of its own; "" where the other side is away."""
    match error:
        case ServiceUnavailable():
            return ""
        case ToolFailed(raised=raised):
            return "" if raised is None or isinstance(raised, _AWAY) else type(raised).__name__
        case _:
            return type(error).__name__
