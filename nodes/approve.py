"""Put the plan to a person: one interrupt for the whole plan, and nothing raised after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from langgraph.types import Command, interrupt

from daybook.nodes.execute import CarriedOut, carry_out
from daybook.nodes.past.advance import advanced, ended, seen
from daybook.nodes.planning.drafting import Proposed, draft
from daybook.nodes.running.tracing import waited
from daybook.nodes.running.work import Work
from daybook.nodes.sending.claim import UNCHECKED, claimed_first, confirmed, what_moved
from daybook.nodes.sending.record import CommittedPlan, follow
from daybook.state.effects.keys import fresh_salt
from daybook.state.effects.written import kept
from daybook.state.errors import Overtaken, ServiceUnavailable, ToolFailed, ToolRefused
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_move import AskApproval
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.people.questions.approvals import (
    DECIDED,
    Answer,
    Answers,
    answers_for,
    request_for,
)
from daybook.state.people.questions.asked import asked_as, asked_no_more
from daybook.state.people.questions.described import plan_shown

State = Mapping[str, Any]
Exit = Literal["execute", "intend", "approve"] | CarriedOut

_ENDS_AS = {"rejected": Event.REJECTED, "edited": Event.SUPERSEDED, "moved": Event.SUPERSEDED}

Moved = dict[str, str]
"""Call to what moved under it since it was asked about."""


async def approve(state: State, work: Work) -> Command[Exit]:
    """Ask, record who decided what, and execute at once what was approved.

    Entered only while the ledger holds no decision. An answer that fits but cannot be taken (an
    edit to a card that is not on file) leads back here with the reason: raising after the interrupt
    would wedge the thread.
    """
    plan, now = await work.plan(state["plan_id"])
    if plan.decided or not isinstance(work.settle(plan, now), AskApproval):
        # It was decided, or nobody did in time: `execute` writes that down.
        return _without_why(_go_on(state, plan, work), plan, state)
    schemas = work.domain.registry.arguments(action.tool for action in plan.actions)
    asked = request_for(plan, state.get("note", ""), schemas)
    work.resources.ended.add(work.session.thread_id)
    answer = interrupt(asked, response_schema=answers_for(plan, schemas))
    assert isinstance(answer, Answers)
    note = _barred(plan, answer, work) or await _fault(plan, answer, state, work)
    if note:
        return Command(update={"note": note}, goto="approve")
    moved, is_known = await _moved(plan, answer, work)
    known = CommittedPlan()
    first = _first(plan, answer, moved) if is_known else None
    decided = await _record(plan, answer.decisions, moved, first, known, work)
    update = {"note": "", "ledger": seen(state, decided, work.domain)}
    command = (
        _go_on(state, decided, work)
        if decided.edits
        else await carry_out({**state, **update}, update, known, work)
    )
    # Behind the call, whose time has begun.
    await waited(work, decided)
    return _without_why(command, decided, state)


def _go_on(state: State, plan: Plan, work: Work) -> Command[Exit]:
    """Execute what was approved; what was edited is over, and its next version is intended."""
    if plan.edits:
        # Nothing was done of it, and its next version is asked about: there is nothing to tell.
        after, _ = advanced(state, plan, work.domain)
        said = asked_no_more(plan, state.get("messages") or ())
        shown = {"messages": said} if said else {}
        return Command(update={"note": "", **after, **shown}, goto="intend")
    return Command(update={"note": "", "ledger": seen(state, plan, work.domain)}, goto="execute")


def _without_why(command: Command[Exit], plan: Plan, state: State) -> Command[Exit]:
    """Show the question as it was put: why an answer could not be taken is of no use behind one."""
    if plan.edits or not state.get("note") or plan.approval != "asked":
        return command
    above = asked_as(plan_shown(plan), plan.plan_id, state.get("messages") or ())
    update: dict[str, Any] = {**(command.update or {})}
    return replace(command, update={**update, "messages": [*above, *update.get("messages", ())]})


def _barred(plan: Plan, answers: Answers, work: Work) -> str:
    """Say why this person may not give these answers, or nothing: anybody may say no."""
    if all(answer.type != "approve" for answer in answers.decisions):
        return ""
    barred = plan.needs.bars(work.session.person, work.session.user_id)
    return f"{barred} Nothing was done." if barred else ""


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
        except ToolFailed as failed:
            return f"The edit of {action.tool} cannot be taken: {failed.why}. Nothing was done."
        except (ToolRefused, ServiceUnavailable) as error:
            return f"The edit of {action.tool} cannot be taken: {error} Nothing was done."
    return ""


async def _moved(plan: Plan, answers: Answers, work: Work) -> tuple[Moved, bool]:
    """Look whether what was approved still is as it was when it was asked about.

    What is done first is looked at last: it may be claimed with the decision.

    Returns:
        What moved, and whether all could be read; else it is read again before it is claimed.
    """
    moved: Moved = {}
    pairs = [*zip(plan.actions, answers.decisions, strict=True)]
    for action, answer in reversed(pairs):
        for step in reversed(action.steps) if answer.type == "approve" else ():
            why = await what_moved(work, plan, step)
            if why == UNCHECKED:
                return moved, False
            if why is not None:
                moved[action.call] = f"Since it was asked, {why}."
    return moved, True


def _first(plan: Plan, answers: Answers, moved: Moved) -> str | None:
    """Name the tool of the step that is done first, and may be claimed with the decision."""
    if moved:
        return None
    pairs = zip(plan.actions, answers.decisions, strict=True)
    approved = (action for action, answer in pairs if answer.type == "approve")
    return next((step.tool for action in approved for step in action.steps), None)


async def _record(
    plan: Plan,
    answers: Sequence[Answer],
    moved: Moved,
    first: str | None,
    known: CommittedPlan,
    work: Work,
) -> Plan:
    """Write the decision; where another answer was first, that one counts.

    Args:
        first: the tool of a step that may be claimed in the same page.
    """
    began, claimed = work.clock.monotonic(), None
    try:
        async with work.ledger.page(work.session, plan.plan_id, first) as page:
            current = await page.plan(plan.plan_id)
            assert current is not None
            if not current.decided:
                # Judged now, under the lock: the question may have expired while it was waited for.
                follow(page, current, work)
            if not current.decided:
                page.write(_decision(current, answers, moved, page.now, work))
                for action in current.actions:
                    page.write(*_voided(current, action, action.decision))
                if current.edits:
                    for action in current.actions:
                        page.write(
                            *(_voided(current, action, "edited") if action.is_approved else ())
                        )
                    page.write(ended(current))
                claimed = claimed_first(page, current, first, began, work)
        known.keep(current, page.now, claimed and confirmed(claimed, work))
        return current
    except Overtaken:
        return (await work.plan(plan.plan_id))[0]


def _decision(
    plan: Plan, answers: Sequence[Answer], moved: Moved, now: datetime, work: Work
) -> Entry:
    edits, decisions, told = {}, [], {}
    for action, answer in zip(plan.actions, answers, strict=True):
        if answer.edited_action is not None:
            edited = answer.edited_action
            edits[action.call] = {"tool": edited.name, **kept(edited.args)}
        if action.call in moved:
            edits[action.call] = {"tool": action.tool, **kept(action.args)}
        decisions.append("moved" if action.call in moved else DECIDED[answer.type])
        if words := moved.get(action.call) or answer.message:
            told[str(action.position)] = words
    salt = fresh_salt()
    return plan.entry(
        Event.DECISION,
        author=work.session.author,
        role=work.session.role,
        deadline_at=now + work.resources.patience.approval,
        detail={"decisions": decisions, "bound_to": plan.bound_to(salt)},
        payload={"told": told, "edits": edits, "salt": salt},
    )


def _voided(plan: Plan, action: Action, decision: str | None) -> list[Entry]:
    """Write that an action's steps end unsent, where such a decision ends them."""
    if decision not in _ENDS_AS:
        return []
    intended = [step for step in action.steps if step.state is StepState.INTENDED]
    return [plan.entry(_ENDS_AS[decision], step) for step in intended]
