"""Compile the prompt, ask the model, and keep its decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

from langchain_core.messages import AIMessage, BaseMessage
from langgraph.types import Command

from daybook.nodes.past.advance import opened, was_stopped
from daybook.nodes.past.branch import decided_next, fork_of
from daybook.nodes.past.catch_up import taken_in, under_way
from daybook.nodes.past.told import outcomes, unsaid
from daybook.nodes.planning.bump import asked_first
from daybook.nodes.planning.phases import next_phase, out_of_order, refusal_of
from daybook.nodes.planning.proposed import proposed_in
from daybook.nodes.prompt.aloud import Aloud
from daybook.nodes.prompt.compiler import Prompt, compile_prompt, said_in
from daybook.nodes.prompt.epochs import is_exhausted, report, why_due
from daybook.nodes.prompt.recall import last_of, place_of, recorded, transcript_of
from daybook.nodes.prompt.spoken import (
    acts,
    hearing,
    known_in,
    once_more,
    refused_words,
    set_right,
    untrue,
    would_be_read,
)
from daybook.nodes.prompt.transcript import Transcript
from daybook.nodes.running.hearers import unseen
from daybook.nodes.running.model_errors import model_errors
from daybook.nodes.running.tracing import span, span_id_of
from daybook.nodes.running.usage import model_name, usage_of
from daybook.nodes.running.voice import Speech, joined
from daybook.nodes.running.work import Work
from daybook.state.agent import Asked, Decision, Turn
from daybook.state.effects.keys import digest, storable
from daybook.state.effects.written import restored
from daybook.state.errors import ModelUnavailable, Overtaken
from daybook.state.fault_points import FaultPoint, reached
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.prompt.epoch import BUDGET
from daybook.state.telemetry.spans import SpanKind, decision_name
from daybook.tools.said.known import Known

State = Mapping[str, Any]
Exit = Literal["look", "change", "intend", "execute", "respond", "compact"]


async def decide(state: State, work: Work) -> Command[Exit]:
    """Take the next decision of the turn.

    A decision that was taken on the same prompt is returned from the ledger: after a restart the
    model is not asked again (PROTOCOL: the first one wins).
    """
    caught_up: dict[str, Any] = {}
    transcript, stale = await transcript_of(state, work)
    taken = await recorded(state, transcript, work)
    if taken is None and (behind := _not_in(state, transcript)):
        # Somebody went back to before a plan, and it is not decided as it was then.
        plan = await under_way(behind, work)
        if plan is not None:
            flow = opened(state["flow"], plan, work.domain)
            return Command(update={"plan_id": plan.plan_id, "flow": flow}, goto="execute")
        over = await work.ledger.ended_plans(work.session.thread_id, after=state["advanced"])
        caught_up = taken_in(state, over, work)
        state = {**state, **caught_up, "messages": state["messages"]}
        transcript, stale = await transcript_of(state, work)
        taken = await recorded(state, transcript, work)
    turn: Turn = state["turn"]
    if taken is None and turn["ordinal"] >= work.resources.decisions:
        limit = f"{work.resources.decisions} decisions in one turn (DAYBOOK_DECISIONS)"
        return _stopped(turn, caught_up, limit)
    reported: dict[str, Any] = {}
    speech: Speech | None = None
    if taken is None:
        prompt = compile_prompt(state, transcript, stale, work.domain, work.session)
        if why := why_due(state, transcript, prompt, work):
            if why == BUDGET and is_exhausted(state):
                limit = f"{work.resources.budget} tokens in one prompt (DAYBOOK_PROMPT_TOKENS)"
                return _stopped(turn, caught_up, limit)
            due = {"epoch": {**state["epoch"], "due": why}}
            return Command(update={**caught_up, **due}, goto="compact")
        reported = report(state, transcript, prompt, work)
        known = known_in(prompt, transcript.plans.values(), turn["turn_id"], work.domain)
        speech = _speech(known, transcript, state, work)
        decided = await _decided(prompt, known, reported["asked"], state, work, speech)
        taken = await _record(decided, prompt, transcript, reported["asked"], state, work)
    decision, question = await asked_first(_decision(taken, state, work), state, work)
    next_turn: Turn = {**turn, "ordinal": turn["ordinal"] + 1, "last": taken.seq}
    goto = next_phase(work.domain, decision)
    assert goto != "decide"
    update = {**caught_up, **reported, **question, "decision": decision, "turn": next_turn}
    if speech is not None and speech.answer:
        update |= _as_said(speech, goto, decision, next_turn, state, work)
        if goto != "respond":
            await speech.pauses()
    return Command(update=update, goto=goto)


def _speech(known: Known, transcript: Transcript, state: State, work: Work) -> Speech | None:
    """Make what says the answer while it comes; None where nobody watches, or it may not be."""
    turn: Turn = state["turn"]
    own = [plan for plan in transcript.plans.values() if plan.turn_id == turn["turn_id"]]
    voice = work.voice(state)
    if not (voice.is_heard and work.domain.shows_as_it_comes) or any(map(was_stopped, own)):
        return None
    words = said_in(state).get(turn["turn_id"], "")
    before = turn.get("said", "")
    done = outcomes(own, turn["turn_id"], work.domain)
    return Speech(
        lambda: Aloud(work.domain.sifting(state, words), hearing(known, work.domain, state).holds),
        voice,
        before,
        lambda answer: [*turn["notices"], *unsaid(done, [before, answer])],
    )


def _as_said(
    speech: Speech, goto: Exit, decision: Decision, turn: Turn, state: State, work: Work
) -> dict[str, Any]:
    """Keep what was said while it came: it stands, whatever the answer became of it.

    A model may say something and then call: that is the beginning of the turn's answer.
    """
    told: Turn = {**turn, "notices": []}
    if goto == "respond":
        words = said_in(state).get(turn["turn_id"], "")
        answer = "".join(work.domain.answered(state, words, decision["text"]))
        return {"decision": {**decision, "said": speech.whole(answer)}, "turn": told}
    message = work.voice(state).message(speech.said)
    return {"messages": [message] if message else [], "turn": {**told, "said": speech.said}}


def _stopped(turn: Turn, caught_up: Mapping[str, Any], limit: str) -> Command[Exit]:
    """End a turn that goes on without end, or that no prompt can hold any more.

    Args:
        limit: that was met, its value and its variable, for whoever runs this.
    """
    text = f"{_STOPPED} (The limit is {limit}.)"
    decision = Decision(ordinal=turn["ordinal"], calls=[], text=text, refused={})
    return Command(update={**caught_up, "decision": decision}, goto="respond")


_STOPPED = (
    "I have taken many steps for this and stop here, so that nothing runs away. "
    "Tell me how to go on."
)


def _not_in(state: State, transcript: Transcript) -> list[Plan]:
    """Return the plans of the thread that the state does not know to be over, oldest first."""
    plans = transcript.plans.values()
    return [plan for plan in plans if not plan.over or plan.over_seq > state["advanced"]]


def _decision(taken: Entry, state: State, work: Work) -> Decision:
    """Make the pending decision of what was recorded; nothing is left of one that was erased."""
    body = taken.payload or {"calls": [], "text": ""}
    offered = work.domain.flow.offered[state["flow"]]
    refused = {
        str(position): reason
        for position, call in enumerate(body["calls"])
        if (reason := call.get("fault") or refusal_of(work.domain, call["name"], offered))
    }
    return Decision(
        ordinal=taken.detail["ordinal"],
        calls=[{"name": call["name"], "args": restored(call)} for call in body["calls"]],
        text=body["text"],
        refused={**out_of_order(work.domain, body["calls"]), **refused},
        fork=taken.detail.get("fork", 1),
    )


async def _decided(
    prompt: Prompt,
    known: Known,
    asked: Asked,
    state: State,
    work: Work,
    speech: Speech | None,
) -> dict[str, Any]:
    """Ask the model, and once more where its answer contradicts what is known.

    It may look something up then, and act no more. What it says against what is known a second
    time is taken out, and what is so stands first; behind what was read while it came. All that was
    not let through is kept with the decision.

    Raises:
        ModelUnavailable: it gave no answer.
    """
    decided = await _ask(prompt, prompt.messages, asked, state, work, speech)
    unsaid_: list[dict[str, Any]] = []
    text = would_be_read(decided, work.domain, state)
    read = speech.answer if speech is not None and text.startswith(speech.answer) else ""
    if found := untrue(text, known, work.domain, state, len(read)):
        unsaid_.append(refused_words(text, found))
        again = once_more(prompt, text, found, read)
        with suppress(ModelUnavailable):
            second = await _ask(prompt, again, asked, state, work)
            # The person has asked for nothing more: the machine's own note lets nobody act.
            if not acts(second, work.domain):
                decided = second
                text = would_be_read(decided, work.domain, state)
                if text and not text.startswith(read):
                    text = joined(read, text)
                    decided = {**decided, "text": text}
    if found := untrue(text, known, work.domain, state, len(read)):
        unsaid_.append(refused_words(text, found))
        decided = set_right(decided, text, found, len(read))
    return {**decided, **({"unsaid": unsaid_} if unsaid_ else {})}


async def _ask(
    prompt: Prompt,
    messages: Sequence[BaseMessage],
    asked: Asked,
    state: State,
    work: Work,
    speech: Speech | None = None,
) -> dict[str, Any]:
    """Ask the model.

    Args:
        speech: hears the answer while it comes.

    Raises:
        ModelUnavailable: it gave no answer.
    """
    turn_id, ordinal = place_of(state)
    # What it is asked once more has a span of its own.
    of = prompt.digest if messages is prompt.messages else digest([prompt.digest, "once more"])[:32]
    what = decision_name(ordinal, of)
    with span(work, turn_id, SpanKind.MODEL, model_name(work.resources.model), *what) as traced:
        zones, shared = asked["zones"], asked["shared"]
        traced.tell(ordinal=ordinal, epoch=asked["epoch"], zones=zones, shared=shared)
        answer = await _answer(prompt, messages, asked, work, speech)
        traced.tell(calls=len(answer.tool_calls), **usage_of(answer))
    reached(FaultPoint.AFTER_MODEL)
    return proposed_in(answer)


async def _answer(
    prompt: Prompt,
    messages: Sequence[BaseMessage],
    asked: Asked,
    work: Work,
    speech: Speech | None,
) -> AIMessage:
    """Return the model's answer.

    Raises:
        ModelUnavailable: it gave none.
    """
    work.tell("thinking")
    reached(FaultPoint.BEFORE_MODEL)
    with model_errors():
        cached = work.resources.caching.options(work.session.thread_id, asked["lifetime"])
        model = work.resources.model.bind_tools(prompt.tools, **cached)
        # What a model writes is no message yet: what of it is said, `speech` says.
        with unseen(*([speech] if speech is not None else [])):
            answer = await model.ainvoke([*messages])
    assert isinstance(answer, AIMessage)
    return answer


async def _record(
    decided: Mapping[str, Any],
    prompt: Prompt,
    transcript: Transcript,
    asked: Asked,
    state: State,
    work: Work,
) -> Entry:
    """Write the decision down; where another process was first, take its decision.

    It names the decision before it, so that branches of the thread can be told apart; and what its
    prompt took, and what cannot be compiled from the rows again, so that it can be shown as it was.
    """
    place, last = place_of(state), last_of(state)
    turn_id, ordinal = place
    fork = fork_of(transcript.elsewhere, place)
    took = {name: asked[name] for name in ("epoch", "zones", "shared", "lifetime")}
    took |= {"flow": state["flow"], "most": transcript.most}
    took |= {"superseded": asked["superseded"]} if asked["superseded"] else {}
    took |= {"tightness": tight} if (tight := state["epoch"].get("tightness")) else {}
    named = span_id_of(work, turn_id, *decision_name(ordinal, prompt.digest))
    # Most tails are those of the prompt before.
    tail = {} if prompt.tail == transcript.tail else {"tail": storable(prompt.tail)}
    try:
        async with work.ledger.page(work.session) as page:
            if page.head.seq != transcript.last_seq:
                # Somebody wrote meanwhile, perhaps a decision at this place.
                fork = fork_of(await page.turn(turn_id), place)
            after = transcript.last if last is None else last
            detail = {"ordinal": ordinal, "prompt": prompt.digest, "after": after, **took, **named}
            forked = {"fork": fork} if fork > 1 else {}
            entry = Entry(
                Event.DECIDED,
                turn_id=turn_id,
                detail={**detail, **forked},
                payload={**decided, **tail},
            )
            page.write(entry)
        return replace(entry, seq=page.head.seq)
    except Overtaken:
        known = await work.ledger.turn(work.session.thread_id, turn_id)
        there = decided_next(known, place, None)
        return next(entry for entry in there if entry.detail["prompt"] == prompt.digest)
