"""The right to send once: claimed in the ledger before the call, and committed."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from nodes.work import Work
from state.context import PlanContext
from state.entry import Entry
from state.errors import ServiceUnavailable, ToolRefused
from state.plan import Action, Plan
from state.recovery import Event
from state.settle import Claim, ClaimUndo, Move
from state.step import Step

_LOG = logging.getLogger(__name__)

UNCHECKED = "what it depends on cannot be read"
"""Said instead of what moved, when it cannot be read: nothing is claimed then."""


@dataclass(frozen=True)
class Claimed:
    """Hold a committed claim, or the reading that a look begins with.

    Attributes:
        at: the database's clock then, UTC.
        began: this process's clock before the claim, in seconds; it runs on while suspended.
        confirmed: this process's clock when the claim was committed.
    """

    plan: Plan
    action: Action
    step: Step
    at: datetime
    began: float
    confirmed: float

    def now(self) -> datetime:
        """Tell the database's time, never later than it is."""
        return self.at + timedelta(seconds=clock() - self.confirmed)

    @property
    def args(self) -> dict[str, Any]:
        """Return the step's arguments, with what is bound to earlier results."""
        results = self.action.results
        bound = {name: bind.value(results) for name, bind in self.step.binds.items()}
        return {**self.step.args, **bound}

    def entry(self, event: Event, **more: Any) -> Entry:
        """Make an entry about the claimed step."""
        return self.plan.entry(event, self.step, **more)


async def what_moved(work: Work, plan: Plan, claim: Claim) -> str | None:
    """Say what moved since the plan was approved, or None."""
    _, step = plan.find(claim.step_id)
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
    try:
        now = await effect.observe(dict(step.args), ctx=context)
    except (ServiceUnavailable, ToolRefused) as error:
        _LOG.warning("%s: %s: %s", step.step_id, UNCHECKED, error)
        return UNCHECKED
    return effect.moved(step.preconditions, now)


async def claim_step(
    work: Work, plan_id: str, claim: Claim | ClaimUndo, event: Event, moved: str | None
) -> Claimed | None:
    """Commit the right to send once; None when the move is no longer due, or must not be made.

    The decision is taken again under the lock. What moved since the approval ends the step
    instead: it is for a person to decide again.
    """
    began = clock()
    async with work.ledger.page(work.session, plan_id) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        due: Move = work.settle(plan, page.now)
        action, step = plan.find(claim.step_id)
        if due != claim:
            return None
        claimed = Claimed(plan, action, step, page.now, began, began)
        if moved is not None:
            reason = {"reason": f"Since the plan was made, {moved}"}
            page.write(claimed.entry(Event.SUPERSEDED, detail=reason))
            return None
        patience, guarantees = work.resources.patience, work.guarantees
        tool = step.tool if event is Event.ATTEMPTED else step.undo or step.tool
        deadline = page.now + patience.budget
        page.write(
            claimed.entry(
                event,
                attempt=claim.number,
                worker=work.session.worker,
                deadline_at=deadline,
                settle_at=deadline + patience.settle_after(guarantees[tool]),
            )
        )
    return Claimed(plan, action, step, claimed.at, began, clock())


def reading(plan: Plan, step_id: str, now: datetime) -> Claimed:
    """Begin a look without a claim, at the database's time `now` (UTC)."""
    action, step = plan.find(step_id)
    began = clock()
    return Claimed(plan, action, step, at=now, began=began, confirmed=began)


def clock() -> float:
    """Read a clock that runs on while the process or the machine is suspended, in seconds."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
