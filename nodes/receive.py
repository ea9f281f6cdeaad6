"""Take the input once: a message of a person, or events that no model sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langchain_core.messages import HumanMessage
from langgraph.types import Command

from checkpoints.ledger import Page
from nodes.advance import advanced, ended, opened
from nodes.phases import Phase, phase_after
from nodes.work import Work
from state.agent import Decision, Turn
from state.errors import ToolRefused
from state.plan import Entry, Plan
from state.recovery import Event, StepState

State = Mapping[str, Any]
Exit = Literal["decide", "look", "change", "intend", "execute", "respond", "__end__"]


async def receive(state: State, work: Work) -> Command[Exit]:
    """Begin or continue a turn; a thread with open steps goes to execute first.

    A message or event that was given before is recognised by its id and done once.
    """
    given = state.get("events") or ()
    update = _begun(state, work)
    update |= await _take_events({**state, **update}, given, work)
    current = {**state, **update}
    changed = current["applied"] != state.get("applied", 0)
    turn_id = _turn_to_take(current)
    if turn_id is None:
        return Command(update=update, goto="__end__")
    known = await work.ledger.turn(work.session.thread_id, turn_id)
    if any(entry.event is Event.TURN_DONE for entry in known):
        return Command(update=update, goto="__end__")
    same = (state.get("turn") or {}).get("turn_id") == turn_id
    turn: Turn = state["turn"] if same else Turn(turn_id=turn_id, ordinal=0, notices=[])
    pending: Decision | None = state.get("decision") if same else None
    async with work.ledger.page(work.session) as page:
        if not any(entry.event is Event.RECEIVED for entry in known):
            page.write(Entry(Event.RECEIVED, turn_id=turn_id))
        plan = await page.plan(page.open_plan) if page.open_plan else None
        overtaken = plan is not None and (changed or plan.turn_id != turn_id)
        if plan is not None and overtaken and not plan.touched and not plan.decided:
            _withdraw(page, plan, work)
    update |= {"turn": turn, "decision": pending, "ledger": state.get("ledger", {}) if same else {}}
    if not same or (plan is not None and plan.over):
        update |= await _take_in(current | update, work)
    goto, after = _next(plan, pending, same, current | update, work)
    return Command(update={**update, **after}, goto=goto)


def _next(
    plan: Plan | None, pending: Decision | None, same: bool, state: State, work: Work
) -> tuple[Phase | Literal["decide", "execute", "respond"], dict[str, Any]]:
    """Return where to go on, and what changes for it."""
    if plan is not None and not plan.over:
        flow = opened(state["flow"], plan, work.domain)
        return "execute", {"plan_id": plan.plan_id, "flow": flow}
    if plan is not None and same:
        # An event withdrew this turn's own plan: the notice is the answer, no model is asked.
        nothing = Decision(ordinal=state["turn"]["ordinal"], calls=[], text="", refused={})
        return "respond", {"decision": nothing}
    if pending is not None:
        # The same input again, after a crash within a decision: its phases take up where they were.
        goto = phase_after(work.domain, pending, None)
        assert goto != "decide"
        return goto, {}
    return "decide", {}


def _begun(state: State, work: Work) -> dict[str, Any]:
    """Give a new thread its first state, and clear the events that are taken now."""
    domain = work.domain
    if "version" in state:
        return {"events": []}
    first = _last_person(state) or work.session.thread_id
    return {
        "events": [],
        "version": domain.version,
        "flow": domain.flow.start,
        "ledger": {},
        "applied": 0,
        "advanced": 0,
        "decision": None,
        "plan_id": None,
        "epoch": {"number": 0, "digest": "", "covers": 0},
        **domain.initial(work.session, first),
    }


def _turn_to_take(state: State) -> str | None:
    """Name the turn: a new message of a person, else the one that was begun and cut off."""
    messages = state.get("messages") or []
    if messages and isinstance(messages[-1], HumanMessage):
        return str(messages[-1].id)
    turn: Turn | None = state.get("turn")
    return turn["turn_id"] if turn else None


def _last_person(state: State) -> str | None:
    said = [m.id for m in state.get("messages") or () if isinstance(m, HumanMessage)]
    return said[-1] if said else None


async def _take_events(
    state: State, given: Sequence[Mapping[str, Any]], work: Work
) -> dict[str, Any]:
    """Apply the events of the input, each once; one that cannot be taken changes nothing."""
    update: dict[str, Any] = {}
    for event in given:
        try:
            update |= await _take_event({**state, **update}, event, work)
        except ToolRefused as refused:
            work.resources.refused[work.session.thread_id] = str(refused)
    return update


async def _take_event(state: State, event: Mapping[str, Any], work: Work) -> dict[str, Any]:
    """Apply one event from outside the chat, once.

    Whether the state includes it already is told by the number of its ledger entry: a crash
    between the entry and the checkpoint is thus made up for, and a repeated event is not.

    Raises:
        ToolRefused: the event has no id, or the state cannot take it.
    """
    event_id = event.get("id")
    if not isinstance(event_id, str) or not event_id:
        raise ToolRefused('An event needs an "id", by which a repeated one is recognised.')
    known = await work.ledger.turn(work.session.thread_id, event_id)
    entry = next((e for e in known if e.event is Event.APPLIED), None)
    if entry is not None and entry.seq <= state["applied"]:
        return {}
    change = work.domain.apply(state, event, event_id)
    if entry is None:
        payload = {"event": dict(event), "text": change.text}
        async with work.ledger.page(work.session) as page:
            page.write(
                Entry(Event.APPLIED, turn_id=event_id, detail={"call": "event"}, payload=payload)
            )
        seq = page.head.seq
    else:
        seq = entry.seq
    flow = state["flow"]
    if change.trigger and work.domain.flow.allows(flow, change.trigger):
        flow = work.domain.flow.move(flow, change.trigger)
    return {**change.update, "applied": seq, "flow": flow}


def _withdraw(page: Page, plan: Plan, work: Work) -> None:
    """Withdraw a plan that nothing was attempted of and nobody decided on."""
    intended = [step for step in plan.steps if step.state is StepState.INTENDED]
    page.write(
        plan.entry(
            Event.DECISION,
            author=work.session.user_id,
            role=work.session.role,
            detail={"decisions": ["withdrawn" for _ in plan.actions]},
        ),
        *(plan.entry(Event.WITHDRAWN, step) for step in intended),
        ended(plan),
    )


async def _take_in(state: State, work: Work) -> dict[str, Any]:
    """Bring the state up to date with plans that ended and that it does not know to be over.

    One that was withdrawn just now, or whose end was written before a crash and whose checkpoint
    was not.
    """
    update: dict[str, Any] = {}
    over = await work.ledger.ended_plans(work.session.thread_id, after=state["advanced"])
    for plan in over:
        flow = opened({**state, **update}["flow"], plan, work.domain)
        update |= advanced({**state, **update, "flow": flow}, plan, work.domain)
    if over:
        told = _told(over, work)
        turn: Turn = state["turn"]
        update["turn"] = {**turn, "notices": [*turn["notices"], *told]}
        # What is told now is no part of the new turn's view of the ledger.
        update["ledger"] = state["ledger"]
    return update


def _told(over: Sequence[Plan], work: Work) -> list[str]:
    """Say what became of plans that ended while nobody was told."""
    told = []
    for plan in over:
        for action in plan.actions:
            if action.decision == "withdrawn":
                told.append(f"Something changed, so this was withdrawn: {action.title}.")
            else:
                told.append(f"Meanwhile: {work.domain.outcome(action)}.")
    return told
