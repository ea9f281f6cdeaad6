"""The context of the write path: bound for each run to one thread and one user."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from pydantic import TypeAdapter, ValidationError

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.ledger.page import Page
from daybook.state.clock import Clock
from daybook.state.effects.guarantees import Guarantees, Patience
from daybook.state.effects.reference import Namespace
from daybook.state.errors import UnknownPlan
from daybook.state.ledger.next_action import (
    Claim,
    ClaimUndo,
    End,
    NextAction,
    Write,
    next_action,
)
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import StepState
from daybook.state.ledger.step import Step
from daybook.state.people.policy import Policy
from daybook.state.run_input import misfit
from daybook.state.session import Session
from daybook.tools.registry import Registry

AGAIN = timedelta(seconds=1)
"""How long to wait where nobody knows how long it will take."""


Receipt: TypeAlias = dict[str, Any]
InTask: TypeAlias = Callable[[str, str, Callable[[], Awaitable[Receipt]]], Awaitable[None]]
"""Runs something in a task of a name, which is given a step's name alone."""


async def in_no_task(name: str, step_id: str, act: Callable[[], Awaitable[Receipt]]) -> None:
    """Run something where it is called: nothing is checkpointed but the ledger's record."""
    await act()


@dataclass(frozen=True)
class Engine:
    """Say for whom effects are carried out, with which tools and on which ledger.

    Attributes:
        domain: whose tools these are; a reference names one effect within it and its world.
        world: an id that the outside world tells of itself; "" if it tells none.
        services: what the tools are given.
        guarantees: what is guaranteed of each effect, by tool name.
        emit: takes an event of the `custom` stream.
        in_task: runs each call to the outside in a task, whose receipt is checkpointed.
        fresh: a thread's plan as this process has just read or committed it, and when (UTC).
    """

    ledger: Ledger
    session: Session
    registry: Registry
    guarantees: Mapping[str, Guarantees]
    policy: Policy
    patience: Patience
    clock: Clock
    domain: str
    world: str = ""
    services: Any = None
    emit: Callable[[Mapping[str, Any]], None] = lambda event: None
    in_task: InTask = in_no_task
    fresh: dict[str, tuple[Plan, datetime]] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Return how long one call to code of others may take, in seconds."""
        return self.patience.budget.total_seconds()

    def tell(self, line: str) -> None:
        """Emit a line of progress."""
        self.emit({"progress": line})

    def next_action(self, plan: Plan, now: datetime) -> NextAction:
        """Decide what is done next about a plan (see `daybook.state.ledger.next_action`)."""
        return next_action(plan, self.guarantees, self.patience, now)

    def namespace(self, tool: str) -> Namespace:
        """Say where the references of a tool's effects name one effect each."""
        return Namespace(self.domain, self.world, tool)

    async def read(self, plan_id: str) -> Committed:
        """Read a plan that the ledger must hold.

        Raises:
            UnknownPlan: it does not: the state was copied from another thread, or rewritten.
        """
        plan, now = self.fresh.pop(self.session.thread_id, (None, None))
        if plan is None or now is None or plan.plan_id != plan_id:
            plan, now = await self.ledger.plan(self.session.thread_id, plan_id)
        if plan is None:
            raise UnknownPlan(
                f"The ledger of the thread {self.session.thread_id} has no plan {plan_id}: its "
                "state was copied from another thread. Nothing was done; make the request again."
            )
        return Committed(plan, now, self.next_action(plan, now))

    def follow(self, page: Page, plan: Plan, done: Sequence[Step] = ()) -> NextAction:
        """Write what follows from what is known now (closing, failing, the end) on the same page.

        Args:
            done: steps that were done before the page, and may be in doubt by it.

        Returns:
            What is to be done then, which writes nothing by itself.
        """
        done = [*done, *(step for step in plan.steps if step.state is StepState.DONE)]
        while isinstance(action := self.next_action(plan, page.now), Write | End):
            page.write(*(action.entries if isinstance(action, Write) else (plan.ending(),)))
        for step in done:
            if step.state is StepState.IN_DOUBT:
                # Kept, its reference would be refused to the very step that it belongs to: to the
                # word of a person who names it, and to an answer that comes late.
                page.release(self.namespace(step.tool), step)
        return action


@dataclass(frozen=True)
class Claimed:
    """A committed claim, or the reading that a look-up begins with.

    Attributes:
        at: the database's clock then, UTC.
        began: this process's clock before the claim, in seconds; it runs on while suspended.
        confirmed: this process's clock when the claim was committed.
        first: when the first attempt under the same key was claimed, UTC.
    """

    plan: Plan
    action: Action
    step: Step
    at: datetime
    began: float
    confirmed: float
    first: datetime

    def now(self, clock: Clock) -> datetime:
        """Tell the database's time, never later than it is."""
        return self.at + timedelta(seconds=clock.monotonic() - self.confirmed)

    @property
    def args(self) -> dict[str, Any]:
        """Return the step's arguments, with what is bound to earlier results.

        As they were first sent: what an earlier step came to may be in doubt meanwhile, or another.
        """
        bound = self.step.bound
        return {**self.step.args, **(self.action.bindings(self.step) if bound is None else bound)}


@dataclass(frozen=True)
class Committed:
    """A plan as a page of the ledger was committed with it, or as it was read.

    Attributes:
        now: the database's clock on that page, UTC.
        action: what is to be done about the plan then.
        claimed: the claim that was written on that page.
    """

    plan: Plan
    now: datetime
    action: NextAction
    claimed: Claimed | None = None

    @classmethod
    def at(
        cls,
        page: Page,
        plan: Plan,
        action: NextAction,
        claimed: Claimed | Held | None,
        clock: Clock,
    ) -> Committed:
        """Return a plan behind the page that was committed just now."""
        if not isinstance(claimed, Claimed):
            return cls(plan, page.now, action)
        return cls(plan, page.now, action, replace(claimed, confirmed=clock.monotonic()))


@dataclass(frozen=True)
class Ask:
    """A question to a person.

    Attributes:
        id: the approval id, which an answer may name.
        request: the value of the interrupt.
        answers: what an answer must be.
        text: Markdown that shows it in the conversation.
    """

    id: str
    request: Mapping[str, Any]
    answers: type
    text: str

    def checked(self, answer: Any) -> Any:
        """Return an answer as what it must be.

        Raises:
            InputRefused: it does not fit.
        """
        try:
            return TypeAdapter(self.answers).validate_python(answer)
        except ValidationError as error:
            raise misfit(error) from error


@dataclass(frozen=True)
class Held:
    """Nothing was sent.

    Attributes:
        until: when to ask again, UTC; None if the attempt is not due any more.
    """

    why: str = ""
    until: datetime | None = None


def tool_of(plan: Plan, due: Claim | ClaimUndo) -> str:
    """Name the tool that an attempt calls."""
    _, step = plan.find(due.step_id)
    return step.tool if isinstance(due, Claim) else step.undo or step.tool


def reading(plan: Plan, step_id: str, now: datetime, clock: Clock) -> Claimed:
    """Begin a look-up without a claim, at the database's time `now` (UTC)."""
    action, step = plan.find(step_id)
    began = clock.monotonic()
    return Claimed(plan, action, step, at=now, began=began, confirmed=began, first=now)
