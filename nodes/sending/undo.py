"""One attempt to undo one effect: look whether it was, claim, send once, look, record."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from daybook.nodes.running.tracing import attempt_span, came_to
from daybook.nodes.running.work import Work
from daybook.nodes.sending.call import finds_none, is_undone, look_for_undo, undo_once, undoing
from daybook.nodes.sending.claim import AGAIN, Claimed, NotClaimed, claim_step, reading, tool_of
from daybook.nodes.sending.receipt import Receipt, not_claimed
from daybook.nodes.sending.record import CommittedPlan, follow, reason_of, stale_tags
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.keys import undo_key
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome
from daybook.state.ledger.next_move import ClaimUndo
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState


async def undo(
    work: Work, plan: Plan, now: datetime, claim: ClaimUndo, known: CommittedPlan
) -> Receipt:
    """Claim the undo of a step, send it once, and write down what came of it."""
    was_done = await _was_undone(work, plan, now, claim)
    if isinstance(was_done, NotClaimed):
        return not_claimed(work, claim.step_id, was_done)
    claimed: Claimed | NotClaimed | None
    claimed = (
        reading(plan, claim.step_id, now, work.clock)
        if was_done
        else await claim_step(work, plan, claim)
    )
    if not isinstance(claimed, Claimed):
        return not_claimed(work, claim.step_id, claimed)
    step = claimed.step
    if was_done:
        await _undone(work, claimed, claim.number - 1, Confirmed({}), found=True, known=known)
        return {"step": step.step_id, "outcome": Event.UNDONE.value}
    work.tell(f"undoing {step.name}")
    with attempt_span(work, plan, claim, tool_of(plan, claim)) as traced:
        made = undoing(work, claimed, step.result or {}, undo_key(step.step_id))
        outcome, found = (
            (made, False) if isinstance(made, Declined) else await undo_once(work, made)
        )
        came_to(traced, outcome, is_done=is_undone(work, claimed, outcome) or found)
    event = await _undone(work, claimed, claim.number, outcome, found=found, known=known)
    return {"step": step.step_id, "outcome": event.value}


async def _was_undone(work: Work, plan: Plan, now: datetime, claim: ClaimUndo) -> bool | NotClaimed:
    """Look for an undo before it is sent again, where no key keeps it from being done twice.

    Its absence counts only once the one before has settled, and so does a person's word that it did
    not happen. Where nobody can tell, or look for too long, a person is asked.
    """
    step = plan.find(claim.step_id)[1]
    effect = work.domain.registry.effect(step.tool)
    guarantees = work.guarantees[tool_of(plan, claim)]
    looking = reading(plan, claim.step_id, now, work.clock)
    if effect.undo is None or not _may_be_twice(work, looking, guarantees):
        return False
    was_denied = step.undos[-1].answer is Event.NOT_HAPPENED
    is_refused_twice = bool(effect.undo.settled_by)
    if not guarantees.provable:
        if is_refused_twice or was_denied:
            return False
        await _stuck(work, looking, _FORGOTTEN)
        return NotClaimed(_FORGOTTEN, looking.now(work.clock))
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
        return NotClaimed(_FORGOTTEN, looking.now(work.clock))
    too_late = settled_at + work.resources.patience.unproved
    if look.event is Event.UNREACHABLE and look.began_at > too_late:
        await _stuck(work, looking, "it was sent, and it cannot be looked up whether it was done")
    now = looking.now(work.clock)
    return NotClaimed(
        f"whether {step.name} was undone is not known yet",
        max(settled_at, looking.now(work.clock)) + AGAIN
        if look.event is Event.UNREACHABLE
        else settled_at,
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
    ends = looking.now(work.clock) + patience.budget + patience.settle_after(guarantees)
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
    work: Work,
    claimed: Claimed,
    attempt: int,
    outcome: Outcome,
    *,
    found: bool,
    known: CommittedPlan,
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
