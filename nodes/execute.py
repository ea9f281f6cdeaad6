"""The only place that acts. Every entry settles first: the ledger decides what is done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias

from langgraph.func import task
from langgraph.types import Command

from daybook.nodes.past.advance import (
    advanced,
    seen,
    seen_still,
    was_left_alone,
    was_stopped,
)
from daybook.nodes.past.left_over import Tail, left_over, told_late
from daybook.nodes.past.unrun import leave_unrun
from daybook.nodes.planning.phases import after_effects, next_phase
from daybook.nodes.receipts import plan_receipts
from daybook.nodes.running.shown import Shown
from daybook.nodes.running.tracing import recovering, waited
from daybook.nodes.running.work import Work
from daybook.nodes.sending.receipt import Receipt
from daybook.nodes.sending.record import CommittedPlan, follow
from daybook.nodes.sending.send import look_for, send
from daybook.nodes.sending.undo import undo
from daybook.state.agent import Decision, Turn
from daybook.state.ledger.next_move import (
    AskApproval,
    AskDoubt,
    Claim,
    ClaimUndo,
    End,
    LookFor,
    Move,
    Over,
    Wait,
    Write,
)
from daybook.state.ledger.plan import Plan
from daybook.state.people.questions.asked import asked_no_more

State = Mapping[str, Any]
CarriedOut: TypeAlias = Literal["approve", "doubt", "look", "change", "decide", "park", "respond"]
Exit = CarriedOut | Tail

_LATER = timedelta(milliseconds=5)
"""Beyond the moment that is waited for: it must be over when the database is asked again."""


async def execute(state: State, work: Work) -> Command[Exit]:
    """Carry out the plan under way, from wherever it stands."""
    return await carry_out(state, {}, CommittedPlan(), work)


async def carry_out(
    state: State, update: Mapping[str, Any], known: CommittedPlan, work: Work
) -> Command[Any]:
    """Make move after move until the plan is over, a person is needed, or waiting would be long.

    Each call to the outside stands in a task of its own, whose result is checkpointed and never
    believed: what is believed is the plan as a page of the ledger was committed with it. (A resumed
    node may get the receipt of another step from the same position; no page was committed then, and
    the plan is read again.)

    Args:
        state: with `plan_id`.
        update: keys that the calling node changes.
        known: the plan, where the calling node has just committed it.
    """
    left, watched = work.resources.node_seconds, Shown()
    while True:
        plan, now, claimed = known.taken() or (*await work.plan(state["plan_id"]), None)
        if claimed is not None:
            claim = Claim(claimed.step.step_id, claimed.step.attempts[-1].number)
            watched.show(plan, claim, work)
            await _in_task(send, claim.step_id, work, plan, now, claim, known, claimed)
            continue
        move = work.settle(plan, now)
        watched.show(plan, move, work)
        if isinstance(move, AskApproval | AskDoubt | Over):
            return await _leave(plan, move, state, update, work)
        pause = await _make(move, plan, now, known, work)
        if pause is not None:
            left -= pause.total_seconds()
            if left < 0:
                shown = {"ledger": seen(state, plan, work.domain), **await _meanwhile(plan, work)}
                return Command(update={**update, **shown}, goto="park")
            await work.clock.sleep(pause.total_seconds())


async def _make(
    move: Move, plan: Plan, now: datetime, known: CommittedPlan, work: Work
) -> timedelta | None:
    """Make one move; return how long to wait before the next one, or None."""
    with recovering(work, plan, move):
        return await _made(move, plan, now, known, work)


async def _made(
    move: Move, plan: Plan, now: datetime, known: CommittedPlan, work: Work
) -> timedelta | None:
    match move:
        case Claim():
            return _pause(await _in_task(send, move.step_id, work, plan, now, move, known), now)
        case ClaimUndo():
            return _pause(await _in_task(undo, move.step_id, work, plan, now, move, known), now)
        case LookFor():
            await _in_task(look_for, move.step_id, work, plan, now, move, known)
        case Wait(until=until, why=why):
            work.tell(f"waiting: {why}")
            return until - now + _LATER
        case Write() | End():
            async with work.ledger.page(work.session, plan.plan_id) as page:
                current = await page.plan(plan.plan_id)
                assert current is not None
                follow(page, current, work)
            if current.decided and not plan.decided:
                await waited(work, current)
            known.keep(current, page.now)
    return None


async def _in_task(act: Callable[..., Awaitable[Receipt]], step_id: str, *given: Any) -> Receipt:
    """Act inside a task, whose receipt is checkpointed.

    What a task is given is shown to whoever streams tasks or debugs: the step's name, and nothing
    of what it works with.
    """

    async def acting(step: str) -> Receipt:
        return await act(*given)

    acting.__name__ = act.__name__
    receipt: Receipt = await task(acting)(step_id)
    return receipt


def _pause(receipt: Receipt, now: datetime) -> timedelta | None:
    """Return how long to wait where nothing was sent.

    The receipt may be an old one, of a node that died: what it waited for is over then.
    """
    if "until" not in receipt:
        return None
    return max(datetime.fromisoformat(receipt["until"]) - now + _LATER, timedelta(0))


async def _leave(
    plan: Plan,
    move: AskApproval | AskDoubt | Over,
    state: State,
    update: Mapping[str, Any],
    work: Work,
) -> Command[Any]:
    if isinstance(move, Over) and plan.over_seq <= state["advanced"] and not state["decision"]:
        goto, after = await left_over(work, but_not=plan.plan_id)
        shown = {"ledger": seen_still(state, plan, work.domain)}
        return Command(update={**update, **shown, **told_late(plan, work), **after}, goto=goto)
    if isinstance(move, Over):
        return await _advance(plan, state, update, work)
    shown = {"ledger": seen(state, plan, work.domain), **await _meanwhile(plan, work)}
    asks = "approve" if isinstance(move, AskApproval) else "doubt"
    return Command(update={**update, **shown}, goto=asks)


async def _meanwhile(but_not: Plan, work: Work) -> dict[str, Any]:
    """Do what is due of plans that are over, as far as it need not wait, and tell it.

    A question may wait for long: what was charged too late is not kept for as long.
    """
    told: list[Any] = []
    for found in await work.ledger.left_over(work.session.thread_id):
        if found.is_in_question or found.plan_id == but_not.plan_id:
            continue
        while True:
            plan, now = await work.plan(found.plan_id)
            move = work.settle(plan, now)
            if isinstance(move, AskApproval | AskDoubt | Over):
                told += told_late(plan, work)["messages"]
                break
            if await _make(move, plan, now, CommittedPlan(), work) is not None:
                break
    return {"messages": told} if told else {}


async def _advance(
    plan: Plan, state: State, update: Mapping[str, Any], work: Work
) -> Command[Literal["look", "change", "decide", "respond"]]:
    decision: Decision | None = state["decision"]
    left = after_effects(work.domain, decision, plan) if decision is not None else None
    now, untaken = advanced(state, plan, work.domain)
    after: dict[str, Any] = {**now, "decision": left}
    turn: Turn = {**state, **update}["turn"]
    asked = asked_no_more(plan, state.get("messages") or ())
    if messages := [*asked, *plan_receipts(plan, turn, work, untaken)]:
        after["messages"] = messages
    is_own = plan.turn_id == turn["turn_id"]
    # Nobody asks a model what it makes of a wish to stop.
    is_wished = turn.get("stops") == plan.plan_id or (is_own and was_stopped(plan))
    told_all = is_wished or (is_own and was_left_alone(plan))
    if state.get("messages") and not told_all:
        goto = next_phase(work.domain, left) if left is not None else "decide"
        assert goto in ("look", "change", "decide")
        return Command(update={**update, **after}, goto=goto)
    if decision is not None:
        await leave_unrun(decision, turn["turn_id"], work)
    # The conversation went with its checkpoints, or its person has long gone: there is nothing to
    # ask the model about.
    after["decision"] = Decision(ordinal=turn["ordinal"], calls=[], text="", refused={})
    return Command(update={**update, **after}, goto="respond")
