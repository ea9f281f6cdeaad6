"""End the turn: the decision's text is the answer, no second model call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.types import Command

from daybook.nodes.look import said
from daybook.nodes.past.advance import was_stopped
from daybook.nodes.past.learn import learn_from_plans
from daybook.nodes.past.left_over import Tail, left_over
from daybook.nodes.running.tracing import turn_ended
from daybook.nodes.running.work import Work
from daybook.state.agent import Decision, Turn
from daybook.state.calls import Call, WriteCall
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.stopping import is_told, told_turn_stopped
from daybook.tools.domain import Warned

Exit = Tail

_READS = 8
"""Whose results an answer may speak of."""


async def respond(state: Mapping[str, Any], work: Work) -> Command[Exit]:
    """Say the answer, with what the machine has to tell; record that the turn is done."""
    turn: Turn = state["turn"]
    decision: Decision = state["decision"]
    text = decision["text"]
    answer = work.domain.answered(state, said(state), text) if text.strip() else []
    known = await work.ledger.turn(work.session.thread_id, turn["turn_id"])
    warned = await _warnings(state, "\n\n".join(answer), work)
    fresh = [one.text for one in warned if one.key not in state.get("warned", ())]
    await learn_from_plans(state, known, work)
    # A node that runs again, after its entry and before its checkpoint, gives the same answer.
    if all(entry.event is not Event.TURN_DONE for entry in known):
        async with work.ledger.page(work.session) as page:
            page.write(Entry(Event.TURN_DONE, turn_id=turn["turn_id"]))
    # Behind that entry: no wish to stop this turn comes any more, and a node that runs again reads
    # the same.
    who = await work.ledger.stopped_by(work.session.thread_id, turn["turn_id"])
    # What came of a plan is the machine's to say, whatever the model says of it.
    done = _unsaid(await _done(known, work, but_stopped=who is not None), answer)
    lines = [*fresh, *([*turn["notices"], *done, *answer] or _nothing(known))]
    if who is not None and not is_told(who, lines):
        lines = [told_turn_stopped(who), *lines]
    text = "\n\n".join(lines)
    turn_ended(work, known)
    work.resources.ended.add(work.session.thread_id)
    message = AIMessage(text, id=f"{turn['turn_id']}/answer")
    goto, after = await left_over(work)
    if goto == "__end__" and (plan := await _settled_late(state, known, work)):
        goto, after = "execute", {"plan_id": plan.plan_id}
    stands = tuple(one.key for one in warned)
    after |= {} if stands == state.get("warned", ()) else {"warned": stands}
    return Command(
        update={"messages": [message], "decision": None, "turn": {**turn, "notices": []}, **after},
        goto=goto,
    )


async def _warnings(state: Mapping[str, Any], answer: str, work: Work) -> list[Warned]:
    """Return what the machine has to say beside an answer, as things stand."""
    if not work.domain.may_warn:
        return []
    reads = await work.reads.latest(work.session.thread_id, _READS) if state.get("facts") else []
    return work.domain.warnings(state, answer, [read.result for read in reads])


async def _settled_late(
    state: Mapping[str, Any], known: Sequence[Entry], work: Work
) -> Plan | None:
    """Find a plan of this turn of which more is known than the model was shown.

    A runner that was taken over in a call may still have told what came of it.
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


def _nothing(known: Sequence[Entry]) -> list[str]:
    """Say something where there is nothing to say."""
    applied = any(entry.event is Event.APPLIED for entry in known)
    return ["Done." if applied else "I have no answer to that. Say it in another way."]


def _unsaid(lines: Sequence[str], answer: Sequence[str]) -> list[str]:
    """Return the lines of which an answer does not hold what came of it, word for word."""

    def is_held(line: str) -> bool:
        whole = line.rstrip(".")
        _, _, came = whole.partition(": ")
        # "done" stands in many an answer.
        held = (whole, came) if len(came.split()) > 2 else (whole,)
        return any(words in part for words in held for part in answer)

    return [line for line in lines if not is_held(line)]


async def _done(known: Sequence[Entry], work: Work, *, but_stopped: bool) -> list[str]:
    """Say what came of the plans of a turn.

    Args:
        but_stopped: leave out those that a person has stopped: they are told of.
    """
    if not known:
        # A copied thread has no ledger of this turn.
        return []
    over = await work.ledger.ended_plans(work.session.thread_id, after=known[0].seq)
    return [
        f"{work.domain.outcome_line(action).rstrip('.')}."
        for plan in over
        if plan.turn_id == known[0].turn_id and not plan.edits
        if not (but_stopped and was_stopped(plan))
        for action in plan.actions
    ]
