"""One attempt of one effect: claim, send once, look, record. Nothing else in the house sends.

The claim is committed before the call and the outcome after it; no transaction is open in between.
Each runs inside a task (`daybook.nodes.execute`), and what it returns is a receipt for the
checkpoint: the ledger is what is believed.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from daybook.nodes.running.tracing import attempt_span, came_to, span, tell
from daybook.nodes.running.work import Work
from daybook.nodes.sending.call import (
    call_once,
    finds_none,
    is_undone,
    look_for_undo,
    look_up,
    undo_once,
    undoing,
)
from daybook.nodes.sending.claim import (
    AGAIN,
    Claimed,
    Held,
    claim_step,
    reading,
    tool_of,
    what_moved,
)
from daybook.nodes.sending.record import Known, follow, reason_of, record, stale_tags
from daybook.state.effects.evidence import Look
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.keys import digest, undo_key
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.settle import Claim, ClaimUndo, LookFor, UndoExtra
from daybook.state.telemetry.spans import SpanKind, shown_id
from daybook.tools.checks.effect import needs_look

Receipt = dict[str, Any]


async def send(work: Work, plan: Plan, now: datetime, claim: Claim, known: Known) -> Receipt:
    """Claim a step, send it once, look for it, and write down what came of it."""
    moved = await what_moved(work, plan, plan.find(claim.step_id)[1]) if claim.number == 1 else None
    claimed = await claim_step(work, plan, claim, moved)
    if isinstance(claimed, Held) and claim.number > 1:
        # What was sent before may have happened meanwhile: it is looked for, not sent again.
        seen = await _look(work, reading(plan, claim.step_id, now), known)
        if seen is not None and seen.event is Event.FOUND:
            return {"step": claim.step_id, "outcome": "found"}
    if not isinstance(claimed, Claimed):
        return _not_claimed(work, claim.step_id, claimed)
    step, effect = claimed.step, work.domain.registry.effect(claimed.step.tool)
    work.tell(f"{step.name}: attempt {claim.number}")
    with attempt_span(work, plan, claim, effect.name) as traced:
        outcome = await call_once(work, effect, claimed.args, claimed, key=step.step_id)
        seen = await look_up(work, effect, claimed, outcome)
        await record(work, claimed, claim.number, outcome, seen, known)
        came_to(traced, outcome)
    return {
        "step": step.step_id,
        "args_hash": step.args_hash,
        "outcome": type(outcome).__name__.lower(),
    }


async def look_for(work: Work, plan: Plan, now: datetime, due: LookFor, known: Known) -> Receipt:
    """Ask the other side for the effect of a step, and write down what it shows."""
    looking = reading(plan, due.step_id, now)
    work.tell(f"{looking.step.name}: looking whether it happened")
    seen = await _look(work, looking, known)
    outcome = seen.event.value if seen else "nothing"
    tell(outcome=outcome)
    return {"step": due.step_id, "outcome": outcome}


async def undo(work: Work, plan: Plan, now: datetime, claim: ClaimUndo, known: Known) -> Receipt:
    """Claim the undo of a step, send it once, and write down what came of it."""
    was_done = await _was_undone(work, plan, now, claim)
    if isinstance(was_done, Held):
        return _not_claimed(work, claim.step_id, was_done)
    claimed: Claimed | Held | None
    claimed = reading(plan, claim.step_id, now) if was_done else await claim_step(work, plan, claim)
    if not isinstance(claimed, Claimed):
        return _not_claimed(work, claim.step_id, claimed)
    step = claimed.step
    if was_done:
        await _undone(work, claimed, claim.number - 1, Confirmed({}), found=True, known=known)
        return {"step": step.step_id, "outcome": Event.UNDONE.value}
    work.tell(f"undoing {step.name}")
    with attempt_span(work, plan, claim, tool_of(plan, claim)) as traced:
        outcome, found = await _undo_sent(work, claimed, step.result or {}, undo_key(step.step_id))
        came_to(traced, outcome, is_done=is_undone(work, claimed, outcome) or found)
    event = await _undone(work, claimed, claim.number, outcome, found=found, known=known)
    return {"step": step.step_id, "outcome": event.value}


async def _undo_sent(
    work: Work, claimed: Claimed, result: Mapping[str, Any], key: str
) -> tuple[Outcome, bool]:
    """Send the undo of what a result names: the outcome, and whether a look-up shows it."""
    made = undoing(work, claimed, result, key)
    return (made, False) if isinstance(made, Declined) else await undo_once(work, made)


async def _was_undone(work: Work, plan: Plan, now: datetime, claim: ClaimUndo) -> bool | Held:
    """Look for an undo before it is sent again, where no key keeps it from being done twice.

    Its absence counts only once the one before has settled, and so does a person's word that it did
    not happen. Where nobody can tell, or look for too long, a person is asked.
    """
    step = plan.find(claim.step_id)[1]
    effect = work.domain.registry.effect(step.tool)
    guarantees = work.guarantees[tool_of(plan, claim)]
    looking = reading(plan, claim.step_id, now)
    if effect.undo is None or not _may_be_twice(work, looking, guarantees):
        return False
    was_denied = step.undos[-1].answer is Event.NOT_HAPPENED
    is_refused_twice = bool(effect.undo.settled_by)
    if not guarantees.provable:
        if is_refused_twice or was_denied:
            return False
        await _stuck(work, looking, _FORGOTTEN)
        return Held(_FORGOTTEN, looking.now())
    made = undoing(work, looking, step.result or {}, undo_key(step.step_id))
    if isinstance(made, Declined):
        return False
    look = await look_for_undo(work, made)
    if look.event is Event.FOUND:
        return True
    is_absent = look.event is Event.ABSENT
    if is_absent and is_refused_twice and guarantees.settle is None:
        return False
    settled_at = max(one.settle_at for one in step.undos)
    if (is_absent or was_denied) and look.began_at > settled_at:
        if was_denied or guarantees.settle is not None:
            return False
        await _stuck(work, looking, _FORGOTTEN)
        return Held(_FORGOTTEN, looking.now())
    too_late = settled_at + work.resources.patience.unproved
    if look.event is Event.UNREACHABLE and look.began_at > too_late:
        await _stuck(work, looking, "it was sent, and it cannot be looked up whether it was done")
    return Held(
        f"whether {step.name} was undone is not known yet",
        max(settled_at, looking.now()) + AGAIN if look.event is Event.UNREACHABLE else settled_at,
    )


_FORGOTTEN = (
    "it was sent, and its service may have forgotten its key by now: sent again, it may be done "
    "twice"
)


def _may_be_twice(work: Work, looking: Claimed, guarantees: Guarantees) -> bool:
    """Tell whether an undo that is sent again may be done twice: one before it may have been."""
    undos, patience = looking.step.undos, work.resources.patience
    if not any(one.may_be_done for one in undos) or guarantees.late_sender == "harmless":
        return False
    ends = looking.now() + patience.budget + patience.settle_after(guarantees)
    return not guarantees.remembers(undos[0].at, ends)


async def _stuck(work: Work, looking: Claimed, reason: str) -> None:
    """Put an undo to a person of which nobody else can tell whether it was done."""
    why = {"reason": reason}
    async with work.ledger.page(work.session, looking.plan.plan_id) as page:
        current = await page.plan(looking.plan.plan_id)
        assert current is not None
        step = current.find(looking.step.step_id)[1]
        # Not beside a successor that has claimed it once more.
        if step.state is StepState.UNDOING and step.last_seq == looking.step.last_seq:
            page.write(looking.entry(Event.UNDO_STUCK, payload=why))


async def _undone(
    work: Work, claimed: Claimed, attempt: int, outcome: Outcome, *, found: bool, known: Known
) -> Event:
    """Write down what an undo came to."""
    step = claimed.step
    detail: dict[str, Any] = {"verified": found}
    why = None
    if is_undone(work, claimed, outcome) or found:
        event = Event.UNDONE
    else:
        event = Event.UNDO_FAILED
        is_final = isinstance(outcome, Declined) and not finds_none(work, step, outcome)
        detail |= {"final": is_final}
        detail |= {"refused": True} if isinstance(outcome, Declined | NotSent) else {}
        why = {"reason": reason_of(outcome)}
    async with work.ledger.page(work.session, claimed.plan.plan_id) as page:
        current = await page.plan(claimed.plan.plan_id)
        assert current is not None
        # A successor that has finished the undo meanwhile leaves nothing to write.
        if current.find(step.step_id)[1].state is StepState.UNDOING:
            page.write(claimed.entry(event, attempt=attempt, detail=detail, payload=why))
            page.make_stale(stale_tags(work, step))
            follow(page, current, work)
    known.keep(current, page.now)
    return event


async def undo_extra(work: Work, plan: Plan, now: datetime, due: UndoExtra) -> Receipt:
    """Undo a duplicate that a probe found beside the effect of a step, and say so.

    No claim of it is written down. So it is sent only where its service keeps it from twice; else,
    and where it is refused for good or unproved for too long, a person is told of the duplicate.
    """
    looking = reading(plan, due.step_id, now)
    step = looking.step
    # There is no claim of it, so it asks for itself; after `began`, as a claim does.
    barred = await work.rules.take(tool_of(plan, due))
    if barred is not None:
        held = Held(barred.why, barred.until or looking.now() + AGAIN)
        return _not_claimed(work, step.step_id, held)
    work.tell(f"undoing a duplicate of {step.name}")
    key = f"{undo_key(step.step_id)}/{digest(dict(due.match))[:12]}"
    tool, named = tool_of(plan, due), shown_id(key)
    with span(work, plan.turn_id, SpanKind.COMPENSATION, tool, "extra", key, key=named) as traced:
        outcome, found = await _extra_sent(work, looking, due.match, key)
        is_done = is_undone(work, looking, outcome) or found
        came_to(traced, outcome, is_done=is_done)
    too_late = max(one.settle_at for one in step.attempts) + work.resources.patience.unproved
    is_refused = isinstance(outcome, Declined) and not finds_none(work, step, outcome)
    if not (is_done or is_refused or looking.now() > too_late):
        again = Held("a duplicate could not be undone yet", looking.now() + AGAIN)
        return _not_claimed(work, step.step_id, again)
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
    return await _undo_sent(work, looking, match, key)


async def _look(work: Work, looking: Claimed, known: Known) -> Look | None:
    effect = work.domain.registry.effect(looking.step.tool)
    seen = await look_up(work, effect, looking, Unknown("restarted"))
    await record(work, looking, None, None, seen, known)
    return seen


def _not_claimed(work: Work, step_id: str, held: Held | None) -> Receipt:
    """Say why nothing was sent; `until` is when to ask again, UTC."""
    if held is None:
        return {"step": step_id, "outcome": "not due"}
    work.tell(f"waiting: {held.why}")
    return {"step": step_id, "outcome": "held", "until": held.until.isoformat()}
