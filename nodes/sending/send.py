"""One attempt of one effect: claim, send once, look, record. Nothing else in the house sends it.

The claim is committed before the call and the outcome after it; no transaction is open in between.
"""

from __future__ import annotations

from datetime import datetime

from daybook.nodes.running.tracing import attempt_span, came_to, tell
from daybook.nodes.running.work import Work
from daybook.nodes.sending.call import call_once, look_up
from daybook.nodes.sending.claim import Claimed, claim_step, reading, what_moved
from daybook.nodes.sending.receipt import Receipt, not_claimed
from daybook.nodes.sending.record import CommittedPlan, record
from daybook.state.effects.evidence import Look
from daybook.state.effects.outcome import Unknown
from daybook.state.ledger.next_move import Claim, LookFor
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event


async def send(
    work: Work,
    plan: Plan,
    now: datetime,
    claim: Claim,
    known: CommittedPlan,
    claimed: Claimed | None = None,
) -> Receipt:
    """Claim a step, send it once, look for it, and write down what came of it.

    Args:
        claimed: the claim, where the page that decided on the plan took it along.
    """
    if claimed is None:
        made = await _claimed(work, plan, now, claim, known)
        if not isinstance(made, Claimed):
            return made
        claimed = made
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


async def _claimed(
    work: Work, plan: Plan, now: datetime, claim: Claim, known: CommittedPlan
) -> Claimed | Receipt:
    """Claim a step; where that is not to be, return what is told of it."""
    moved = await what_moved(work, plan, plan.find(claim.step_id)[1]) if claim.number == 1 else None
    claimed = await claim_step(work, plan, claim, moved)
    if isinstance(claimed, Claimed):
        return claimed
    if claimed is not None and claim.number > 1:
        # What was sent before may have happened meanwhile: it is looked for, not sent again.
        seen = await _look(work, reading(plan, claim.step_id, now, work.clock), known)
        if seen is not None and seen.event is Event.FOUND:
            return {"step": claim.step_id, "outcome": "found"}
    return not_claimed(work, claim.step_id, claimed)


async def look_for(
    work: Work, plan: Plan, now: datetime, due: LookFor, known: CommittedPlan
) -> Receipt:
    """Ask the other side for the effect of a step, and write down what it shows."""
    looking = reading(plan, due.step_id, now, work.clock)
    work.tell(f"{looking.step.name}: looking whether it happened")
    seen = await _look(work, looking, known)
    outcome = seen.event.value if seen else "nothing"
    tell(outcome=outcome)
    return {"step": due.step_id, "outcome": outcome}


async def _look(work: Work, looking: Claimed, known: CommittedPlan) -> Look | None:
    effect = work.domain.registry.effect(looking.step.tool)
    seen = await look_up(work, effect, looking, Unknown("restarted"))
    await record(work, looking, None, None, seen, known)
    return seen
