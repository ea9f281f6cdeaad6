"""Call the other side once, and look from outside at what came of it. No transaction is open."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nodes.claim import Claimed
from nodes.tracing import inner_span
from nodes.work import Work
from state.context import EffectContext
from state.deadline import Deadline, clock
from state.errors import ServiceUnavailable, ToolFailed, ToolRefused
from state.fault_points import FaultPoint, reached
from state.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from state.recovery import Event
from state.spans import SpanKind, shown_id
from state.step import Step
from tools.boundary import UNABLE, heard, made
from tools.kinds import EffectTool

_LOG = logging.getLogger(__name__)

_OVERTIME = 1.0
"""Seconds after the deadline in which a tool may still say what came of it."""


@dataclass(frozen=True)
class Seen:
    """Hold what a look-up showed: absent, unreachable, or all that match the reference."""

    event: Event
    began_at: datetime
    matches: list[Mapping[str, Any]]


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
    try:
        return await heard(effect.name, lambda: effect.run(**args, ctx=context), seconds)
    except (ServiceUnavailable, ToolRefused) as error:
        # By contract an effect raises these only before it sends.
        return NotSent(str(error))
    except ToolFailed as failed:
        # Whether it sent is not known.
        return Unknown(failed.why)


def _deadline(work: Work, effect: EffectTool, claimed: Claimed) -> Deadline:
    """Say when a claimed attempt must be over, and who sees to it."""
    patience, guarantees = work.resources.patience, work.guarantees[effect.name]
    until = claimed.at + patience.budget + patience.settle_after(guarantees)
    return Deadline(
        at=claimed.began + patience.budget.total_seconds(),
        kept_by=guarantees.deadline_kept_by(claimed.first, until),
    )


async def undo_once(
    work: Work, claimed: Claimed, result: Mapping[str, Any], key: str
) -> tuple[Outcome, bool]:
    """Send the compensation of a step once and look for it: the outcome, and if it is there."""
    forward = work.domain.registry.effect(claimed.step.tool)
    assert forward.undo is not None
    effect = work.domain.registry.effect(forward.undo.tool)
    make = forward.undo.args
    what = f"`args` of the undo of {forward.name}"
    try:
        args = made(what, lambda: dict(make(claimed.step.args, result)))
    except UNABLE as error:
        # A person may have said "it happened", and given no reference that the undo could name.
        why = error.why if isinstance(error, ToolFailed) else str(error)
        return Declined("unknown_result", f"{claimed.step.name} cannot be undone: {why}"), False
    outcome = await call_once(work, effect, args, claimed, key=key)
    if not isinstance(outcome, Confirmed | Unknown) or effect.probe is None:
        return outcome, False
    return outcome, bool(await _matches(work, effect, args, key))


def is_undone(work: Work, step: Step, outcome: Outcome) -> bool:
    """Tell whether an undo did it, or finds that there is nothing left to undo."""
    forward = work.domain.registry.effect(step.tool)
    settled_by = forward.undo.settled_by if forward.undo else frozenset()
    already = isinstance(outcome, Declined) and outcome.code in settled_by
    return already or isinstance(outcome, Confirmed)


async def look_up(
    work: Work, effect: EffectTool, claimed: Claimed, outcome: Outcome
) -> Seen | None:
    """Read after write: look the effect up. None where it cannot be, or need not be."""
    if effect.probe is None or not isinstance(outcome, Confirmed | Unknown):
        return None
    began_at = claimed.now()
    matches = await _matches(work, effect, claimed.args, claimed.step.step_id)
    if matches is None:
        return Seen(Event.UNREACHABLE, began_at, [])
    return Seen(Event.FOUND if matches else Event.ABSENT, began_at, matches)


async def _matches(
    work: Work, effect: EffectTool, args: Mapping[str, Any], key: str
) -> list[Mapping[str, Any]] | None:
    """Look an effect up from outside; None when the other side does not tell within a budget."""
    assert effect.probe is not None
    probe = effect.probe
    deadline = Deadline(clock() + work.resources.patience.budget.total_seconds())
    context = EffectContext(
        session=work.session,
        services=work.resources.services,
        key=key,
        forward=key,
        deadline=deadline,
    )
    reached(FaultPoint.BEFORE_LOOK, effect.name)
    with inner_span(work, SpanKind.PROBE, effect.name, key=shown_id(key)) as span:
        what = f"`probe` of {effect.name}"
        try:
            matches = await heard(what, lambda: probe(dict(args), ctx=context), deadline.seconds)
        except UNABLE as error:
            _LOG.warning("%s cannot be looked up: %s", key, error)
            span.failed("unreachable")
            return None
        span.tell(outcome="found" if matches else "absent", matches=len(matches))
    reached(FaultPoint.AFTER_LOOK, effect.name)
    return matches
