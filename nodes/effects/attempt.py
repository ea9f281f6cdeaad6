"""One attempt of an effect or its compensation: claim, send once, look up, record.

The claim is committed before the call and the outcome after it; no transaction is open in between.
Nothing else in the house sends an effect.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime

from psycopg import OperationalError
from psycopg_pool import PoolTimeout

from daybook.nodes.effects.claim import claim
from daybook.nodes.effects.compensation import is_undone, record_undo, undo_of, undone_before
from daybook.nodes.effects.draft import what_moved
from daybook.nodes.effects.engine import Claimed, Committed, Engine, Held, reading, tool_of
from daybook.nodes.effects.provider import Request, forward, look_up, send
from daybook.nodes.running.tracing import attempt_span, came_to
from daybook.state.effects import keys
from daybook.state.effects.evidence import BOUND, Evidence, Look, entries_of, judge, references
from daybook.state.effects.outcome import Declined, Outcome
from daybook.state.errors import ReferenceHeld
from daybook.state.ledger.next_action import Claim, ClaimUndo
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step

_LOG = logging.getLogger(__name__)

_TRIES = 3
"""How often evidence is written: the database may go away, and another step may be first."""


async def attempt(
    engine: Engine,
    plan: Plan,
    now: datetime,
    due: Claim | ClaimUndo,
    claimed: Claimed | None = None,
) -> Committed | Held:
    """Claim a step or its compensation, send it once, look for it, and record the outcome.

    Args:
        claimed: the claim, where the page that decided on the plan took it along.
    """
    if claimed is None:
        made = await _claimed(engine, plan, now, due)
        if not isinstance(made, Claimed):
            return made
        claimed = made
    is_undo = isinstance(due, ClaimUndo)
    name = claimed.step.name
    engine.tell(f"undoing {name}" if is_undo else f"{name}: attempt {due.number}")
    effect = engine.registry.effect(tool_of(plan, due))
    with attempt_span(engine, plan, due, effect) as traced:
        request = undo_of(engine, claimed) if is_undo else forward(engine, claimed)
        if engine.ledger.was_restored and due.number == 1:
            before = await _sent_before(engine, claimed, request)
            if before is not None:
                return await record(engine, claimed, None, None, before)
        outcome, seen = await send(engine, request)
        found = seen is not None and seen.event is Event.FOUND
        if is_undo:
            committed = await record_undo(engine, claimed, due.number, outcome, found=found)
            is_done = found or is_undone(engine, claimed, outcome)
        else:
            committed = await record(engine, claimed, due.number, outcome, seen)
            is_done = False
        came_to(traced, outcome, is_done=is_done)
    return committed


async def look(engine: Engine, plan: Plan, now: datetime, step_id: str) -> Committed:
    """Ask the provider for the effect of a step, and record what it shows."""
    looking = reading(plan, step_id, now, engine.clock)
    engine.tell(f"{looking.step.name}: looking up whether it happened")
    seen = await look_up(engine, forward(engine, looking))
    return await record(engine, looking, None, None, seen)


async def _sent_before(
    engine: Engine, claimed: Claimed, request: Request | Declined
) -> Look | None:
    """Look before the first request, for the ledger was restored: it may have been sent already.

    Returns:
        What was seen, where nothing is to be sent.
    """
    if isinstance(request, Declined) or request.expected is not None:
        return None
    step = claimed.step
    # Under the names, too, of earlier generations that were never sent as far as the ledger knows.
    unsent = await engine.ledger.unsent_generations(step.op, step.gen) if step.gen > 1 else []
    for gen in (step.gen, *unsent):
        seen = await look_up(engine, replace(request, key=keys.step_id(step.op, gen)))
        if seen is not None and seen.event is not Event.ABSENT:
            return seen
    return None


# -- the claim ---------------------------------------------------------------------------------


async def _claimed(
    engine: Engine, plan: Plan, now: datetime, due: Claim | ClaimUndo
) -> Claimed | Committed | Held:
    """Claim an attempt, after what must be looked at before it; or return what came instead."""
    if isinstance(due, ClaimUndo):
        before = await undone_before(engine, plan, now, due)
        if before is not None:
            return before
        return await claim(engine, plan, due) or Held()
    _, step = plan.find(due.step_id)
    moved = await what_moved(engine, plan, step) if due.number == 1 else None
    claimed = await claim(engine, plan, due, moved)
    if isinstance(claimed, Held) and due.number > 1:
        # What was sent before may have happened meanwhile: it is looked for, not sent again.
        looking = reading(plan, due.step_id, now, engine.clock)
        if (seen := await look_up(engine, forward(engine, looking))) is not None:
            committed = await record(engine, looking, None, None, seen)
            if seen.event is Event.FOUND:
                return committed
    return claimed or Held()


# -- the record --------------------------------------------------------------------------------


async def record(
    engine: Engine,
    claimed: Claimed,
    number: int | None,
    outcome: Outcome | None,
    look: Look | None,
) -> Committed:
    """Write down the evidence about a step, and on the same page what follows from it.

    Again where the database went away meanwhile: a reply that is not kept may become a doubt.
    Evidence that is written twice changes nothing the second time.
    """
    evidence = Evidence(number, outcome, look)
    tries = 0
    while True:
        tries += 1
        try:
            return await _record(engine, claimed, evidence, looks_around=tries > 1)
        except PoolTimeout:
            # It was waited for already.
            raise
        except (OperationalError, ReferenceHeld):
            if tries == _TRIES:
                raise


async def _record(
    engine: Engine, claimed: Claimed, evidence: Evidence, *, looks_around: bool
) -> Committed:
    """Write it on one page.

    Args:
        looks_around: ask whether the ledger holds what is shown for another step. The first time
            the database refuses to bind it to two, which saves a round trip.
    """
    plan_id, step_id = claimed.plan.plan_id, claimed.step.step_id
    # A page that failed has written into the plan what is not in the ledger.
    fresh = None if looks_around else claimed.plan
    async with engine.ledger.page(engine.session, plan_id, known=fresh) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        _, step = plan.find(step_id)
        named = engine.registry.effect(step.tool).reference_of
        names = engine.namespace(step.tool)
        shown = references(evidence, named)
        # What shows beside an effect is held against all others, also where its own name is not
        # kept: by a person's word.
        is_beside = step.state in BOUND and bool(shown - {step.reference})
        asks = looks_around or is_beside or len(shown) > 1
        held = await page.held(names, shown, step) if asks else {}
        judged = judge(step, evidence, named, held, engine.guarantees[step.tool])
        was, bound, broken = step.state, step.reference, step.broken
        # One after the other: each is written into the step as it stands then.
        for entry in entries_of(plan, step, evidence, judged):
            page.write(entry)
        if step.state is StepState.DONE and was is not StepState.DONE:
            page.make_stale(engine.registry.effect(step.tool).stale_tags(step.args))
            if step.reference is not None and step.reference != bound:
                page.bind(names, step.reference, step)
        for promise in sorted(step.broken - broken):
            why = _stopped_because(step, promise)
            _LOG.error("the tool %s is switched off: %s", step.tool, why)
            page.stop(step.tool, why)
        action = engine.follow(page, plan, [step] if was is StepState.DONE else [])
    return Committed(plan, page.now, action)


def _stopped_because(step: Step, promise: str) -> str:
    """Say why nothing more is sent by a tool: its service broke a promise."""
    return (
        f"its service does not behave as declared ({promise}), as {step.step_id} shows. Nothing "
        f"more is sent with it; correct the declaration, then `daybook tool {step.tool} --on`"
    )
