"""Compile the prompt, call the model, and record its decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

from langchain_core.messages import AIMessage, BaseMessage
from langgraph.types import Command

from daybook.nodes.past.aside import waits_for
from daybook.nodes.past.branch import decided_at, of_branch
from daybook.nodes.past.plans import opened_flow, taken_in, under_way
from daybook.nodes.planning.phases import next_phase, out_of_order, refusal_of
from daybook.nodes.planning.refusals import asked_first, is_acting, proposed_in, repeated_calls
from daybook.nodes.prompt.answer_check import asked_again, findings_payload, known_from
from daybook.nodes.prompt.compiler import Prompt, compile_prompt
from daybook.nodes.prompt.epochs import (
    is_exhausted,
    last_of,
    place_of,
    recorded,
    report,
    transcript_of,
    why_due,
)
from daybook.nodes.prompt.transcript import Transcript
from daybook.nodes.running.budgets import (
    call_of,
    model_name,
    standings,
    stopped_by,
    usage_of,
    warned,
)
from daybook.nodes.running.model_call import is_streamed, model_errors
from daybook.nodes.running.tracing import span
from daybook.nodes.running.work import Work
from daybook.state.agent import Asked, Decision, Turn, message_of
from daybook.state.effects.arguments import restored
from daybook.state.effects.keys import storable
from daybook.state.errors import ModelUnavailable, Overtaken
from daybook.state.fault_points import FaultPoint, reached
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.people.budget import Usage
from daybook.state.people.privacy import redacted
from daybook.state.prompt.epoch import BUDGET
from daybook.state.trace_ids import SpanKind
from daybook.tools.receipts.check import Finding, check, correction_text

State = Mapping[str, Any]
Exit = Literal["look", "change", "intend", "execute", "respond", "compact"]


async def decide(state: State, work: Work) -> Command[Exit]:
    """Ask the model for the next decision, or take the one that was recorded.

    A decision that was taken on the same prompt is returned from the ledger: after a restart the
    model is not asked again (docs/protocol.md, Name: the first one wins).
    """
    caught_up: dict[str, Any] = {}
    transcript, stale = await transcript_of(state, work)
    taken = await recorded(state, transcript, work)
    if taken is None and (behind := _not_in(state, transcript)):
        # Someone went back to before a plan, and it is not decided as it was then.
        plan = await under_way(behind, work)
        if plan is not None:
            flow = opened_flow(state["flow"], plan, work.domain)
            return Command(update={"plan_id": plan.plan_id, "flow": flow}, goto="execute")
        over = await work.ledger.ended_plans(work.session.thread_id, after=state["advanced"])
        caught_up = taken_in(state, over, work)
        state = {**state, **caught_up, "messages": state["messages"]}
        transcript, stale = await transcript_of(state, work)
        taken = await recorded(state, transcript, work)
    turn: Turn = state["turn"]
    if taken is None and turn["ordinal"] >= work.resources.decisions:
        limit = f"{work.resources.decisions} decisions in one turn (DAYBOOK_DECISIONS)"
        return _stopped(turn, caught_up, _met(limit))
    reported: dict[str, Any] = {}
    if taken is None:
        prompt = compile_prompt(state, transcript, stale, work.domain, work.session)
        if why := why_due(state, transcript, prompt, work):
            if why == BUDGET and is_exhausted(state):
                limit = f"{work.resources.budget} tokens in one prompt (DAYBOOK_PROMPT_TOKENS)"
                return _stopped(turn, caught_up, _met(limit))
            due = {"epoch": {**state["epoch"], "due": why}}
            return Command(update={**caught_up, **due}, goto="compact")
        budgets = await standings(work, model_name(work.resources.model))
        if stop := stopped_by(budgets):
            return _stopped(turn, caught_up, stop)
        turn = warned(turn, budgets)
        reported = report(state, transcript, prompt, work)
        decided, used = await _decided(prompt, transcript, reported["asked"], state, work)
        taken = await _record(decided, used, prompt, transcript, reported["asked"], state, work)
    proposed = _decision(taken, state, work)
    decision = await _without_repetition(proposed, taken, transcript, state, work)
    decision, question = await asked_first(decision, state, work)
    next_turn: Turn = {**turn, "ordinal": turn["ordinal"] + 1, "last": taken.seq}
    goto = next_phase(work.domain, decision)
    assert goto != "decide"
    update = {**caught_up, **reported, **question, "decision": decision, "turn": next_turn}
    if proposed["text"] and (goto != "respond" or "message_id" not in decision):
        # The text beside calls was streamed as a message of its own, and is stored as one.
        update["messages"] = [message_of(proposed, turn["turn_id"], is_interim=True)]
    return Command(update=update, goto=goto)


async def _without_repetition(
    decision: Decision, taken: Entry, transcript: Transcript, state: State, work: Work
) -> Decision:
    """Refuse calls that were done in this turn."""
    if not is_acting(work.domain, decision):
        return decision
    turn_id, known = state["turn"]["turn_id"], transcript.events
    if state["epoch"].get("made_in") == turn_id:
        # The epoch began within the turn, such as by a hand-over.
        of_turn = await work.ledger.turn(work.session.thread_id, turn_id)
        known = of_branch(of_turn, last_of(state))
    known = [one for one in known if one.turn_id == turn_id and one.seq < taken.seq]
    repeated = repeated_calls(work.domain, decision, known, transcript.plans.values())
    return {**decision, "refused": {**decision["refused"], **repeated}}


def _stopped(turn: Turn, caught_up: Mapping[str, Any], text: str) -> Command[Exit]:
    """End a turn that has too many steps, that no prompt can hold any more, or no budget pays for.

    Nothing is recorded: the next message goes on, and so does this turn where it is run again.
    """
    decision = Decision(ordinal=turn["ordinal"], calls=[], text=text, refused={})
    return Command(update={**caught_up, "decision": decision}, goto="respond")


def _met(limit: str) -> str:
    """Say which limit was met, with its value and its variable for the operator."""
    return f"Stopped after too many steps. Reply to continue. (The limit is {limit}.)"


def _not_in(state: State, transcript: Transcript) -> list[Plan]:
    """Return the plans of the thread that the state does not know to be over, oldest first.

    The one that waits while another turn is held is none of them, as long as nobody decides it.
    """
    return [
        plan
        for plan in transcript.plans.values()
        if (plan.over_seq > state["advanced"] if plan.over else not _waits(state, plan))
    ]


def _waits(state: State, plan: Plan) -> bool:
    return waits_for(state, plan.plan_id) and not (plan.decided or plan.touched)


def _decision(taken: Entry, state: State, work: Work) -> Decision:
    """Make the pending decision of what was recorded; nothing is left of one that was erased."""
    body = taken.payload or {"calls": [], "text": ""}
    offered = work.domain.flow.offered[state["flow"]]
    refused = {
        str(position): reason
        for position, call in enumerate(body["calls"])
        if (reason := call.get("fault") or refusal_of(work.domain, call["name"], offered))
    }
    decision = Decision(
        ordinal=taken.detail["ordinal"],
        calls=[{"name": call["name"], "args": restored(call)} for call in body["calls"]],
        text=body["text"],
        refused={**out_of_order(work.domain, body["calls"]), **refused},
        fork=taken.detail.get("fork", 1),
    )
    if "message_id" in body:
        decision["message_id"] = body["message_id"]
    if "correction" in body:
        decision["correction"] = body["correction"]
    return decision


async def _decided(
    prompt: Prompt, transcript: Transcript, asked: Asked, state: State, work: Work
) -> tuple[dict[str, Any], list[Usage]]:
    """Ask the model, and check its text against the ledger; return what was taken for it, too.

    Where nobody has read the answer yet, the model is asked once more. What was streamed stands as
    it was, and the receipt corrects it.

    Raises:
        ModelUnavailable: it gave no answer.
    """
    decided, findings, call = await _ask(prompt, prompt.messages, transcript, asked, state, work)
    used = [call]
    may_ask = findings and not is_streamed() and not decided["calls"]
    if may_ask and not stopped_by(await standings(work, call.model, used)):
        again = asked_again(prompt, decided["text"], findings)
        with suppress(ModelUnavailable):
            second, left, call = await _ask(prompt, again, transcript, asked, state, work)
            used.append(call)
            # The user has asked for nothing more: the machine's own note lets nobody act.
            if second["text"] and not second["calls"]:
                decided, findings = second, left
    if not findings:
        return decided, used
    correction = redacted(correction_text(findings))
    return {**decided, "findings": findings_payload(findings), "correction": correction}, used


async def _findings(
    text: str, prompt: Prompt, transcript: Transcript, turn_id: str, work: Work
) -> list[Finding]:
    """Return what of a text contradicts the ledger of the thread.

    Plans of earlier epochs are read only where the text contradicts those of this one.
    """
    if not text.strip():
        return []
    plans = list(transcript.plans.values())
    found = check(text, known_from(prompt.messages, plans, turn_id, work.domain))
    if found:
        ended = await work.ledger.ended_plans(work.session.thread_id, after=0)
        here = {plan.plan_id for plan in plans}
        plans = [*(plan for plan in ended if plan.plan_id not in here), *plans]
        found = check(text, known_from(prompt.messages, plans, turn_id, work.domain))
    return found


async def _ask(
    prompt: Prompt,
    messages: Sequence[BaseMessage],
    transcript: Transcript,
    asked: Asked,
    state: State,
    work: Work,
) -> tuple[dict[str, Any], list[Finding], Usage]:
    """Ask the model; return what it proposes, what of it contradicts the ledger, what it took.

    Raises:
        ModelUnavailable: it gave no answer.
    """
    turn_id, ordinal = place_of(state)
    model = model_name(work.resources.model)
    with span(work.engine, turn_id, SpanKind.MODEL, model) as traced:
        zones, shared = asked["zones"], asked["shared"]
        traced.tell(ordinal=ordinal, epoch=asked["epoch"], zones=zones, shared=shared)
        work.tell("thinking")
        reached(FaultPoint.BEFORE_MODEL)
        with model_errors():
            cached = work.resources.caching.options(work.session.thread_id, asked["lifetime"])
            bound = work.resources.model.bind_tools(prompt.tools, **cached)
            answer = await bound.ainvoke([*messages])
        assert isinstance(answer, AIMessage)
        traced.tell(calls=len(answer.tool_calls), **usage_of(answer))
        proposed = proposed_in(answer)
        # A text beside calls answers for nothing yet.
        answers_for = "" if proposed["calls"] else turn_id
        findings = await _findings(proposed["text"], prompt, transcript, answers_for, work)
        if findings:
            traced.tell(findings=", ".join(f"{one.kind} {one.about}".strip() for one in findings))
    reached(FaultPoint.AFTER_MODEL)
    return proposed, findings, call_of(answer, model, lambda: prompt.tokens)


async def _record(
    decided: Mapping[str, Any],
    used: Sequence[Usage],
    prompt: Prompt,
    transcript: Transcript,
    asked: Asked,
    state: State,
    work: Work,
) -> Entry:
    """Write the decision down; where another process was first, take its decision.

    It names the decision before it, so that branches of the thread can be told apart; and what its
    prompt took and showed besides the rows, by which `daybook grade` judges it.
    """
    place = place_of(state)
    turn_id, ordinal = place
    fork = 1 + len(decided_at(transcript.elsewhere, place))
    took = {name: asked[name] for name in ("epoch", "zones", "shared", "lifetime")}
    took |= {"flow": state["flow"]}
    took |= {"superseded": asked["superseded"]} if asked["superseded"] else {}
    # Most tails are those of the prompt before.
    tail = {} if prompt.tail == transcript.tail else {"tail": storable(prompt.tail)}
    try:
        async with work.ledger.page(work.session) as page:
            if page.head.seq != transcript.last_seq:
                # Someone wrote meanwhile, perhaps a decision at this place.
                fork = 1 + len(decided_at(await page.turn(turn_id), place))
            detail = {"ordinal": ordinal, "prompt": prompt.digest, "after": last_of(state), **took}
            forked = {"fork": fork} if fork > 1 else {}
            entry = Entry(
                Event.DECIDED,
                turn_id=turn_id,
                detail={**detail, **forked},
                payload={**decided, **tail},
            )
            page.write(entry)
            page.use(used)
        return replace(entry, seq=page.head.seq)
    except Overtaken:
        await work.resources.postgres.usage.keep(work.session, used)
        there = decided_at(await work.ledger.turn(work.session.thread_id, turn_id), place)
        return next(entry for entry in there if entry.detail["prompt"] == prompt.digest)
