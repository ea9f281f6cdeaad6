"""Zone 2 of the prompt: messages and calls, each once, as an event that stays true.

It is compiled from append-only rows of the epoch: what was compiled once stands there again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from daybook.checkpoints.runs.reads import Read
from daybook.nodes.planning.phases import call_name, place_name
from daybook.state.agent import Epoch, answer_id
from daybook.state.effects.arguments import restored
from daybook.state.effects.keys import canonical, digest
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.people.facts import subject_of
from daybook.state.prompt.epoch import HANDED_OVER
from daybook.state.prompt.tokens import cut, estimated
from daybook.tools.domain import Domain

Call = tuple[str, str]
"""A turn and a call of it."""

_ENDS = frozenset({Event.SUCCEEDED, Event.ENDED})
_LATER = frozenset({Event.UNDONE})
"""What may still happen to a plan that is over, and is told: late evidence was undone."""

ASKED_FIRST = "refused: asked first: "
"""Begins what a call is answered with before which the machine asks a question: no failure."""

GO_ON = "[handed over: go on from what is known]"
"""Replaces the user's message where the work was handed over within a turn."""

AROUND = 4
"""Tokens that a provider's format puts around a message, at most."""

WAITS = (
    "The user was asked to approve this and has not answered. It still waits; a change of the "
    "state or a call of another effect cancels it."
)
"""The result of a call whose plan waits while another turn runs."""

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
    """What happened on one branch of a thread since its epoch began.

    Attributes:
        most: tokens that one message or result may take; what is longer is cut and says so.
        last_seq: last ledger entry of the thread, on whatever branch.
        messages: what it compiles to.
        tokens: what `messages` are estimated to take.
        turns: how each turn began, in order.
        decided: the decisions that were taken, in order.
        forgot_at: last ledger entry by which something was forgotten, 0 for none.
        forgot_in: the turn in progress when that happened, "" for none.
        tail: volatile part of the last prompt that was decided on, None if no entry tells it.
        handles: of the reads that it shows.
        failures: turn and words with which calls were refused, in order.
        plans: by id, whatever branch they are of: what they did to the world holds for all.
        elsewhere: decisions of other branches, which were left out.
        events: the entries that are shown, in order.
    """

    domain: Domain
    epoch: Epoch
    most: int = 2_000
    last_seq: int = 0
    messages: list[BaseMessage] = field(default_factory=list)
    tokens: int = 0
    turns: list[Began] = field(default_factory=list)
    decided: list[int] = field(default_factory=list)
    forgot_at: int = 0
    forgot_in: str = ""
    tail: str | None = None
    handles: set[int] = field(default_factory=set)
    failures: list[tuple[str, str]] = field(default_factory=list)
    plans: dict[str, Plan] = field(default_factory=dict)
    elsewhere: Sequence[Entry] = ()
    events: list[Entry] = field(default_factory=list)
    _turn_id: str = ""
    _results: dict[Call, str] = field(default_factory=dict)
    _edited: set[Call] = field(default_factory=set)
    _remembered: dict[str, int] = field(default_factory=dict)
    _facts: dict[str, str] = field(default_factory=dict)
    _outside: set[str] = field(default_factory=set)
    _waited: set[str] = field(default_factory=set)
    _later: dict[int, str] = field(default_factory=dict)

    def take(self, entries: Iterable[Entry]) -> None:
        """Take entries of the branch, in order."""
        for entry in entries:
            self.last_seq = max(self.last_seq, entry.seq)
            if entry.plan_id is not None:
                self._take_plan(entry, entry.plan_id)
            match entry.event:
                case Event.APPLIED:
                    call = (entry.turn_id or "", entry.detail["call"])
                    self._results[call] = (entry.payload or {}).get("text", "")
                    self._take_memory(entry)
                case Event.RECEIVED:
                    self._turn_id = entry.turn_id or ""
                case Event.DECIDED:
                    self.wait(entry.turn_id or "")
                    self.decided.append(entry.seq)
                    self.tail = (entry.payload or {}).get("tail", self.tail)
            if entry.event in _SHOWN:
                self.events.append(entry)

    def wait(self, turn_id: str) -> None:
        """Show the calls of other turns as waiting whose plans nobody has decided yet."""
        for plan in self.plans.values():
            if plan.turn_id != turn_id and not (plan.over or plan.decided):
                self._waited.add(plan.plan_id)
                for action in plan.actions:
                    self._results.setdefault((plan.turn_id, action.call), WAITS)

    def missing(self) -> list[Call]:
        """Name the calls whose results are not known from the ledger: reads, and refusals."""
        return [
            call
            for entry in self.events
            if entry.event is Event.DECIDED
            for call in _calls(entry)
            if call not in self._results or call in self._edited
        ]

    def give(self, reads: Iterable[Read]) -> None:
        """Give the results of reads."""
        for read in reads:
            self.handles.add(read.handle)
            is_new = (read.turn_id, read.call) not in self._results
            if read.cache == "failed" and is_new and ASKED_FIRST not in read.result["said"]:
                self.failures.append((read.turn_id, str(read.result["said"])))
            self._results[read.turn_id, read.call] = self._read(read)

    def compile(self, said: Mapping[str, str]) -> None:
        """Compile the messages.

        Whoever takes the work over sees nothing that the person said before, and providers want a
        person's message.

        Args:
            said: what people read, by message id. Turns that are not in it belong to another
                branch of the thread and are passed over.
        """
        is_handed_over = self.epoch.get("why") == HANDED_OVER
        self.messages = [HumanMessage(GO_ON)] if is_handed_over else []
        self.tokens = sum(map(tokens_of, self.messages))
        self.turns.clear()
        answered: set[str] = set()
        for entry in filter(self._is_complete, self.events):
            if entry.event is Event.RECEIVED and entry.turn_id in said:
                self.turns.append(Began(entry.turn_id or "", entry.seq, self.tokens))
            for message in self._messages(entry, said, answered):
                self.messages.append(message)
                self.tokens += tokens_of(message)

    @property
    def digest(self) -> str:
        """Return the hash of the messages."""
        return digest([[m.type, m.text, _tool_calls(m)] for m in self.messages])

    def remembered_since(self, seq: int) -> set[str]:
        """Return the subjects on which something was remembered after a ledger entry."""
        return {subject for subject, at in self._remembered.items() if at > seq}

    @property
    def facts(self) -> set[str]:
        """Return the facts that the messages tell as remembered, as lines."""
        shown = (call["id"] for message in self.messages for call in _tool_calls(message))
        return self._outside | {self._facts[call] for call in shown if call in self._facts}

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
                self.events.append(entry)
            return
        plan = self.plans[plan_id]
        was_over = plan.over
        plan.apply(entry)
        if was_over and entry.event in _LATER:
            self.events.append(entry)
        if entry.event in _ENDS and plan_id in self._waited and not plan.edits:
            # The call was shown as waiting, and that stays.
            told = (self.domain.outcome_line(action) for action in plan.actions)
            self._later[entry.seq] = "; ".join(told)
            self.events.append(entry)
        elif entry.event in _ENDS:
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

    def _messages(
        self, entry: Entry, said: Mapping[str, str], answered: set[str]
    ) -> Iterator[BaseMessage]:
        turn_id, payload = entry.turn_id or "", entry.payload or {}
        match entry.event:
            case Event.SUCCEEDED | Event.ENDED if entry.seq in self._later:
                yield SystemMessage(f"[later] {self._later[entry.seq]}")
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
