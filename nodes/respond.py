"""End the turn: the decision's text is the answer, no second model call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.types import Command

from daybook.nodes.called import called
from daybook.nodes.look import said
from daybook.nodes.past.advance import was_stopped
from daybook.nodes.past.learn import learn_from_plans
from daybook.nodes.past.left_over import Tail, left_over
from daybook.nodes.past.told import outcomes, unsaid
from daybook.nodes.running.tracing import turn_ended
from daybook.nodes.running.voice import joined
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
    # A copied thread has no ledger of this turn.
    over = (
        await work.ledger.ended_plans(work.session.thread_id, after=known[0].seq) if known else []
    )
    if who is not None:
        over = [plan for plan in over if not was_stopped(plan)]
    begun = decision.get("said") or turn.get("said")
    # What came of a plan is the machine's to say, whatever the model says of it.
    done = unsaid(outcomes(over, turn["turn_id"], work.domain), [begun or "", *answer])
    if begun is not None:
        # What was said as it came stands first; what is known since then, behind it.
        answer = [] if "said" in decision else answer
        lines = [begun, *turn["notices"], *done, *answer, *fresh]
    else:
        lines = [*fresh, *([*turn["notices"], *done, *answer] or _nothing(known))]
    if who is not None and not is_told(who, lines):
        lines.insert(0 if begun is None else len(lines), told_turn_stopped(who))
    text = joined(*lines)
    voice = work.voice(state)
    if begun is not None or voice.has_begun or voice.is_needed:
        await voice.say(text)
        await voice.end()
    turn_ended(work, known)
    work.resources.ended.add(work.session.thread_id)
    message = voice.message(text)
    shown = await called(state, known, work)
    goto, after = await left_over(work)
    if goto == "__end__" and (plan := await _settled_late(state, known, work)):
        goto, after = "execute", {"plan_id": plan.plan_id}
    messages = [*shown, *([message] if message else [])]
    stands = tuple(one.key for one in warned)
    after |= {} if stands == state.get("warned", ()) else {"warned": stands}
    return Command(
        update={"messages": messages, "decision": None, "turn": _over(turn), **after},
        goto=goto,
    )


async def _warnings(state: Mapping[str, Any], answer: str, work: Work) -> list[Warned]:
    """Return what the machine has to say beside an answer, as things stand."""
    if not work.domain.may_warn:
        return []
    reads = await work.reads.latest(work.session.thread_id, _READS)
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


def _over(turn: Turn) -> Turn:
    """Return a turn with nothing left to tell."""
    over: Turn = {**turn, "notices": []}
    over.pop("said", None)
    return over


def _nothing(known: Sequence[Entry]) -> list[str]:
    """Say something where there is nothing to say."""
    applied = any(entry.event is Event.APPLIED for entry in known)
    return ["Done." if applied else "I have no answer to that. Say it in another way."]
