"""Zone 2 of the prompt: what was said and called, each once, as an event that stays true.

It is compiled from append-only rows, so what was compiled once stays: a transcript is kept for each
thread and only takes what came since. Compiled anew from all rows it is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from checkpoints.reads import Read
from nodes.branch import Place, place_decided
from nodes.phases import call_name, place_name
from state.entry import Entry
from state.keys import digest
from state.plan import Plan
from state.recovery import Event
from tools.domain import Domain

Call = tuple[str, str]
"""A turn and a call of it."""

_ENDS = frozenset({Event.SUCCEEDED, Event.ENDED})
_LATER = frozenset({Event.UNDONE, Event.EXTRA_UNDONE})
"""What may still happen to a plan that is over, and is told: late evidence was undone."""

_SHOWN = frozenset({Event.RECEIVED, Event.APPLIED, Event.DECIDED, Event.TURN_DONE})


@dataclass
class Transcript:
    """Hold what was compiled so far, and what is not complete yet.

    Attributes:
        last_seq: last ledger entry that was taken.
        messages: what is complete, for good.
        digest: rolling hash of `messages`.
        last: the last decision that was taken, 0 for none.
        forked: what was taken are decisions of more than one branch; compile it anew.
        has_reads: the thread has read something, which may have become stale.
        plans: by id, whatever branch they are of: what they did to the world holds for all.
        elsewhere: decisions of other branches, which were left out.
    """

    domain: Domain
    last_seq: int = 0
    messages: list[BaseMessage] = field(default_factory=list)
    digest: str = ""
    last: int = 0
    forked: bool = False
    has_reads: bool = False
    plans: dict[str, Plan] = field(default_factory=dict)
    elsewhere: Sequence[Entry] = ()
    _waiting: list[Entry] = field(default_factory=list)
    _results: dict[Call, str] = field(default_factory=dict)
    _decided: set[Place] = field(default_factory=set)
    _answered: set[str] = field(default_factory=set)
    _shown: set[str] = field(default_factory=set)
    _passed_over: set[str] = field(default_factory=set)

    def take(self, entries: Iterable[Entry]) -> None:
        """Take entries of the ledger, in order."""
        for entry in entries:
            self.last_seq = entry.seq
            if entry.plan_id is not None:
                self._take_plan(entry, entry.plan_id)
            if entry.event is Event.APPLIED:
                call = (entry.turn_id or "", entry.detail["call"])
                self._results[call] = (entry.payload or {}).get("text", "")
            if entry.event is Event.DECIDED:
                place = place_decided(entry)
                follows = entry.detail.get("after", self.last) == self.last or not self._decided
                self.forked |= place in self._decided or not follows
                self._decided.add(place)
                self.last = entry.seq
            if entry.event in _SHOWN:
                self._waiting.append(entry)

    def missing(self) -> list[Call]:
        """Name the calls whose results are not known from the ledger: reads, and refusals."""
        return [
            call
            for entry in self._waiting
            if entry.event is Event.DECIDED
            for call in _calls(entry)
            if call not in self._results
        ]

    def give(self, reads: Iterable[Read]) -> None:
        """Give the results of reads."""
        for read in reads:
            self.has_reads = True
            self._results[read.turn_id, read.call] = self._read(read)

    def compiled(self, said: Mapping[str, str]) -> list[BaseMessage]:
        """Return the messages so far.

        Args:
            said: what people read, by message id. Turns that are not in it belong to another
                branch of the thread and are passed over.
        """
        while self._waiting and self._is_complete(self._waiting[0]):
            entry = self._waiting.pop(0)
            self._note(entry, said)
            for message in self._messages(entry, said, self._answered):
                self.messages.append(message)
                self.digest = digest(
                    [self.digest, message.type, message.text, _tool_calls(message)]
                )
        left = [entry for entry in self._waiting if self._is_complete(entry)]
        answered = set(self._answered)
        later = (m for entry in left for m in self._messages(entry, said, answered))
        return [*self.messages, *later]

    def fits(self, said: Mapping[str, str]) -> bool:
        """Tell whether it was compiled for this branch of the thread."""
        return (
            not self.forked and self._shown <= said.keys() and not self._passed_over & said.keys()
        )

    def _take_plan(self, entry: Entry, plan_id: str) -> None:
        if entry.event is Event.OPENED:
            self.plans[plan_id] = Plan(plan_id, entry.turn_id or "")
        plan = self.plans[plan_id]
        was_over = plan.over
        plan.apply(entry)
        if was_over and entry.event in _LATER:
            self._waiting.append(entry)
        if entry.event in _ENDS:
            # Once, at the end: what comes later is an event of its own, and this line stays.
            for action in plan.actions:
                self._results[plan.turn_id, action.call] = self.domain.told(action)

    def _read(self, read: Read) -> str:
        if read.cache == "failed":
            return str(read.result["said"])
        return self.domain.prompt.read(read.tool, read.handle, read.result, read.hidden)

    def _is_complete(self, entry: Entry) -> bool:
        if entry.event is not Event.DECIDED:
            return True
        return all(call in self._results for call in _calls(entry))

    def _note(self, entry: Entry, said: Mapping[str, str]) -> None:
        if entry.event is Event.RECEIVED:
            turn_id = entry.turn_id or ""
            (self._shown if turn_id in said else self._passed_over).add(turn_id)

    def _messages(
        self, entry: Entry, said: Mapping[str, str], answered: set[str]
    ) -> Iterator[BaseMessage]:
        turn_id, payload = entry.turn_id or "", entry.payload or {}
        match entry.event:
            case Event.UNDONE | Event.EXTRA_UNDONE:
                yield SystemMessage(f"[later] {entry.op} was undone")
            case Event.APPLIED if entry.detail["call"] == "event":
                yield SystemMessage(f"[outside the chat] {payload.get('text', '')}")
            case Event.RECEIVED if turn_id in said:
                yield HumanMessage(said[turn_id])
            case Event.DECIDED if turn_id in said and payload.get("calls"):
                yield from self._called(entry, payload)
            case Event.DECIDED | Event.TURN_DONE:
                # A turn is done once; a branch that took it up again ends with its own decision.
                answer = said.get(f"{turn_id}/answer")
                if answer is not None and turn_id not in answered:
                    answered.add(turn_id)
                    yield AIMessage(answer)

    def _called(self, entry: Entry, payload: Mapping[str, Any]) -> Iterator[BaseMessage]:
        names = _calls(entry)
        calls = [
            {"name": call["name"], "args": call["args"], "id": _id(name)}
            for name, call in zip(names, payload["calls"], strict=True)
        ]
        yield AIMessage(payload["text"], tool_calls=calls)
        for name in names:
            yield ToolMessage(self._results[name], tool_call_id=_id(name))


def _calls(entry: Entry) -> list[Call]:
    count = len((entry.payload or {}).get("calls", ()))
    place = place_name(entry.detail["ordinal"], entry.detail.get("fork", 1))
    return [(entry.turn_id or "", call_name(place, position)) for position in range(count)]


def _id(call: Call) -> str:
    """Name a call for the provider: unique in the thread, in the form that the strictest takes."""
    return digest(call)[:9]


def _tool_calls(message: BaseMessage) -> Any:
    return getattr(message, "tool_calls", [])
