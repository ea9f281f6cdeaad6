"""Plans, actions, steps and attempts, folded from the entries of the ledger.

The entries are the truth; the records here are what they add up to. Reading and writing fold
through the same `Plan.apply`, so nothing can be written that could not be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from state.bind import Binding
from state.errors import IllegalTransition
from state.keys import digest, step_id
from state.money import Money
from state.recovery import TERMINAL, Event, StepState, transition


@dataclass(frozen=True)
class Entry:
    """Hold one row of the ledger, as written or as read back.

    Attributes:
        detail: facts without personal data; hashed into the chain as they stand.
        payload: arguments, results and free text; erasable, the chain holds its salted hash.
        deadline_at: UTC; after it the sender of this attempt may not send.
        settle_at: UTC; deadline plus the longest time the other side may lag (D).
        seq: number in the thread, from 1; 0 while it is not written.
        at: UTC; set by the ledger.

    """

    event: Event
    turn_id: str | None = None
    plan_id: str | None = None
    op: str | None = None
    gen: int | None = None
    attempt: int | None = None
    worker: str | None = None
    author: str | None = None
    role: str | None = None
    deadline_at: datetime | None = None
    settle_at: datetime | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)
    payload: Mapping[str, Any] | None = None
    seq: int = 0
    at: datetime | None = None

    @property
    def step_id(self) -> str | None:
        """Name the step, or None where the entry is not about one."""
        return step_id(self.op, self.gen) if self.op is not None and self.gen is not None else None


@dataclass
class Attempt:
    """Hold one right to send once, and what came of it.

    Attributes:
        answer: acknowledged, refused, declined or unanswered; None while nothing is known.

    """

    number: int
    at: datetime
    deadline_at: datetime
    settle_at: datetime
    answer: Event | None = None
    answered_at: datetime | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Tell whether the request may have been done."""
        return self.answer in (None, Event.UNANSWERED)


@dataclass
class Look:
    """Hold what a probe saw: absent, or that it could not look.

    Attributes:
        began_at: UTC; absence counts only if every attempt had settled before the look began.

    """

    event: Event
    began_at: datetime
    seq: int


@dataclass
class Step:
    """Hold one generation of one business operation.

    Attributes:
        args: normalised arguments, those bound to earlier results left out.
        binds: arguments that are taken from results of earlier steps when the step is claimed.
        preconditions: what was observed when the intent was written.
        evidence: what the other side must show afterwards.
        pivot: once this step is done, its action is never compensated.
        undo: the tool that undoes it, or None.
        extras: duplicates that a probe found beside the effect and that are still there.
        shown: what the other side showed where it was not what was expected.

    """

    op: str
    gen: int
    name: str
    tool: str
    args: Mapping[str, Any]
    binds: Mapping[str, Binding]
    preconditions: Mapping[str, Any]
    evidence: Mapping[str, Any]
    pivot: bool
    undo: str | None
    intended_at: datetime
    state: StepState = StepState.INTENDED
    attempts: list[Attempt] = field(default_factory=list)
    undos: list[Attempt] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)
    result: Mapping[str, Any] | None = None
    extras: list[Mapping[str, Any]] = field(default_factory=list)
    duplicates_undone: int = 0
    shown: dict[str, Any] | None = None
    reason: str = ""
    last_seq: int = 0

    @property
    def step_id(self) -> str:
        """Name the step; this is its idempotency key too."""
        return step_id(self.op, self.gen)

    @property
    def args_hash(self) -> str:
        """Hash what was approved: tool, arguments and where the bound ones come from."""
        binds = {name: bind.model_dump(mode="json") for name, bind in self.binds.items()}
        return digest({"tool": self.tool, "args": self.args, "binds": binds})


@dataclass
class Action:
    """Hold one call of the model and the steps that carry it out.

    Attributes:
        position: which call of the decision it is.
        position: index in its plan.
        call: which call of the turn it carries out.
        summary: lines that a person can decide on.
        decision: approved, rejected, edited, expired or withdrawn; None while undecided.
        told: what the person who decided said about it.

    """

    position: int
    call: str
    tool: str
    args: Mapping[str, Any]
    title: str
    summary: tuple[str, ...]
    total: Money | None
    steps: list[Step] = field(default_factory=list)
    decision: str | None = None
    decided_by: str | None = None
    told: str = ""
    closing: bool = False
    reason: str = ""

    @property
    def pivot_done(self) -> bool:
        """Tell whether the point of no return is behind it."""
        return any(step.pivot and step.state is StepState.DONE for step in self.steps)

    @property
    def succeeded(self) -> bool:
        """Tell whether the action did what it was to do."""
        return not self.closing and self.pivot_done

    def step(self, name: str) -> Step:
        """Return the newest generation of the step of that name.

        Raises:
            KeyError: the action has no such step.

        """
        for step in reversed(self.steps):
            if step.name == name:
                return step
        raise KeyError(name)

    @property
    def results(self) -> dict[str, Mapping[str, Any]]:
        """Map step names to the results that bindings take from."""
        return {s.name: s.result for s in self.steps if s.result and s.state is StepState.DONE}


@dataclass
class Plan:
    """Hold the steps of one decision: open, then succeeded or ended.

    Attributes:
        approval: "policy" (approved by it), "asked", "asked again" (the answer must name the plan),
            or "edit" (approved by the person whose edit it is).
        edits: call to the tool and arguments that a person put in its place.
    """

    plan_id: str
    turn_id: str
    actions: list[Action] = field(default_factory=list)
    approval: str = ""
    decided: bool = False
    approved_hash: str = ""
    edits: Mapping[str, Any] = field(default_factory=dict)
    over: bool = False
    last_seq: int = 0
    _steps: dict[str, tuple[Action, Step]] = field(default_factory=dict)

    @property
    def steps(self) -> list[Step]:
        """Return all steps in plan order."""
        return [step for action in self.actions for step in action.steps]

    @property
    def succeeded(self) -> bool:
        """Tell whether every action did what it was to do."""
        return self.over and all(action.succeeded for action in self.actions)

    @property
    def touched(self) -> bool:
        """Tell whether anything was ever attempted."""
        return any(step.attempts for step in self.steps)

    @property
    def is_bound(self) -> bool:
        """Tell whether what was approved is this hash of arguments and preconditions."""
        return self.approval == "policy" or self.approved_hash == self.binding_hash

    @property
    def binding_hash(self) -> str:
        """Hash what an approval is bound to: exact arguments and observed preconditions."""
        return digest([[s.step_id, s.args_hash, s.preconditions] for s in self.steps])[:32]

    def find(self, step: str) -> tuple[Action, Step]:
        """Return a step with its action.

        Raises:
            KeyError: the plan has no such step.

        """
        return self._steps[step]

    def entry(self, event: Event, step: Step | None = None, **more: Any) -> Entry:
        """Make an entry about this plan, or about one of its steps."""
        about = {"op": step.op, "gen": step.gen} if step is not None else {}
        return Entry(event=event, plan_id=self.plan_id, **{**about, **more})

    def apply(self, entry: Entry) -> None:
        """Let one entry happen.

        Raises:
            IllegalTransition: the recovery table does not allow it.

        """
        self.last_seq = entry.seq
        if entry.step_id is not None:
            self._apply_step(entry, entry.step_id)
            return
        match entry.event:
            case Event.OPENED:
                self._open(entry)
            case Event.DECISION:
                self._decide(entry)
            case Event.CLOSING:
                action = self.actions[entry.detail["action"]]
                action.closing, action.reason = True, entry.detail["reason"]
            case Event.SUCCEEDED | Event.ENDED:
                self.over = True
            case Event.RECEIVED | Event.DECIDED | Event.APPLIED | Event.TURN_DONE:
                pass
            case _:
                raise IllegalTransition(f"The event {entry.event.value} needs a step.")

    def _open(self, entry: Entry) -> None:
        self.approval = entry.detail["approval"]
        self.decided = self.approval == "policy"
        described = (entry.payload or {}).get("actions", {})
        for index, action in enumerate(entry.detail["actions"]):
            about = described.get(str(index), {})
            total = about.get("total")
            self.actions.append(
                Action(
                    position=index,
                    call=action["call"],
                    tool=action["tool"],
                    args=about.get("args", {}),
                    title=about.get("title", ""),
                    summary=tuple(about.get("summary", ())),
                    total=Money(**total) if total else None,
                    decision="approved" if self.decided else None,
                    decided_by=entry.author,
                )
            )

    def _decide(self, entry: Entry) -> None:
        self.decided = True
        self.approved_hash = entry.detail.get("bound_to", "")
        self.edits = (entry.payload or {}).get("edits", {})
        told = (entry.payload or {}).get("told", {})
        for index, decision in enumerate(entry.detail["decisions"]):
            self.actions[index].decision = decision
            self.actions[index].decided_by = entry.author
            self.actions[index].told = told.get(str(index), "")

    def _apply_step(self, entry: Entry, name: str) -> None:
        at = entry.at
        assert at is not None, "the ledger dates every entry"
        known = self._steps.get(name)
        after = transition(known[1].state if known else None, entry.event)
        if known is None:
            self._intend(entry, name, at)
            return
        step = known[1]
        before, step.state, step.last_seq = step.state, after, entry.seq
        _STEP_EFFECTS.get(entry.event, _keep_reason)(step, entry, before, at)

    def _intend(self, entry: Entry, name: str, at: datetime) -> None:
        assert entry.op is not None
        assert entry.gen is not None
        payload = entry.payload or {}
        step = Step(
            op=entry.op,
            gen=entry.gen,
            name=entry.detail.get("name", entry.detail["tool"]),
            tool=entry.detail["tool"],
            args=payload.get("args", {}),
            binds={k: Binding.model_validate(v) for k, v in payload.get("binds", {}).items()},
            preconditions=payload.get("preconditions", {}),
            evidence=payload.get("evidence", {}),
            pivot=entry.detail.get("pivot", False),
            undo=entry.detail.get("undo"),
            intended_at=at,
            last_seq=entry.seq,
        )
        action = self.actions[entry.detail.get("action", 0)]
        action.steps.append(step)
        if not action.title:
            # An effect that the model called by itself is described by its own arguments.
            action.args, action.title = step.args, action.tool.replace("_", " ")
            action.summary = tuple(f"{name}: {value}" for name, value in step.args.items())
        self._steps[name] = (action, step)


def _keep_reason(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    step.reason = (entry.payload or {}).get("reason") or entry.detail.get("reason", "")


def _attempt(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    assert entry.attempt is not None
    assert entry.deadline_at is not None
    assert entry.settle_at is not None
    kept = step.undos if entry.event is Event.UNDO_ATTEMPTED else step.attempts
    kept.append(Attempt(entry.attempt, at, entry.deadline_at, entry.settle_at))


def _answer(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    for attempt in step.attempts:
        # An acknowledgement outranks whatever was believed of the attempt before it.
        if attempt.number == entry.attempt and (
            attempt.answer in (None, Event.UNANSWERED) or entry.event is Event.ACKNOWLEDGED
        ):
            attempt.answer, attempt.answered_at = entry.event, at
            attempt.detail = {**entry.detail, **(entry.payload or {})}
    if entry.event is Event.DECLINED:
        _keep_reason(step, entry, before, at)


def _done(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    if entry.event is Event.ACKNOWLEDGED:
        _answer(step, entry, before, at)
    payload = entry.payload or {}
    if before in _WITHOUT_RESULT:
        # What a person says happened is what the other side had shown, where it had.
        shown = (step.shown or {}) if entry.event is Event.HAPPENED else {}
        step.result = {**payload.get("result", {}), **shown}
    if entry.event in (Event.FOUND, Event.VERIFIED):
        step.extras.extend(payload.get("extras", ()))


def _look(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    began = datetime.fromisoformat(entry.detail["began_at"])
    step.looks.append(Look(entry.event, began, entry.seq))


def _undo_failed(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    for undo in step.undos:
        if undo.number == entry.attempt:
            undo.answer, undo.answered_at, undo.detail = Event.UNDO_FAILED, at, entry.detail
    _keep_reason(step, entry, before, at)


def _doubted(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    step.shown = (entry.payload or {}).get("shown")
    _keep_reason(step, entry, before, at)


def _denied(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    # A person's word that it did not happen settles every attempt that was open.
    for attempt in step.undos if before is StepState.STUCK else step.attempts:
        if attempt.is_open or before is StepState.STUCK:
            attempt.answer, attempt.answered_at = entry.event, at


def _extra_undone(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    step.extras = step.extras[1:]
    step.duplicates_undone += 1


_WITHOUT_RESULT = (StepState.UNKNOWN, StepState.IN_DOUBT, StepState.NEGATIVE)

_STEP_EFFECTS = {
    Event.ATTEMPTED: _attempt,
    Event.UNDO_ATTEMPTED: _attempt,
    Event.ACKNOWLEDGED: _done,
    Event.FOUND: _done,
    Event.HAPPENED: _done,
    Event.VERIFIED: _done,
    Event.UNANSWERED: _answer,
    Event.REFUSED: _answer,
    Event.DECLINED: _answer,
    Event.ABSENT: _look,
    Event.UNREACHABLE: _look,
    Event.UNDO_FAILED: _undo_failed,
    Event.NOT_HAPPENED: _denied,
    Event.IN_DOUBT: _doubted,
    Event.EXTRA_UNDONE: _extra_undone,
}


def fold(entries: Iterable[Entry]) -> Plan | None:
    """Add up the entries of one plan, oldest first; None when there are none.

    Raises:
        IllegalTransition: the entries could not have been written by this release.

    """
    plan: Plan | None = None
    for entry in entries:
        if plan is None:
            assert entry.plan_id is not None
            plan = Plan(plan_id=entry.plan_id, turn_id=entry.turn_id or "")
        plan.apply(entry)
    return plan


def generation_may_follow(state: StepState) -> bool:
    """Tell whether the next generation of an operation may be intended."""
    return state in TERMINAL
