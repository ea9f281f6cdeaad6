"""Move past a plan that is over: flow, the domain's state, the view of the ledger.

Pure, and a phase of `execute` rather than a node: a super-step costs two commits. The same plan
gives the same state, however often it is taken in.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from daybook.nodes.planning.phases import called_at
from daybook.state.agent import Turn
from daybook.state.calls import Call, call_of
from daybook.state.errors import IllegalMove
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.stopping import told_stopped
from daybook.tools.domain import Domain

_LOG = logging.getLogger(__name__)

_NOT_TAKEN_IN = "the conversation's state could not be updated. What was done stands."

_NOBODY_DECIDED = {
    "withdrawn": "Withdrawn, because something changed",
    "expired": "Nobody decided in time, so nothing was done",
}


def advanced(
    state: Mapping[str, Any], plan: Plan, domain: Domain
) -> tuple[dict[str, Any], list[str]]:
    """Return the keys that a plan which is over changes, and what its person must be told of that.

    What was done stands, whatever the state comes to hold: where the domain cannot take it in, or
    the flow has no such move, the state stays as it is, and that is said. Raised, it would meet
    every later run of the thread.
    """
    update: dict[str, Any] = {}
    notices: list[str] = []
    flow = state["flow"]
    for action in plan.actions:
        after = domain.after({**state, **update}, action)
        moved = _moved(flow, action, domain)
        if after is None or moved is None:
            notices.append(f"{action.title}: {_NOT_TAKEN_IN}")
        update |= after or {}
        flow = moved or flow
    view = {"plan_id": None, "ledger": seen(state, plan, domain)}
    reached = {"flow": flow, "advanced": max(state["advanced"], plan.over_seq)}
    return {**update, **view, **reached}, notices


def _moved(flow: str, action: Action, domain: Domain) -> str | None:
    """Return where the flow stands after an action; None where it could not be under way here."""
    ending = "succeeded" if action.succeeded else "failed"
    try:
        return domain.flow.move(flow, f"{action.tool}.{ending}")
    except IllegalMove as error:
        _LOG.error("%s", error)
        return None


def notices_of(plan: Plan, turn: Turn) -> list[str]:
    """Say why a plan ended, where the turn under way did not carry it out to its end."""
    if plan.edits:
        return []
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

    Somebody went back to before it.
    """
    ordinal, _ = called_at(plan.actions[0].call)
    return plan.turn_id == turn["turn_id"] and ordinal >= turn["ordinal"]


def opened(flow: str, plan: Plan, domain: Domain) -> str:
    """Return where the flow stands while a plan is under way.

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
