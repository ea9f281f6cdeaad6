"""Undo completed steps in reverse order, and none of them twice."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from daybook.nodes.effects.engine import AGAIN, Claimed, Committed, Engine, Held, reading, tool_of
from daybook.nodes.effects.provider import Request, look_up, reason_of
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.keys import undo_key
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome
from daybook.state.errors import ToolFailed
from daybook.state.ledger.next_action import ClaimUndo
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.tools.boundary import UNABLE, made
from daybook.tools.calling import storable_mapping
from daybook.tools.signature import keywords

_FORGOTTEN = (
    "it was sent, and its service may have forgotten its key by now: sent again, it may be done "
    "twice"
)


def undo_of(engine: Engine, claimed: Claimed) -> Request | Declined:
    """Make the compensation of a step from what it came to; a refusal where that cannot be."""
    step, result = claimed.step, claimed.step.result or {}
    forward = engine.registry.effect(step.tool)
    assert forward.undo is not None
    effect, make = engine.registry.effect(forward.undo.tool), forward.undo.args
    what = f"`args` of the undo of {forward.name}"
    try:
        # With what earlier results gave it: to its author these are arguments like the others.
        args = made(what, lambda: dict(make(claimed.args, result)))
        # Refused by its own tool each time it is sent, nobody would be told for as long.
        made(what, lambda: keywords(effect.args, args))
        # Now, and not when it was sent: what is being processed then may not be lost.
        expected = made(what, lambda: storable_mapping(effect.expected(args, engine.session)))
    except UNABLE as error:
        # A person may have said "it happened", and given no reference that the undo could name.
        why = error.why if isinstance(error, ToolFailed) else str(error)
        return Declined("unknown_result", f"{step.name} cannot be undone: {why}")
    return Request(claimed, effect, args, undo_key(step.step_id), expected)


async def undone_before(
    engine: Engine, plan: Plan, now: datetime, due: ClaimUndo
) -> Committed | Held | None:
    """Look for a compensation before it is sent again, where no key keeps it from being done twice.

    Its absence counts only once the one before has settled, and so does a person's word that it did
    not happen. Where nobody can tell, or look for too long, a reviewer is asked.

    Returns:
        None if it is to be sent.
    """
    looking = reading(plan, due.step_id, now, engine.clock)
    step = looking.step
    effect = engine.registry.effect(step.tool)
    guarantees = engine.guarantees[tool_of(plan, due)]
    if effect.undo is None or not _may_be_twice(engine, looking, guarantees):
        return None
    was_denied = step.undos[-1].answer is Event.NOT_HAPPENED
    is_refused_twice = bool(effect.undo.settled_by)
    if not guarantees.provable:
        if is_refused_twice or was_denied:
            return None
        await _stuck(engine, looking, _FORGOTTEN)
        return Held(_FORGOTTEN, looking.now(engine.clock))
    request = undo_of(engine, looking)
    if isinstance(request, Declined):
        return None
    look = await look_up(engine, request)
    assert look is not None
    if look.event is Event.FOUND:
        before = due.number - 1
        return await record_undo(engine, looking, before, Confirmed({}), found=True)
    is_absent = look.event is Event.ABSENT
    if is_absent and is_refused_twice and guarantees.settle is None:
        return None
    settled_at = max(one.settle_at for one in step.undos)
    if (is_absent or was_denied) and look.began_at > settled_at:
        if was_denied or guarantees.settle is not None:
            return None
        await _stuck(engine, looking, _FORGOTTEN)
        return Held(_FORGOTTEN, looking.now(engine.clock))
    too_late = settled_at + engine.patience.unproved
    if look.event is Event.UNREACHABLE and look.began_at > too_late:
        why = "it was sent, and no lookup can show whether it was done"
        await _stuck(engine, looking, why)
    again = max(settled_at, looking.now(engine.clock)) + AGAIN
    until = again if look.event is Event.UNREACHABLE else settled_at
    return Held(f"whether {step.name} was undone is not known yet", until)


def _may_be_twice(engine: Engine, looking: Claimed, guarantees: Guarantees) -> bool:
    """Tell whether an undo that is sent again may be done twice: one before it may have been."""
    undos, patience = looking.step.undos, engine.patience
    if not any(one.may_be_done for one in undos) or guarantees.late_sender == "harmless":
        return False
    ends = looking.now(engine.clock) + patience.budget + patience.settle_after(guarantees)
    return not guarantees.remembers(undos[0].at, ends)


async def _stuck(engine: Engine, looking: Claimed, reason: str) -> None:
    """Put an undo to a person of which nobody else can tell whether it was done."""
    async with engine.ledger.page(engine.session, looking.plan.plan_id) as page:
        current = await page.plan(looking.plan.plan_id)
        assert current is not None
        step = current.find(looking.step.step_id)[1]
        # Not beside a successor that has claimed it once more.
        if step.state is StepState.UNDOING and step.last_seq == looking.step.last_seq:
            page.write(
                looking.plan.entry(Event.UNDO_STUCK, looking.step, payload={"reason": reason})
            )


async def record_undo(
    engine: Engine, claimed: Claimed, number: int, outcome: Outcome, *, found: bool
) -> Committed:
    """Write down what a compensation came to."""
    step = claimed.step
    detail: dict[str, Any] = {"verified": found}
    why = None
    if is_undone(engine, claimed, outcome) or found:
        event = Event.UNDONE
    else:
        event = Event.UNDO_FAILED
        is_final = isinstance(outcome, Declined) and not finds_none(engine, step, outcome)
        detail |= {"final": is_final}
        detail |= {"refused": True} if isinstance(outcome, Declined | NotSent) else {}
        why = {"reason": reason_of(outcome)}
    async with engine.ledger.page(engine.session, claimed.plan.plan_id) as page:
        current = await page.plan(claimed.plan.plan_id)
        assert current is not None
        # A successor that has finished the undo meanwhile leaves nothing to write.
        if current.find(step.step_id)[1].state is StepState.UNDOING:
            page.write(
                claimed.plan.entry(event, claimed.step, attempt=number, detail=detail, payload=why)
            )
            page.make_stale(engine.registry.effect(step.tool).stale_tags(step.args))
        action = engine.follow(page, current)
    return Committed(current, page.now, action)


def is_undone(engine: Engine, claimed: Claimed, outcome: Outcome) -> bool:
    """Tell whether an undo did it, or finds that there is nothing left to undo.

    What is not there yet is not found either: that counts once the effect itself has settled.
    """
    settled_at = max((one.settle_at for one in claimed.step.attempts), default=claimed.at)
    finds_nothing = finds_none(engine, claimed.step, outcome) and claimed.at >= settled_at
    return finds_nothing or isinstance(outcome, Confirmed)


def finds_none(engine: Engine, step: Step, outcome: Outcome) -> bool:
    """Tell whether an undo was refused because there is nothing to undo, or nothing yet."""
    forward = engine.registry.effect(step.tool)
    settled_by = forward.undo.settled_by if forward.undo else frozenset()
    return isinstance(outcome, Declined) and outcome.code in settled_by
