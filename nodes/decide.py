"""Compile the prompt, ask the model, and keep its decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langgraph.constants import TAG_NOSTREAM
from langgraph.types import Command

from nodes.phases import phase_after, refusal_of
from nodes.prompt import Prompt, compile_prompt, last_decisions, said_in
from nodes.transcript import Transcript
from nodes.work import Work
from state.agent import Decision, Turn
from state.entry import Entry
from state.errors import ModelUnavailable, Overtaken
from state.keys import storable, unkept
from state.recovery import Event

State = Mapping[str, Any]
Exit = Literal["look", "change", "intend", "respond"]


async def decide(state: State, work: Work) -> Command[Exit]:
    """Take the next decision of the turn.

    A decision that was taken on the same prompt is returned from the ledger: after a restart the
    model is not asked again (PROTOCOL: the first one wins).
    """
    turn: Turn = state["turn"]
    transcript, stale = await _transcript(state, work)
    prompt = compile_prompt(state, transcript, stale, work.domain, work.session)
    recorded = transcript.recorded(turn["turn_id"], turn["ordinal"], prompt.digest)
    if recorded is None and turn["ordinal"] >= work.resources.decisions:
        recorded = {"calls": [], "text": _STOPPED}
    if recorded is None:
        recorded = await _record(await _ask(prompt, work), turn, prompt.digest, work)
    offered = work.domain.flow.offered[state["flow"]]
    refused = {
        str(position): reason
        for position, call in enumerate(recorded["calls"])
        if (reason := call.get("fault") or refusal_of(work.domain, call["name"], offered))
    }
    decision = Decision(
        ordinal=turn["ordinal"],
        calls=[{"name": call["name"], "args": call["args"]} for call in recorded["calls"]],
        text=recorded["text"],
        refused=refused,
    )
    next_turn: Turn = {**turn, "ordinal": turn["ordinal"] + 1}
    goto = phase_after(work.domain, decision, None)
    assert goto != "decide"
    return Command(update={"decision": decision, "turn": next_turn}, goto=goto)


_STOPPED = (
    "I have taken many steps for this and stop here, so that nothing runs away. "
    "Tell me how to go on."
)


async def _transcript(state: State, work: Work) -> tuple[Transcript, list[int]]:
    """Bring the thread's transcript up to date; also the handles of reads that are stale."""
    thread_id, said = work.session.thread_id, said_in(state)
    transcript = work.resources.transcripts.of(thread_id, state["epoch"], said, work.domain)
    fresh = await work.ledger.entries(thread_id, after=transcript.last_seq)
    transcript.take(fresh)
    if transcript.forked:
        # Somebody went back and decided otherwise: what was compiled holds the branch left.
        transcript = Transcript(work.domain, last_seq=state["epoch"]["covers"])
        fresh = await work.ledger.entries(thread_id, after=transcript.last_seq)
        transcript.take(last_decisions(fresh))
    missing = transcript.missing()
    if not missing and not transcript.has_reads:
        return transcript, []
    reads, stale = await work.reads.results(thread_id, missing)
    transcript.give(reads)
    return transcript, stale


async def _ask(prompt: Prompt, work: Work) -> dict[str, Any]:
    """Ask the model once.

    Raises:
        ModelUnavailable: it gave no answer.
    """
    work.tell("thinking")
    try:
        # Not streamed to clients: what people read goes through the domain's last word first.
        unseen: RunnableConfig = {"tags": [TAG_NOSTREAM]}
        answer = await work.resources.model.bind_tools(prompt.tools).ainvoke(
            prompt.messages, unseen
        )
    except ModelUnavailable:
        raise
    except Exception as error:
        raise ModelUnavailable(
            f"The model gave no decision ({type(error).__name__}). Nothing was done in this step; "
            "what was done before stands. Send the message again, or go on with the same command."
        ) from error
    assert isinstance(answer, AIMessage)
    calls = [_proposed(call["name"], call["args"]) for call in answer.tool_calls]
    calls += [
        {
            "name": call["name"] or "unknown",
            "args": {},
            "fault": "The arguments are not valid JSON. Write them as a JSON object.",
        }
        for call in answer.invalid_tool_calls
    ]
    decided: dict[str, Any] = storable({"calls": calls, "text": answer.text})
    return decided


def _proposed(name: str, args: dict[str, Any]) -> dict[str, Any]:
    """Propose a call; without its arguments where no checkpoint could hold them."""
    if why := unkept(args):
        return {"name": name, "args": {}, "fault": f"The arguments cannot be taken: {why}."}
    return {"name": name, "args": args}


async def _record(
    decided: Mapping[str, Any], turn: Turn, digest: str, work: Work
) -> Mapping[str, Any]:
    """Write the decision down; where another process was first, take its decision."""
    entry = Entry(
        Event.DECIDED,
        turn_id=turn["turn_id"],
        detail={"ordinal": turn["ordinal"], "prompt": digest},
        payload=decided,
    )
    try:
        async with work.ledger.page(work.session) as page:
            page.write(entry)
    except Overtaken:
        first = Transcript(work.domain)
        first.take(await work.ledger.turn(work.session.thread_id, turn["turn_id"]))
        won = first.recorded(turn["turn_id"], turn["ordinal"], digest)
        assert won is not None
        return won
    return decided
