"""The right to send once: claimed in the ledger before the call, and committed."""

from __future__ import annotations

from typing import Any

from daybook.checkpoints.ledger.page import Page
from daybook.nodes.effects.draft import UNCHECKED
from daybook.nodes.effects.engine import AGAIN, Claimed, Engine, Held, bindings, tool_of
from daybook.state.effects.written import kept as written
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_action import Claim, ClaimUndo, NextAction
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.people.rules import Barred


async def claim(
    engine: Engine, plan: Plan, due: Claim | ClaimUndo, moved: str | None = None
) -> Claimed | Held | None:
    """Commit the right to send once; None when it is no longer due, or must not be sent.

    The operator's rule is read after `began`. So whatever was claimed just before a tool was
    switched off is sent within its budget of that moment, or never.
    """
    began = engine.clock.monotonic()
    async with engine.ledger.page(engine.session, plan.plan_id, tool_of(plan, due), plan) as page:
        current = await page.plan(plan.plan_id)
        assert current is not None
        claimed = claim_on(page, current, due, began, engine, moved)
    return claimed.is_committed(engine.clock) if isinstance(claimed, Claimed) else claimed


def claim_on(
    page: Page,
    plan: Plan,
    due: Claim | ClaimUndo,
    began: float,
    engine: Engine,
    moved: str | None = None,
) -> Claimed | Held | None:
    """Write the right to send once on a page that was begun for its tool; see `claim`.

    The decision is taken again under the lock. What moved since the approval ends the step
    instead: it is for a person to decide again. So does a tool that is switched off, where nothing
    of the step can be out there; else the claim is held, as it is for a tool that was called too
    often.

    Args:
        began: this process's clock before the page, in seconds.
    """
    if engine.next_action(plan, page.now) != due:
        return None
    return _claim_due(page, plan, due, began, engine, moved)


def _claim_due(
    page: Page,
    plan: Plan,
    due: Claim | ClaimUndo,
    began: float,
    engine: Engine,
    moved: str | None = None,
) -> Claimed | Held | None:
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
        claimed.entry(
            Event.ATTEMPTED if isinstance(due, Claim) else Event.UNDO_ATTEMPTED,
            attempt=due.number,
            worker=engine.session.worker,
            deadline_at=deadline,
            settle_at=deadline + engine.patience.settle_after(guarantees),
            payload=bound_by(plan, step),
        )
    )
    return claimed


def claim_first(
    page: Page, plan: Plan, due: NextAction, tool: str | None, began: float, engine: Engine
) -> Claimed | None:
    """Claim on the page that decides on a plan what is due of it at once: a commit less.

    Args:
        due: what is to be done about the plan now.
        tool: which the page was begun for, and nothing moved under; None claims nothing.
        began: this process's clock before the page, in seconds.
    """
    if not isinstance(due, Claim) or tool_of(plan, due) != tool:
        return None
    claimed = _claim_due(page, plan, due, began, engine)
    return claimed if isinstance(claimed, Claimed) else None


def bound_by(plan: Plan, step: Step) -> dict[str, Any] | None:
    """Return what a step's first claim keeps of earlier results; None where it keeps nothing.

    Raises:
        KeyError: a result does not give it.
    """
    if step.attempts or not step.binds:
        return None
    return written(bindings(plan.find(step.step_id)[0], step))


def _instead(
    due: Claim | ClaimUndo, claimed: Claimed, barred: Barred | None, moved: str | None
) -> Entry | Held | None:
    """Return what is done instead of the claim: the step ends, or the claim is held."""
    if barred is not None and barred.until is None and _may_end(due, claimed):
        ends = Event.SUPERSEDED if claimed.step.state is StepState.INTENDED else Event.FAILED
        return claimed.entry(ends, payload={"reason": barred.why})
    if barred is not None:
        return Held(barred.why, barred.until or claimed.at + AGAIN)
    if moved == UNCHECKED:
        return Held(UNCHECKED, claimed.at + AGAIN)
    if moved is not None:
        why = {"reason": f"Since the plan was made, {moved}"}
        return claimed.entry(Event.SUPERSEDED, payload=why)
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
