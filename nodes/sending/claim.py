"""The right to send once: claimed in the ledger before the call, and committed."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from daybook.checkpoints.ledger.page import Page
from daybook.nodes.running.work import Work
from daybook.state.clock import Clock
from daybook.state.context import PlanContext
from daybook.state.effects.written import kept as written
from daybook.state.errors import ToolChanged
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_move import Claim, ClaimUndo, Move
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.people.rules import Barred
from daybook.tools.boundary import UNABLE, heard, made, made_or
from daybook.tools.calling import kept

_LOG = logging.getLogger(__name__)

UNCHECKED = "what it depends on cannot be read"
"""Said instead of what moved, when it cannot be read: nothing is claimed then."""

AGAIN = timedelta(seconds=1)
"""How long to wait where nobody knows how long it will take."""


@dataclass(frozen=True)
class Claimed:
    """A committed claim, or the reading that a look begins with.

    Attributes:
        at: the database's clock then, UTC.
        began: this process's clock before the claim, in seconds; it runs on while suspended.
        confirmed: this process's clock when the claim was committed.
        first: when the first attempt under the same key was claimed, UTC.
    """

    plan: Plan
    action: Action
    step: Step
    at: datetime
    began: float
    confirmed: float
    first: datetime

    def now(self, clock: Clock) -> datetime:
        """Tell the database's time, never later than it is."""
        return self.at + timedelta(seconds=clock.monotonic() - self.confirmed)

    @property
    def args(self) -> dict[str, Any]:
        """Return the step's arguments, with what is bound to earlier results.

        As they were first sent: what an earlier step came to may be in doubt meanwhile, or another.
        """
        bound = self.step.bound
        return {**self.step.args, **(_bound(self.action, self.step) if bound is None else bound)}

    def entry(self, event: Event, **more: Any) -> Entry:
        """Make an entry about the claimed step."""
        return self.plan.entry(event, self.step, **more)


@dataclass(frozen=True)
class NotClaimed:
    """Say why a claim that is due was not made, and when to ask again (UTC)."""

    why: str
    until: datetime


async def what_moved(work: Work, plan: Plan, step: Step) -> str | None:
    """Say what moved since the plan was made, `UNCHECKED` where that cannot be read, or None."""
    effect = work.domain.registry.effect(step.tool)
    if effect.observe is None:
        return None
    context = PlanContext(
        session=work.session,
        state={},
        services=work.resources.services,
        ledger=work.ledger,
        turn_id=plan.turn_id,
    )
    look = effect.observe
    what = f"`observe` of {effect.name}"
    try:
        seen = await heard(
            what, lambda: look(dict(step.args), ctx=context), work.seconds, work.clock
        )
        now = made(what, lambda: kept(seen))
    except ToolChanged as changed:
        # It says what moved: waited for, it would be put to nobody until the approval is over.
        return changed.why
    except UNABLE as error:
        _LOG.warning("%s: %s: %s", step.step_id, UNCHECKED, error)
        return UNCHECKED
    return moved_between(step, now, work)


def moved_between(step: Step, now: Mapping[str, Any], work: Work) -> str | None:
    """Say what moved between what a plan observed and now; `UNCHECKED` where that fails."""
    effect = work.domain.registry.effect(step.tool)
    if effect.observe is None:
        return None
    # Raised, it would leave the answer unheard that was just given.
    return made_or(
        lambda: UNCHECKED,
        f"`moved` of {effect.name}",
        lambda: _words(effect.moved(step.preconditions, now)),
    )


def _words(moved: Any) -> str | None:
    if moved is not None and not isinstance(moved, str):
        raise TypeError(f"{type(moved).__name__} in the place of what moved")
    return moved


async def claim_step(
    work: Work, plan: Plan, claim: Claim | ClaimUndo, moved: str | None = None
) -> Claimed | NotClaimed | None:
    """Commit the right to send once; None when the move is no longer due, or must not be made.

    The operator's rule is read after `began`. So whatever was claimed just before a tool was
    switched off is sent within its budget of that moment, or never.
    """
    began = work.clock.monotonic()
    tool = tool_of(plan, claim)
    async with work.ledger.page(work.session, plan.plan_id, tool, plan) as page:
        current = await page.plan(plan.plan_id)
        assert current is not None
        claimed = claim_on(page, current, claim, began, work, moved)
    return confirmed(claimed, work) if isinstance(claimed, Claimed) else claimed


def claim_on(
    page: Page,
    plan: Plan,
    claim: Claim | ClaimUndo,
    began: float,
    work: Work,
    moved: str | None = None,
) -> Claimed | NotClaimed | None:
    """Write the right to send once on a page that was begun for its tool; see `claim_step`.

    The decision is taken again under the lock. What moved since the approval ends the step
    instead: it is for a person to decide again. So does a tool that is switched off, where nothing
    of the step can be out there; else the claim is held, as it is for a tool that was called too
    often.

    Args:
        began: this process's clock before the page, in seconds.
    """
    due: Move = work.settle(plan, page.now)
    action, step = plan.find(claim.step_id)
    if due != claim:
        return None
    sent = step.attempts if isinstance(claim, Claim) else step.undos
    first = sent[0].at if sent else page.now
    claimed = Claimed(plan, action, step, page.now, began, began, first)
    instead = _instead(claim, claimed, page.barred, moved)
    if isinstance(instead, Entry):
        page.write(instead)
        return None
    if instead is not None:
        return instead
    patience, guarantees = work.resources.patience, work.guarantees
    deadline = page.now + patience.budget
    page.take_token()
    page.write(
        claimed.entry(
            Event.ATTEMPTED if isinstance(claim, Claim) else Event.UNDO_ATTEMPTED,
            attempt=claim.number,
            worker=work.session.worker,
            deadline_at=deadline,
            settle_at=deadline + patience.settle_after(guarantees[tool_of(plan, claim)]),
            payload=bound_by(plan, step),
        )
    )
    return claimed


def claimed_first(
    page: Page, plan: Plan, tool: str | None, began: float, work: Work
) -> Claimed | None:
    """Claim on the page that decides on a plan what is due of it at once: a commit less.

    Args:
        tool: which the page was begun for, and nothing moved under; None claims nothing.
        began: this process's clock before the page, in seconds.
    """
    move = work.settle(plan, page.now)
    if not isinstance(move, Claim) or tool_of(plan, move) != tool:
        return None
    claimed = claim_on(page, plan, move, began, work)
    return claimed if isinstance(claimed, Claimed) else None


def confirmed(claimed: Claimed, work: Work) -> Claimed:
    """Note on a claim that its page was committed just now."""
    return replace(claimed, confirmed=work.clock.monotonic())


def bound_by(plan: Plan, step: Step) -> dict[str, Any] | None:
    """Return what a step's first claim keeps of earlier results; None where it keeps nothing.

    Raises:
        KeyError: a result does not give it.
    """
    if step.attempts or not step.binds:
        return None
    action, _ = plan.find(step.step_id)
    return written(_bound(action, step))


def _bound(action: Action, step: Step) -> dict[str, Any]:
    return {name: bind.value(action.results) for name, bind in step.binds.items()}


def tool_of(plan: Plan, move: Claim | ClaimUndo) -> str:
    """Name the tool that a move calls."""
    _, step = plan.find(move.step_id)
    return step.tool if isinstance(move, Claim) else step.undo or step.tool


def _instead(
    claim: Claim | ClaimUndo, claimed: Claimed, barred: Barred | None, moved: str | None
) -> Entry | NotClaimed | None:
    """Return what is done instead of the claim: the step ends, or the claim is held."""
    if barred is not None and barred.until is None and _may_end(claim, claimed):
        ends = Event.SUPERSEDED if claimed.step.state is StepState.INTENDED else Event.FAILED
        return claimed.entry(ends, payload={"reason": barred.why})
    if barred is not None:
        return NotClaimed(barred.why, barred.until or claimed.at + AGAIN)
    if moved == UNCHECKED:
        return NotClaimed(UNCHECKED, claimed.at + AGAIN)
    if moved is not None:
        why = {"reason": f"Since the plan was made, {moved}"}
        return claimed.entry(Event.SUPERSEDED, payload=why)
    return None


def _may_end(claim: Claim | ClaimUndo, claimed: Claimed) -> bool:
    """Tell whether a step may end because its tool is switched off.

    Nothing of it may be out there, and what was done before it must not be left half done: before
    the pivot it is undone, so it must be possible to undo it.
    """
    if isinstance(claim, ClaimUndo) or any(a.is_open for a in claimed.step.attempts):
        return False
    done = [step for step in claimed.action.steps if step.state is StepState.DONE]
    return claimed.action.pivot_done or all(step.undo is not None for step in done)


def reading(plan: Plan, step_id: str, now: datetime, clock: Clock) -> Claimed:
    """Begin a look without a claim, at the database's time `now` (UTC)."""
    action, step = plan.find(step_id)
    began = clock.monotonic()
    return Claimed(plan, action, step, at=now, began=began, confirmed=began, first=now)
