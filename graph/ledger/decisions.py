"""What a model decided at a place in a thread: recorded once, and found again by a replay."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from langchain.agents.middleware.types import ModelResponse
from langchain_core.messages import AIMessage, BaseMessage, InvalidToolCall, ToolCall

from daybook.graph.ledger.identity import CallName, Place
from daybook.nodes.running.work import Work
from daybook.state.effects.exact import unkept
from daybook.state.effects.keys import storable
from daybook.state.effects.written import kept, restored
from daybook.state.errors import Overtaken
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event

_PLACE = "daybook"
"""Under which a message of the model carries the place of its decision, in its metadata."""


async def decision_at(place: Place, work: Work) -> AIMessage | None:
    """Return what was decided at a place before, or None."""
    for entry in await work.ledger.turn(place.thread_id, place.turn_id):
        # Of one that was erased nothing is left.
        if entry.event is Event.DECIDED and entry.payload:
            return _message(place, entry.payload)
    return None


async def correction_at(place: Place, work: Work) -> str:
    """Return what contradicts a decision's text; "" where nothing does."""
    for entry in await work.ledger.turn(place.thread_id, place.turn_id):
        if entry.event is Event.DECIDED and entry.payload:
            return str(entry.payload.get("correction", ""))
    return ""


async def record_decision(
    place: Place, message: AIMessage, work: Work, more: Mapping[str, Any]
) -> AIMessage:
    """Record what the model decided; where another process was first, that counts.

    Args:
        more: findings of the check, and their correction.
    """
    payload = {
        "text": message.text,
        "calls": [
            {"name": call["name"], **kept(call["args"]), "id": call["id"]}
            for call in message.tool_calls
        ],
        **({} if isinstance(message.content, str) else {"content": message.content}),
        "id": message.id,
        **more,
    }
    decided = Entry(
        Event.DECIDED,
        turn_id=place.turn_id,
        detail={"ordinal": 0, "prompt": ""},
        payload=storable(payload),
    )
    while True:
        known = await work.ledger.turn(place.thread_id, place.turn)
        is_received = place.depth > 1 or any(one.event is Event.RECEIVED for one in known)
        if not known:
            await work.resources.postgres.threads.begin(work.session, work.domain.name, None)
        try:
            async with work.ledger.page(work.session) as page:
                if not is_received:
                    # So that a worker finds a run that was cut off.
                    received = {"salt": place.salt}
                    page.write(Entry(Event.RECEIVED, turn_id=place.turn, payload=received))
                page.write(decided)
            return with_place(message, place)
        except Overtaken:
            # By the same decision, or by another event of the run.
            if (first := await decision_at(place, work)) is not None:
                return first


async def end_turn(place: Place, work: Work) -> None:
    """Record that a run is over, if its begin is in the ledger."""
    known = await work.ledger.turn(place.thread_id, place.turn)
    done = any(entry.event is Event.TURN_DONE for entry in known)
    if not known or done:
        return
    # Whoever was first has written the same.
    with suppress(Overtaken):
        async with work.ledger.page(work.session) as page:
            page.write(Entry(Event.TURN_DONE, turn_id=place.turn))


def with_place(message: AIMessage, place: Place) -> AIMessage:
    """Let a message carry the place of its decision: its calls are named by it."""
    about = [place.turn, place.at, place.salt, place.depth]
    update: dict[str, Any] = {"response_metadata": {**message.response_metadata, _PLACE: about}}
    return message.model_copy(update=update)


def place_of_message(message: BaseMessage, thread_id: str) -> Place | None:
    """Return the place of the decision that a message is; None where it was not recorded."""
    match message.response_metadata.get(_PLACE):
        case [str(turn), str(at), str(salt), int(depth)]:
            return Place(thread_id, turn, at, salt, depth)
        case _:
            return None


def call_in(message: AIMessage, position: int, thread_id: str) -> CallName | None:
    """Name a call of a message that was recorded."""
    place = place_of_message(message, thread_id)
    call = message.tool_calls[position]
    if place is None:
        return None
    return CallName(place.within(position), call["name"], call["args"], 1)


def answerable(response: ModelResponse[Any]) -> ModelResponse[Any]:
    """Return a model's response in which each call has an id of its own, and can be kept.

    Providers that give none, or one twice, would have one answer stand for two effects. What no
    checkpoint holds becomes an invalid call, which the agent's loop answers in words.
    """
    return replace(response, result=[_answerable(message) for message in response.result])


def _message(place: Place, payload: Mapping[str, Any]) -> AIMessage:
    """Return a model's message as it was decided on."""
    calls = [
        ToolCall(name=call["name"], args=restored(call), id=call["id"], type="tool_call")
        for call in payload.get("calls", ())
    ]
    content = payload.get("content", payload.get("text", ""))
    return with_place(AIMessage(content, id=payload.get("id"), tool_calls=calls), place)


def _answerable(message: BaseMessage) -> BaseMessage:
    if not isinstance(message, AIMessage):
        return message
    named = message if message.id else message.model_copy(update={"id": f"daybook-{uuid.uuid4()}"})
    invalid = [_invalid(call, why) for call in named.tool_calls if (why := unkept(call["args"]))]
    calls = _with_ids([call for call in named.tool_calls if not unkept(call["args"])])
    if calls == named.tool_calls:
        return named
    invalid_calls = [*named.invalid_tool_calls, *invalid]
    return named.model_copy(update={"tool_calls": calls, "invalid_tool_calls": invalid_calls})


def _with_ids(calls: Sequence[ToolCall]) -> list[ToolCall]:
    seen: set[str] = set()
    named = []
    for call in calls:
        id_ = call["id"]
        if not id_ or id_ in seen:
            id_ = _fresh()
        seen.add(id_)
        named.append(ToolCall(name=call["name"], args=call["args"], id=id_, type="tool_call"))
    return named


def _invalid(call: ToolCall, why: str) -> InvalidToolCall:
    return InvalidToolCall(
        name=call["name"],
        args=json.dumps(call["args"]),
        id=call["id"] or _fresh(),
        error=f"The arguments cannot be taken: {why}.",
        type="invalid_tool_call",
    )


def _fresh() -> str:
    return f"call_{uuid.uuid4().hex}"
