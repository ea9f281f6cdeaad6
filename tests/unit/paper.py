"""A ledger on paper: a plan's entries in memory, dated by a clock that the test moves.

Its plans have the parts that the protocol's model is searched with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from daybook.state.effects.guarantees import Guarantees, Patience
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_action import NextAction, Write, next_action
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.ledger.step import Step
from evals.protocol.parts import NEITHER, ONLY, START, D, Part, intent, opening

PATIENCE = Patience(
    budget=timedelta(seconds=5),
    attempts=3,
    backoff=timedelta(seconds=1),
    backoff_limit=timedelta(seconds=4),
    unknown_settle=timedelta(seconds=60),
    unproved=timedelta(hours=1),
)

ID = "7f0e2a4c-1111-5222-8333-444455556666"
"""A plan is asked about once, so its id names the question."""


class Paper:
    """Hold one plan, its entries and the time."""

    def __init__(
        self,
        *actions: tuple[Part, ...],
        guarantees: Mapping[str, Guarantees] | None = None,
        plan_id: str = "plan",
        approval: str = "asked",
    ) -> None:
        self.now = START
        self.entries: list[Entry] = []
        self.guarantees = dict(guarantees or {})
        self.plan = Plan(plan_id, "turn")
        for entry in opening(self.plan, *actions, approval=approval):
            self.take(entry)

    # -- writing ------------------------------------------------------------------------------

    def write(self, event: Event, step: Step | None = None, **more: Any) -> None:
        """Let something happen now."""
        self.take(self.plan.entry(event, step, **more))

    def take(self, entry: Entry) -> None:
        """Let an entry happen now."""
        dated = replace(entry, seq=len(self.entries) + 1, at=self.now)
        self.plan.apply(dated)
        self.entries.append(dated)

    def intend(self, part: Part, action: int = 0, gen: int = 1) -> None:
        """Write the intent of a step."""
        self.take(intent(self.plan, part, f"op/{action}", action, gen))

    def decided(self, *decisions: str, bound_to: str | None = None, **payload: Any) -> None:
        """Let a person decide on every action, as the plan stands unless a hash is given."""
        bound = self.plan.binding_hash if bound_to is None else bound_to
        self.write(
            Event.DECISION,
            author="ada",
            detail={"decisions": list(decisions), "bound_to": bound},
            payload=payload,
        )

    def claimed(self, name: str, action: int = 0, **more: Any) -> int:
        """Claim the next attempt of a step and return its number."""
        step = self.step(name, action)
        number = len(step.attempts) + 1
        deadline = self.now + PATIENCE.budget
        self.write(
            Event.ATTEMPTED,
            step,
            attempt=number,
            worker="w",
            deadline_at=deadline,
            settle_at=deadline + PATIENCE.settle_after(self.guarantees.get(step.tool, NEITHER)),
            **more,
        )
        return number

    def answered(self, name: str, event: Event, number: int | None = None, **more: Any) -> None:
        """Write down what came of an attempt, the last one unless a number is given."""
        step = self.step(name)
        self.write(event, step, attempt=number or len(step.attempts), **more)

    def acknowledged(self, name: str, number: int | None = None, **result: Any) -> None:
        """Let the other side acknowledge an attempt; a look-up shows it, where there is one."""
        self.answered(name, Event.ACKNOWLEDGED, number, payload={"result": result})
        if self.guarantees.get(self.step(name).tool, NEITHER).provable:
            self.looked(name, Event.VERIFIED)

    def done(self, name: str, **result: Any) -> None:
        """Claim a step and let the other side acknowledge it at once."""
        self.claimed(name)
        self.acknowledged(name, **result)

    def attempted(self, name: str, event: Event, **more: Any) -> None:
        """Claim a step and write down what came of it."""
        self.claimed(name)
        self.answered(name, event, **more)

    def looked(self, name: str, event: Event, **payload: Any) -> None:
        """Look for a step's effect now."""
        detail = {"began_at": self.now.isoformat()}
        self.write(event, self.step(name), detail=detail, payload=payload)

    def looked_in_vain(self, name: str) -> None:
        """Look for a step's effect now, by a look-up that is faulty."""
        detail = {"began_at": self.now.isoformat(), "fault": "KeyError"}
        self.write(Event.UNREACHABLE, self.step(name), detail=detail)

    def closed(self, action: int = 0) -> None:
        """Let an action close, and cancel what was not attempted."""
        reason = {"action": action, "reason": "because"}
        self.write(Event.CLOSING, detail=reason)
        for step in self.plan.actions[action].steps:
            if step.state.value == "intended":
                self.write(Event.CANCELLED, step)

    def undo_claimed(self, name: str) -> None:
        """Claim the undo of a step."""
        step = self.step(name)
        deadline = self.now + PATIENCE.budget
        self.write(
            Event.UNDO_ATTEMPTED,
            step,
            attempt=len(step.undos) + 1,
            deadline_at=deadline,
            settle_at=deadline + D,
        )

    def undone(self, name: str) -> None:
        """Claim the undo of a step and let it succeed at once."""
        self.undo_claimed(name)
        self.write(Event.UNDONE, self.step(name), attempt=len(self.step(name).undos))

    def follow(self) -> NextAction:
        """Write what is due and return the next move that is not a writing."""
        while isinstance(move := self.due(), Write):
            for entry in move.entries:
                self.take(entry)
        return move

    # -- reading ------------------------------------------------------------------------------

    def due(self) -> NextAction:
        """Return the move that is due now."""
        return next_action(self.plan, self.guarantees, PATIENCE, self.now)

    def due_events(self) -> list[Event]:
        """Return the events of a writing that must be due now."""
        move = self.due()
        assert isinstance(move, Write), move
        return [entry.event for entry in move.entries]

    def later(self, seconds: float = 0, *, microseconds: int = 0) -> None:
        """Let time go by."""
        self.now += timedelta(seconds=seconds, microseconds=microseconds)

    def step(self, name: str, action: int = 0) -> Step:
        """Return a step."""
        return self.plan.actions[action].step(name)


def asked(actions: int = 1, *, again: bool = False) -> Paper:
    """Make a plan whose approval was asked for."""
    approval = "asked again" if again else "asked"
    return Paper(*[(ONLY,)] * actions, plan_id=ID, approval=approval)


def approved(
    *parts: Part, guarantees: Guarantees | None = None, of: Mapping[str, Guarantees] | None = None
) -> Paper:
    """Make an approved plan of one action.

    Args:
        parts: its steps.
        guarantees: of all its tools.
        of: guarantees by tool, before the general ones.
    """
    common = {part.name: guarantees for part in parts} if guarantees is not None else {}
    paper = Paper(parts, guarantees={**common, **(of or {})})
    paper.decided("approved")
    return paper


def step_id(name: str, action: int = 0) -> str:
    """Name a step of a plan on paper."""
    return f"op/{action}/{name}/1"
