"""Zone 2 of the prompt: what was said and called, each once, as an event that stays true.

It is compiled from append-only rows, so what was compiled once stays: a transcript is kept for each
epoch of a thread and only takes what came since. Compiled anew from all rows it is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from daybook.checkpoints.runs.reads import Read
from daybook.nodes.past.branch import Place, place_decided
from daybook.nodes.planning.phases import call_name, place_name
from daybook.state.agent import answer_id
from daybook.state.effects.keys import canonical, digest
from daybook.state.effects.written import restored
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.people.facts import subject_of
from daybook.state.prompt.tokens import cut, estimated
from daybook.tools.domain import Domain

Call = tuple[str, str]
"""A turn and a call of it."""

_ENDS = frozenset({Event.SUCCEEDED, Event.ENDED})
_LATER = frozenset({Event.UNDONE})
"""What may still happen to a plan that is over, and is told: late evidence was undone."""

ASKED_FIRST = "refused: asked first: "
"""Begins what a call is answered with before which the machine asks a question: no failure."""

AROUND = 4
"""Tokens that a provider's format puts around a message, at most."""

_SHOWN = frozenset({Event.RECEIVED, Event.APPLIED, Event.DECIDED, Event.TURN_DONE})


@dataclass(frozen=True)
class Began:
    """How a turn began.

    Attributes:
        seq: its first ledger entry.
        before: tokens of the transcript before it.
    """

    turn_id: str
    seq: int
    before: int


@dataclass
class Transcript:
    """What was compiled so far, and what is not complete yet.

    Attributes:
        last_seq: last ledger entry that was taken.
        most: tokens that one message or result may take; what is longer is cut and says so.
        messages: what is complete, for good.
        tokens: what `messages` are estimated to take.
        turns: how each turn began, in order.
        digest: rolling hash of `messages`.
        last: the last decision that was taken, 0 for none.
        forked: what was taken are decisions of more than one branch; compile it anew.
        decided: the decisions that were taken, in order.
        of_turn: decisions of the newest turn, and the changes that were made since its first one.
        forgot_at: last ledger entry by which something was forgotten, 0 for none.
        forgot_in: the turn under way when that happened, "" for none.
        tail: volatile part of the last prompt that was decided on, None where no entry tells it.
        handles: of the reads that it shows.
        failures: turn and words with which calls were refused, in order.
        has_reads: the thread has read something, which may have become stale.
        plans: by id, whatever branch they are of: what they did to the world holds for all.
        elsewhere: decisions of other branches, which were left out.
    """

    domain: Domain
    last_seq: int = 0
    most: int = 2_000
    messages: list[BaseMessage] = field(default_factory=list)
    tokens: int = 0
    turns: list[Began] = field(default_factory=list)
    digest: str = ""
    last: int = 0
    forked: bool = False
    decided: list[int] = field(default_factory=list)
    of_turn: list[Entry] = field(default_factory=list)
    forgot_at: int = 0
    forgot_in: str = ""
    tail: str | None = None
    handles: set[int] = field(default_factory=set)
    failures: list[tuple[str, str]] = field(default_factory=list)
    has_reads: bool = False
    plans: dict[str, Plan] = field(default_factory=dict)
    elsewhere: Sequence[Entry] = ()
    _turn_id: str = ""
    _waiting: list[Entry] = field(default_factory=list)
    _results: dict[Call, str] = field(default_factory=dict)
    _decided: set[Place] = field(default_factory=set)
    _edited: set[Call] = field(default_factory=set)
    _answered: set[str] = field(default_factory=set)
    _remembered: dict[str, int] = field(default_factory=dict)
    _facts: dict[str, str] = field(default_factory=dict)
    _outside: set[str] = field(default_factory=set)
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
                self._take_memory(entry)
                self.of_turn.append(entry)
            if entry.event is Event.RECEIVED:
                self._turn_id = entry.turn_id or ""
            if entry.event is Event.DECIDED:
                place = place_decided(entry)
                follows = entry.detail.get("after", self.last) == self.last or not self._decided
                self.forked |= place in self._decided or not follows
                self._decided.add(place)
                self.last = entry.seq
                self.decided.append(entry.seq)
                if place[1] == 0:
                    self.of_turn.clear()
                self.of_turn.append(entry)
                self.tail = (entry.payload or {}).get("tail", self.tail)
            if entry.event in _SHOWN:
                self._waiting.append(entry)

    def missing(self) -> list[Call]:
        """Name the calls whose results are not known from the ledger: reads, and refusals."""
        return [
            call
            for entry in self._waiting
            if entry.event is Event.DECIDED
            for call in _calls(entry)
            if call not in self._results or call in self._edited
        ]

    def give(self, reads: Iterable[Read]) -> None:
        """Give the results of reads."""
        for read in reads:
            self.has_reads = True
            self.handles.add(read.handle)
            is_new = (read.turn_id, read.call) not in self._results
            if read.cache == "failed" and is_new and ASKED_FIRST not in read.result["said"]:
                self.failures.append((read.turn_id, str(read.result["said"])))
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
            if entry.event is Event.RECEIVED and entry.turn_id in said:
                self.turns.append(Began(entry.turn_id or "", entry.seq, self.tokens))
            for message in self._messages(entry, said, self._answered):
                self.messages.append(message)
                self.tokens += tokens_of(message)
                self.digest = digest(
                    [self.digest, message.type, message.text, _tool_calls(message)]
                )
        left = [entry for entry in self._waiting if self._is_complete(entry)]
        answered = set(self._answered)
        later = (m for entry in left for m in self._messages(entry, said, answered))
        return [*self.messages, *later]

    def remembered_since(self, seq: int) -> set[str]:
        """Return the subjects on which something was remembered after a ledger entry."""
        return {subject for subject, at in self._remembered.items() if at > seq}

    def facts_in(self, messages: Iterable[BaseMessage]) -> set[str]:
        """Return the facts that compiled messages tell as remembered, as lines."""
        if not self._facts:
            return set()
        shown = (call["id"] for message in messages for call in _tool_calls(message))
        return self._outside | {self._facts[call] for call in shown if call in self._facts}

    def fits(self, said: Mapping[str, str]) -> bool:
        """Tell whether it was compiled for this branch of the thread."""
        return (
            not self.forked and self._shown <= said.keys() and not self._passed_over & said.keys()
        )

    def _take_memory(self, entry: Entry) -> None:
        event = (entry.payload or {}).get("event") or {}
        about = subject_of(str(event.get("subject", "")))
        if event.get("type") == "remember":
            self._remembered[about] = entry.seq
            line = f"{about}: {event['value']}"
            self._facts[_id((entry.turn_id or "", entry.detail["call"]))] = line
            if entry.detail["call"] == "event":
                self._outside.add(line)
        elif event.get("type") == "forget":
            self._remembered.pop(about, None)
            self.forgot_at, self.forgot_in = entry.seq, self._turn_id

    def _take_plan(self, entry: Entry, plan_id: str) -> None:
        if entry.event is Event.OPENED:
            self.plans[plan_id] = Plan(plan_id, entry.turn_id or "")
        if plan_id not in self.plans:
            # Of a plan that the digest covers, something happened since.
            if entry.event in _LATER:
                self._waiting.append(entry)
            return
        plan = self.plans[plan_id]
        was_over = plan.over
        plan.apply(entry)
        if was_over and entry.event in _LATER:
            self._waiting.append(entry)
        if entry.event in _ENDS:
            # Once, at the end: what comes later is an event of its own, and this line stays.
            for action in plan.actions:
                call = plan.turn_id, action.call
                self._results[call] = self.domain.outcome_line(action)
                # What came in its place may have been refused: then that is the answer.
                (self._edited.add if action.call in plan.edits else self._edited.discard)(call)

    def _read(self, read: Read) -> str:
        if read.cache == "failed":
            return cut(self.domain.refused(read.tool, str(read.result["said"])), self.most)
        return cut(
            self.domain.rendered(read.tool, read.handle, read.result, read.hidden), self.most
        )

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
            case Event.UNDONE:
                yield SystemMessage(f"[later] {entry.op} was undone")
            case Event.APPLIED if entry.detail["call"] == "event":
                yield SystemMessage(f"[outside the chat] {payload.get('text', '')}")
            case Event.RECEIVED if turn_id in said:
                yield HumanMessage(cut(said[turn_id], self.most))
            case Event.DECIDED if turn_id in said and payload.get("calls"):
                yield from self._called(entry, payload)
            case Event.DECIDED | Event.TURN_DONE:
                # A turn is done once; a branch that took it up again ends with its own decision.
                answer = said.get(answer_id(turn_id))
                if answer is not None and turn_id not in answered:
                    answered.add(turn_id)
                    yield AIMessage(cut(answer, self.most))
                    yield from _corrected(payload)

    def _called(self, entry: Entry, payload: Mapping[str, Any]) -> Iterator[BaseMessage]:
        names = _calls(entry)
        calls = [
            {"name": call["name"], "args": restored(call), "id": _id(name)}
            for name, call in zip(names, payload["calls"], strict=True)
        ]
        yield AIMessage(payload["text"], tool_calls=calls)
        for name in names:
            yield ToolMessage(self._results[name], tool_call_id=_id(name))
        yield from _corrected(payload)


def _corrected(payload: Mapping[str, Any]) -> Iterator[BaseMessage]:
    """Tell the model what the receipt said against its text."""
    if correction := payload.get("correction"):
        yield SystemMessage(f"[shown to the user] {correction}")


def _calls(entry: Entry) -> list[Call]:
    count = len((entry.payload or {}).get("calls", ()))
    place = place_name(entry.detail["ordinal"], entry.detail.get("fork", 1))
    return [(entry.turn_id or "", call_name(place, position)) for position in range(count)]


def tokens_of(message: BaseMessage) -> int:
    """Estimate what a message takes: its text, its calls, and what the provider puts around it."""
    calls = _tool_calls(message)
    return AROUND + estimated(message.text) + (estimated(canonical(calls)) if calls else 0)


def _id(call: Call) -> str:
    """Name a call for the provider: unique in the thread, in the form that the strictest takes."""
    return digest(call)[:9]


def _tool_calls(message: BaseMessage) -> Any:
    return getattr(message, "tool_calls", [])
