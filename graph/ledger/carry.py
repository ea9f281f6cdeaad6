"""Carry out a call: propose it, request approval, run it to its end.

The engine is asked in the node itself, and a question interrupts that node. The ledger knows where
a call stands, so a node that runs again goes on from there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from langchain_core.runnables import RunnableConfig

from daybook.checkpoints.runs.reads import Read
from daybook.graph.ledger.answers import SCRATCHPAD, put
from daybook.graph.ledger.identity import CallName, run_state
from daybook.graph.ledger.running import run_begin
from daybook.nodes.effects import approve, resolve
from daybook.nodes.effects.draft import Call
from daybook.nodes.effects.engine import Ask, Committed, Engine, in_no_task
from daybook.nodes.effects.propose import Proposal, propose
from daybook.nodes.effects.run import run, settle_left_over
from daybook.nodes.running.tracing import waited
from daybook.nodes.running.work import Work
from daybook.state.context import PlanContext
from daybook.state.effects.keys import digest
from daybook.state.errors import EffectUnsettled, Overtaken, PlanStillOpen
from daybook.state.ledger.next_action import AskApproval, Wait
from daybook.state.ledger.plan import Plan
from daybook.state.people.questions.approvals import what_changed
from daybook.state.receipts import receipt_message, stream_event
from daybook.tools.receipts.lines import receipt_lines

T = TypeVar("T")

CALL = "0.0"
"""The name of a call in its turn: each call of a ledger is a turn of its own."""


async def carry(work: Work, call: CallName, config: RunnableConfig) -> None:
    """Carry a call out, or go on with it.

    Raises:
        GraphInterrupt: it asks.
    """
    version, before = 1, None
    while True:
        at = await _begun(work, call, version, before, config)
        if at is None:
            return
        note = what_changed(before, at.plan) if before is not None else ""
        plan = await finish(work, at, config, note)
        if plan is None or not plan.edits:
            _tell(work, plan or (await work.plan(call.plan_id(version)))[0])
            return
        # The approver changed it: their version is another plan.
        version, before = version + 1, plan


async def settle(work: Work, config: RunnableConfig, *, is_overtaken: bool) -> None:
    """Finish what is open in a thread, or was left by earlier runs of it.

    Args:
        is_overtaken: there is something new, so what nobody has decided on is withdrawn.

    Raises:
        GraphInterrupt: it asks.
    """
    engine, thread_id = _engine(work, config), work.session.thread_id
    plan_id = await engine.ledger.open_plan(thread_id)
    if plan_id is not None:
        at = await engine.read(plan_id)
        if is_overtaken and not at.plan.decided and not at.plan.touched:
            await _withdraw(work, plan_id)
            at = await engine.read(plan_id)
        if not at.plan.over:
            await finish(work, at, config)
    await settle_left_over(engine, but_not="")
    for found in await engine.ledger.left_over(thread_id):
        if found.is_in_question:
            await finish(work, await engine.read(found.plan_id), config, asks_late=True)


async def finish(
    work: Work, at: Committed, config: RunnableConfig, note: str = "", *, asks_late: bool = False
) -> Plan | None:
    """Carry a plan out as far as it goes.

    Args:
        note: why it is asked again.
        asks_late: ask about what a plan that is over has left in doubt.

    Returns:
        The plan, where it is over; None if it would have to wait for long, or for a reviewer
        whom nobody can ask here.

    Raises:
        GraphInterrupt: it asks.
    """
    engine = _engine(work, config)
    while True:
        rest = await run(engine, at, work.resources.node_seconds)
        plan, action = rest.plan, rest.action
        if isinstance(action, Wait):
            return None
        located = resolve.in_question(plan, action)
        if isinstance(action, AskApproval):
            ask: Ask = approve.question(engine, plan, note)
        elif located is not None and (asks_late or not plan.over):
            ask = resolve.question(engine, plan, located, note)
        else:
            return plan
        answer = (
            put(config, ask, run_state(config)) if SCRATCHPAD in config["configurable"] else None
        )
        if answer is None:
            return None
        if located is not None:
            taken = await resolve.resolve(engine, plan, located, answer)
        else:
            context = _context(work, plan.turn_id)
            taken = await approve.approve(engine, plan, answer, work.rules.all, context)
        if isinstance(taken, Committed):
            note, at = "", taken
            if located is None:
                await waited(engine, taken.plan)
        else:
            note, at = taken, await engine.read(plan.plan_id)


def _tell(work: Work, plan: Plan) -> None:
    """Emit the receipt of a plan on the `custom` stream, as it stands."""
    name = plan.plan_id if plan.over else f"{plan.plan_id}/parked"
    if receipt := receipt_message(name, receipt_lines([plan])):
        work.emit(stream_event(receipt))


async def to_the_end(carrying: Coroutine[Any, Any, T]) -> T:
    """Run to the end, also where the run around it is cancelled meanwhile.

    A branch that fails cancels those beside it. What was sent by then would have no record, and a
    reviewer would be asked about what the provider has just answered.
    """
    running = asyncio.ensure_future(carrying)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        # LangGraph cancels once more while it waits.
        while not running.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([running])
        # Else asyncio writes it to the log, with the arguments in it. It is asked, or raised, again
        # when its node runs again.
        if not running.cancelled():
            running.exception()
        raise


async def _begun(
    work: Work, call: CallName, version: int, before: Plan | None, config: RunnableConfig
) -> Committed | None:
    """Find the plan of a call, or propose it; None if it is refused."""
    engine, plan_id = work.engine, call.plan_id(version)
    begun = await engine.ledger.read_for_plan(call.place.thread_id, plan_id, call.turn_id, [CALL])
    if begun.plan is not None:
        return await engine.read(plan_id)
    if version == 1 and begun.refused:
        return None
    begin, asked_by = await run_begin(call.place, config, work)
    if begin:
        # Whoever was first has written the same.
        with suppress(Overtaken):
            async with engine.ledger.page(engine.session) as page:
                page.write(*begin)
    calls = [Call(CALL, call.tool, call.args)] if before is None else _edited(before)
    found = await propose(
        engine,
        Proposal(
            plan_id=plan_id,
            calls=calls,
            context=_context(work, call.turn_id),
            refuse=lambda refused: _refuse(work, refused, call.turn_id),
            before=before,
            rules=begun.rules,
            stops_with=call.place.turn,
            asked_by=asked_by,
        ),
    )
    return found if isinstance(found, Committed) else None


def _edited(before: Plan) -> list[Call]:
    return [
        Call(action.call, **before.edits[action.call])
        for action in before.actions
        if action.call in before.edits
    ]


async def _refuse(work: Work, refused: Mapping[Call, Exception], turn_id: str) -> None:
    """Keep why a call was refused: its node may go on in another way, and run once more.

    Raises:
        EffectUnsettled: it only has to wait, for an effect of the thread that is not settled.
    """
    for call, error in refused.items():
        if isinstance(error, PlanStillOpen):
            raise EffectUnsettled(
                f"{call.tool} was not started: another effect of this thread has no outcome yet. "
                "Nothing was done; resume the thread later (`ainvoke(None, config)`)."
            )
    answers = [
        Read(
            call=call.name,
            tool=call.tool,
            args=dict(call.args),
            args_hash=digest([call.tool, dict(call.args)]),
            cache="failed",
            result={"said": f"{call.tool} refused: {error}"},
        )
        for call, error in refused.items()
    ]
    await work.reads.keep(work.session, turn_id, answers)


async def _withdraw(work: Work, plan_id: str) -> None:
    engine = work.engine
    async with engine.ledger.page(engine.session, plan_id) as page:
        plan = await page.plan(plan_id)
        if plan is not None and not (plan.over or plan.touched or plan.decided):
            approve.withdraw(page, plan, engine.session)


def _engine(work: Work, config: RunnableConfig) -> Engine:
    """Return what carries effects out, in no task of LangGraph.

    A run whose other branch fails cancels its tasks, also what has been sent by then.
    """
    if SCRATCHPAD in config.get("configurable", {}):
        return replace(work.engine, in_task=in_no_task)
    # A worker: nobody reads along.
    return replace(work.engine, in_task=in_no_task, emit=lambda event: None)


def _context(work: Work, turn_id: str) -> PlanContext[Any]:
    """Make the context that observations are given."""
    return PlanContext(
        session=work.session,
        state={},
        services=None,
        ledger=work.engine.ledger,
        turn_id=turn_id,
    )
