"""The outcome of a call: a value or an error for a node, a tool message for a model."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from langchain_core.messages import ToolMessage

from daybook.graph.ledger.decisions import calls_of_agent
from daybook.graph.ledger.effect import value_of
from daybook.graph.ledger.identity import PLAN, CallName
from daybook.nodes.effects.claim import why_unsettled
from daybook.nodes.running.work import Work
from daybook.state.effects.keys import canonical
from daybook.state.errors import (
    EffectDeclined,
    EffectNotDone,
    EffectUnsettled,
    ToolFailed,
    ToolRefused,
)
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.tools.boundary import made
from daybook.tools.outcomes import NOT_SETTLED
from daybook.tools.signature import comparable

OPEN = "daybook_open"
"""The key under which a tool message says whether its outcome is final."""

_UNSETTLED = (
    "The outcome is not known yet. {why}. It is not done twice. Do not call it again; it is "
    "checked again when the user returns."
)


async def plans_of(call: CallName, work: Work) -> list[Plan]:
    """Read the versions of a call's plan: an approver who edits it makes another one of it."""
    plans: list[Plan] = []
    while True:
        name = call.plan_id(len(plans) + 1)
        plan, _ = await work.ledger.plan(call.place.thread_id, name)
        if plan is None:
            return plans
        plans.append(plan)
        if not (plan.over and plan.edits):
            return plans


async def plans_instead_of(call: CallName, work: Work) -> list[Plan] | None:
    """Return what was carried out where a call was decided on, with other arguments.

    Another middleware may have changed them, or have carried the call out by itself.

    Returns:
        None if something of its tool was done elsewhere in its run, so that nobody can tell.
    """
    from daybook.nodes.past.plans import thread_plans

    plans = await thread_plans(work.ledger, call.place.thread_id)
    if here := [one for one in plans if call.is_at_same_place(one.turn_id)]:
        return here[-1:]
    beside = [one for one in plans if call.is_beside(one.turn_id)]
    is_elsewhere = any(action.tool == call.tool for one in beside for action in one.actions)
    return None if is_elsewhere else []


def is_settled(plans: Sequence[Plan]) -> bool:
    """Tell whether there is nothing to do for a call any more."""
    if not plans or not plans[-1].over or plans[-1].edits:
        return False
    return not any(step.state in NOT_SETTLED for step in plans[-1].steps)


async def is_over(call: CallName, work: Work) -> bool:
    """Tell whether a call was carried out, or refused, before."""
    return is_settled(await plans_of(call, work)) or bool(await refusal_of(call, work))


async def value(
    plans: Sequence[Plan], call: CallName, work: Work, *, or_before: bool = True
) -> Any:
    """Return what a call's function returned, whenever that was, or what an approver says it did.

    Args:
        or_before: where an earlier call for the user did the same operation, with equal arguments,
            return what that one returned.

    Raises:
        EffectNotDone, EffectDeclined, EffectUnsettled: it was not done, or nobody knows.
    """
    plan, why = plans[-1] if plans else None, "It is in progress in another thread"
    refused = await refusal_of(call, work) if plan is None or plan.edits else ""
    if refused:
        plan = await _same_before(call, work) if or_before else None
    if plan is None or plan.edits:
        raise EffectNotDone(refused or f"{call.tool} was not started. Nothing was done.", "refused")
    [action] = plan.actions
    if not plan.over or any(step.state in NOT_SETTLED for step in action.steps):
        if not refused:
            why = await _why(plan, work)
        raise EffectUnsettled(
            f"It is not known yet whether {call.tool} was done ({plan.plan_id}). {why}. It is not "
            "repeated; resume the thread later (`ainvoke(None, config)`) to look it up again."
        )
    [step] = action.steps
    if action.succeeded:
        return value_of(step.result or {})
    said = work.domain.outcome_line(action)
    if step.state is StepState.NEGATIVE:
        for attempt in step.attempts:
            if attempt.answer is Event.DECLINED:
                raise EffectDeclined(said, str(attempt.detail.get("code", "declined")))
    raise EffectNotDone(said, "failed" if action.is_approved else str(action.decision))


async def message(plans: Sequence[Plan], call: CallName, call_id: str, work: Work) -> ToolMessage:
    """Tell a model what became of a call, from the call's own record."""
    marks = {PLAN: plans[-1].plan_id} if plans else {}
    about: dict[str, Any] = {"name": call.tool, "tool_call_id": call_id}
    try:
        # A model that called for it again is told that it was done before.
        found = await value(plans, call, work, or_before=False)
    except EffectUnsettled:
        still = {**marks, OPEN: True}
        said = _UNSETTLED.format(why=await _why(plans[-1], work))
        return ToolMessage(said, status="error", additional_kwargs=still, **about)
    except EffectNotDone as error:
        return ToolMessage(str(error), status="error", additional_kwargs=marks, **about)
    return ToolMessage(_shown(found, plans), additional_kwargs=marks, **about)


async def refuse_what_was_changed(call: CallName, work: Work, beside: Collection[str] = ()) -> None:
    """Refuse a model's call that an approver changed earlier in the run.

    Seen otherwise: a model takes the edit for a mistake, and calls once more as before.

    Args:
        beside: turns of the calls of the same decision, which say nothing of each other.

    Raises:
        EffectNotDone: it is that call.
    """
    thread_id, place = call.place.thread_id, call.place
    begun = [one.seq for one in await work.ledger.turn(thread_id, place.turn)]
    for plan in await work.ledger.ended_plans(thread_id, after=min(begun, default=0)):
        is_earlier = call.is_beside(plan.turn_id) and plan.turn_id not in beside
        for action in plan.actions if is_earlier else ():
            is_changed = action.decision == "edited" and _is_same(call, action, work)
            # Another agent of the run was told of no edit.
            if is_changed and plan.turn_id in await calls_of_agent(place, work):
                raise EffectNotDone(
                    f"The approver edited this {call.tool}, and the edited call has its outcome. "
                    "The original call is not tried again in this turn.",
                    "refused",
                )


async def _why(plan: Plan, work: Work) -> str:
    return why_unsettled(await work.engine.read(plan.plan_id), await work.rules.all())


def _is_same(call: CallName, action: Action, work: Work) -> bool:
    if action.tool != call.tool:
        return False
    model = work.domain.registry.effect(call.tool).args
    return canonical(comparable(model, action.args)) == canonical(comparable(model, call.args))


def _shown(found: Any, plans: Sequence[Plan]) -> str:
    """Write a result as langchain's tool node writes it."""
    text = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
    actions: list[Action] = [action for plan in plans for action in plan.actions]
    if not actions:
        return text
    first, last = actions[0], actions[-1]
    [step] = last.steps
    if step.asked and set(step.result or {}) <= {"reference"}:
        # There was no answer but a reviewer's word.
        return f"A reviewer confirmed it. {(step.result or {}).get('reference', '')}".strip()
    if (last.tool, last.args) != (first.tool, first.args):
        args = ", ".join(f"{name}={value!r}" for name, value in last.args.items())
        return (
            f"An approver changed this call to {last.tool}({args}), and that was done instead. Do "
            f"not repeat the original call. Result: {text}"
        )
    return text


async def refusal_of(call: CallName, work: Work) -> str:
    """Return the words with which a call was refused before it was begun; nothing if none."""
    reads = await work.reads.results(call.place.thread_id, call.turn_id, ["0.0"])
    return next((str(read.result["said"]) for read in reads if read.cache == "failed"), "")


async def _same_before(call: CallName, work: Work) -> Plan | None:
    """Return what did the named operation for this user before, with the same arguments."""
    effect = work.domain.registry.effect(call.tool)
    name = effect.operation
    if name is None:
        return None
    args = comparable(effect.args, call.args)
    try:
        known = await work.ledger.operation(made(f"`key` of {call.tool}", lambda: name(args)))
    except (ToolRefused, ToolFailed):
        return None
    if known is None:
        return None
    threads = work.resources.postgres.threads
    if await threads.owner_of(known.thread_id) != work.session.user_id:
        return None
    actions: list[Action] = known.plan.actions
    is_same = [(one.tool, comparable(effect.args, one.args)) for one in actions] == [
        (call.tool, args)
    ]
    return known.plan if is_same else None
