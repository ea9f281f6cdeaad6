"""Carry out a plan, action by action, until it ends, needs an answer, or must wait."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, TypeAlias

from daybook.checkpoints.pool import to_its_end
from daybook.nodes.effects.attempt import attempt, look
from daybook.nodes.effects.engine import Committed, Engine, Held, Receipt
from daybook.nodes.running.tracing import recovering, waited
from daybook.state.ledger.next_action import (
    AskApproval,
    AskDoubt,
    Claim,
    ClaimUndo,
    End,
    LookFor,
    NextAction,
    Over,
    Wait,
    Write,
)
from daybook.state.ledger.plan import Plan

Watch: TypeAlias = Callable[[Plan, NextAction], None]

_LATER = timedelta(milliseconds=5)
"""Beyond the moment that is waited for: it must be over when the database is asked again."""


@dataclass(frozen=True)
class Rest:
    """Where a plan came to rest.

    Attributes:
        action: a person is to be asked, it is over, or it would have to wait for long.
    """

    plan: Plan
    action: AskApproval | AskDoubt | Over | Wait


async def run(
    engine: Engine,
    at: Committed,
    seconds: float,
    watch: Watch = lambda plan, action: None,
) -> Rest:
    """Carry a plan out from wherever it stands.

    Each call to the outside stands in a task of its own, whose result is checkpointed and never
    believed: what is believed is the plan as a page of the ledger was committed with it. (A resumed
    node may get the receipt of another step from the same position; no page was committed then, and
    the plan is read again.)

    Args:
        at: the plan as it was committed or read last.
        seconds: how long to wait in all.
        watch: is told where the plan stands and what is done next.
    """
    left = timedelta(seconds=seconds)
    while True:
        plan, claimed = at.plan, at.claimed
        due = at.action
        if claimed is not None:
            due = Claim(claimed.step.step_id, claimed.step.attempts[-1].number)
        watch(plan, due)
        done: Committed | Held | None
        match due:
            case AskApproval() | AskDoubt() | Over():
                return Rest(plan, due)
            case Wait(until=until, why=why):
                done = Held(why, until)
            case Write() | End():
                done = await _followed(engine, plan)
            case Claim(step_id=step_id) | ClaimUndo(step_id=step_id):
                name = "undo" if isinstance(due, ClaimUndo) else "send"
                act = partial(attempt, engine, plan, at.now, due, claimed)
                with recovering(engine, plan, due):
                    done = await _in_task(engine, name, step_id, act)
            case LookFor(step_id=step_id):
                look_for = partial(look, engine, plan, at.now, step_id)
                with recovering(engine, plan, due):
                    done = await _in_task(engine, "look_for", step_id, look_for)
        if isinstance(done, Committed):
            at = done
            continue
        if done is not None and done.until is not None:
            engine.tell(f"waiting: {done.why}")
            wait = max(done.until - at.now + _LATER, timedelta(0))
            left -= wait
            if left < timedelta(0):
                return Rest(plan, Wait(at.now + wait, ""))
            await engine.clock.sleep(wait.total_seconds())
        at = await engine.read(plan.plan_id)


async def settle_left_over(engine: Engine, but_not: str) -> list[Plan]:
    """Do what is due of plans that are over, as far as it need not wait.

    A question may wait for long: what was charged too late is not kept for as long.

    Returns:
        Those plans, as they stand now.
    """
    settled = []
    for found in await engine.ledger.left_over(engine.session.thread_id):
        if found.is_in_question or found.plan_id == but_not:
            continue
        rest = await run(engine, await engine.read(found.plan_id), seconds=0)
        if not isinstance(rest.action, Wait):
            settled.append(rest.plan)
    return settled


async def _followed(engine: Engine, plan: Plan) -> Committed:
    """Write what follows from what is known, where nothing need be asked of anybody."""
    async with engine.ledger.page(engine.session, plan.plan_id) as page:
        current = await page.plan(plan.plan_id)
        assert current is not None
        action = engine.follow(page, current)
    if current.decided and not plan.decided:
        await waited(engine, current)
    return Committed(current, page.now, action)


async def _in_task(
    engine: Engine,
    name: str,
    step_id: str,
    act: Callable[[], Coroutine[Any, Any, Committed | Held]],
) -> Committed | Held | None:
    """Act inside a task; None if a node that runs again got a receipt from before.

    A run that is cancelled ends behind that: what was sent would have no record.
    """
    done: list[Committed | Held] = []

    async def acting() -> Receipt:
        done.append(committed := await to_its_end(act()))
        if isinstance(committed, Held):
            until = {"until": committed.until.isoformat()} if committed.until else {}
            return {"step": step_id, "outcome": "held" if until else "not due", **until}
        _, step = committed.plan.find(step_id)
        return {"step": step_id, "args_hash": step.args_hash, "outcome": step.state.value}

    await engine.in_task(name, step_id, acting)
    return done[0] if done else None
