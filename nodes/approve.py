"""Request approval of a plan: one interrupt for the whole plan, and no error raised after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from langgraph.types import Command

from daybook.nodes.effects.approve import approve as decide
from daybook.nodes.effects.approve import question
from daybook.nodes.effects.engine import Committed
from daybook.nodes.execute import CarriedOut, carry_out
from daybook.nodes.past.plans import advanced, seen
from daybook.nodes.questions import answer_to, put
from daybook.nodes.running.contexts import planning
from daybook.nodes.running.tracing import waited
from daybook.nodes.running.work import Work
from daybook.state.ledger.next_action import AskApproval
from daybook.state.ledger.plan import Plan
from daybook.state.people.questions.markdown import plan_shown
from daybook.state.people.questions.message import asked_as, asked_no_more

State = Mapping[str, Any]
Exit = Literal["execute", "intend", "approve"] | CarriedOut


async def approve(state: State, work: Work) -> Command[Exit]:
    """Ask for approval, record the decision, and execute what was approved.

    Entered only while the ledger holds no decision. An answer that fits but cannot be taken (an
    edit to a card that is not on file) leads back here with the reason: raising after the interrupt
    would wedge the thread.
    """
    engine = work.engine
    at = await engine.read(state["plan_id"])
    if at.plan.decided or not isinstance(at.action, AskApproval):
        # It was decided, or nobody did in time: that is written down behind it.
        return _without_why(await _go_on(state, at, work), at.plan, state)
    ask = question(engine, at.plan, state.get("note", ""))
    work.resources.ended.add(work.session.thread_id)
    answer = answer_to(ask)
    decided = await decide(engine, at.plan, answer, work.rules.all, planning(state, work))
    if isinstance(decided, str):
        # Another approval may have come first, or the time may be over.
        now = await engine.read(at.plan.plan_id)
        if not isinstance(now.action, AskApproval):
            return await _go_on(state, now, work)
        return put(now.plan, now.action, {**state, "note": decided}, {"note": decided}, work)
    command = await _go_on(state, decided, work)
    # Behind the call, whose time has begun.
    await waited(engine, decided.plan)
    return _without_why(command, decided.plan, state)


async def _go_on(state: State, at: Committed, work: Work) -> Command[Exit]:
    """Execute what was approved; what was edited is over, and its next version is intended."""
    plan = at.plan
    if plan.edits:
        # Nothing was done of it, and its next version is asked about: there is nothing to tell.
        after, _ = advanced(state, plan, work.domain)
        said = asked_no_more(plan, state.get("messages") or ())
        shown = {"messages": said} if said else {}
        return Command(update={"note": "", **after, **shown}, goto="intend")
    update = {"note": "", "ledger": seen(state, plan, work.domain)}
    return await carry_out({**state, **update}, update, at, work)


def _without_why(command: Command[Exit], plan: Plan, state: State) -> Command[Exit]:
    """Show the question as it was put: why an answer could not be taken is of no use behind one."""
    if plan.edits or not state.get("note") or plan.approval != "asked":
        return command
    above = asked_as(plan_shown(plan), plan.question, state.get("messages") or ())
    update: dict[str, Any] = {**(command.update or {})}
    return replace(command, update={**update, "messages": [*above, *update.get("messages", ())]})
