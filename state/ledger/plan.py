"""Plans and actions, folded from the entries of the ledger.

The entries are the truth; the records here are what they add up to. Reading and writing fold
through the same `Plan.apply`, so nothing can be written that could not be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from daybook.state.effects.arguments import restored, stored_args
from daybook.state.effects.keys import digest, storable
from daybook.state.errors import IllegalTransition
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import TERMINAL, Event, StepState
from daybook.state.ledger.step import Step, intended
from daybook.state.money import Money, money_in
from daybook.state.people.policy import Needs, needs_of


@dataclass
class Action:
    """One call of the model and the steps that carry it out.

    Attributes:
        position: index in its plan.
        call: which call of the turn it carries out.
        summary: lines for the approver.
        is_bare: an effect that the model called directly, described by its arguments.
        about: its subject in a few words; "" if only the title says it.
        decision: approved, rejected, edited, expired, withdrawn or moved (something changed since
            it was asked, so it is asked again); None while undecided.
        decided_as: the role of whoever decided; decided_for: whom they stood in for.
        edited_by: the user who changed what the model had proposed.
        told: the message of the user who decided.
        is_abandoned: its approval expired before the rest of it started.
        stopped_by: the user who stopped it, if that closed or withdrew it.
        choices: argument to its possible values, each with a label.

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
    decided_as: str | None = None
    decided_for: tuple[str, ...] = ()
    edited_by: str | None = None
    told: str = ""
    closing: bool = False
    reason: str = ""
    is_abandoned: bool = False
    stopped_by: str | None = None
    choices: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    about: str = ""
    is_bare: bool = False

    @property
    def is_approved(self) -> bool:
        """Tell whether it may be carried out."""
        return self.decision == "approved"

    @property
    def pivot_done(self) -> bool:
        """Tell whether the point of no return is behind it."""
        return any(step.pivot and step.state is StepState.DONE for step in self.steps)

    @property
    def succeeded(self) -> bool:
        """Tell whether the action reached its goal."""
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

    def bindings(self, step: Step) -> dict[str, Any]:
        """Return the arguments of a step that come from results of earlier steps.

        Raises:
            KeyError: a result does not give one.
        """
        return {name: bind.value(self.results) for name, bind in step.binds.items()}

    def first_bindings(self, step: Step) -> dict[str, Any] | None:
        """Return what a step's first claim keeps of earlier results; None if it keeps nothing.

        Raises:
            KeyError: a result does not give it.
        """
        return stored_args(self.bindings(step)) if step.binds and not step.attempts else None

    @property
    def results(self) -> dict[str, Mapping[str, Any]]:
        """Map step names to the results that bindings take from."""
        return {s.name: s.result for s in self.steps if s.result and s.state is StepState.DONE}


@dataclass(frozen=True)
class Approval:
    """One of several approvals that a plan takes; the last one is its decision.

    Attributes:
        stands_for: in whose place it was given, too.
        at: UTC.
    """

    user: str
    role: str
    stands_for: tuple[str, ...]
    at: datetime | None


@dataclass
class Plan:
    """The steps of one decision: open, then succeeded or ended.

    Attributes:
        approval: "policy" (approved by it), "asked", "asked again" (the answer must name the plan),
            or "edit" (approved by the person whose edit it is).
        needs: who must approve it.
        approvals: those that were given before the one that decides it.
        salt: of `approved_hash`.
        edits: call to the tool and arguments of the next version: those that a person put in its
            place, or its own where something moved.
        deadline: UTC; until it is decided, how long the question waits; then, how long a step
            before the pivot may be begun on the decision. None if it does not end.
        over_seq: the entry that ended it; 0 while it is open.
    """

    plan_id: str
    turn_id: str
    actions: list[Action] = field(default_factory=list)
    approval: str = ""
    decided: bool = False
    needs: Needs = field(default_factory=Needs)
    approvals: list[Approval] = field(default_factory=list)
    approved_hash: str = ""
    salt: str = ""
    edits: Mapping[str, Any] = field(default_factory=dict)
    deadline: datetime | None = None
    over_seq: int = 0
    last_seq: int = 0
    _steps: dict[str, tuple[Action, Step]] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        """Tell whether it has succeeded or ended."""
        return self.over_seq > 0

    @property
    def question(self) -> str:
        """Name the question whether it may be carried out; with each approval it is another one.

        An answer that is given once more, by a run that died, approves nothing in another's name.
        """
        given = len(self.approvals)
        return f"{self.plan_id}?{given + 1}" if given else self.plan_id

    @property
    def approved_by(self) -> list[str]:
        """Return who has approved it, with those whom they stood in for."""
        return [name for one in self.approvals for name in (one.user, *one.stands_for)]

    @property
    def located(self) -> list[tuple[Action, Step]]:
        """Return all steps in plan order, each with its action."""
        return [(action, step) for action in self.actions for step in action.steps]

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
    def has_moved(self) -> bool:
        """Tell whether something that it depends on moved before anybody had approved it."""
        return any(action.decision == "moved" for action in self.actions)

    @property
    def is_bound(self) -> bool:
        """Tell whether what was approved is this hash of arguments and preconditions."""
        return self.approval == "policy" or self.approved_hash == self.bound_to(self.salt)

    @property
    def binding_hash(self) -> str:
        """Hash what an approval is bound to: exact arguments and observed preconditions."""
        return digest([[s.step_id, s.args_hash, s.preconditions] for s in self.steps])[:32]

    def bound_to(self, salt: str) -> str:
        """Hash for the chain what an approval is bound to.

        Salted: after the payloads were erased, arguments could be guessed from the hash. Without a
        salt as the first decisions were written.
        """
        return digest([salt, self.binding_hash])[:32] if salt else self.binding_hash

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

    def ending(self) -> Entry:
        """Make the entry that ends the plan."""
        has_succeeded = all(action.succeeded for action in self.actions)
        return self.entry(Event.SUCCEEDED if has_succeeded else Event.ENDED)

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
            case Event.APPROVAL if not self.decided:
                given = tuple(entry.detail.get("stands_for", ()))
                one = Approval(entry.author or "", entry.role or "", given, entry.at)
                self.approvals.append(one)
            case Event.DECISION:
                self._decide(entry)
            case Event.CLOSING:
                action = self.actions[entry.detail["action"]]
                action.closing, action.reason = True, entry.reason
                if entry.detail.get("stop"):
                    action.stopped_by = entry.author
            case Event.SUCCEEDED | Event.ENDED:
                self.over_seq = entry.seq
            case Event.RECEIVED | Event.DECIDED | Event.APPLIED | Event.TURN_DONE:
                pass
            case _:
                raise IllegalTransition(f"The event {entry.event.value} needs a step.")

    def _open(self, entry: Entry) -> None:
        self.approval = entry.detail["approval"]
        self.deadline = entry.deadline_at
        self.decided = self.approval == "policy"
        self.needs = needs_of(entry.detail.get("needs", {}))
        described = (entry.payload or {}).get("actions", {})
        for index, action in enumerate(entry.detail["actions"]):
            about = described.get(str(index), {})
            total = about.get("total")
            self.actions.append(
                Action(
                    position=index,
                    call=action["call"],
                    tool=action["tool"],
                    args=restored(about),
                    title=about.get("title", ""),
                    summary=tuple(about.get("summary", ())),
                    total=Money(**total) if total else None,
                    decision="approved" if self.decided else None,
                    decided_by=entry.author,
                    edited_by=action.get("edited_by"),
                    choices=about.get("choices", {}),
                    about=about.get("about", ""),
                )
            )

    def _decide(self, entry: Entry) -> None:
        self.decided = True
        self.deadline = entry.deadline_at
        self.approved_hash = entry.detail.get("bound_to", "")
        self.salt = (entry.payload or {}).get("salt", "")
        self.edits = {
            call: {"tool": edit["tool"], "args": restored(edit)}
            for call, edit in (entry.payload or {}).get("edits", {}).items()
        }
        told = (entry.payload or {}).get("told", {})
        for index, decision in enumerate(entry.detail["decisions"]):
            self.actions[index].decision = decision
            self.actions[index].decided_by = entry.author
            self.actions[index].decided_as = entry.role
            self.actions[index].decided_for = tuple(entry.detail.get("stands_for", ()))
            if entry.detail.get("stop"):
                self.actions[index].stopped_by = entry.author
            self.actions[index].told = told.get(str(index), "")

    def _apply_step(self, entry: Entry, name: str) -> None:
        known = self._steps.get(name)
        if known is not None:
            action, step = known
            step.apply(entry)
            action.is_abandoned |= entry.event is Event.EXPIRED and action.is_approved
            return
        step = intended(entry)
        action = self.actions[entry.detail.get("action", 0)]
        action.steps.append(step)
        if not action.title:
            # An effect that the model called by itself is described by its own arguments.
            action.args, action.title = step.args, action.tool.replace("_", " ")
            action.summary = tuple(
                storable(f"{name}: {value}") for name, value in step.args.items()
            )
            action.is_bare = True
            if step.money is not None:
                action.total = money_in(step.args, *step.money)
        self._steps[name] = (action, step)


@dataclass(frozen=True)
class Operation:
    """Where a business operation was last intended, and that step.

    Attributes:
        thread_id: the thread whose ledger holds it; another one where a thread was copied.
    """

    op: str
    thread_id: str
    plan: Plan
    gen: int


def fold(entries: Iterable[Entry], plan: Plan | None = None) -> Plan | None:
    """Add up the entries of one plan, oldest first; None when there are none.

    Args:
        plan: what those before came to; it is changed.

    Raises:
        IllegalTransition: the entries could not have been written by this release.

    """
    for entry in entries:
        if plan is None:
            assert entry.plan_id is not None
            plan = Plan(plan_id=entry.plan_id, turn_id=entry.turn_id or "")
        plan.apply(entry)
    return plan


def plans_of(entries: Sequence[Entry]) -> list[Plan]:
    """Fold the plans of a thread, in the order in which they were opened.

    One that this release cannot fold is left out: its entries are listed all the same.
    """
    of: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.plan_id is not None:
            of.setdefault(entry.plan_id, []).append(entry)
    plans = []
    for told in of.values():
        try:
            plan = fold(told)
        except (IllegalTransition, KeyError):
            continue
        if plan is not None and plan.steps:
            plans.append(plan)
    return plans


def generation_may_follow(state: StepState) -> bool:
    """Tell whether the next generation of an operation may be intended."""
    return state in TERMINAL
