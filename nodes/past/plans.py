"""Ended plans: what the state does not include of them yet, and their receipts.

One that was withdrawn just now; one whose end was written before a crash and whose checkpoint was
not; one of another branch, from before which someone went on. What was done to the world is done,
whatever checkpoint one goes back to. And an effect that landed late, or a step in doubt.

Phases of the nodes rather than nodes: a super-step costs two commits.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from langchain_core.messages import AIMessage, AnyMessage
from langgraph.types import Command

from daybook.checkpoints.ledger.ledger import Ledger, LeftOver
from daybook.nodes.effects.approve import withdraw_undecided
from daybook.nodes.effects.resolve import in_question
from daybook.nodes.past.aside import taken_up, waits_for
from daybook.nodes.planning.phases import called_at
from daybook.nodes.questions import put
from daybook.nodes.running.work import Work
from daybook.state.agent import Turn
from daybook.state.calls import Call, call_of
from daybook.state.errors import IllegalMove
from daybook.state.ledger.next_action import AskApproval
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.stopping import told_stopped
from daybook.state.people.questions.message import asked_no_more
from daybook.state.receipts import receipt_message, stream_event
from daybook.tools.domain import Domain
from daybook.tools.receipts.lines import receipt_lines

State = Mapping[str, Any]
Tail: TypeAlias = Literal["execute", "approve", "doubt", "__end__"]


def taken_in(state: State, over: Sequence[Plan], work: Work, because: str = "") -> dict[str, Any]:
    """Bring the state up to date with plans that ended and that it does not know to be over.

    Args:
        because: why one of them was withdrawn, where that is known.
    """
    update: dict[str, Any] = {}
    turn: Turn = state["turn"]
    messages: list[AnyMessage] = []
    for plan in over:
        flow = opened_flow({**state, **update}["flow"], plan, work.domain)
        after, untaken = advanced({**state, **update, "flow": flow}, plan, work.domain)
        update |= after
        messages += asked_no_more(plan, state.get("messages") or ())
        messages += plan_receipts(plan, turn, work, untaken, because)
    if messages:
        update["messages"] = messages
    if over:
        # What ended before is no part of this turn's view of the ledger; what is, as it ended.
        update["ledger"] = {name: update["ledger"][name] for name in state["ledger"]}
    return update


async def under_way(plans: Sequence[Plan], work: Work) -> Plan | None:
    """Return the plan that goes on; one that nobody has decided on yet is withdrawn."""
    left = [plan.plan_id for plan in plans if not plan.over]
    if not left:
        return None
    # The newest: at most one is open, and it may have ended since.
    plan = await withdraw_undecided(work.engine, left[-1])
    return None if plan.over else plan


async def left_over(
    state: Mapping[str, Any],
    update: Mapping[str, Any],
    work: Work,
    but_not: str | None = None,
    found: Sequence[LeftOver] | None = None,
) -> Command[Any]:
    """Go on where a run goes that has nothing else to do: to what waits, or to what is due.

    Args:
        update: keys that the calling node changes.
        but_not: a plan that was looked after just now.
        found: what plans that are over left behind, where it was read just now.
    """
    if (current := {**state, **update}).get("waiting") is not None:
        back = {**update, **taken_up(current)}
        at = await work.engine.read(back["plan_id"])
        if isinstance(at.action, AskApproval):
            return put(at.plan, at.action, state, back, work)
        return Command(update=back, goto="execute")
    if found is None:
        found = await work.ledger.left_over(work.session.thread_id)
    for one in found:
        if one.is_in_question:
            at = await work.engine.read(one.plan_id)
            if in_question(at.plan, at.action) is not None:
                return put(at.plan, at.action, state, update, work)
        if one.is_in_question or one.plan_id != but_not:
            return Command(update={**update, "plan_id": one.plan_id}, goto="execute")
    return Command(update={**update, "plan_id": None}, goto="__end__")


def told_late(plan: Plan, work: Work) -> list[AIMessage]:
    """State what became of a plan of which an earlier receipt stated something else."""
    about = f"{plan.plan_id}/late/{plan.last_seq}"
    receipt = receipt_message(about, receipt_lines([plan]), ["Since the last receipt:"])
    return emit_receipt(receipt, work)


_LOG = logging.getLogger(__name__)

_NOT_TAKEN_IN = "the conversation's state could not be updated. Completed actions are kept."

_NOBODY_DECIDED = {
    "withdrawn": "Withdrawn, because something changed",
    "expired": "No one decided in time, so nothing was done",
}


def advanced(
    state: Mapping[str, Any], plan: Plan, domain: Domain
) -> tuple[dict[str, Any], list[str]]:
    """Return the keys that a plan which is over changes, and what its user must be told of that.

    What was done stands, whatever the state comes to hold: where the domain cannot take it in, or
    the flow has no such move, the state stays as it is, and that is said. Raised, it would meet
    every later run of the thread.
    """
    update: dict[str, Any] = {}
    notices: list[str] = []
    is_waiting = waits_for(state, plan.plan_id)
    flow = state["waiting"]["flow"] if is_waiting else state["flow"]
    for action in plan.actions:
        after = domain.after({**state, **update}, action)
        moved = _moved(flow, action, domain)
        if after is None or moved is None:
            notices.append(f"{action.title}: {_NOT_TAKEN_IN}")
        update |= after or {}
        flow = moved or flow
    view = {"plan_id": None, "ledger": seen(state, plan, domain)}
    reached: dict[str, Any] = {"flow": flow, "advanced": max(state["advanced"], plan.over_seq)}
    reached |= {"waiting": None} if is_waiting else {}
    return {**update, **view, **reached}, notices


def _moved(flow: str, action: Action, domain: Domain) -> str | None:
    """Return where the flow stands after an action; None if it could not be in progress here."""
    ending = "succeeded" if action.succeeded else "failed"
    try:
        return domain.flow.move(flow, f"{action.tool}.{ending}")
    except IllegalMove as error:
        _LOG.error("%s", error)
        return None


def notices_of(plan: Plan, turn: Turn, because: str = "") -> list[str]:
    """Say why a plan ended, where the turn in progress did not carry it out to its end."""
    if plan.edits:
        return []
    if because and plan.actions[0].decision == "withdrawn":
        return [because]
    if was_stopped(plan):
        return [told_stopped(action) for action in plan.actions if action.stopped_by]
    decision = plan.actions[0].decision
    if decision in _NOBODY_DECIDED:
        return [f"{_NOBODY_DECIDED[decision]}: {action.title}." for action in plan.actions]
    is_own = plan.turn_id == turn["turn_id"] and not is_ahead(plan, turn)
    return [] if is_own and not was_left_alone(plan) else ["Since your last message:"]


def was_left_alone(plan: Plan) -> bool:
    """Tell whether a plan ended because nobody answered, or nobody went on with it, in time."""
    return plan.actions[0].decision == "expired" or any(one.is_abandoned for one in plan.actions)


def was_stopped(plan: Plan) -> bool:
    """Tell whether a plan ended, or part of it, because a person said so."""
    return any(action.stopped_by is not None for action in plan.actions)


def is_ahead(plan: Plan, turn: Turn) -> bool:
    """Tell whether a plan carries out a decision of the turn that the state has not come to.

    Someone went back to before it.
    """
    ordinal, _ = called_at(plan.actions[0].call)
    return plan.turn_id == turn["turn_id"] and ordinal >= turn["ordinal"]


def opened_flow(flow: str, plan: Plan, domain: Domain) -> str:
    """Return where the flow stands while a plan is in progress.

    A plan may be found in the ledger without the checkpoint that moved the flow.
    """
    for action in plan.actions:
        trigger = f"{action.tool}.opened"
        if domain.flow.allows(flow, trigger):
            flow = domain.flow.move(flow, trigger)
    return flow


def seen(state: Mapping[str, Any], plan: Plan, domain: Domain) -> dict[str, Call]:
    """Return the state's view of the ledger with the steps of a plan as they stand."""
    effects = domain.registry.effects
    steps = {step.step_id: call_of(step, effects[step.tool].kind) for step in plan.steps}
    return {**state.get("ledger", {}), **steps}


def seen_still(state: Mapping[str, Any], plan: Plan, domain: Domain) -> dict[str, Call]:
    """Return the state's view with those steps of a plan that it shows, as they stand now."""
    view: Mapping[str, Call] = state.get("ledger", {})
    return {name: call for name, call in seen(state, plan, domain).items() if name in view}


def plan_receipts(
    plan: Plan, turn: Turn, work: Work, notices: Sequence[str] = (), because: str = ""
) -> list[AIMessage]:
    """Return the receipt of a plan that is over; none of one that an edit replaced.

    It is stored with the state that takes the plan in: the user reads it before the model is asked
    what it makes of it, and whether or not the model answers.
    """
    told = [*notices_of(plan, turn, because), *notices]
    return emit_receipt(receipt_message(plan.plan_id, receipt_lines([plan]), told), work)


async def thread_plans(ledger: Ledger, thread_id: str) -> list[Plan]:
    """Return the plans of a thread, oldest first; the open one is the last."""
    plans = await ledger.ended_plans(thread_id, after=0)
    if (open_id := await ledger.open_plan(thread_id)) is not None:
        plan, _ = await ledger.plan(thread_id, open_id)
        plans += [plan] if plan is not None else []
    return plans


def emit_receipt(receipt: AIMessage | None, work: Work) -> list[AIMessage]:
    """Emit a receipt on the `custom` stream; return it for the state."""
    if receipt is None:
        return []
    work.emit(stream_event(receipt))
    return [receipt]
