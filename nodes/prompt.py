"""Compile the prompt: a pure function of typed state and the rows read for it.

Four zones (CONTEXT): Z0 instructions and tools, the same bytes always; Z1 the epoch's digest; Z2
what was said and called, each call once, as an event that stays true; Z3 the volatile tail.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from checkpoints.reads import Read
from nodes.phases import call_name
from state.keys import digest
from state.plan import Entry
from state.recovery import Event
from state.session import Session
from tools.domain import Domain


@dataclass(frozen=True)
class History:
    """Hold the rows that a prompt is compiled from.

    Attributes:
        entries: the thread's ledger since the epoch began, in order.
        reads: the reads of those turns.
    """

    entries: Sequence[Entry]
    reads: Sequence[Read]


def compile_prompt(
    state: Mapping[str, Any], history: History, domain: Domain, session: Session
) -> list[BaseMessage]:
    """Compile the messages of one model call."""
    zones: list[BaseMessage] = [SystemMessage(domain.prompt.system)]
    if state["epoch"]["digest"]:
        zones.append(SystemMessage(state["epoch"]["digest"]))
    zones.extend(_events(state, history, domain))
    zones.append(SystemMessage("\n".join(["# Now", *_tail(state, history, domain, session)])))
    return zones


def prompt_digest(prompt: Sequence[BaseMessage], tools: Sequence[Mapping[str, Any]]) -> str:
    """Hash what the model is asked; a decision is recorded under it."""
    asked = [[message.type, message.text, getattr(message, "tool_calls", [])] for message in prompt]
    return digest([asked, list(tools)])[:32]


def _events(state: Mapping[str, Any], history: History, domain: Domain) -> Iterator[BaseMessage]:
    said = {message.id: message.text for message in state["messages"]}
    results = _results(history, domain)
    for entry in history.entries:
        match entry.event:
            case Event.RECEIVED if entry.turn_id in said:
                yield HumanMessage(said[entry.turn_id])
            case Event.APPLIED if entry.detail["call"] == "event":
                yield SystemMessage(f"[outside the chat] {(entry.payload or {}).get('text', '')}")
            case Event.DECIDED if (entry.payload or {}).get("calls"):
                yield from _called(entry, results)
            case Event.TURN_DONE if f"{entry.turn_id}/answer" in said:
                yield AIMessage(said[f"{entry.turn_id}/answer"])


def _called(entry: Entry, results: Mapping[tuple[str, str], str]) -> Iterator[BaseMessage]:
    """Render a decision with the results of all its calls, or not at all while one is missing."""
    ordinal = entry.detail["ordinal"]
    calls, answers = [], []
    for position, call in enumerate((entry.payload or {})["calls"]):
        name = call_name(ordinal, position)
        result = results.get((entry.turn_id or "", name))
        if result is None:
            return
        calls.append({"name": call["name"], "args": call["args"], "id": f"call_{name}"})
        answers.append(ToolMessage(result, tool_call_id=f"call_{name}"))
    yield AIMessage((entry.payload or {})["text"], tool_calls=calls)
    yield from answers


def _results(history: History, domain: Domain) -> dict[tuple[str, str], str]:
    """Map (turn, call) to its result as an event line."""
    results = {(read.turn_id, read.call): _read(read, domain) for read in history.reads}
    for entry in history.entries:
        turn_id, payload = entry.turn_id or "", entry.payload or {}
        if entry.event is Event.APPLIED:
            results[turn_id, entry.detail["call"]] = payload.get("text", "")
        elif entry.event in (Event.SUCCEEDED, Event.ENDED):
            for call, told in payload.get("calls", {}).items():
                results[turn_id, call] = told
    return results


def _read(read: Read, domain: Domain) -> str:
    if read.cache == "failed":
        return str(read.result["said"])
    return domain.prompt.read(read.tool, read.handle, read.result, read.hidden)


def _tail(
    state: Mapping[str, Any], history: History, domain: Domain, session: Session
) -> list[str]:
    stale = sorted({f"r{read.handle}" for read in history.reads if read.superseded})
    return [
        f"flow: {state['flow']}",
        *domain.prompt.tail(state, session),
        f"superseded: {' '.join(stale) or 'none'}",
    ]
