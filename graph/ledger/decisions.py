"""The decision of a model at a place in a thread: recorded once, and reused by a replay."""

from __future__ import annotations

import itertools
import json
import uuid
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AIMessage, BaseMessage, InvalidToolCall, ToolCall
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.serde.base import SerializerProtocol

from daybook.graph.ledger.identity import CallName, Place
from daybook.graph.ledger.running import run_begin
from daybook.graph.ledger.savers import saver_of
from daybook.nodes.running.work import Work
from daybook.state.effects.arguments import restored, stored_args
from daybook.state.effects.exact import unkept
from daybook.state.effects.keys import canonical, digest, storable
from daybook.state.errors import Overtaken
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.people.budget import Usage

if TYPE_CHECKING:
    from langchain.agents.middleware.types import ModelResponse

_RUN, _DEPTH, _AT = range(3)
"""Of what the ledger has for the turn of a decision (see `Place.turn_id`)."""


@dataclass(frozen=True)
class Decision:
    """What a model decided, as it was recorded.

    Attributes:
        place: by it the calls are named.
        payload: its text, its calls and what else there was.
    """

    place: Place
    payload: Mapping[str, Any]

    @property
    def correction(self) -> str:
        """Return what contradicts its text; "" if nothing does."""
        return str(self.payload.get("correction", ""))

    def response(self, serde: SerializerProtocol) -> ModelResponse[Any]:
        """Return what its model was heard to answer."""
        # A server without agents has no langchain.
        from langchain.agents.middleware.types import ModelResponse

        if (whole := self.payload.get("response")) is not None:
            result, structured = serde.loads_typed((whole["form"], b64decode(whole["data"])))
            return ModelResponse(result=result, structured_response=structured)
        calls = [
            ToolCall(name=one["name"], args=restored(one), id=one["id"], type="tool_call")
            for one in self._calls
        ]
        content = self.payload.get("content", self.payload.get("text", ""))
        return ModelResponse([AIMessage(content, id=self.payload.get("id"), tool_calls=calls)])

    def names(self, message: AIMessage) -> list[CallName]:
        """Name the calls of its message, in their order there.

        Whatever others did to the message, a call is the equal one with its id, else an equal one,
        else, with other arguments, the one with its id. What was added to the message is named
        behind all that was decided on.
        """
        found: dict[int, int] = {}
        for fits in (_is_identical, _is_equal, _has_id):
            for position, call in enumerate(message.tool_calls):
                left = [at for at in range(len(self._calls)) if at not in found.values()]
                same = (at for at in left if fits(call, self._calls[at]))
                if position not in found and (at := next(same, None)) is not None:
                    found[position] = at
        behind = itertools.count(len(self._calls))
        return [
            CallName(
                self.place.within(found[position] if position in found else next(behind)),
                call["name"],
                call["args"],
                1,
            )
            for position, call in enumerate(message.tool_calls)
        ]

    def calls(self) -> list[CallName]:
        """Name its calls as they were decided."""
        return [
            CallName(self.place.within(at), one["name"], restored(one), 1)
            for at, one in enumerate(self._calls)
        ]

    def withdrawn(self, message: AIMessage) -> frozenset[str]:
        """Name the turns of the calls that others took out of its message, or changed."""
        decided = {one.turn_id for one in self.calls()}
        return frozenset(decided - {one.turn_id for one in self.names(message)})

    def is_of(self, message: AIMessage) -> bool:
        """Tell whether a message may be the one of this decision, perhaps changed by others."""
        ids = {one["id"] for one in self._calls}
        is_named = message.id == self.payload.get("id")
        is_named |= any(call["id"] in ids for call in message.tool_calls)
        return is_named or self.equal_calls(message) > 0

    def equal_calls(self, message: AIMessage) -> int:
        """Count the calls of a message that are in this decision, too."""
        return sum(any(_is_equal(call, one) for one in self._calls) for call in message.tool_calls)

    @property
    def _calls(self) -> Sequence[Mapping[str, Any]]:
        return self.payload.get("calls") or ()


def _is_identical(call: ToolCall, decided: Mapping[str, Any]) -> bool:
    return _has_id(call, decided) and _is_equal(call, decided)


def _has_id(call: ToolCall, decided: Mapping[str, Any]) -> bool:
    return bool(call["id"] == decided["id"])


def _is_equal(call: ToolCall, decided: Mapping[str, Any]) -> bool:
    return call["name"] == decided["name"] and canonical(call["args"]) == canonical(
        restored(decided)
    )


async def decision_at(place: Place, work: Work) -> Decision | None:
    """Return what was decided at a place before, or None."""
    for entry in await work.ledger.turn(place.thread_id, place.turn_id):
        # Of one that was erased nothing is left.
        if entry.event is Event.DECIDED and entry.payload:
            return Decision(place, entry.payload)
    return None


async def decision_of(message: AIMessage, near: Place | None, work: Work) -> Decision | None:
    """Return the decision that a message of the thread is; None if it was not recorded.

    Args:
        near: where its calls are carried out. Some providers give the same ids again and again, and
            agents that work side by side may decide alike.
    """

    def likelihood(one: Decision) -> tuple[bool, bool, int]:
        is_here = near is not None and near.turn == one.place.turn
        is_in_agent = is_here and near is not None and near.around == one.place.around
        return is_in_agent, is_here, one.equal_calls(message)

    thread_id, ids = work.session.thread_id, [_hashed(one["id"]) for one in message.tool_calls]
    run = near.turn if near is not None else ""
    async for entries in work.ledger.decisions(thread_id, _hashed(message.id), ids, run):
        known = [one for entry in entries if (one := _decision(thread_id, entry)) is not None]
        if found := [one for one in known if one.is_of(message)]:
            return max(found, key=likelihood)
    return None


async def calls_of_agent(place: Place, work: Work) -> frozenset[str]:
    """Name the turns of all calls that an agent's run has decided on, as its model wrote them."""
    run = place.turn
    found: set[str] = set()
    async for entries in work.ledger.decisions(place.thread_id, "", [], run):
        for one in [_decision(place.thread_id, entry) for entry in entries]:
            if one is not None and one.place.around == place.around:
                found |= {call.turn_id for call in one.calls()}
    return frozenset(found)


def _hashed(id_: str | None) -> str:
    """Hash an id: a provider's may be longer than an index takes, and holds what it likes."""
    return digest([storable(id_)])[:24]


def _decision(thread_id: str, entry: Entry) -> Decision | None:
    """Read a decision; None of one that was erased, or is of no middleware."""
    parts = (entry.turn_id or "").split("/")
    if not entry.payload or len(parts) != len((_RUN, _DEPTH, _AT)):
        return None
    salt, around = str(entry.payload.get("salt", "")), str(entry.detail.get("around", ""))
    place = Place(thread_id, parts[_RUN], parts[_AT], salt, int(parts[_DEPTH]), around)
    return Decision(place, entry.payload)


async def record_decision(
    place: Place,
    response: ModelResponse[Any],
    used: Sequence[Usage],
    work: Work,
    config: RunnableConfig,
    more: Mapping[str, Any],
) -> ModelResponse[Any]:
    """Record what the model decided; where another process was first, that counts.

    Args:
        used: calls of the model that it took.
        config: of the node that runs.
        more: findings of the check, and their correction.
    """
    said = [one for one in response.result if isinstance(one, AIMessage)]
    usage = work.resources.postgres.usage
    if not said:
        await usage.keep(work.session, used)
        return response
    message, serde = said[-1], saver_of(config).serde
    payload: dict[str, Any] = {
        "text": message.text,
        "calls": [
            {"name": call["name"], **stored_args(call["args"]), "id": call["id"]}
            for call in message.tool_calls
        ],
        **({} if isinstance(message.content, str) else {"content": message.content}),
        "id": message.id,
        "salt": place.salt,
        **more,
    }
    if Decision(place, payload).response(serde) != response:
        # What else there is in it, a sub-agent may be given, and is known by.
        form, data = serde.dumps_typed((response.result, response.structured_response))
        payload["response"] = {"form": form, "data": b64encode(data).decode()}
    ids = {
        "message": _hashed(message.id),
        "calls": [_hashed(call["id"]) for call in message.tool_calls],
        "around": place.around,
    }
    decided = Entry(
        Event.DECIDED,
        turn_id=place.turn_id,
        detail={"ordinal": 0, "prompt": "", **ids},
        payload=payload,
    )
    while True:
        begin, _ = await run_begin(place, config, work)
        try:
            async with work.ledger.page(work.session) as page:
                page.write(*begin, decided)
                page.use(used)
            return response
        except Overtaken:
            # By the same decision, or by another event of the run.
            if (first := await decision_at(place, work)) is not None:
                await usage.keep(work.session, used)
                return first.response(serde)


def answerable(response: ModelResponse[Any]) -> ModelResponse[Any]:
    """Return a model's response in which each call has an id of its own, and can be kept.

    Providers that give none, or one twice, would have one answer stand for two effects. What no
    checkpoint holds becomes an invalid call, which the agent's loop answers in words.
    """
    return replace(response, result=[_answerable(message) for message in response.result])


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
        error=f"The arguments are invalid: {why}.",
        type="invalid_tool_call",
    )


def _fresh() -> str:
    return f"call_{uuid.uuid4().hex}"
