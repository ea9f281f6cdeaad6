"""The right to send once: claimed in the ledger before the call, and committed."""

from __future__ import annotations

from dataclasses import replace

from daybook.checkpoints.ledger.page import Page
from daybook.nodes.effects.draft import UNCHECKED
from daybook.nodes.effects.engine import AGAIN, Claimed, Committed, Engine, Held, tool_of
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_action import Claim, ClaimUndo
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.people.rules import Barred, Rules


async def claim(
    engine: Engine, plan: Plan, due: Claim | ClaimUndo, moved: str | None = None
) -> Claimed | Held | None:
    """Commit the right to send once; None when it is no longer due, or must not be sent.

    The decision is taken again under the lock. The operator's rule is read after `began`. So
    whatever was claimed just before a tool was switched off is sent within its budget of that
    moment, or never.

    Args:
        moved: what moved since the plan was made.
    """
    began = engine.clock.monotonic()
    async with engine.ledger.page(engine.session, plan.plan_id, tool_of(plan, due), plan) as page:
        current = await page.plan(plan.plan_id)
        assert current is not None
        if engine.next_action(current, page.now) != due:
            return None
        claimed = claim_on(page, current, due, began, engine, moved)
    if not isinstance(claimed, Claimed):
        return claimed
    return replace(claimed, confirmed=engine.clock.monotonic())


def claim_on(
    page: Page,
    plan: Plan,
    due: Claim | ClaimUndo,
    began: float,
    engine: Engine,
    moved: str | None = None,
) -> Claimed | Held | None:
    """Write the right to send once, which is due, on a page that was begun for its tool.

    On the page that decides on a plan it saves a commit. What moved since the approval ends the
    step instead: it is for a person to decide again. So does a tool that is switched off, where
    nothing of the step can be out there; else the claim is held, as it is for a tool that was
    called too often.

    Args:
        began: this process's clock before the page, in seconds.
    """
    action, step = plan.find(due.step_id)
    sent = step.attempts if isinstance(due, Claim) else step.undos
    first = sent[0].at if sent else page.now
    claimed = Claimed(plan, action, step, page.now, began, began, first)
    instead = _instead(due, claimed, page.barred, moved)
    if isinstance(instead, Entry):
        page.write(instead)
        return None
    if instead is not None:
        return instead
    deadline = page.now + engine.patience.budget
    guarantees = engine.guarantees[tool_of(plan, due)]
    page.take_token()
    page.write(
        plan.entry(
            Event.ATTEMPTED if isinstance(due, Claim) else Event.UNDO_ATTEMPTED,
            step,
            attempt=due.number,
            worker=engine.session.worker,
            deadline_at=deadline,
            settle_at=deadline + engine.patience.settle_after(guarantees),
            payload=action.first_bindings(step),
        )
    )
    return claimed


def _instead(
    due: Claim | ClaimUndo, claimed: Claimed, barred: Barred | None, moved: str | None
) -> Entry | Held | None:
    """Return what is done instead of the claim: the step ends, or the claim is held."""
    if barred is not None and barred.until is None and _may_end(due, claimed):
        ends = Event.SUPERSEDED if claimed.step.state is StepState.INTENDED else Event.FAILED
        return claimed.plan.entry(ends, claimed.step, payload={"reason": barred.why})
    if barred is not None:
        return Held(barred.why, barred.until or claimed.at + AGAIN)
    if moved == UNCHECKED:
        return Held(UNCHECKED, claimed.at + AGAIN)
    if moved is not None:
        why = {"reason": f"Since the plan was made, {moved}"}
        return claimed.plan.entry(Event.SUPERSEDED, claimed.step, payload=why)
    return None


def _may_end(due: Claim | ClaimUndo, claimed: Claimed) -> bool:
    """Tell whether a step may end because its tool is switched off.

    Nothing of it may be out there, and what was done before it must not be left half done: before
    the pivot it is undone, so it must be possible to undo it.
    """
    if isinstance(due, ClaimUndo) or any(a.is_open for a in claimed.step.attempts):
        return False
    done = [step for step in claimed.action.steps if step.state is StepState.DONE]
    return claimed.action.pivot_done or all(step.undo is not None for step in done)


def why_unsettled(at: Committed, rules: Rules) -> str:
    """Say what a plan waits for that would have to wait for long."""
    if isinstance(at.action, Claim | ClaimUndo):
        rule = rules.get(tool_of(at.plan, at.action))
        if rule is not None and (barred := rule.bars(at.now)) is not None:
            return barred.why
    steps = at.plan.steps
    if any(step.state is StepState.UNKNOWN and step.is_in_hand for step in steps):
        return "The provider has accepted it and is processing it"
    states = {step.state for step in steps}
    if StepState.DONE in states and not states & {StepState.UNKNOWN, StepState.UNDOING}:
        return "The provider confirmed it, and the look-up that would show it does not answer"
    unknown = [step for step in steps if step.state is StepState.UNKNOWN]
    if unknown and not any(one.is_open for step in unknown for one in step.attempts):
        return "It was not done yet, and is tried again"
    return "The provider does not say whether it was done"
