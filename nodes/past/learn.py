"""Count failed calls as lessons; the model writes none, and nothing that executes reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daybook.checkpoints.people.lessons import Occurrence, Outcome
from daybook.nodes.running.work import Work
from daybook.state.agent import Turn
from daybook.state.errors import ChoiceNeeded, ToolBarred, ToolRefused
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event
from daybook.state.prompt.lessons import applicable, error_code

State = Mapping[str, Any]


class Learning:
    """Collect the outcomes of calls at one flow position until they are written."""

    def __init__(self, flow: str, state: State, work: Work) -> None:
        self._flow = flow
        self._work = work
        offered = work.domain.flow.offered[flow]
        self._shown = applicable(state.get("lessons", ()), flow, offered)
        self._found: list[Occurrence] = []

    def refused(self, turn_id: str, call: str, tool: str, error: Exception) -> None:
        """Note a refused call.

        A question is no failure, and the model cannot avoid an operator's rule or a provider that
        is unavailable.
        """
        if isinstance(error, ToolRefused) and not isinstance(error, ChoiceNeeded | ToolBarred):
            self.failed(turn_id, call, tool, error_code(error.code, "refused"))

    def failed(self, turn_id: str, call: str, tool: str, error: str) -> None:
        """Note a failed call by the code of its error."""
        was_shown = any((one.tool, one.error) == (tool, error) for one in self._shown)
        self._note(turn_id, call, tool, error, "missed" if was_shown else "failed")

    def succeeded(self, turn_id: str, call: str, tool: str) -> None:
        """Note a call that succeeded: the lessons about its tool that were shown helped."""
        for one in self._shown:
            if one.tool == tool:
                self._note(turn_id, call, tool, one.error, "helped")

    async def write(self) -> None:
        """Write what was noted."""
        for one in self._found:
            await self._work.resources.postgres.lessons.count(one)
        self._found.clear()

    def _note(self, turn_id: str, call: str, tool: str, error: str, outcome: Outcome) -> None:
        thread_id = self._work.session.thread_id
        self._found.append(Occurrence(tool, self._flow, error, thread_id, turn_id, call, outcome))


async def learn_from_plans(state: State, plans: Sequence[Plan], work: Work) -> None:
    """Count the outcomes of the plans that ended in a turn.

    Only what the provider declined is a failure: a rejection by a human, a precondition that
    changed and a provider that was unavailable are nothing that the model could have avoided.
    """
    for plan in plans:
        for action in plan.actions:
            learning = Learning(_position(plan, action, state, work), state, work)
            call = f"{plan.plan_id}.{action.position}"
            if action.succeeded:
                learning.succeeded(plan.turn_id, call, action.tool)
            elif (error := _declined(action)) is not None:
                learning.failed(plan.turn_id, call, action.tool, error)
            await learning.write()


def _position(plan: Plan, action: Action, state: State, work: Work) -> str:
    """Return where a call was proposed; of a plan of an earlier turn, where it may be again."""
    turn: Turn = state["turn"]
    offered, here = work.domain.flow.offered, str(state["flow"])
    proposed = turn.get("proposed", {}).get(plan.plan_id, here)
    if action.tool in offered.get(proposed, ()):
        return proposed
    return next((flow for flow, tools in offered.items() if action.tool in tools), here)


def _declined(action: Action) -> str | None:
    """Return the class of what the provider declined last; None where it declined nothing."""
    if action.is_abandoned or action.stopped_by is not None:
        return None
    codes = [
        attempt.detail.get("code")
        for step in action.steps
        for attempt in step.attempts
        if attempt.answer is Event.DECLINED
    ]
    return f"declined:{error_code(codes[-1], 'other')}" if codes else None
