"""The only node that sends effects. It asks the ledger first, which decides what is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from langgraph.types import Command

from daybook.nodes.effects.engine import Committed
from daybook.nodes.effects.run import run, settle_left_over
from daybook.nodes.past.plans import (
    Tail,
    advanced,
    left_over,
    plan_receipts,
    seen,
    seen_still,
    told_late,
    was_left_alone,
    was_stopped,
)
from daybook.nodes.planning.phases import after_effects, next_phase
from daybook.nodes.planning.refusals import leave_unrun
from daybook.nodes.questions import put
from daybook.nodes.running.work import Work
from daybook.state.agent import Decision, Turn
from daybook.state.effects.reference import reference_text
from daybook.state.ledger.next_action import NextAction, Over, Wait
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import StepState
from daybook.state.people.questions.message import asked_no_more

State = Mapping[str, Any]
CarriedOut: TypeAlias = Literal["approve", "doubt", "look", "change", "decide", "park", "respond"]
Exit = CarriedOut | Tail


async def execute(state: State, work: Work) -> Command[Exit]:
    """Continue the open plan from its recorded state."""
    return await carry_out(state, {}, await work.engine.read(state["plan_id"]), work)


async def carry_out(
    state: State, update: Mapping[str, Any], at: Committed, work: Work
) -> Command[Any]:
    """Carry a plan out, and go on to what comes after it.

    Args:
        update: keys that the calling node changes.
        at: the plan, as the calling node committed or read it.
    """
    rest = await run(work.engine, at, work.resources.node_seconds, _progress(work))
    plan, action = rest.plan, rest.action
    if isinstance(action, Over):
        return await _over(plan, state, update, work)
    shown = {**update, "ledger": seen(state, plan, work.domain)}
    # A question may wait for long: what was charged too late is not kept for as long.
    settled = await settle_left_over(work.engine, but_not=plan.plan_id)
    if late := [message for one in settled for message in told_late(one, work)]:
        shown["messages"] = [*update.get("messages", ()), *late]
    if isinstance(action, Wait):
        return Command(update=shown, goto="park")
    return put(plan, action, state, shown, work)


async def _over(plan: Plan, state: State, update: Mapping[str, Any], work: Work) -> Command[Any]:
    if plan.over_seq > state["advanced"] or state["decision"]:
        return await _advance(plan, state, update, work)
    shown = {
        **update,
        "ledger": seen_still(state, plan, work.domain),
        "messages": told_late(plan, work),
    }
    return await left_over(state, shown, work, but_not=plan.plan_id)


async def _advance(
    plan: Plan, state: State, update: Mapping[str, Any], work: Work
) -> Command[Literal["look", "change", "decide", "respond"]]:
    decision: Decision | None = state["decision"]
    left = after_effects(work.domain, decision, plan) if decision is not None else None
    now, untaken = advanced(state, plan, work.domain)
    after: dict[str, Any] = {**now, "decision": left}
    turn: Turn = {**state, **update}["turn"]
    asked = asked_no_more(plan, state.get("messages") or ())
    before = update.get("messages", ())
    if messages := [*before, *asked, *plan_receipts(plan, turn, work, untaken)]:
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
    # The conversation went with its checkpoints, or its user has long gone: there is nothing to
    # ask the model about.
    after["decision"] = Decision(ordinal=turn["ordinal"], calls=[], text="", refused={})
    return Command(update={**update, **after}, goto="respond")


_TOLD = {
    StepState.UNKNOWN: "not known yet",
    StepState.IN_DOUBT: "in doubt",
    StepState.DONE: "done",
    StepState.UNDOING: "being undone",
    StepState.STUCK: "cannot be undone automatically",
    StepState.UNDONE: "undone",
    StepState.NEGATIVE: "not done",
}


def _progress(work: Work) -> Callable[[Plan, NextAction], None]:
    """Tell on the `custom` stream what each step of a plan comes to while it is carried out."""
    before: dict[str, StepState] = {}

    def tell(plan: Plan, action: NextAction) -> None:
        for number, step in enumerate(plan.steps, 1):
            was = before.setdefault(step.step_id, step.state)
            if step.state is not was and step.state in _TOLD:
                of = f"step {number} of {len(plan.steps)}" if len(plan.steps) > 1 else ""
                told = f"{step.name}: {_TOLD[step.state]} {reference_text(step.reference or '')}"
                work.tell(told.rstrip(), of)
            before[step.step_id] = step.state

    return tell
