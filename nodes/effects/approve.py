"""Approve a plan: one question about all of it, and one way to decide it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from daybook.checkpoints.ledger.page import Page
from daybook.nodes.effects.claim import claim_on
from daybook.nodes.effects.draft import UNCHECKED, Call, draft, what_moved
from daybook.nodes.effects.engine import Ask, Claimed, Committed, Engine, Held, tool_of
from daybook.state.context import PlanContext
from daybook.state.errors import Overtaken, ServiceUnavailable, ToolFailed, ToolRefused
from daybook.state.ledger.decision import decision
from daybook.state.ledger.next_action import AskApproval, Claim
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.ledger.stopping import STOP, closes
from daybook.state.people.questions.approvals import (
    DECIDED,
    Answer,
    Answers,
    answers_for,
    request_for,
)
from daybook.state.people.questions.markdown import plan_shown
from daybook.state.people.rules import Rules
from daybook.state.session import Person, Session

AskRules: TypeAlias = Callable[[], Awaitable[Rules]]
"""Reads the rules of tools, where an edit has to keep them."""

Moved = Mapping[int, str]
"""Position of an action to the precondition that changed since it was asked about."""


def question(engine: Engine, plan: Plan, note: str = "") -> Ask:
    """Make the question whether a plan may be carried out.

    Args:
        note: why it is asked again, or why the last answer could not be taken.
    """
    schemas = engine.registry.arguments(action.tool for action in plan.actions)
    return Ask(
        id=plan.question,
        request=request_for(plan, note, schemas),
        answers=answers_for(plan, schemas),
        text=plan_shown(plan, note),
    )


async def approve(
    engine: Engine, plan: Plan, answers: Answers, rules: AskRules, context: PlanContext[Any]
) -> Committed | str:
    """Decide a plan by a person's answers, and claim at once what is due first.

    Where it takes several people, an approval before the last is kept, and the plan is asked about
    once more. Where another answer was first, that one counts.

    Returns:
        The plan as it was committed; or why these answers cannot be taken, or are not enough.
    """
    given, needs, by = answers.decisions, plan.needs, engine.session.person
    is_certain = needs.four_eyes or needs.approvals > 1 or needs.people
    if is_certain or needs.bars(by, engine.session.user_id):
        by = await engine.ledger.standing_in(by)
    if why := await _refusal(engine, plan, given, by, rules, context):
        return why
    moved, first = await _moved(engine, plan, given)
    verdicts: list[str] = []
    words: dict[int, str] = {}
    edits: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for action, answer in zip(plan.actions, given, strict=True):
        if said := moved.get(action.position) or answer.message:
            words[action.position] = said
        if action.position in moved:
            edits[action.call] = action.tool, action.args
        elif (edit := answer.edited_action) is not None:
            edits[action.call] = edit.name, edit.args
        verdicts.append("moved" if action.position in moved else DECIDED[answer.type])
    began = engine.clock.monotonic()
    claimed: Claimed | Held | None = None
    try:
        async with engine.ledger.page(engine.session, plan.plan_id, first) as page:
            current = await page.plan(plan.plan_id)
            assert current is not None
            # Judged now, under the lock: the question may have expired while it was waited for.
            due = engine.next_action(current, page.now)
            if isinstance(due, AskApproval) and current.question != plan.question:
                return "Someone else approved it meanwhile. Nothing was done; reload the question."
            if isinstance(due, AskApproval):
                stands_for = {"stands_for": [*by.stands_for]} if by.stands_for else {}
                acting = replace(engine.session, role=by.role)
                is_last = len(current.approvals) + 1 >= needs.approvals
                if {*verdicts} == {"approved"} and not is_last:
                    who = {"author": acting.author, "role": acting.role}
                    page.write(current.entry(Event.APPROVAL, None, detail=stands_for, **who))
                    return _more_to_go(current)
                more = {"until": page.now + engine.patience.approval, "words": words}
                decide(page, current, verdicts, acting, edits=edits, **more, **stands_for)
                due = engine.next_action(current, page.now)
            if isinstance(due, Claim) and tool_of(current, due) == first:
                claimed = claim_on(page, current, due, began, engine)
        return Committed.at(page, current, due, claimed, engine.clock)
    except Overtaken:
        return await engine.read(plan.plan_id)


def decide(page: Page, plan: Plan, verdicts: Sequence[str], by: Session, **more: Any) -> None:
    """Write how a plan is decided that nobody has decided yet; it ends where nothing is left of it.

    Args:
        verdicts: of each action (see `daybook.state.ledger.decision`).
        more: what else is known of the decision.
    """
    page.write(*decision(plan, verdicts, by, **more))
    if plan.edits or not {"approved", "rejected"} & set(verdicts):
        page.write(plan.ending())


def withdraw(page: Page, plan: Plan, by: Session) -> None:
    """Withdraw a plan that nothing was attempted of: something new came."""
    decide(page, plan, ["withdrawn" for _ in plan.actions], by)


async def withdraw_undecided(engine: Engine, plan_id: str) -> Plan:
    """Withdraw a plan on a page of its own where nobody has decided it; return it as it stands."""
    async with engine.ledger.page(engine.session, plan_id) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        if not (plan.over or plan.touched or plan.decided):
            withdraw(page, plan, engine.session)
    return plan


def ask_again(page: Page, plan: Plan, by: Session) -> None:
    """End a plan that something moved under: it is asked about again."""
    same = {action.call: (action.tool, action.args) for action in plan.actions}
    decide(page, plan, ["moved" for _ in plan.actions], by, edits=same)


def stop(page: Page, plan: Plan, by: Session) -> None:
    """Write what a person's wish to stop changes of the thread's open plan."""
    if plan.decided:
        page.write(*closes(plan, by.author, by.role))
    else:
        decide(page, plan, ["withdrawn" for _ in plan.actions], by, **{STOP: True})


def _more_to_go(plan: Plan) -> str:
    left = plan.needs.approvals - len(plan.approvals)
    more = "one more approver has" if left == 1 else f"{left} more approvers have"
    return f"{plan.approvals[-1].user} has approved this, and {more} to."


async def _refusal(
    engine: Engine,
    plan: Plan,
    given: Sequence[Answer],
    by: Person,
    rules: AskRules,
    context: PlanContext[Any],
) -> str:
    """Say why these answers cannot be taken, or nothing.

    Anybody may say no. An edited call must be possible.
    """
    says = {answer.type for answer in given}
    if "approve" in says:
        if barred := plan.needs.bars(by, engine.session.user_id, plan.approved_by):
            return f"{barred} Nothing was done."
        if plan.needs.approvals > 1 and says & {"reject", "respond"}:
            return (
                f"This needs {plan.needs.approvals} approvals, and each covers all of it. Nothing "
                "was done; approve or reject all of it."
            )
    for action, answer in zip(plan.actions, given, strict=True):
        if (edit := answer.edited_action) is None:
            continue
        try:
            await draft(engine, Call(action.call, edit.name, edit.args), await rules(), context)
        except ToolFailed as failed:
            return f"The edit of {action.tool} cannot be applied: {failed.why}. Nothing was done."
        except (ToolRefused, ServiceUnavailable) as error:
            return f"The edit of {action.tool} cannot be applied: {error} Nothing was done."
    return ""


async def _moved(engine: Engine, plan: Plan, given: Sequence[Answer]) -> tuple[Moved, str | None]:
    """Look whether what was approved still is as it was when it was asked about.

    What is done first is looked at last: it may be claimed with the decision.

    Returns:
        What moved, and the tool of the step that may be claimed with the decision. None may where
        something moved, or could not be read: it is read again before it is claimed.
    """
    moved: dict[int, str] = {}
    first: str | None = None
    pairs = [*zip(plan.actions, given, strict=True)]
    for action, answer in reversed(pairs):
        for step in reversed(action.steps) if answer.type == "approve" else ():
            why, first = await what_moved(engine, plan, step), step.tool
            if why == UNCHECKED:
                return moved, None
            if why is not None:
                moved[action.position] = f"Since it was asked, {why}."
    return moved, None if moved else first
