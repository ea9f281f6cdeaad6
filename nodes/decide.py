"""Compile the prompt, ask the model, and keep its decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langchain_core.messages import AIMessage, BaseMessage
from langgraph.types import Command

from nodes.phases import phase_after, refusal_of
from nodes.prompt import History, compile_prompt, prompt_digest
from nodes.work import Work
from state.agent import Decision, Turn
from state.errors import ModelUnavailable, Overtaken
from state.plan import Entry
from state.recovery import Event

State = Mapping[str, Any]
Exit = Literal["look", "change", "intend", "respond"]


async def decide(state: State, work: Work) -> Command[Exit]:
    """Take the next decision of the turn.

    A decision that was taken on the same prompt is returned from the ledger: after a restart the
    model is not asked again (PROTOCOL: the first one wins).
    """
    turn: Turn = state["turn"]
    offered = work.domain.flow.offered[state["flow"]]
    entries = await work.ledger.conversation(work.session.thread_id, state["epoch"]["covers"])
    turns = [entry.turn_id for entry in entries if entry.event is Event.RECEIVED]
    reads = await work.reads.of_turns(work.session.thread_id, [t for t in turns if t])
    prompt = compile_prompt(state, History(entries, reads), work.domain, work.session)
    tools = work.domain.registry.schemas(offered)
    digest = prompt_digest(prompt, tools)
    recorded = _recorded(entries, turn, digest)
    if recorded is None and turn["ordinal"] >= work.resources.decisions:
        recorded = {"calls": [], "text": _STOPPED}
    if recorded is None:
        recorded = await _ask(prompt, tools, work)
        recorded = await _record(recorded, turn, digest, work)
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


def _recorded(entries: Sequence[Entry], turn: Turn, digest: str) -> dict[str, Any] | None:
    for entry in entries:
        if (
            entry.event is Event.DECIDED
            and entry.turn_id == turn["turn_id"]
            and entry.detail["ordinal"] == turn["ordinal"]
            and entry.detail["prompt"] == digest
        ):
            return dict(entry.payload or {"calls": [], "text": ""})
    return None


async def _ask(
    prompt: list[BaseMessage], tools: list[dict[str, Any]], work: Work
) -> dict[str, Any]:
    """Ask the model once.

    Raises:
        ModelUnavailable: it gave no answer.
    """
    work.tell("thinking")
    try:
        answer = await work.resources.model.bind_tools(tools).ainvoke(prompt)
    except Exception as error:
        raise ModelUnavailable(
            f"The model gave no decision ({type(error).__name__}: {error}). Nothing was done in "
            "this step; send the message again, or the same command continues."
        ) from error
    assert isinstance(answer, AIMessage)
    calls: list[dict[str, Any]] = [
        {"name": call["name"], "args": call["args"]} for call in answer.tool_calls
    ]
    calls += [
        {
            "name": call["name"] or "unknown",
            "args": {},
            "fault": "The arguments are not valid JSON. Write them as a JSON object.",
        }
        for call in answer.invalid_tool_calls
    ]
    return {"calls": calls, "text": answer.text}


async def _record(decided: dict[str, Any], turn: Turn, digest: str, work: Work) -> dict[str, Any]:
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
        first = await work.ledger.turn(work.session.thread_id, turn["turn_id"])
        won = _recorded(first, turn, digest)
        assert won is not None
        return won
    return decided
