"""Propose the effects of a decision as one plan, before anything is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from langgraph.types import Command

from daybook.checkpoints.ledger.ledger import Begun
from daybook.nodes.effects.draft import Call, Draft
from daybook.nodes.effects.engine import Committed
from daybook.nodes.effects.propose import Proposal, propose
from daybook.nodes.execute import CarriedOut, carry_out
from daybook.nodes.past.aside import because_of_effect, cancelled
from daybook.nodes.past.learn import Learning
from daybook.nodes.past.plans import emit_receipt, opened_flow, seen, taken_in
from daybook.nodes.planning.phases import (
    after_effects,
    call_name,
    called_at,
    calls_of,
    next_phase,
    place_of,
)
from daybook.nodes.planning.refusals import admit, leave_unrun, refusal
from daybook.nodes.questions import put
from daybook.nodes.running.contexts import planning
from daybook.nodes.running.work import Work
from daybook.state.agent import Decision, Turn, Waiting
from daybook.state.effects.keys import plan_id
from daybook.state.errors import ChoiceNeeded, ToolRefused
from daybook.state.ledger.next_action import AskApproval
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.stopping import told_not_begun
from daybook.state.people.questions.approvals import what_changed, withdrawn_because
from daybook.state.receipts import receipt_message
from daybook.tools.receipts.lines import withdrawn_lines

State = Mapping[str, Any]
# A decision is pending here: `carry_out` ends no run, and goes on to no other plan.
Exit = CarriedOut


async def intend(state: State, work: Work) -> Command[Exit]:
    """Record a plan; if policy approves it, execute it at once.

    A node that runs again finds its plan in the ledger and goes on from there. A plan that a person
    edited is over; its next version is made from the edited calls that the ledger holds.
    """
    decision: Decision = state["decision"]
    waiting: Waiting | None = state.get("waiting")
    begun, version, edited = await _latest(state, decision, work)
    if begun.plan is not None:
        at: Committed | list[Draft] = await work.engine.read(begun.plan.plan_id)
    else:
        # An edited call has passed already: a person waits for it.
        calls = _carried(edited) if edited else await _admitted(decision, begun, state, work)
        at = await propose(
            work.engine,
            Proposal(
                plan_id=_plan_id(state, decision, version, work),
                calls=calls,
                context=planning(state, work),
                flow=state["flow"],
                may_follow=lambda begun, tool: _may_follow(state["flow"], begun, tool, work),
                refuse=lambda refused: _refuse(refused, state, work),
                before=edited,
                changed=[] if edited else _changed(begun, decision),
                rules=begun.rules,
                cancels=waiting["plan_id"] if waiting is not None else None,
            ),
        )
    over = await cancelled(state, work)
    taken = taken_in(state, over, work, because_of_effect(over)) if over else {}
    state = {**state, **taken, "messages": state.get("messages") or []}
    if not isinstance(at, Committed):
        return _beside(taken, await _unproposed(at, edited, decision, state, work))
    update = {
        "plan_id": at.plan.plan_id,
        "turn": _proposing(at.plan, state),
        "flow": opened_flow(state["flow"], at.plan, work.domain),
        "ledger": seen(state, at.plan, work.domain),
        "note": what_changed(edited, at.plan) if edited is not None else "",
    }
    if not at.plan.decided:
        work.resources.fresh[work.session.thread_id] = at.plan, at.now
        return _beside(taken, put(at.plan, AskApproval(), state, update, work))
    return _beside(taken, await carry_out({**state, **update}, update, at, work))


def _beside(taken: Mapping[str, Any], command: Command[Exit]) -> Command[Exit]:
    """Add what a plan that was withdrawn changes, and its receipt before what else is said."""
    if not taken:
        return command
    update: dict[str, Any] = {**(command.update or {})}
    messages = [*taken.get("messages", ()), *update.get("messages", ())]
    return replace(command, update={**taken, **update, "messages": messages})


async def _unproposed(
    drafts: Sequence[Draft], edited: Plan | None, decision: Decision, state: State, work: Work
) -> Command[Exit]:
    """Go on where nothing could be begun: to the model, or to the end of the turn."""
    turn: Turn = state["turn"]
    over: Command[Exit] | None = None
    who = await work.ledger.stopped_by(work.session.thread_id, turn["turn_id"])
    if who is not None and drafts:
        why = told_not_begun(who, [one.title for one in drafts])
        over = _over({"turn": {**turn, "notices": [*turn["notices"], why]}}, turn)
    elif edited is not None and edited.has_moved:
        lines, why_not = withdrawn_lines(edited), withdrawn_because(edited)
        receipt = emit_receipt(receipt_message(edited.plan_id, lines, why_not), work)
        over = _over({"messages": receipt}, turn)
    if over is not None:
        await leave_unrun(decision, turn["turn_id"], work)
        return over
    left = after_effects(work.domain, decision, None)
    goto = next_phase(work.domain, left) if left is not None else "decide"
    assert goto in ("look", "change", "decide")
    return Command(update={"decision": left}, goto=goto)


def _over(update: Mapping[str, Any], turn: Turn) -> Command[Exit]:
    """End a turn of which nothing was done; no model is asked what it makes of it.

    An event may have been what moved it, and events are between a person and the machine.
    """
    nothing = Decision(ordinal=turn["ordinal"], calls=[], text="", refused={})
    return Command(update={**update, "decision": nothing}, goto="respond")


def _proposing(plan: Plan, state: State) -> Turn:
    """Note where the flow stood: what is learnt from a plan is learnt for that position."""
    turn: Turn = state["turn"]
    return {**turn, "proposed": {**turn.get("proposed", {}), plan.plan_id: state["flow"]}}


async def _latest(state: State, decision: Decision, work: Work) -> tuple[Begun, int, Plan | None]:
    """Find this decision's plan with what it is begun with, its version, the edited one before."""
    version, edited, turn_id = 1, None, state["turn"]["turn_id"]
    calls = [name for name, _, _ in _wanted(decision, work)]
    while True:
        name = _plan_id(state, decision, version, work)
        begun = await work.ledger.read_for_plan(work.session.thread_id, name, turn_id, calls)
        plan = begun.plan
        if plan is None or not (plan.over and plan.edits):
            return begun, version, edited
        version, edited = version + 1, plan


def _changed(begun: Begun, decision: Decision) -> list[Action]:
    """Return what people changed in earlier decisions of the turn.

    Read from the ledger: a process may die between the edit and its checkpoint.
    """
    earlier = begun.changed if decision["ordinal"] > 0 else []
    actions = [action for one in earlier for action in one.actions]
    return [action for action in actions if action.decision == "edited"]


def _wanted(decision: Decision, work: Work) -> list[tuple[str, str, Mapping[str, Any]]]:
    """Return the calls that want an effect: the call's name, its tool and arguments."""
    place = place_of(decision)
    return [
        (call_name(place, position), tool.name, args)
        for position, tool, args in calls_of(work.domain, decision, "intend")
        if tool is not None
    ]


def _plan_id(state: State, decision: Decision, version: int, work: Work) -> str:
    calls = [[call["name"], call["args"]] for call in decision["calls"]]
    turn_id = state["turn"]["turn_id"]
    salt = state.get("salt", "")
    # The same calls, decided on in another branch, are a plan of their own: they are made of
    # another state. Operations that are the same nevertheless meet their record.
    forked = decision.get("fork", 1) > 1
    place = place_of(decision) if forked else decision["ordinal"]
    return plan_id(work.session.thread_id, turn_id, place, calls, version, salt)


def _may_follow(flow: str, begun: Sequence[str], tool: str, work: Work) -> bool:
    """Tell whether the flow lets a tool be begun after those that are begun before it."""
    for one in begun:
        flow = work.domain.flow.move(flow, f"{one}.opened")
    return work.domain.flow.allows(flow, f"{tool}.opened")


async def _admitted(decision: Decision, begun: Begun, state: State, work: Work) -> list[Call]:
    """Return the decision's calls; those that are made too often are answered with a refusal.

    One that was refused before stays refused when the node runs again. What has the name of an
    effect takes its token where that effect is claimed.
    """
    admitted: list[Call] = []
    refused: dict[Call, Exception] = {}
    for name, tool, args in _wanted(decision, work):
        call = _call(name, tool, args)
        if name in begun.refused:
            continue
        try:
            if tool not in work.domain.registry.effects:
                await admit(work, begun.rules, tool)
            admitted.append(call)
        except ToolRefused as error:
            refused[call] = error
    await _keep(refused, state, work)
    return admitted


def _call(name: str, tool: str, args: Mapping[str, Any]) -> Call:
    return Call(name, tool, args, position=called_at(name))


def _carried(edited: Plan) -> list[Call]:
    """Carry over the edited calls of an edited plan, and the approved ones beside them."""
    return [
        _call(action.call, **edited.edits[action.call])
        if action.call in edited.edits
        else _call(action.call, action.tool, action.args)
        for action in edited.actions
        if action.call in edited.edits or action.is_approved
    ]


async def _refuse(refused: Mapping[Call, Exception], state: State, work: Work) -> None:
    """Answer calls that cannot be done, and count what the model could have avoided."""
    await _keep(refused, state, work)
    learning = Learning(state["flow"], state, work)
    for call, error in refused.items():
        learning.refused(state["turn"]["turn_id"], call.name, call.tool, error)
    await learning.write()


async def _keep(refused: Mapping[Call, Exception], state: State, work: Work) -> None:
    if refused:
        answers = [
            refusal(call.name, call.tool, call.args, sentence)
            for call, error in refused.items()
            if (sentence := _sentence(call, error))
        ]
        await work.reads.refuse_along(work.session, state["turn"]["turn_id"], answers)


def _sentence(call: Call, error: Exception) -> str:
    if isinstance(error, ChoiceNeeded):
        lines = [f"needs {name}: {'; '.join(c)}" for name, c in error.choices.items()]
        return f"\n{call.tool} ".join(lines)
    return f"refused: {error}"
