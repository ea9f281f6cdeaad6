"""Take the input once: a user's message, or events that no model sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langchain_core.messages import HumanMessage
from langgraph.types import Command

from daybook.nodes.effects import approve
from daybook.nodes.past.aside import cancelled, may_wait, set_aside
from daybook.nodes.past.fresh import FRESH_FROM, started_from
from daybook.nodes.past.learn import remember
from daybook.nodes.past.plans import Tail, is_ahead, left_over, opened_flow, taken_in, was_stopped
from daybook.nodes.planning.phases import Phase, after_effects, next_phase
from daybook.nodes.planning.refusals import leave_unrun
from daybook.nodes.questions import Asks, put_again
from daybook.nodes.running.contexts import text_of
from daybook.nodes.running.stop import stop
from daybook.nodes.running.tracing import waited
from daybook.nodes.running.work import Work
from daybook.state.agent import Decision, Turn
from daybook.state.effects.keys import fresh_salt
from daybook.state.errors import ToolRefused
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.ledger.stopping import (
    NOTHING_UNDER_WAY,
    STOP,
    is_stop,
    is_stop_event,
    told_of_stopping,
)
from daybook.state.people.privacy import NOT_KEPT, lacks_something

State = Mapping[str, Any]
Exit = Literal["decide", "look", "change", "intend", "respond"] | Asks | Tail


async def receive(state: State, work: Work) -> Command[Exit]:
    """Begin or continue a turn; a thread with open steps goes to execute first.

    A message or event that was given before is recognised by its id and done once.
    """
    given = state.get("events") or ()
    update = await _begun(state, work)
    update |= await _take_events({**state, **update}, given, work)
    current = {**state, **update}
    changed = current["applied"] != state.get("applied", 0)
    turn_id = _turn_to_take(current) or await _turn_under_way(work)
    if turn_id is None:
        return await left_over(current, update, work)
    memory = work.resources.postgres.memory
    asked = memory.asks_at_turn(work.session.user_id)
    known, *rows = await work.ledger.turn_with(work.session.thread_id, turn_id, *asked)
    facts, lessons = memory.at_turn_in(*rows)
    at_turn = {"facts": facts, "lessons": lessons}
    same = (state.get("turn") or {}).get("turn_id") == turn_id
    done = any(entry.event is Event.TURN_DONE for entry in known)
    if done and same and current["turn"].get("done"):
        return await left_over(current, update, work)
    put = await put_again(current, update, turn_id, work) if not same and not changed else None
    if put is not None:
        return put
    # Else its answer died before the checkpoint that was to hold it, or someone went back: the
    # turn is walked through again, and finds what it decided and did in the ledger.
    turn: Turn = state["turn"] if same else _new_turn(state, turn_id)
    pending: Decision | None = state.get("decision") if same else None
    if not same:
        # What the machine had to say in a turn that ended without an answer.
        left_over_notices = (state.get("turn") or {}).get("notices", [])
        turn["notices"] = [*left_over_notices, *turn["notices"]]
        update |= _changed(current, at_turn)
    received = next((entry for entry in known if entry.event is Event.RECEIVED), None)
    async with work.ledger.page(work.session, is_step=True) as page:
        plan = await page.plan(page.open_plan) if page.open_plan else None
        if received is None:
            stops = _to_be_stopped(plan, current, turn_id)
            received = Entry(Event.RECEIVED, turn_id=turn_id, detail=stops)
            page.write(received)
        was_decided = plan is None or plan.decided
        is_open = plan is not None and not plan.touched and not plan.decided
        waits = plan is not None and is_open and not changed and may_wait(state, plan, turn_id)
        if plan is not None and plan.plan_id == received.detail.get(STOP):
            approve.stop(page, plan, work.session)
        elif plan is not None and waits:
            # Unless nobody has answered in time.
            work.engine.follow(page, plan)
        elif plan is not None and is_open and plan.turn_id != turn_id:
            approve.withdraw(page, plan, work.session)
        elif plan is not None and is_open and changed and pending is not None:
            approve.ask_again(page, plan, work.session)
        elif plan is not None and is_open and changed:
            approve.withdraw(page, plan, work.session)
        elif plan is not None and not plan.decided:
            # Nobody answered in time: it ends here.
            work.engine.follow(page, plan)
    if plan is not None and plan.decided and not was_decided:
        await waited(work.engine, plan)
    if not same and STOP in received.detail:
        turn["stops"] = received.detail[STOP]
        if plan is not None and not plan.over:
            turn["notices"] = [*turn["notices"], *_not_stopped(plan)]
    waits = plan is not None and waits and not plan.decided
    aside = set_aside(state, plan, work.domain) if plan is not None and waits else {}
    if not same and (left := state.get("decision")) is not None and not aside:
        await leave_unrun(left, state["turn"]["turn_id"], work)
    await cancelled(current, work)
    update |= {"turn": turn, "decision": pending, "ledger": state.get("ledger", {}) if same else {}}
    update |= aside
    over = await work.ledger.ended_plans(work.session.thread_id, after=current["advanced"])
    is_known = plan is not None or await _is_known(current["plan_id"], over, work)
    if not is_known or _is_astray(current | update, page.head.seq, work):
        here = {"applied": page.head.seq, "advanced": page.head.seq}
        update |= {"flow": work.domain.flow.start, "plan_id": None, "decision": None, **here}
        update["turn"] = turn = {**turn, "last": 0}
        update |= _changed(current, at_turn)
    if waits:
        plan = None
    walks = "version" in state and turn_id in _ids(current) and not changed
    if walks and not (plan is not None and plan.over):
        # What this turn has not come to yet is met on the way.
        over = [one for one in over if not is_ahead(one, turn)]
        plan = None if plan is not None and is_ahead(plan, turn) else plan
    update |= taken_in(current | update, over, work)
    goto, after = _next(plan, over, current | update, work)
    if goto == "respond" and pending is not None:
        await leave_unrun(pending, turn_id, work)
    return Command(update={**update, **after}, goto=goto)


def _changed(state: State, at_turn: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known at the begin of a turn and differs from what the state holds of it."""
    return {name: known for name, known in at_turn.items() if state.get(name) != known}


async def _turn_under_way(work: Work) -> str | None:
    """Name the turn of the plan that is open in the ledger, where the checkpoints are gone."""
    plan_id = await work.ledger.open_plan(work.session.thread_id)
    return (await work.engine.read(plan_id)).plan.turn_id if plan_id else None


async def _is_known(plan_id: str | None, over: Sequence[Plan], work: Work) -> bool:
    """Tell whether this thread's ledger holds the plan that its state names, if it names one.

    One that ended long ago may still be asked about: its mail is in doubt.
    """
    if plan_id is None or any(plan.plan_id == plan_id for plan in over):
        return True
    return (await work.ledger.plan(work.session.thread_id, plan_id))[0] is not None


def _is_astray(state: State, last_seq: int, work: Work) -> bool:
    """Tell whether the state is of another thread: it was copied, or rewritten.

    It names entries that this thread's ledger does not hold, or a place that is none.
    """
    turn: Turn = state["turn"]
    return (
        max(state["applied"], state["advanced"], turn.get("last", 0)) > last_seq
        or state["flow"] not in work.domain.flow.offered
    )


def _next(
    plan: Plan | None, over: Sequence[Plan], state: State, work: Work
) -> tuple[Phase | Literal["decide", "execute", "respond"], dict[str, Any]]:
    """Return where to go on, and what changes for it."""
    if plan is not None and not plan.over:
        flow = opened_flow(state["flow"], plan, work.domain)
        return "execute", {"plan_id": plan.plan_id, "flow": flow}
    turn: Turn = state["turn"]
    nothing = Decision(ordinal=turn["ordinal"], calls=[], text="", refused={})
    if "stops" in turn:
        notices = turn["notices"] or [NOTHING_UNDER_WAY]
        return "respond", {"decision": nothing, "turn": {**turn, "notices": notices}}
    pending: Decision | None = state["decision"]
    if plan is not None and plan.edits and pending is not None:
        return "intend", {}
    if plan is not None and plan.turn_id == turn["turn_id"]:
        # An event withdrew this turn's own plan: the notice is the answer, no model is asked.
        return "respond", {"decision": nothing}
    if any(one.turn_id == turn["turn_id"] and was_stopped(one) for one in over):
        return "respond", {"decision": nothing}
    ended = [one for one in over if one.turn_id == turn["turn_id"] and not one.edits]
    if ended and pending is not None:
        # Its effects were carried out to their end, and the checkpoint died.
        pending = after_effects(work.domain, pending, ended[-1])
    # The same input again, after a crash within a decision: its phases take up where they were.
    goto = next_phase(work.domain, pending) if pending is not None else "decide"
    return goto, {"decision": pending}


def _to_be_stopped(plan: Plan | None, state: State, turn_id: str) -> dict[str, str]:
    """Name the plan that a message wants stopped, if that is all it says; no model is asked."""
    said = text_of(state, turn_id)
    is_new = plan is not None and plan.turn_id != turn_id
    return {STOP: plan.plan_id} if plan is not None and is_new and is_stop(said) else {}


def _not_stopped(plan: Plan) -> list[str]:
    """Say of a plan that goes on what stands, and why; what is stopped is told when it is over."""
    if any(action.is_approved and not action.closing for action in plan.actions):
        return [told_of_stopping(plan)]
    return []


async def _begun(state: State, work: Work) -> dict[str, Any]:
    """Give a new thread its first state, and clear the events that are taken now.

    One that is replayed from its very beginning keeps its salt, or it would know none of its
    decisions and plans again.
    """
    domain = work.domain
    if "version" in state:
        return {"events": []}
    said = [m.id for m in state.get("messages") or () if isinstance(m, HumanMessage)]
    first = str(said[-1]) if said else work.session.thread_id
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
        "salt": await work.resources.postgres.threads.salt(work.session.thread_id) or fresh_salt(),
        **domain.initial_state(work.session, first, work.resources.services),
    }


def _turn_to_take(state: State) -> str | None:
    """Name the turn: a new message of a person, else the one that was begun and cut off."""
    messages = state.get("messages") or []
    if messages and isinstance(messages[-1], HumanMessage):
        return str(messages[-1].id)
    turn: Turn | None = state.get("turn")
    return turn["turn_id"] if turn else None


def _new_turn(state: State, turn_id: str) -> Turn:
    """Begin a turn after the last one."""
    before: Turn | None = state.get("turn")
    said = text_of(state, turn_id)
    notices = [NOT_KEPT] if lacks_something(said) else []
    return Turn(turn_id=turn_id, ordinal=0, notices=notices, last=before["last"] if before else 0)


def _ids(state: State) -> set[str]:
    return {str(message.id) for message in state.get("messages") or ()}


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
        raise ToolRefused('An event needs an "id", so that a repeated one is recognised.')
    if is_stop_event(event):
        # The wish stands in the ledger alone: it changes no state.
        await stop(work.ledger, work.session, event_id)
    known = await work.ledger.turn(work.session.thread_id, event_id)
    # A message may have the same id, and changes of its own.
    entry = next((e for e in known if e.detail.get("call") == "event"), None)
    if is_stop_event(event) and entry is not None:
        return {"applied": max(entry.seq, state["applied"])}
    if entry is not None and entry.seq <= state["applied"]:
        return {}
    if event.get("type") == FRESH_FROM:
        change = await started_from(state, event, event_id, work)
    else:
        change = work.domain.changed(state, event, event_id)
    if entry is None:
        payload = {"event": dict(event), "text": change.text}
        async with work.ledger.page(work.session) as page:
            page.write(
                Entry(Event.APPLIED, turn_id=event_id, detail={"call": "event"}, payload=payload)
            )
        seq = page.head.seq
    else:
        seq = entry.seq
    await remember(event, seq, work, is_again=entry is not None)
    flow = state["flow"]
    if change.trigger and work.domain.flow.allows(flow, change.trigger):
        flow = work.domain.flow.move(flow, change.trigger)
    return {**change.update, "applied": seq, "flow": flow}
