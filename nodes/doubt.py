"""Put a step in doubt to a person, with the evidence: did this happen?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langgraph.types import Command, interrupt

from nodes.tracing import waited
from nodes.work import Work
from state.approvals import DoubtAnswer, doubt_answers, doubt_request, verdict
from state.entry import Entry
from state.plan import Action, Plan
from state.recovery import Event
from state.settle import AskDoubt, Move, Over
from state.step import Step

Exit = Literal["execute", "doubt"]


async def doubt(state: Mapping[str, Any], work: Work) -> Command[Exit]:
    """Ask, and record the answer with its author; it counts only while the step is in doubt."""
    plan, now = await work.plan(state["plan_id"])
    located = _in_question(plan, work.settle(plan, now))
    if located is None:
        return Command(goto="execute")
    action, step = located
    asked = doubt_request(action, step, plan.needs, state.get("note", ""))
    answer = interrupt(asked, response_schema=doubt_answers(action, step))
    assert isinstance(answer, DoubtAnswer)
    if barred := plan.needs.bars_word(work.session.person):
        return Command(update={"note": f"{barred} Nothing was changed."}, goto="doubt")
    async with work.ledger.page(work.session, plan.plan_id) as page:
        current = await page.plan(plan.plan_id)
        assert current is not None
        if current.find(step.step_id)[1].question == step.question:
            page.write(*_said(current, step.step_id, answer.decisions[0].message, work))
    await waited(work, current)
    return Command(update={"note": ""}, goto="execute")


def _in_question(plan: Plan, move: Move) -> tuple[Action, Step] | None:
    """Find the step to ask about; a plan that is over may have left one that holds nothing back."""
    if isinstance(move, AskDoubt):
        return plan.find(move.step_id)
    if not isinstance(move, Over):
        return None
    return next((located for located in plan.located if located[1].question), None)


def _said(plan: Plan, step_id: str, message: str, work: Work) -> list[Entry]:
    said, reference = verdict(message)
    action, step = plan.find(step_id)
    signed: dict[str, Any] = {"author": work.session.author, "role": work.session.role}
    event = Event.NOT_HAPPENED if said == "not_happened" else Event.HAPPENED
    payload = {"result": {"reference": reference}, "said": message}
    entries = [plan.entry(event, step, payload=payload, **signed)]
    if said == "undo" and not action.closing:
        which = {"action": action.position}
        why = {"reason": f"{work.session.author} asked to undo it"}
        entries.append(plan.entry(Event.CLOSING, detail=which, payload=why, **signed))
    return entries
