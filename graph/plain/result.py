"""What a call came to, as a node is given it: a value, or an error that says what is known."""

from __future__ import annotations

from typing import Any

from daybook.graph.carrying.effects import value_of
from daybook.graph.plain.call import Call
from daybook.nodes.running.work import Work
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


async def planned(call: Call, work: Work) -> Plan | None:
    """Read the last version of a call's plan: a person who edits it makes another one of it."""
    last, version = None, 1
    while True:
        plan, _ = await work.ledger.plan(call.thread_id, call.plan_id(version))
        if plan is None or not (plan.over and plan.edits):
            return plan or last
        last, version = plan, version + 1


def is_settled(plan: Plan | None) -> bool:
    """Tell whether there is nothing to do for a plan any more."""
    if plan is None or not plan.over or plan.edits:
        return False
    return not any(step.state in NOT_SETTLED for step in plan.steps)


async def value(plan: Plan | None, call: Call, work: Work) -> Any:
    """Return what a call's function returned, whenever that was, or a person says that it came to.

    Raises:
        EffectNotDone, EffectDeclined, EffectUnsettled: it did not come to anything.
    """
    refused = await _refused(call, work) if plan is None or plan.edits else ""
    if refused:
        plan = await _same_before(call, work)
    if plan is None or plan.edits:
        raise EffectNotDone(refused or f"{call.tool} was not begun. Nothing was done.", "refused")
    [action] = plan.actions
    if not plan.over or any(step.state in NOT_SETTLED for step in action.steps):
        raise EffectUnsettled(
            f"It is not settled yet whether {call.tool} was done ({plan.plan_id}). It is not done "
            "twice: go on with the thread later (`ainvoke(None, config)`), and it is looked at "
            "again."
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


async def _refused(call: Call, work: Work) -> str:
    """Return the words with which a call was refused before it was begun; nothing where none."""
    reads, _ = await work.reads.results(call.thread_id, [(call.turn_id, "0.0")])
    return next((str(read.result["said"]) for read in reads if read.cache == "failed"), "")


async def _same_before(call: Call, work: Work) -> Plan | None:
    """Return what did the named operation in this thread before, with the same arguments."""
    effect = work.domain.registry.effect(call.tool)
    name = effect.operation
    if name is None:
        return None
    args = comparable(effect.args, call.args)
    try:
        known = await work.ledger.operation(made(f"`operation` of {call.tool}", lambda: name(args)))
    except (ToolRefused, ToolFailed):
        return None
    if known is None or known.thread_id != call.thread_id:
        return None
    actions: list[Action] = known.plan.actions
    is_same = [(one.tool, comparable(effect.args, one.args)) for one in actions] == [
        (call.tool, args)
    ]
    return known.plan if is_same else None
