"""Build the trajectory of a thread from its ledger, its reads, its documents and its messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from daybook.app.grading.trajectory import (
    ANSWER,
    Approval,
    Claim,
    Decision,
    Kind,
    Outcome,
    OutsideEvent,
    Step,
    Trajectory,
    Turn,
)
from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.runs.reads import Read
from daybook.nodes.past.branch import of_branch
from daybook.nodes.planning.phases import call_name, place_name
from daybook.nodes.prompt.proof import PastPrompts, past_prompts
from daybook.nodes.prompt.transcript import ASKED_FIRST
from daybook.state.effects.written import restored
from daybook.state.errors import DaybookError, ToolRefused
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
    past = await past_prompts(thread_id, domain, postgres)
    if not past.entries:
        raise DaybookError(
            f"There is no ledger of a thread {thread_id} here, so there is nothing to look at; "
            "`daybook threads` names those that there are."
        )
    return trajectory_of(past, thread_id, await _last_decision(postgres, thread_id))


async def _last_decision(postgres: Postgres, thread_id: str) -> int | None:
    """Return the last decision of the current branch; None where the checkpoint is gone."""
    stored = await postgres.saver.aget_tuple(
        {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
    )
    values = stored.checkpoint["channel_values"] if stored else {}
    last: int | None = (values.get("turn") or {}).get("last")
    return last


def trajectory_of(past: PastPrompts, thread_id: str, last: int | None) -> Trajectory:
    """Build the trajectory of one branch of a thread.

    Args:
        past: the thread's stored data.
        last: ledger entry of the branch's last decision; None takes the last one of the thread.
    """
    if last is None:
        last = max((one.seq for one in past.entries if one.event is Event.DECIDED), default=0)
    writer = _Writer(past)
    writer.write(of_branch(past.entries, last))
    registry = past.domain.registry
    return Trajectory(
        thread_id=thread_id,
        turns=tuple(writer.turns),
        steps=tuple(writer.steps),
        answers=tuple(writer.answers),
        decisions=tuple(writer.decisions),
        outside=tuple(writer.outside),
        arguments={name: registry.offered(name).args for name in registry.names},
        notes=_notes(past, writer.erased),
    )


@dataclass
class _Writer:
    """Collects the steps of one thread."""

    past: PastPrompts
    turns: list[Turn] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    answers: list[Step] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    outside: list[OutsideEvent] = field(default_factory=list)
    erased: int = 0

    def __post_init__(self) -> None:
        self.domain, entries = self.past.domain, self.past.entries
        self.digests = {one.epoch: one.digest for one in self.past.versions}
        self.reads = {(read.turn_id, read.call): read for read in self.past.reads}
        self.applied = {
            (entry.turn_id or "", entry.detail["call"]): entry
            for entry in entries
            if entry.event is Event.APPLIED
        }
        # An edit by the approver is a new version of the plan: the last one was carried out.
        self.actions = {
            (plan.turn_id, action.call): (plan, action)
            for plan in _plans(entries).values()
            for action in plan.actions
        }
        self.events = _events_of_steps(entries)
        self.done = {e.turn_id for e in entries if e.event is Event.TURN_DONE}
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
                    self.outside.append(OutsideEvent(seq=entry.seq, text=text))
                case Event.DECIDED if entry.turn_id in self.numbers:
                    # A tail equal to the one before it is not stored again.
                    tail = (entry.payload or {}).get("tail", tail)
                    digest = self.digests.get(entry.detail.get("epoch", 0), "")
                    self._decide(entry, digest, tail)

    def _begin(self, entry: Entry) -> None:
        turn_id, said = entry.turn_id or "", self.past.newest
        if said and turn_id not in said:
            # A turn of an abandoned branch.
            return
        self.numbers[turn_id] = len(self.turns) + 1
        number, text = self.numbers[turn_id], said.get(turn_id, "")
        self.turns.append(Turn(number=number, turn_id=turn_id, said=text))

    def _decide(self, entry: Entry, digest: str, tail: str) -> None:
        turn_id, detail = entry.turn_id or "", entry.detail
        calls = self._calls(entry)
        number, flow = self.numbers[turn_id], detail.get("flow", "")
        self.decisions.append(
            Decision(
                seq=entry.seq,
                turn=number,
                ordinal=detail["ordinal"],
                tokens=sum(detail.get("zones", ())),
            )
        )
        decided: dict[str, Any] = {
            "turn": number,
            "decided": entry.seq,
            "ordinal": detail["ordinal"],
            "flow": flow,
            "offered": self.domain.flow.offered.get(flow),
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
            "tool": call["name"],
            "kind": self._kind(call["name"]),
            "args": restored(call),
            "fault": call.get("fault", ""),
        }
        if call.get("erased"):
            whole = Step(**about, outcome="erased")
            self.steps += [whole, *self._effects(whole, *self.actions[name])]
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
        try:
            return self.domain.registry.offered(name).kind
        except ToolRefused:
            return "unknown"

    def _read(self, about: Mapping[str, Any], read: Read) -> Step:
        if read.cache == "failed":
            said = str(read.result["said"])
            _, is_asked, question = said.partition(ASKED_FIRST)
            outcome: Outcome = "asked" if is_asked else "refused"
            return Step(**about, outcome=outcome, error=question or said)
        return Step(**about, result=read.result, handle=read.handle)

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
            effect = self.domain.registry.effects.get(step.tool)
            about = {**approved, **self._effect(step), "tool": step.tool}
            yield replace(
                whole,
                **about,
                key=f"{whole.key}:{step.name}",
                parent=whole.key,
                kind=effect.kind if effect is not None else "unknown",
                offered=None,
                fault="",
            )

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
        events = self.events.get(step.step_id, {})
        return {
            "seq": events.get(Event.INTENDED, step.last_seq),
            "op": step.step_id,
            "args": step.args,
            "result": step.result,
            "error": step.reason,
            "outcome": _OUTCOMES.get(step.state, "open"),
            "attempted": events.get(Event.ATTEMPTED, 0),
        }


def _plans(entries: Sequence[Entry]) -> dict[str, Plan]:
    plans: dict[str, Plan] = {}
    for entry in entries:
        if entry.plan_id is not None:
            plan = plans.setdefault(entry.plan_id, Plan(entry.plan_id, entry.turn_id or ""))
            plan.apply(entry)
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


def _notes(past: PastPrompts, erased: int) -> tuple[str, ...]:
    notes = []
    if erased:
        what = "1 decision" if erased == 1 else f"{erased} decisions"
        notes.append(f"The calls of {what} were erased: they cannot be judged.")
    if not past.newest and any(entry.event is Event.RECEIVED for entry in past.entries):
        notes.append("The messages were erased: invented identifiers and amounts cannot be found.")
    return tuple(notes)
