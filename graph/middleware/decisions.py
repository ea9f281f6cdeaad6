"""Where a conversation stands, and what its model decided there: the first decision counts.

A turn begins with a message of a person. Its id, and how many messages of the model came since,
name a decision; the ids that the model gives its calls change with every answer and name nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolCall, ToolMessage

from daybook.nodes.running.work import Work
from daybook.state.agent import Decision
from daybook.state.effects.keys import digest, fresh_salt, storable
from daybook.state.effects.written import kept, restored
from daybook.state.errors import Overtaken
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.receipts import is_receipt

ANSWER = "daybook/"
"""What the ids of the answers begin with that are written from the ledger."""


@dataclass(frozen=True)
class Place:
    """Name one decision of the model.

    Attributes:
        turn_id: the id of the person's message that the turn began with.
        ordinal: which message of the model it is since, from 0.
        before: what was said before it, without the ids that change.
    """

    turn_id: str
    ordinal: int
    before: list[Any]


@dataclass(frozen=True)
class Decided:
    """A decision as the ledger holds it."""

    turn_id: str
    entry: Entry
    salt: str

    @property
    def ordinal(self) -> int:
        """Return which message of the model it is since the turn began."""
        return int(self.entry.detail["ordinal"])

    @property
    def calls(self) -> list[ToolCall]:
        """Return all calls of the message, in the model's order; none where they were erased."""
        calls = (self.entry.payload or {}).get("calls", [])
        return [
            ToolCall(name=call["name"], args=restored(call), id=call["id"], type="tool_call")
            for call in calls
        ]

    def is_of(self, message: AIMessage) -> bool:
        """Tell whether a message calls for just this."""
        return _without_ids(self.calls) == _without_ids(_plainly(message))

    def message(self, id_: str | None) -> AIMessage:
        """Return the model's message as it was decided on."""
        text = (self.entry.payload or {}).get("text", "")
        return AIMessage(text, id=id_, tool_calls=self.calls)

    def of(self, effects: Sequence[ToolCall], but_not: Container[str | None] = ()) -> Decision:
        """Return the decision that the nodes carry out: the calls of effects alone.

        Args:
            but_not: ids of calls that are answered already; those that follow keep their names.
        """
        return Decision(
            ordinal=self.ordinal,
            calls=[{"name": call["name"], "args": call["args"]} for call in effects],
            text="",
            refused={
                str(position): "It was answered by another middleware."
                for position, call in enumerate(effects)
                if call["id"] in but_not
            },
            fork=self.entry.detail.get("fork", 1),
        )


def places(messages: Sequence[AnyMessage]) -> Iterator[tuple[AIMessage, Place]]:
    """Yield the messages of the model with the place of each; not those before any person's."""
    turn_id, ordinal = "", 0
    before: list[Any] = []
    for message in messages:
        if is_receipt(message.id):
            continue
        if isinstance(message, HumanMessage):
            turn_id, ordinal = str(message.id), 0
        elif isinstance(message, AIMessage):
            if turn_id:
                yield message, Place(turn_id, ordinal, list(before))
            ordinal += 1
        before.append(_said(message))


def next_place(messages: Sequence[AnyMessage]) -> Place | None:
    """Return where the model decides next; None before anybody has said anything."""
    told = list(places([*messages, AIMessage("")]))
    return told[-1][1] if told else None


async def decision_at(place: Place, work: Work) -> Decided | None:
    """Return what was decided at a place on the same words before, or None."""
    known = await work.ledger.turn(work.session.thread_id, place.turn_id)
    return _first(place, known)


async def decision_behind(place: Place, message: AIMessage, work: Work) -> Decided | None:
    """Return the decision that a message of the model was written down as, or None."""
    known = await work.ledger.turn(work.session.thread_id, place.turn_id)
    for entry in reversed(known):
        decided = Decided(place.turn_id, entry, _salt(known) or "")
        if entry.event is Event.DECIDED and decided.calls == _plainly(message):
            return decided
    return None


async def decision_of(
    place: Place, message: AIMessage, work: Work, more: Mapping[str, Any] | None = None
) -> Decided:
    """Write down what the model decided; where it was decided before, that counts.

    Args:
        more: findings of the check, and their correction.
    """
    known = await work.ledger.turn(work.session.thread_id, place.turn_id)
    first = _first(place, known)
    if first is not None:
        return first
    salt = _salt(known)
    try:
        async with work.ledger.page(work.session) as page:
            if salt is None:
                salt = fresh_salt()
                payload = {"salt": salt}
                page.write(Entry(Event.RECEIVED, turn_id=place.turn_id, payload=payload))
            forks = 1 + sum(_is_at(place, entry) for entry in known)
            entry = Entry(
                Event.DECIDED,
                turn_id=place.turn_id,
                detail={
                    "ordinal": place.ordinal,
                    "prompt": _prompt(place, salt),
                    **({"fork": forks} if forks > 1 else {}),
                },
                payload=storable(
                    {
                        "text": message.text,
                        "calls": [
                            {"name": call["name"], **kept(call["args"]), "id": call["id"]}
                            for call in message.tool_calls
                        ],
                        **(more or {}),
                    }
                ),
            )
            page.write(entry)
    except Overtaken:
        pass
    written = await decision_at(place, work)
    assert written is not None
    return written


async def end_turn(turn_id: str, work: Work) -> None:
    """Write down that a turn is done, if anything of it stands in the ledger."""
    known = await work.ledger.turn(work.session.thread_id, turn_id)
    done = any(entry.event is Event.TURN_DONE for entry in known)
    if known and not done:
        async with work.ledger.page(work.session) as page:
            page.write(Entry(Event.TURN_DONE, turn_id=turn_id))


def _plainly(message: AIMessage) -> list[ToolCall]:
    return [
        ToolCall(name=call["name"], args=call["args"], id=call["id"], type="tool_call")
        for call in message.tool_calls
    ]


def _without_ids(calls: Sequence[ToolCall]) -> list[Any]:
    return [[call["name"], call["args"]] for call in calls]


def _first(place: Place, known: Sequence[Entry]) -> Decided | None:
    salt = _salt(known)
    if salt is None:
        return None
    prompt = _prompt(place, salt)
    for entry in known:
        if _is_at(place, entry) and entry.detail["prompt"] == prompt and entry.payload:
            return Decided(place.turn_id, entry, salt)
    return None


def _is_at(place: Place, entry: Entry) -> bool:
    return entry.event is Event.DECIDED and entry.detail["ordinal"] == place.ordinal


def _salt(known: Sequence[Entry]) -> str | None:
    """Return the turn's salt; erased with it, so that nothing can be guessed from the hashes."""
    received = [entry for entry in known if entry.event is Event.RECEIVED]
    return (received[0].payload or {}).get("salt", "") if received else None


def _prompt(place: Place, salt: str) -> str:
    return digest([salt, place.before])


def _said(message: AnyMessage) -> Any:
    """Write down what a message says, and nothing that differs when the same is said again."""
    if isinstance(message, AIMessage):
        return storable([message.type, message.text, _without_ids(message.tool_calls)])
    if isinstance(message, ToolMessage) and str(message.id).startswith(ANSWER):
        # Written from the ledger, and written again when more is known.
        return [message.type, message.name]
    return storable([message.type, message.content])
