"""Build the trajectory of a thread from its ledger, its reads, its documents and its messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from daybook.app.grading.trajectory import (
    Claim,
    Decision,
    Kind,
    Outcome,
    OutsideEvent,
    Step,
    Trajectory,
    Turn,
)
from daybook.app.ledger.listing import no_ledger
from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.runs.reads import Read, Version
from daybook.nodes.past.branch import of_branch
from daybook.nodes.planning.phases import call_name, place_name
from daybook.nodes.prompt.transcript import ASKED_FIRST
from daybook.state.agent import said_in
from daybook.state.effects.written import restored
from daybook.state.errors import ToolRefused
from daybook.state.ledger import step as effects
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.tools.domain import Domain

_OUTCOMES: Mapping[StepState, Outcome] = {
    StepState.DONE: "done",
    StepState.UNDONE: "undone",
    StepState.NEGATIVE: "failed",
    StepState.VOID: "void",
    StepState.IN_DOUBT: "in_doubt",
    StepState.STUCK: "in_doubt",
}
"""The state of an effect to its outcome; it is open in any other state."""


async def read_trajectory(postgres: Postgres, domain: Domain, thread_id: str) -> Trajectory:
    """Read the trajectory of a thread's current branch.

    Erased data is left out; the trajectory's notes say so.

    Raises:
        DaybookError: there is no ledger of such a thread.
        UnknownLedgerVersion: this release cannot read an entry of it.
    """
    entries = await postgres.ledger.entries(thread_id)
    if not entries:
        raise no_ledger(thread_id)
    turns = [one.turn_id for one in entries if one.event is Event.RECEIVED and one.turn_id]
    values = await postgres.saver.values(thread_id)
    writer = _Writer(
        domain,
        entries,
        await postgres.documents.versions(thread_id),
        await postgres.reads.of_turns(thread_id, turns),
        said_in(values.get("messages") or ()),
    )
    last = (values.get("turn") or {}).get("last")
    if last is None:
        last = max((one.seq for one in entries if one.event is Event.DECIDED), default=0)
    writer.write(of_branch(entries, last))
    registry = domain.registry
    notes = []
    if writer.erased:
        notes.append(f"Erased decisions: {writer.erased}. Their calls cannot be judged.")
    if not writer.said and turns:
        notes.append("No messages are kept here: invented identifiers and amounts cannot be found.")
    return Trajectory(
        thread_id=thread_id,
        turns=tuple(writer.turns),
        steps=tuple(writer.steps),
        answers=tuple(writer.answers),
        decisions=tuple(writer.decisions),
        outside=tuple(writer.outside),
        arguments={name: registry.offered(name).args for name in registry.names},
        notes=tuple(notes),
    )


@dataclass
class _Writer:
    """Collects the steps of one thread."""

    domain: Domain
    entries: Sequence[Entry]
    versions: Sequence[Version]
    kept: Sequence[Read]
    said: Mapping[str, str]
    turns: list[Turn] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    answers: list[Step] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    outside: list[OutsideEvent] = field(default_factory=list)
    erased: int = 0

    def __post_init__(self) -> None:
        entries = self.entries
        self.digests = {one.epoch: one.digest for one in self.versions}
        self.reads = {(read.turn_id, read.call): read for read in self.kept}
        self.applied = {
            (entry.turn_id or "", entry.detail["call"]): entry
            for entry in entries
            if entry.event is Event.APPLIED
        }
        plans: dict[str, Plan] = {}
        self.events: dict[str, dict[Event, int]] = {}
        for entry in entries:
            if entry.plan_id is not None:
                new = Plan(entry.plan_id, entry.turn_id or "")
                plans.setdefault(entry.plan_id, new).apply(entry)
            # The first entry of each event about a step or a plan.
            about = self.events.setdefault(entry.step_id or entry.plan_id or "", {})
            about.setdefault(entry.event, entry.seq)
        # An edit by the approver is a new version of the plan: the last one was carried out.
        self.actions = {
            (plan.turn_id, action.call): (plan, action)
            for plan in plans.values()
            for action in plan.actions
        }
        self.done = {e.turn_id for e in entries if e.event is Event.TURN_DONE}
        self.numbers: dict[str, int] = {}

    def write(self, entries: Sequence[Entry]) -> None:
        """Add the entries of a branch, in order."""
        tail = ""
        for entry in entries:
            match entry.event:
                case Event.RECEIVED:
                    self._begin(entry.turn_id or "")
                case Event.APPLIED if entry.detail["call"] == "event":
                    text = (entry.payload or {}).get("text", "")
                    self.outside.append(OutsideEvent(seq=entry.seq, text=text))
                case Event.DECIDED if entry.turn_id in self.numbers:
                    # A tail equal to the one before it is not stored again.
                    tail = (entry.payload or {}).get("tail", tail)
                    self._decide(entry, entry.turn_id or "", tail)

    def _begin(self, turn_id: str) -> None:
        said = self.said
        if said and turn_id not in said:
            # A turn of an abandoned branch.
            return
        self.numbers[turn_id] = len(self.turns) + 1
        number, text = self.numbers[turn_id], said.get(turn_id, "")
        self.turns.append(Turn(number=number, turn_id=turn_id, said=text))

    def _decide(self, entry: Entry, turn_id: str, tail: str) -> None:
        detail, number, ordinal = entry.detail, self.numbers[turn_id], entry.detail["ordinal"]
        tokens = sum(detail.get("zones", ()))
        self.decisions.append(Decision(seq=entry.seq, turn=number, ordinal=ordinal, tokens=tokens))
        if entry.payload is None:
            self.erased += 1
            return
        flow, digest = detail.get("flow", ""), self.digests.get(detail.get("epoch", 0), "")
        decided: dict[str, Any] = {
            "turn": number,
            "seq": entry.seq,
            "decided": entry.seq,
            "ordinal": ordinal,
            "flow": flow,
            "offered": self.domain.flow.offered.get(flow),
            "said": tuple(turn.said for turn in self.turns[:number] if turn.said),
            "shown": "\n".join(part for part in (digest, tail) if part),
            "superseded": frozenset(detail.get("superseded", ())),
        }
        place, key = place_name(ordinal, detail.get("fork", 1)), f"{number}/{ordinal}"
        calls, found = entry.payload.get("calls", ()), entry.payload.get("findings", ())
        for position, call in enumerate(calls):
            name = (turn_id, call_name(place, position))
            self.steps += self._call(call, name, {**decided, "key": f"{key}.{position}"})
        # Text beside calls is streamed to the user too: it is a step where something was found.
        if found or not calls:
            args = {"text": entry.payload.get("text", "")}
            claims = tuple(Claim(**one) for one in found)
            answer = Step(**decided, key=key, tool="answer", kind="answer", args=args)
            self.answers.append(replace(answer, claims=claims))

    def _call(
        self, call: Mapping[str, Any], name: tuple[str, str], decided: Mapping[str, Any]
    ) -> Iterator[Step]:
        """Yield the step of a call, and those of the plan that it started."""
        tool, kind = call["name"], self._kind(call["name"])
        fault = call.get("fault", "")
        step = Step(**decided, tool=tool, kind=kind, args=restored(call), fault=fault)
        if name in self.reads:
            yield _read(step, self.reads[name])
        elif name in self.applied:
            yield replace(step, result=(self.applied[name].payload or {}).get("text", ""))
        elif name in self.actions:
            yield from self._carried_out(step, *self.actions[name])
        else:
            # It has no record: it is running, or its read was erased.
            yield replace(step, outcome="erased" if name[0] in self.done else "open")

    def _kind(self, name: str) -> Kind:
        try:
            return self.domain.registry.offered(name).kind
        except ToolRefused:
            return "unknown"

    def _carried_out(self, call: Step, plan: Plan, action: Action) -> Iterator[Step]:
        approved = self._approved(call, plan, action)
        own = action.steps[0] if len(action.steps) == 1 else None
        if own is not None and own.tool == call.tool and call.kind in ("write", "hybrid"):
            yield replace(self._effect(approved, own), args=call.args)
            return
        result = self.domain.outcome_line(action) if plan.over else None
        outcome = _outcome_of(plan, action)
        whole = replace(approved, outcome=outcome, result=result, error=action.reason)
        yield whole
        for step in action.steps:
            effect = self.domain.registry.effects.get(step.tool)
            yield replace(
                self._effect(whole, step),
                key=f"{whole.key}:{step.name}",
                parent=whole.key,
                tool=step.tool,
                kind=effect.kind if effect is not None else "unknown",
                offered=None,
                fault="",
            )

    def _approved(self, call: Step, plan: Plan, action: Action) -> Step:
        events = self.events.get(plan.plan_id, {})
        call = replace(
            call,
            needs=plan.needs.role,
            approved_by=action.decided_as or "",
            described=(action.title, *action.summary, str(action.total or "")),
        )
        if plan.approval == "policy":
            return replace(call, approval="policy", approved=events.get(Event.OPENED, 0))
        if action.is_approved:
            return replace(call, approval="person", approved=events.get(Event.DECISION, 0))
        return call

    def _effect(self, call: Step, step: effects.Step) -> Step:
        """Add what the ledger holds about one effect."""
        events = self.events.get(step.step_id, {})
        return replace(
            call,
            seq=events.get(Event.INTENDED, step.last_seq),
            op=step.step_id,
            args=step.args,
            result=step.result,
            error=step.reason,
            outcome=_OUTCOMES.get(step.state, "open"),
            attempted=events.get(Event.ATTEMPTED, 0),
        )


def _read(step: Step, read: Read) -> Step:
    if read.cache != "failed":
        return replace(step, result=read.result, handle=read.handle)
    said = str(read.result["said"])
    _, is_asked, question = said.partition(ASKED_FIRST)
    return replace(step, outcome="asked" if is_asked else "refused", error=question or said)


def _outcome_of(plan: Plan, action: Action) -> Outcome:
    states = {step.state for step in action.steps}
    if plan.over and action.succeeded:
        return "done"
    if states & {StepState.IN_DOUBT, StepState.STUCK}:
        return "in_doubt"
    if not plan.over:
        return "open"
    if states <= {StepState.VOID}:
        return "void"
    return "undone" if StepState.UNDONE in states else "failed"
