"""Build the trajectory of a thread from its ledger, its reads, its documents and its messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from daybook.app.grading.trajectory import (
    ANSWER,
    NO_TIME,
    Approval,
    Claim,
    Decision,
    Kind,
    Outcome,
    Outside,
    Step,
    Trajectory,
    Turn,
)
from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.runs.reads import Read
from daybook.nodes.past.branch import of_branch
from daybook.nodes.planning.phases import call_name, place_name
from daybook.nodes.prompt.proof import past_prompts
from daybook.nodes.prompt.transcript import ASKED_FIRST
from daybook.state.effects.written import restored
from daybook.state.errors import DaybookError, ToolRefused
from daybook.state.ledger import step as effects
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.tools.domain import Domain
from daybook.tools.kinds import Tool

_OUTCOMES: Mapping[StepState, Outcome] = {
    StepState.DONE: "done",
    StepState.UNDONE: "undone",
    StepState.NEGATIVE: "failed",
    StepState.VOID: "void",
    StepState.IN_DOUBT: "in_doubt",
    StepState.STUCK: "in_doubt",
}
"""The state of an effect to its outcome; it is open in any other state."""


@dataclass(frozen=True)
class Record:
    """The stored data of a thread.

    Attributes:
        entries: of the ledger, in order.
        digests: epoch to the first zone of its prompts.
        said: messages by id; empty where the checkpoints were erased.
        last: ledger entry of the last decision of the current branch; None where it is not known.
    """

    thread_id: str
    entries: Sequence[Entry]
    reads: Sequence[Read]
    digests: Mapping[int, str]
    said: Mapping[str, str]
    last: int | None


async def read_trajectory(postgres: Postgres, domain: Domain, thread_id: str) -> Trajectory:
    """Read the trajectory of a thread's current branch.

    Erased data is left out; the trajectory's notes say so.

    Raises:
        DaybookError: there is no ledger of such a thread.
        UnknownLedgerVersion: this release cannot read an entry of it.
    """
    past = await past_prompts(thread_id, domain, postgres)
    if not past.entries:
        raise DaybookError(
            f"There is no ledger of a thread {thread_id} here, so there is nothing to look at; "
            "`daybook threads` names those that there are."
        )
    record = Record(
        thread_id=thread_id,
        entries=past.entries,
        reads=past.reads,
        digests={one.epoch: one.digest for one in past.versions},
        said=past.newest,
        last=await _last_decision(postgres, thread_id),
    )
    return trajectory_of(domain, record)


async def _last_decision(postgres: Postgres, thread_id: str) -> int | None:
    """Return the last decision of the current branch; None where the checkpoint is gone."""
    stored = await postgres.saver.aget_tuple(
        {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
    )
    values = stored.checkpoint["channel_values"] if stored else {}
    last: int | None = (values.get("turn") or {}).get("last")
    return last


def trajectory_of(domain: Domain, record: Record) -> Trajectory:
    """Build the trajectory of the current branch of a thread."""
    decided = [entry for entry in record.entries if entry.event is Event.DECIDED]
    last = record.last
    if last is None and decided:
        # The state is gone: take the branch of the last decision.
        last = decided[-1].seq
    writer = _Writer(domain, record)
    writer.write(of_branch(record.entries, last, ("", 0)))
    kept = {decision.seq for decision in writer.decisions}
    return Trajectory(
        thread_id=record.thread_id,
        turns=tuple(writer.turns),
        steps=tuple(writer.steps),
        answers=tuple(writer.answers),
        decisions=tuple(writer.decisions),
        outside=tuple(writer.outside),
        arguments={name: domain.registry.offered(name).args for name in domain.registry.names},
        left_out=sum(entry.seq not in kept for entry in decided),
        notes=_notes(record, writer.erased),
    )


@dataclass
class _Writer:
    """Collects the steps of one thread."""

    domain: Domain
    record: Record
    turns: list[Turn] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    answers: list[Step] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    outside: list[Outside] = field(default_factory=list)
    erased: int = 0

    def __post_init__(self) -> None:
        record = self.record
        self.reads = {(read.turn_id, read.call): read for read in record.reads}
        self.applied = {
            (entry.turn_id or "", entry.detail["call"]): entry
            for entry in record.entries
            if entry.event is Event.APPLIED
        }
        self.plans = _plans(record.entries)
        # An edit by the approver is a new version of the plan: the last one was carried out.
        self.actions = {
            (plan.turn_id, action.call): (plan, action)
            for plan in self.plans.values()
            for action in plan.actions
        }
        self.events = _events_of_steps(record.entries)
        self.done = {e.turn_id for e in record.entries if e.event is Event.TURN_DONE}
        self.numbers: dict[str, int] = {}

    def write(self, entries: Sequence[Entry]) -> None:
        """Add the entries of a branch, in order."""
        tail = ""
        for entry in entries:
            match entry.event:
                case Event.RECEIVED:
                    self._begin(entry)
                case Event.APPLIED if entry.detail["call"] == "event":
                    text = (entry.payload or {}).get("text", "")
                    number = max(1, len(self.turns))
                    self.outside.append(Outside(seq=entry.seq, turn=number, text=text))
                case Event.DECIDED if entry.turn_id in self.numbers:
                    # A tail equal to the one before it is not stored again.
                    tail = (entry.payload or {}).get("tail", tail)
                    digest = self.record.digests.get(entry.detail.get("epoch", 0), "")
                    self._decide(entry, digest, tail)

    def _begin(self, entry: Entry) -> None:
        turn_id, said = entry.turn_id or "", self.record.said
        if said and turn_id not in said:
            # A turn of an abandoned branch.
            return
        self.numbers[turn_id] = len(self.turns) + 1
        self.turns.append(
            Turn(
                number=self.numbers[turn_id],
                turn_id=turn_id,
                seq=entry.seq,
                said=said.get(turn_id, ""),
            )
        )

    def _decide(self, entry: Entry, digest: str, tail: str) -> None:
        turn_id, detail = entry.turn_id or "", entry.detail
        calls = self._calls(entry)
        number, flow = self.numbers[turn_id], detail.get("flow", "")
        self.decisions.append(
            Decision(
                seq=entry.seq,
                turn=number,
                ordinal=detail["ordinal"],
                flow=flow,
                zones=tuple(detail.get("zones", ())),
                answers=not calls,
            )
        )
        offered = self.domain.flow.offered.get(flow)
        decided: dict[str, Any] = {
            "turn": number,
            "decided": entry.seq,
            "ordinal": detail["ordinal"],
            "flow": flow,
            "offered": offered,
            "zones": tuple(detail.get("zones", ())),
            "said": tuple(turn.said for turn in self.turns[:number] if turn.said),
            "shown": "\n".join(part for part in (digest, tail) if part),
            "superseded": frozenset(detail.get("superseded", ())),
        }
        for position, call in enumerate(calls):
            self._call(entry, position, call, decided)
        payload = entry.payload or {}
        # Text beside calls is streamed to the user too: it is a step where something was found.
        if entry.payload is not None and (not calls or payload.get("findings")):
            self._answer(entry, payload, decided)

    def _answer(self, entry: Entry, payload: Mapping[str, Any], decided: Mapping[str, Any]) -> None:
        self.answers.append(
            Step(
                **decided,
                key=f"{decided['turn']}/{entry.detail['ordinal']}",
                seq=entry.seq,
                tool=ANSWER,
                kind="answer",
                args={"text": payload.get("text", "")},
                at=entry.at or NO_TIME,
                claims=tuple(
                    Claim(one["kind"], one["about"], one["quote"], one["correction"])
                    for one in payload.get("findings", ())
                ),
            )
        )

    def _calls(self, entry: Entry) -> Sequence[Mapping[str, Any]]:
        """Return the calls of a decision; of an erased one those that its plans name."""
        if entry.payload is not None:
            calls: Sequence[Mapping[str, Any]] = entry.payload.get("calls", ())
            return calls
        self.erased += 1
        place = place_name(entry.detail["ordinal"], entry.detail.get("fork", 1))
        known: list[Mapping[str, Any]] = []
        while found := self.actions.get((entry.turn_id or "", call_name(place, len(known)))):
            known.append({"name": found[1].tool, "args": {}, "erased": True})
        return known

    def _call(
        self, entry: Entry, position: int, call: Mapping[str, Any], decided: Mapping[str, Any]
    ) -> None:
        turn_id = entry.turn_id or ""
        place = place_name(entry.detail["ordinal"], entry.detail.get("fork", 1))
        name = (turn_id, call_name(place, position))
        about: dict[str, Any] = {
            **decided,
            "key": f"{decided['turn']}/{entry.detail['ordinal']}.{position}",
            "seq": entry.seq,
            "position": position,
            "tool": call["name"],
            "kind": self._kind(call["name"]),
            "args": restored(call),
            "fault": call.get("fault", ""),
            "at": entry.at or NO_TIME,
        }
        if call.get("erased"):
            plan, action = self.actions[name]
            whole = Step(**about | {"outcome": "erased"})
            self.steps += [whole, *self._effects(whole, plan, action)]
        elif name in self.reads:
            self.steps.append(self._read(about, self.reads[name]))
        elif name in self.applied:
            payload = self.applied[name].payload or {}
            self.steps.append(Step(**about, result=payload.get("text", "")))
        elif name in self.actions:
            self.steps += self._carried_out(about, *self.actions[name])
        else:
            # It has no record: it is running, or its read was erased.
            outcome: Outcome = "erased" if turn_id in self.done else "open"
            self.steps.append(Step(**about, outcome=outcome))

    def _kind(self, name: str) -> Kind:
        tool = self._tool(name)
        return tool.kind if tool is not None else "unknown"

    def _tool(self, name: str) -> Tool | None:
        try:
            return self.domain.registry.offered(name)
        except ToolRefused:
            return None

    def _read(self, about: Mapping[str, Any], read: Read) -> Step:
        if read.cache == "failed":
            said = str(read.result["said"])
            _, is_asked, question = said.partition(ASKED_FIRST)
            outcome: Outcome = "asked" if is_asked else "refused"
            return Step(**about, outcome=outcome, error=question or said, cache=read.cache)
        return Step(
            **{**about, "at": read.read_at or about["at"]},
            result=read.result,
            cache=read.cache,
            handle=read.handle,
        )

    def _carried_out(self, about: Mapping[str, Any], plan: Plan, action: Action) -> list[Step]:
        """Return the step of a call that started a plan, and those of its effects."""
        approved = self._approval(plan, action)
        own = action.steps[0] if len(action.steps) == 1 else None
        if own is not None and own.tool == about["tool"] and about["kind"] in ("write", "hybrid"):
            return [Step(**{**about, **approved, **self._effect(own), "args": about["args"]})]
        whole = Step(
            **about,
            **approved,
            outcome=_outcome_of(plan, action),
            result=self.domain.outcome_line(action) if plan.over else None,
            error=action.reason,
        )
        return [whole, *self._effects(whole, plan, action)]

    def _effects(self, whole: Step, plan: Plan, action: Action) -> Iterator[Step]:
        approved = self._approval(plan, action)
        for step in action.steps:
            about: dict[str, Any] = {
                "key": f"{whole.key}:{step.name}",
                "parent": whole.key,
                "turn": whole.turn,
                "ordinal": whole.ordinal,
                "position": whole.position,
                "decided": whole.decided,
                "flow": whole.flow,
                "zones": whole.zones,
                "said": whole.said,
                "shown": whole.shown,
                "superseded": whole.superseded,
                "tool": step.tool,
                "kind": self._kind_of_effect(step.tool),
            }
            yield Step(**{**about, **approved, **self._effect(step)})

    def _kind_of_effect(self, name: str) -> Kind:
        effect = self.domain.registry.effects.get(name)
        return effect.kind if effect is not None else "unknown"

    def _approval(self, plan: Plan, action: Action) -> dict[str, Any]:
        by_policy = plan.approval == "policy"
        approval: Approval = "policy" if by_policy else "person" if action.is_approved else "none"
        events = self.events.get(plan.plan_id, {})
        decided = Event.OPENED if by_policy else Event.DECISION
        return {
            "needs": plan.needs.role,
            "approval": approval,
            "approved_by": action.decided_as or "",
            "approved": events.get(decided, 0) if approval != "none" else 0,
            "described": (action.title, *action.summary, str(action.total or "")),
        }

    def _effect(self, step: effects.Step) -> dict[str, Any]:
        """Return what the ledger holds about one effect."""
        happened = step.result is not None
        events = self.events.get(step.step_id, {})
        return {
            "seq": events.get(Event.INTENDED, step.last_seq),
            "op": step.step_id,
            "args": step.args,
            "binds": {
                name: tuple(one.step for one in bind.takes) for name, bind in step.binds.items()
            },
            "result": step.result,
            "error": step.reason,
            "outcome": _OUTCOMES.get(step.state, "open"),
            "at": step.intended_at,
            "attempted": events.get(Event.ATTEMPTED, 0),
            "attempts": len(step.attempts),
            "executions": happened + len(step.extras) + step.duplicates_undone,
            "expected": step.evidence,
            "observed": step.result if happened else step.shown,
        }


def _plans(entries: Sequence[Entry]) -> dict[str, Plan]:
    plans: dict[str, Plan] = {}
    for entry in entries:
        if entry.plan_id is None:
            continue
        if entry.plan_id not in plans:
            plans[entry.plan_id] = Plan(entry.plan_id, entry.turn_id or "")
        plans[entry.plan_id].apply(entry)
    return plans


def _events_of_steps(entries: Sequence[Entry]) -> dict[str, dict[Event, int]]:
    """Return the first entry of each event about a step or a plan, by its id."""
    first: dict[str, dict[Event, int]] = {}
    for entry in entries:
        about = entry.step_id or entry.plan_id
        if about is not None:
            first.setdefault(about, {}).setdefault(entry.event, entry.seq)
    return first


def _outcome_of(plan: Plan, action: Action) -> Outcome:
    states = {step.state for step in action.steps}
    if not plan.over:
        return "in_doubt" if StepState.IN_DOUBT in states else "open"
    if action.succeeded:
        return "done"
    if states <= {StepState.VOID}:
        return "void"
    if states & {StepState.IN_DOUBT, StepState.STUCK}:
        return "in_doubt"
    return "undone" if StepState.UNDONE in states else "failed"


def _notes(record: Record, erased: int) -> tuple[str, ...]:
    notes = []
    if erased:
        what = "1 decision" if erased == 1 else f"{erased} decisions"
        notes.append(f"The calls of {what} were erased: they cannot be judged.")
    if not record.said and any(entry.event is Event.RECEIVED for entry in record.entries):
        notes.append("The messages were erased: invented identifiers and amounts cannot be found.")
    return tuple(notes)
