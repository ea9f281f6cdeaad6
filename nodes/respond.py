"""End the turn: the model's text as it was streamed, the receipts and warnings, its calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage
from langgraph.types import Command

from daybook.checkpoints.runs.reads import Read
from daybook.nodes.past.branch import of_branch
from daybook.nodes.past.learn import learn_from_plans
from daybook.nodes.past.plans import Tail, emit_receipt, left_over, notices_of
from daybook.nodes.planning.phases import call_name, place_name
from daybook.nodes.running.tracing import turn_ended
from daybook.nodes.running.work import Work
from daybook.state.agent import Decision, Turn, Waiting, answer_id, message_of
from daybook.state.calls import Call, WriteCall
from daybook.state.effects.arguments import restored
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.stopping import is_told, told_turn_stopped
from daybook.state.people.tool_messages import calling
from daybook.state.prompt.tokens import cut
from daybook.state.receipts import is_receipt, receipt_message
from daybook.tools.domain import Domain

Exit = Tail


async def respond(state: Mapping[str, Any], work: Work) -> Command[Exit]:
    """Store the model's text with receipts and corrections; record that the turn is done.

    The receipts of its plans stand in the messages already (`daybook.nodes.past.plans`).
    """
    turn: Turn = state["turn"]
    decision: Decision = state["decision"]
    warned = work.domain.warnings(state)
    fresh = [one.text for one in warned if one.key not in state.get("warned", ())]
    # A node that runs again, after its entry and before its checkpoint, gives the same answer.
    async with work.ledger.page(work.session, is_step=True) as page:
        known = await page.turn(turn["turn_id"])
        if all(entry.event is not Event.TURN_DONE for entry in known):
            waiting: Waiting | None = state.get("waiting")
            waits = {"waits": waiting["plan_id"]} if waiting is not None else {}
            page.write(Entry(Event.TURN_DONE, turn_id=turn["turn_id"], detail=waits))
    # Behind that entry: no wish to stop this turn comes any more, and a node that runs again reads
    # the same.
    first, decided = known[0].seq if known else 0, _decided(known, turn)
    names = [call_name(place, at) for place, calls in decided.items() for at in range(len(calls))]
    thread_id, turn_id = work.session.thread_id, turn["turn_id"]
    asked = work.reads.asks_results(thread_id, turn_id, names)
    who, over, left, found = await work.ledger.ended_turn(thread_id, turn_id, first, asked)
    if not known:
        # A copied thread has no ledger of this turn.
        over = []
    if known and state["advanced"] >= known[0].seq:
        await learn_from_plans(state, over, work)
    notices = [*turn["notices"], *fresh]
    own = [plan for plan in over if plan.turn_id == turn["turn_id"]]
    stated = [*notices, *(line for plan in own for line in notices_of(plan, turn))]
    if who is not None and not is_told(who, stated):
        notices.append(told_turn_stopped(who))
    notice = emit_receipt(receipt_message(f"{turn['turn_id']}/notice", [], notices), work)
    correction = receipt_message(turn["turn_id"], [], correction=decision.get("correction", ""))
    answer = _answer(decision, turn, has_receipt=bool(notice) or _has_receipt(state), known=known)
    turn_ended(work.engine, known)
    work.resources.ended.add(work.session.thread_id)
    results = _results(turn_id, known, over, work.reads.results_in(found), work.domain)
    calls = called(turn_id, decided, results)
    stands = tuple(one.key for one in warned)
    after: dict[str, Any] = {} if stands == state.get("warned", ()) else {"warned": stands}
    done: Turn = {**turn, "notices": [], "done": True}
    # The model's text is the last message, unless it needs a correction.
    messages = [*calls, *notice, *answer, *emit_receipt(correction, work)]
    after |= {"messages": messages, "decision": None, "turn": done}
    command = await left_over(state, after, work, found=left)
    if command.goto == "__end__" and (plan := await _settled_late(state, known, work)):
        return Command(update={**after, "plan_id": plan.plan_id}, goto="execute")
    return command


def _has_receipt(state: Mapping[str, Any]) -> bool:
    """Tell whether a receipt stands behind the message that began the turn."""
    messages = state.get("messages") or []
    at = next((at for at, m in enumerate(messages) if m.id == state["turn"]["turn_id"]), 0)
    return any(is_receipt(message.id) for message in messages[at:])


def _answer(
    decision: Decision, turn: Turn, *, has_receipt: bool, known: Sequence[Entry]
) -> list[AIMessage]:
    """Return the message of the model's text; where there is none, and no receipt, say so."""
    if decision["text"].strip():
        is_resumed = turn.get("resumed", False)
        return [message_of(decision, turn["turn_id"], is_resumed=is_resumed)]
    if has_receipt:
        return []
    applied = any(entry.event is Event.APPLIED for entry in known)
    text = "Done." if applied else "The model gave no answer. Rephrase the message."
    return [AIMessage(text, id=answer_id(turn["turn_id"]))]


async def _settled_late(
    state: Mapping[str, Any], known: Sequence[Entry], work: Work
) -> Plan | None:
    """Find a plan of this turn of which more is known than the model was shown.

    A runner that was taken over in a call may still have told the outcome.
    """
    calls: Mapping[str, Call] = state["ledger"]
    doubted = {
        name
        for name, call in calls.items()
        if isinstance(call, WriteCall) and call.status is StepState.IN_DOUBT
    }
    if not doubted:
        return None
    for plan in await work.ledger.ended_plans(work.session.thread_id, after=known[0].seq):
        steps = [step for step in plan.steps if step.step_id in doubted]
        if any(step.state is not StepState.IN_DOUBT for step in steps):
            return plan
    return None


_LONGEST = 300
"""Tokens of a result that is shown."""


def _decided(known: Sequence[Entry], turn: Turn) -> dict[str, Sequence[Mapping[str, Any]]]:
    """Return the calls of a turn, by the place of the decision that made them, in order."""
    return {
        place_name(entry.detail["ordinal"], entry.detail.get("fork", 1)): calls
        for entry in of_branch(known, turn.get("last", 0))
        if entry.event is Event.DECIDED and (calls := (entry.payload or {}).get("calls"))
    }


def called(
    turn_id: str, decided: Mapping[str, Sequence[Mapping[str, Any]]], results: Mapping[str, str]
) -> list[AnyMessage]:
    """Return the messages that show what a turn called and the outcome, in order."""
    messages: list[AnyMessage] = []
    for place, calls in decided.items():
        shown = [
            (call["name"], restored(call), results.get(call_name(place, at), "No result."))
            for at, call in enumerate(calls)
        ]
        messages += calling(turn_id, place, shown)
    return messages


def _results(
    turn_id: str,
    known: Sequence[Entry],
    over: Sequence[Plan],
    reads: Sequence[Read],
    domain: Domain,
) -> dict[str, str]:
    """Return what came of calls, as the model is told it."""
    results = {
        read.call: domain.refused(read.tool, str(read.result["said"]))
        if read.cache == "failed"
        else domain.rendered(read.tool, read.handle, read.result, read.hidden)
        for read in reads
    }
    results |= {
        entry.detail["call"]: str((entry.payload or {}).get("text", ""))
        for entry in known
        if entry.event is Event.APPLIED
    }
    for plan in over:
        if plan.turn_id == turn_id and not plan.edits:
            results |= {action.call: domain.outcome_line(action) for action in plan.actions}
    return {name: cut(text, _LONGEST) for name, text in results.items()}
