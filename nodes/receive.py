"""Take the input once: a message of a person, or events that no model sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langchain_core.messages import HumanMessage
from langgraph.types import Command

from checkpoints.ledger import Page
from nodes.advance import advanced, ended
from nodes.phases import phase_after
from nodes.work import Work
from state.agent import Turn
from state.errors import ToolRefused
from state.plan import Entry, Plan
from state.recovery import Event, StepState

State = Mapping[str, Any]
Exit = Literal["decide", "look", "change", "intend", "execute", "respond", "__end__"]


async def receive(state: State, work: Work) -> Command[Exit]:
    """Begin or continue a turn; a thread with open steps goes to execute first.

    A message or event that was given before is recognised by its id and done once.
    """
    update = _begun(state, work)
    current = {**state, **update}
    for event in state.get("events") or ():
        happened = await _take_event({**current, **update}, event, work)
        update |= happened
        current |= happened
    turn_id = _turn_to_take(current)
    if turn_id is None:
        return Command(update=update, goto="__end__")
    known = await work.ledger.turn(work.session.thread_id, turn_id)
    if any(entry.event is Event.TURN_DONE for entry in known):
        return Command(update=update, goto="__end__")
    same = (state.get("turn") or {}).get("turn_id") == turn_id
    turn: Turn = state["turn"] if same else Turn(turn_id=turn_id, ordinal=0, notices=[])
    async with work.ledger.page(work.session) as page:
        if not any(entry.event is Event.RECEIVED for entry in known):
            page.write(Entry(Event.RECEIVED, turn_id=turn_id))
        open_plan = await page.plan(page.open_plan) if page.open_plan else None
        withdrawn = open_plan is not None and _withdraw(page, open_plan, turn_id, work)
    pending = state.get("decision") if same else None
    kept = state.get("ledger", {}) if same else {}
    update |= {"turn": turn, "decision": pending, "ledger": kept}
    if open_plan is None and pending is not None:
        # The same input again, after a crash within a decision: its phases take up where they were.
        return Command(update=update, goto=phase_after(work.domain, pending, None))
    if open_plan is None:
        return Command(update=update, goto="decide")
    if withdrawn:
        after = advanced({**current, **update}, open_plan, work.domain)
        notice = f"You wrote something new, so this was withdrawn: {open_plan.actions[0].title}."
        turn = {**turn, "notices": [*turn["notices"], notice]}
        return Command(update={**update, **after, "turn": turn}, goto="decide")
    return Command(update={**update, "plan_id": open_plan.plan_id}, goto="execute")


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
    async with work.ledger.page(work.session) as page:
        if entry is None:
            payload = {"event": dict(event), "text": change.text}
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


def _withdraw(page: Page, plan: Plan, turn_id: str, work: Work) -> bool:
    """Withdraw a plan that nothing was attempted of and nobody decided on."""
    if plan.touched or plan.decided or plan.turn_id == turn_id:
        return False
    intended = [step for step in plan.steps if step.state is StepState.INTENDED]
    page.write(
        plan.entry(
            Event.DECISION,
            author=work.session.user_id,
            role=work.session.role,
            detail={"decisions": ["withdrawn" for _ in plan.actions]},
        ),
        *(plan.entry(Event.WITHDRAWN, step) for step in intended),
    )
    page.write(ended(plan))
    return True
