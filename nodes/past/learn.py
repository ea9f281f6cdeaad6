"""Write facts about users and lessons from failures; nothing that executes reads them.

Failed calls are counted as lessons; the model writes none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from daybook.checkpoints.people.memory import Occurrence
from daybook.nodes.running.work import Work
from daybook.state.agent import Turn
from daybook.state.errors import ChoiceNeeded, ToolBarred, ToolRefused
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event
from daybook.state.people.facts import MEMORY_EVENTS, fact_from
from daybook.state.prompt.lessons import applicable, error_code

State = Mapping[str, Any]


class Learning:
    """Collect the outcomes of calls at one flow position until they are written."""

    def __init__(self, flow: str, state: State, work: Work) -> None:
        self._flow, self._work = flow, work
        offered = work.domain.flow.offered[flow]
        shown = applicable(state.get("lessons", ()), flow, offered)
        self._shown = [(one.tool, one.error) for one in shown]
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
        outcome = "missed" if (tool, error) in self._shown else "failed"
        self._note(turn_id, call, tool, error, outcome)

    def succeeded(self, turn_id: str, call: str, tool: str) -> None:
        """Note a call that succeeded: the lessons about its tool that were shown helped."""
        for about, error in self._shown:
            if about == tool:
                self._note(turn_id, call, tool, error, "helped")

    async def write(self) -> None:
        """Write what was noted."""
        for one in self._found:
            await self._work.resources.postgres.lessons.count(one)
        self._found.clear()

    def _note(self, turn_id: str, *about: str) -> None:
        thread_id = self._work.session.thread_id
        self._found.append(Occurrence(thread_id, turn_id, self._flow, *about))


async def learn_from_plans(state: State, plans: Sequence[Plan], work: Work) -> None:
    """Count the outcomes of the plans that ended in a turn.

    Only what the provider declined is a failure: a rejection by a human, a precondition that
    changed and a provider that was unavailable are nothing that the model could have avoided.
    """
    turn: Turn = state["turn"]
    for plan in plans:
        flow = turn.get("proposed", {}).get(plan.plan_id, str(state["flow"]))
        for action in plan.actions:
            learning = Learning(_position(flow, action.tool, work), state, work)
            call = f"{plan.plan_id}.{action.position}"
            if action.succeeded:
                learning.succeeded(plan.turn_id, call, action.tool)
            elif (error := _declined(action)) is not None:
                learning.failed(plan.turn_id, call, action.tool, error)
            await learning.write()


def _position(flow: str, tool: str, work: Work) -> str:
    """Return a flow position that offers a tool: the given one, where it does."""
    offered = work.domain.flow.offered
    return next((one for one in (flow, *offered) if tool in offered.get(one, ())), flow)


def _declined(action: Action) -> str | None:
    """Return the class of what the provider declined last; None if it declined nothing."""
    if action.is_abandoned or action.stopped_by is not None:
        return None
    attempts = [attempt for step in action.steps for attempt in step.attempts]
    codes = [one.detail.get("code") for one in attempts if one.answer is Event.DECLINED]
    return f"declined:{error_code(codes[-1], 'other')}" if codes else None


async def remember(event: Mapping[str, Any], seq: int, work: Work, *, is_again: bool) -> None:
    """Carry an applied event over to the memory of the thread's user; most events are none.

    After the ledger's entry and before the checkpoint.

    Args:
        seq: its entry in the ledger.
        is_again: the entry was there before. It was carried over then, unless the process died
            right behind it and nothing came after. Else someone went back to before it: what the
            person said or took back since must stay as it is.
    """
    if event.get("type") not in MEMORY_EVENTS:
        return
    if is_again and await work.ledger.entries(work.session.thread_id, after=seq):
        return
    memory, person = work.resources.postgres.memory, work.session.user_id
    told_in = work.session.thread_id
    if event["type"] == "forget":
        await memory.forget(person, str(event.get("subject", "")), told_in=told_in)
    else:
        await memory.put(person, fact_from(event), told_in=told_in)
