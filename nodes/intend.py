"""Write the intents of a whole decision, in one transaction, before anything is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.types import Command

from daybook.checkpoints.ledger.page import Operation, Page
from daybook.nodes.execute import CarriedOut, carry_out
from daybook.nodes.look import refusal
from daybook.nodes.past.advance import opened, seen
from daybook.nodes.past.learn import Learning
from daybook.nodes.past.unrun import leave_unrun
from daybook.nodes.planning.admission import admit
from daybook.nodes.planning.drafting import Drafted, Proposed, draft
from daybook.nodes.planning.judged import judged
from daybook.nodes.planning.opening import approved_by_edit, intents, opening
from daybook.nodes.planning.overruled import changed_in, refuse_what_was_changed
from daybook.nodes.planning.phases import after_effects, call_name, calls_of, next_phase, place_of
from daybook.nodes.receipts import shown
from daybook.nodes.running.work import Work
from daybook.nodes.sending.claim import claimed_first, confirmed
from daybook.nodes.sending.record import CommittedPlan
from daybook.state.agent import Decision, Turn
from daybook.state.effects.keys import plan_id, step_id
from daybook.state.errors import (
    ChoiceNeeded,
    OperationReused,
    PlanStillOpen,
    ToolFailed,
    ToolRefused,
)
from daybook.state.ledger.plan import Action, Plan, generation_may_follow
from daybook.state.ledger.recovery import StepState
from daybook.state.ledger.stopping import told_not_begun
from daybook.state.people.policy import Needs
from daybook.state.people.questions.approvals import what_changed, withdrawn_because
from daybook.state.people.rules import Rules
from daybook.state.receipts import receipt_message
from daybook.tools.boundary import UNABLE
from daybook.tools.receipts.lines import withdrawn_lines

State = Mapping[str, Any]
# A decision is pending here: `carry_out` ends no run, and goes on to no other plan.
Exit = CarriedOut


async def intend(state: State, work: Work) -> Command[Exit]:
    """Validate, normalise, observe, and write the plan; where policy approves, execute at once.

    A node that runs again finds its plan in the ledger and goes on from there. A plan that a person
    edited is over; its next version is made from the edited calls that the ledger holds.
    """
    decision: Decision = state["decision"]
    plan, version, edited, changed, rules = await _latest(state, decision, work)
    known = CommittedPlan()
    if plan is None:
        # An edited call has passed already: a person waits for it.
        proposed = _carried(edited) if edited else await _admitted(decision, rules, state, work)
        drafted = await _draft(proposed, [] if edited else changed, rules, state, work)
        if drafted:
            name = _plan_id(state, decision, version, work)
            plan = await _write(drafted, name, edited, known, state, work)
        if plan is None and (over := await _withdrawn(drafted, edited, state, work)):
            await leave_unrun(decision, state["turn"]["turn_id"], work)
            return over
        if plan is None:
            left = after_effects(work.domain, decision, None)
            goto = next_phase(work.domain, left) if left is not None else "decide"
            assert goto in ("look", "change", "decide")
            return Command(update={"decision": left}, goto=goto)
    update = {
        "plan_id": plan.plan_id,
        "turn": _proposing(plan, state),
        "flow": opened(state["flow"], plan, work.domain),
        "ledger": seen(state, plan, work.domain),
        "note": what_changed(edited, plan) if edited is not None else "",
    }
    if not plan.decided:
        return Command(update=update, goto="approve")
    return await carry_out({**state, **update}, update, known, work)


def _proposing(plan: Plan, state: State) -> Turn:
    """Note where the flow stood: what is learnt from a plan is learnt for that position."""
    turn: Turn = state["turn"]
    return {**turn, "proposed": {**turn.get("proposed", {}), plan.plan_id: state["flow"]}}


async def _withdrawn(
    drafted: Sequence[Drafted], edited: Plan | None, state: State, work: Work
) -> Command[Exit] | None:
    """End the turn where its plan was stopped or withdrawn; None where the model is asked again."""
    turn: Turn = state["turn"]
    who = await work.ledger.stopped_by(work.session.thread_id, turn["turn_id"])
    if who is not None and drafted:
        why = told_not_begun(who, [_title(one) for one in drafted])
        return _over({"turn": {**turn, "notices": [*turn["notices"], why]}}, turn)
    if edited is None or not edited.has_moved:
        return None
    lines, why_not = withdrawn_lines(edited), withdrawn_because(edited)
    receipt = shown(receipt_message(edited.plan_id, lines, why_not), work)
    return _over({"messages": receipt}, turn)


def _title(drafted: Drafted) -> str:
    return drafted.action.title or drafted.action.tool.replace("_", " ")


def _over(update: Mapping[str, Any], turn: Turn) -> Command[Exit]:
    """End a turn of which nothing was done; no model is asked what it makes of it.

    An event may have been what moved it, and events are between a person and the machine.
    """
    nothing = Decision(ordinal=turn["ordinal"], calls=[], text="", refused={})
    return Command(update={**update, "decision": nothing}, goto="respond")


async def _latest(
    state: State, decision: Decision, work: Work
) -> tuple[Plan | None, int, Plan | None, list[Action], Rules]:
    """Find this decision's plan or None, its version, the edited one before it.

    Also what people changed in earlier decisions of the turn, and the rules.
    """
    version, edited, turn_id = 1, None, state["turn"]["turn_id"]
    while True:
        name = _plan_id(state, decision, version, work)
        plan, others, rules = await work.ledger.begun(work.session.thread_id, name, turn_id)
        if plan is None or not (plan.over and plan.edits):
            earlier = others if decision["ordinal"] > 0 else []
            return plan, version, edited, changed_in(earlier), rules
        version, edited = version + 1, plan


def _plan_id(state: State, decision: Decision, version: int, work: Work) -> str:
    calls = [[call["name"], call["args"]] for call in decision["calls"]]
    turn_id = state["turn"]["turn_id"]
    salt = state.get("salt", "")
    # The same calls, decided on in another branch, are a plan of their own: they are made of
    # another state. Operations that are the same nevertheless meet their record.
    forked = decision.get("fork", 1) > 1
    place = place_of(decision) if forked else decision["ordinal"]
    return plan_id(work.session.thread_id, turn_id, place, calls, version, salt)


async def _admitted(decision: Decision, rules: Rules, state: State, work: Work) -> list[Proposed]:
    """Return the decision's calls; those that are made too often are answered with a refusal.

    One that was refused before stays refused when the node runs again. What has the name of an
    effect takes its token where that effect is claimed.
    """
    admitted, refused = [], []
    before = await _refused_before(decision, state, work)
    for position, tool, args in calls_of(work.domain, decision, "intend"):
        assert tool is not None
        call = call_name(place_of(decision), position)
        if call in before:
            continue
        try:
            if tool.name not in work.domain.registry.effects:
                await admit(work, rules, tool.name)
            admitted.append(Proposed(call, tool.name, args))
        except ToolRefused as error:
            refused.append(refusal(call, tool.name, args, f"refused: {error}"))
    await _keep(refused, state, work)
    return admitted


async def _refused_before(decision: Decision, state: State, work: Work) -> set[str]:
    turn_id = state["turn"]["turn_id"]
    positions = [position for position, _, _ in calls_of(work.domain, decision, "intend")]
    calls = [(turn_id, call_name(place_of(decision), position)) for position in positions]
    refused, _ = await work.reads.results(work.session.thread_id, calls)
    return {read.call for read in refused}


def _carried(edited: Plan) -> list[Proposed]:
    """Carry over the edited calls of an edited plan, and the approved ones beside them."""
    return [
        Proposed(action.call, **edited.edits[action.call])
        if action.call in edited.edits
        else Proposed(action.call, action.tool, action.args)
        for action in edited.actions
        if action.call in edited.edits or action.is_approved
    ]


async def _draft(
    proposed: Sequence[Proposed], changed: Sequence[Action], rules: Rules, state: State, work: Work
) -> list[Drafted]:
    """Draft the calls that can be done; the others are answered with a refusal."""
    drafted: list[Drafted] = []
    refused, flow = [], state["flow"]
    learning = Learning(flow, state, work)
    for one in proposed:
        trigger = f"{one.tool}.opened"
        try:
            if not work.domain.flow.allows(flow, trigger):
                raise ToolRefused(f"{one.tool} is not possible at this point.")
            done = await draft(one, rules, state, work)
            refuse_what_was_changed(done, changed, work)
            drafted.append(done)
            flow = work.domain.flow.move(flow, trigger)
        except ChoiceNeeded as needed:
            lines = [f"needs {name}: {'; '.join(c)}" for name, c in needed.choices.items()]
            sentence = f"\n{one.tool} ".join(lines)
            refused.append(refusal(one.call, one.tool, one.args, sentence))
        except UNABLE as error:
            refused.append(refusal(one.call, one.tool, one.args, f"refused: {error}"))
            learning.refused(state["turn"]["turn_id"], one.call, one.tool, error)
    await _keep(refused, state, work)
    await learning.write()
    return drafted


async def _write(
    drafted: Sequence[Drafted],
    name: str,
    edited: Plan | None,
    known: CommittedPlan,
    state: State,
    work: Work,
) -> Plan | None:
    """Write the plan and its intents; None where nothing can be begun.

    An action that cannot be begun is refused by itself, and the others are planned. Its refusal is
    kept before they are written: a run that dies in between refuses it again.
    """
    left = list(drafted)
    reused = 0
    while left:
        refused: dict[str, str] = {}
        try:
            needs = judged(left, state, work)
            began, first = work.clock.monotonic(), _first(left, needs, work)
            async with work.ledger.page(work.session, tool=first) as page:
                gens, refused = await _begun(page, left, state, work)
                if not refused:
                    begun = Plan(name, state["turn"]["turn_id"])
                    plan = await _opened(page, begun, left, gens, needs, edited, work)
                    claimed = claimed_first(page, plan, first, began, work)
            if not refused:
                known.keep(plan, page.now, claimed and confirmed(claimed, work))
                return plan
        except (ToolRefused, ToolFailed, PlanStillOpen) as error:
            # It is about the plan as a whole.
            refused = {one.call: str(error) for one in left}
        except OperationReused as error:
            # Another thread was first with one of them, and the next look shows with which.
            reused += 1
            refused = {one.call: str(error) for one in left} if reused > len(drafted) else {}
        await _keep(
            [
                refusal(one.call, one.action.tool, one.action.args, f"refused: {refused[one.call]}")
                for one in left
                if one.call in refused
            ],
            state,
            work,
        )
        left = [one for one in left if one.call not in refused]
    return None


def _first(drafted: Sequence[Drafted], needs: Needs, work: Work) -> str | None:
    """Name the tool of the step that is claimed with its plan: nobody is asked about it.

    Of several calls each is observed before it is claimed, and not when the first one was drafted.
    """
    steps = drafted[0].action.steps
    if needs.role != "nobody" or not steps:
        return None
    tool = steps[0].tool
    is_fresh = len(drafted) == 1 or work.domain.registry.effect(tool).observe is None
    return tool if is_fresh else None


async def _opened(
    page: Page,
    begun: Plan,
    drafted: Sequence[Drafted],
    gens: Mapping[str, int],
    needs: Needs,
    edited: Plan | None,
    work: Work,
) -> Plan:
    """Write a plan's first page; all of its operations may be begun."""
    page.write(opening(begun, drafted, needs, edited, page.now, work))
    plan = await page.plan(begun.plan_id)
    assert plan is not None
    for index, one in enumerate(drafted):
        page.write(*intents(plan, index, one, gens, work))
    if edited is not None and plan.approval == "edit":
        page.write(approved_by_edit(plan, edited, page.now, work))
    return plan


async def _begun(
    page: Page, drafted: Sequence[Drafted], state: State, work: Work
) -> tuple[dict[str, int], dict[str, str]]:
    """Return the generation of each operation, and which calls cannot be begun, with why.

    Of two calls that are the same operation the first counts.
    """
    gens: dict[str, int] = {}
    refused: dict[str, str] = {}
    flow = state["flow"]
    # Under the lock: a wish that was written before this page is kept, whoever runs the thread.
    every = [step.op for one in drafted for step in one.action.steps]
    who, known = await page.begun(state["turn"]["turn_id"], every)
    newest = {one.op: one for one in known}
    if who is not None:
        return gens, {one.call: told_not_begun(who, [_title(one)]) for one in drafted}
    for one in drafted:
        ops = [step.op for step in one.action.steps]
        trigger = f"{one.action.tool}.opened"
        try:
            # What came before it in the decision may have been refused meanwhile.
            if not work.domain.flow.allows(flow, trigger):
                raise ToolRefused(f"{one.action.tool} is not possible at this point.")
            if twice := [op for at, op in enumerate(ops) if op in gens or op in ops[:at]]:
                raise ToolRefused(f"{twice[0]} is begun by this decision already; once is enough.")
            found = {op: _generation(op, newest.get(op)) for op in ops}
        except ToolRefused as error:
            refused[one.call] = str(error)
            continue
        gens |= found
        flow = work.domain.flow.move(flow, trigger)
    return gens, refused


def _generation(op: str, known: Operation | None) -> int:
    """Return the generation to intend: one more only when the earlier one is over without effect.

    Raises:
        ToolRefused: the operation was done, or is under way.
    """
    if known is None:
        return 1
    _, step = known.plan.find(step_id(op, known.gen))
    if generation_may_follow(step.state):
        return known.gen + 1
    if step.state is StepState.DONE:
        raise ToolRefused(f"{op} was done already; it is not done twice.")
    raise ToolRefused(f"{op} is under way already; it is not begun twice.")


async def _keep(refused: Sequence[Any], state: State, work: Work) -> None:
    if refused:
        await work.reads.keep(work.session, state["turn"]["turn_id"], refused)
