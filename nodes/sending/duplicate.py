"""Undo a duplicate that a look-up showed beside the effect of a step."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from daybook.nodes.running.tracing import came_to, span
from daybook.nodes.running.work import Work
from daybook.nodes.sending.call import finds_none, is_undone
from daybook.nodes.sending.claim import AGAIN, Claimed, NotClaimed, reading, tool_of
from daybook.nodes.sending.receipt import Receipt, not_claimed
from daybook.nodes.sending.record import reason_of
from daybook.nodes.sending.undo import undo_sent
from daybook.state.effects.keys import digest, undo_key
from daybook.state.effects.outcome import Declined, Outcome
from daybook.state.ledger.next_move import UndoExtra
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.trace_ids import SpanKind, opaque
from daybook.tools.checks.effect import needs_look


async def undo_extra(work: Work, plan: Plan, now: datetime, due: UndoExtra) -> Receipt:
    """Undo a duplicate that a probe found beside the effect of a step, and say so.

    No claim of it is written down. So it is sent only where its service keeps it from twice; else,
    and where it is refused for good or unproved for too long, a person is told of the duplicate.
    """
    looking = reading(plan, due.step_id, now, work.clock)
    step = looking.step
    # There is no claim of it, so it asks for itself; after `began`, as a claim does.
    barred = await work.rules.take(tool_of(plan, due))
    if barred is not None:
        held = NotClaimed(barred.why, barred.until or looking.now(work.clock) + AGAIN)
        return not_claimed(work, step.step_id, held)
    work.tell(f"undoing a duplicate of {step.name}")
    key = f"{undo_key(step.step_id)}/{digest(dict(due.match))[:12]}"
    tool, named = tool_of(plan, due), opaque(key)
    with span(work, plan.turn_id, SpanKind.COMPENSATION, tool, "extra", key, key=named) as traced:
        outcome, found = await _extra_sent(work, looking, due.match, key)
        is_done = is_undone(work, looking, outcome) or found
        came_to(traced, outcome, is_done=is_done)
    too_late = max(one.settle_at for one in step.attempts) + work.resources.patience.unproved
    is_refused = isinstance(outcome, Declined) and not finds_none(work, step, outcome)
    if not (is_done or is_refused or looking.now(work.clock) > too_late):
        again = NotClaimed("a duplicate could not be undone yet", looking.now(work.clock) + AGAIN)
        return not_claimed(work, step.step_id, again)
    payload: dict[str, Any] = {"match": dict(due.match)}
    if not is_done:
        names = work.domain.registry.effect(step.tool).named
        name = names(due.match) if names is not None else None
        payload |= {"reason": reason_of(outcome), "left": [name or "it"]}
    event = Event.EXTRA_UNDONE if is_done else Event.UNDO_FAILED
    async with work.ledger.page(work.session, plan.plan_id) as page:
        current = await page.plan(plan.plan_id)
        assert current is not None
        if due.match in current.find(step.step_id)[1].extras:
            page.write(looking.entry(event, payload=payload))
    return {"step": step.step_id, "outcome": "undone" if is_done else "left"}


async def _extra_sent(
    work: Work, looking: Claimed, match: Mapping[str, Any], key: str
) -> tuple[Outcome, bool]:
    undo = work.domain.registry.effect(looking.step.tool).undo
    assert undo is not None
    if not undo.settled_by and needs_look(work.guarantees[undo.tool]):
        return Declined("may_be_twice", "nothing would keep it from being undone twice"), False
    return await undo_sent(work, looking, match, key)
