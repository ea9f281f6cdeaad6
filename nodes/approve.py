"""Put the plan to a person: one interrupt for the whole plan, and nothing raised after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from langgraph.types import Command, interrupt

from nodes.advance import advanced, ended, seen
from nodes.drafting import Proposed, draft
from nodes.record import follow
from nodes.work import Work
from state.approvals import Answer, Answers, answers_for, request_for
from state.entry import Entry
from state.errors import DeclarationError, Overtaken, ServiceUnavailable, ToolRefused
from state.keys import fresh_salt
from state.plan import Action, Plan
from state.recovery import Event, StepState

State = Mapping[str, Any]
Exit = Literal["execute", "intend", "approve"]

_DECISION = {"approve": "approved", "edit": "edited", "reject": "rejected", "respond": "rejected"}
_ENDS_AS = {"rejected": Event.REJECTED, "edited": Event.SUPERSEDED}


async def approve(state: State, work: Work) -> Command[Exit]:
    """Ask, and record who decided what.

    Entered only while the ledger holds no decision. An answer that fits but cannot be taken (an
    edit to a card that is not on file) leads back here with the reason: raising after the interrupt
    would wedge the thread.
    """
    plan, _ = await work.plan(state["plan_id"])
    if plan.decided:
        return _go_on(state, plan, work)
    answer = interrupt(request_for(plan, state.get("note", "")), response_schema=answers_for(plan))
    assert isinstance(answer, Answers)
    note = await _fault(plan, answer, state, work)
    if note:
        return Command(update={"note": note}, goto="approve")
    return _go_on(state, await _record(plan, answer.decisions, work), work)


def _go_on(state: State, plan: Plan, work: Work) -> Command[Exit]:
    """Execute what was approved; what was edited is over, and its next version is intended."""
    if plan.edits:
        return Command(update={"note": "", **advanced(state, plan, work.domain)}, goto="intend")
    return Command(update={"note": "", "ledger": seen(state, plan, work.domain)}, goto="execute")


async def _fault(plan: Plan, answers: Answers, state: State, work: Work) -> str:
    """Say why an answer cannot be taken, or nothing: an edited call must be possible."""
    if all(answer.edited_action is None for answer in answers.decisions):
        return ""
    rules = await work.rules.all()
    for action, answer in zip(plan.actions, answers.decisions, strict=True):
        if answer.edited_action is None:
            continue
        edit = answer.edited_action
        try:
            await draft(Proposed(action.call, edit.name, edit.args), rules, state, work)
        except (ToolRefused, ServiceUnavailable, DeclarationError) as error:
            return f"The edit of {action.tool} cannot be taken: {error} Nothing was done."
    return ""


async def _record(plan: Plan, answers: Sequence[Answer], work: Work) -> Plan:
    """Write the decision; where another answer was first, that one counts."""
    try:
        async with work.ledger.page(work.session, plan.plan_id) as page:
            current = await page.plan(plan.plan_id)
            assert current is not None
            if not current.decided:
                # Judged now, under the lock: the question may have expired while it was waited for.
                follow(page, current, work)
            if not current.decided:
                page.write(_decision(current, answers, page.now, work))
                for action, answer in zip(current.actions, answers, strict=True):
                    page.write(*_voided(current, action, _DECISION[answer.type]))
                if current.edits:
                    approved = [a for a in current.actions if a.decision == "approved"]
                    for action in approved:
                        page.write(*_voided(current, action, "edited"))
                    page.write(ended(current))
            return current
    except Overtaken:
        return (await work.plan(plan.plan_id))[0]


def _decision(plan: Plan, answers: Sequence[Answer], now: datetime, work: Work) -> Entry:
    edits = {
        action.call: {"tool": answer.edited_action.name, "args": answer.edited_action.args}
        for action, answer in zip(plan.actions, answers, strict=True)
        if answer.edited_action is not None
    }
    salt = fresh_salt()
    told = {str(index): answer.message for index, answer in enumerate(answers) if answer.message}
    return plan.entry(
        Event.DECISION,
        author=work.session.user_id,
        role=work.session.role,
        deadline_at=now + work.resources.patience.approval,
        detail={
            "decisions": [_DECISION[answer.type] for answer in answers],
            "bound_to": plan.bound_to(salt),
        },
        payload={"told": told, "edits": edits, "salt": salt},
    )


def _voided(plan: Plan, action: Action, decision: str) -> list[Entry]:
    if decision not in _ENDS_AS:
        return []
    intended = [step for step in action.steps if step.state is StepState.INTENDED]
    return [plan.entry(_ENDS_AS[decision], step) for step in intended]
