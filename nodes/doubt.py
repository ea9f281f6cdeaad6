"""Put a step in doubt to a person, with the evidence: did this happen?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langgraph.types import Command, interrupt

from nodes.work import Work
from state.approvals import DoubtAnswer, doubt_request, verdict
from state.entry import Entry
from state.plan import Plan
from state.recovery import Event, StepState
from state.settle import AskDoubt

Exit = Literal["execute"]


async def doubt(state: Mapping[str, Any], work: Work) -> Command[Exit]:
    """Ask, and record the answer with its author; it counts only while the step is in doubt."""
    plan, now = await work.plan(state["plan_id"])
    move = work.settle(plan, now)
    if not isinstance(move, AskDoubt):
        return Command(goto="execute")
    _, step = plan.find(move.step_id)
    answer = interrupt(doubt_request(step), response_schema=DoubtAnswer)
    assert isinstance(answer, DoubtAnswer)
    async with work.ledger.page(work.session, plan.plan_id) as page:
        current = await page.plan(plan.plan_id)
        assert current is not None
        if current.find(move.step_id)[1].state in (StepState.IN_DOUBT, StepState.STUCK):
            page.write(*_said(current, move.step_id, answer.decisions[0].message, work))
    return Command(goto="execute")


def _said(plan: Plan, step_id: str, message: str, work: Work) -> list[Entry]:
    said, reference = verdict(message)
    action, step = plan.find(step_id)
    signed: dict[str, Any] = {"author": work.session.user_id, "role": work.session.role}
    event = Event.NOT_HAPPENED if said == "not_happened" else Event.HAPPENED
    payload = {"result": {"reference": reference}, "said": message}
    entries = [plan.entry(event, step, payload=payload, **signed)]
    if said == "undo" and not action.closing:
        which = {"action": action.position}
        why = {"reason": f"{work.session.user_id} asked to undo it"}
        entries.append(plan.entry(Event.CLOSING, detail=which, payload=why, **signed))
    return entries
