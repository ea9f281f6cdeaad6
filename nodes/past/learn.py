"""Learn from what failed: the machine counts it, the model never does.

What is learnt is read by the prompt alone; nothing that executes imports this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daybook.checkpoints.people.lessons import Came, Happened
from daybook.nodes.running.work import Work
from daybook.state.agent import Turn
from daybook.state.errors import ChoiceNeeded, ToolBarred, ToolRefused
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event
from daybook.state.prompt.lessons import Lesson, applicable, error_key

State = Mapping[str, Any]


class Learning:
    """Collect what came of calls at one place of the flow, until it is written down."""

    def __init__(self, flow: str, state: State, work: Work) -> None:
        self._flow = flow
        self._work = work
        offered = work.domain.flow.offered[flow]
        self._shown = applicable(state.get("lessons", ()), flow, offered)
        self._learnt: list[tuple[Lesson, Happened]] = []

    def refused(
        self, turn_id: str, call: str, tool: str, args: Mapping[str, Any], error: Exception
    ) -> None:
        """Take in that a call was refused.

        A question is no failure, and neither the model nor anybody can do otherwise about an
        operator's rule or a service that is away.
        """
        if isinstance(error, ToolRefused) and not isinstance(error, ChoiceNeeded | ToolBarred):
            self.failed(turn_id, call, tool, error_key(str(error), args))

    def failed(self, turn_id: str, call: str, tool: str, error: str) -> None:
        """Take in that a call failed, by the class of its error."""
        was_shown = any((one.tool, one.error) == (tool, error) for one in self._shown)
        advice = self._work.domain.advised(tool, error)
        lesson = Lesson(tool=tool, flow=self._flow, error=error, advice=advice, count=0)
        self._take(lesson, turn_id, call, "missed" if was_shown else "failed")

    def succeeded(self, turn_id: str, call: str, tool: str) -> None:
        """Take in that a call did what it was to do: the lessons that were shown of it helped."""
        for one in self._shown:
            if one.tool == tool:
                self._take(one, turn_id, call, "helped")

    async def write(self) -> None:
        """Write down what was taken in; most often there is nothing."""
        for lesson, happened in self._learnt:
            await self._work.resources.postgres.lessons.count(lesson, happened)
        self._learnt.clear()

    def _take(self, lesson: Lesson, turn_id: str, call: str, came: Came) -> None:
        happened = Happened(self._work.session.thread_id, turn_id, call, came)
        self._learnt.append((lesson, happened))


async def learn_from_plans(state: State, plans: Sequence[Plan], work: Work) -> None:
    """Learn from the plans that ended in a turn."""
    for plan in plans:
        for action in plan.actions:
            learning = Learning(_place(plan, action, state, work), state, work)
            call = f"{plan.plan_id}.{action.position}"
            if action.succeeded:
                learning.succeeded(plan.turn_id, call, action.tool)
            elif (error := _error(action)) is not None:
                learning.failed(plan.turn_id, call, action.tool, error)
            await learning.write()


def _place(plan: Plan, action: Action, state: State, work: Work) -> str:
    """Return where a call was proposed; of a plan of an earlier turn, where it may be again."""
    turn: Turn = state["turn"]
    offered, here = work.domain.flow.offered, str(state["flow"])
    proposed = turn.get("proposed", {}).get(plan.plan_id, here)
    if action.tool in offered.get(proposed, ()):
        return proposed
    return next((flow for flow, tools in offered.items() if action.tool in tools), here)


def _error(action: Action) -> str | None:
    """Name the class of what went wrong, or None where nothing is to be learnt from it.

    A person's no, or another choice of theirs, is no failure.
    """
    if not action.is_approved or action.is_abandoned or action.stopped_by is not None:
        return None
    declined = [
        (step, attempt.detail)
        for step in action.steps
        for attempt in step.attempts
        if attempt.answer is Event.DECLINED
    ]
    if not declined:
        return error_key(action.reason, action.args)
    step, detail = declined[-1]
    # The code of a refusal is a class already; its words may name whom it was about.
    why = str(detail.get("code") or "was declined").replace("_", " ")
    return error_key(f"{step.name} {why}", {**action.args, **step.args})
