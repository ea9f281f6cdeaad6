"""Write down what came of an attempt, and in the same page what follows from it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from psycopg import OperationalError
from psycopg_pool import PoolTimeout

from daybook.checkpoints.ledger.page import Page
from daybook.nodes.past.advance import ended
from daybook.nodes.running.work import Work
from daybook.nodes.sending.claim import Claimed
from daybook.state.effects.evidence import BOUND, Evidence, Look, entries_of, judge, references
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.effects.reference import Namespace
from daybook.state.errors import ReferenceHeld
from daybook.state.ledger.next_move import End, Write
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import StepState
from daybook.state.ledger.step import Step
from daybook.tools.signature import comparable
from daybook.tools.tags import tags_of

_LOG = logging.getLogger(__name__)

_TRIES = 3
"""How often evidence is written: the database may go away, and another step may be first."""


@dataclass
class CommittedPlan:
    """A plan as this process has just committed it, so that it is not read again."""

    _plan: Plan | None = None
    _now: datetime | None = None
    _claimed: Claimed | None = None

    def keep(self, plan: Plan, now: datetime, claimed: Claimed | None = None) -> None:
        """Keep a plan whose page was committed, and what was claimed on that page."""
        self._plan, self._now, self._claimed = plan, now, claimed

    def taken(self) -> tuple[Plan, datetime, Claimed | None] | None:
        """Take the plan out, if there is one: it counts for one look only."""
        plan, now, claimed = self._plan, self._now, self._claimed
        self._plan = self._claimed = None
        return (plan, now, claimed) if plan is not None and now is not None else None


async def record(
    work: Work,
    claimed: Claimed,
    attempt: int | None,
    outcome: Outcome | None,
    look: Look | None,
    known: CommittedPlan,
) -> None:
    """Write down the evidence, and in the same page what follows from it.

    Again where the database went away meanwhile: a reply that is not kept may become a doubt.
    Evidence that is written twice changes nothing the second time.
    """
    evidence = Evidence(attempt, outcome, look)
    for tries_left in reversed(range(_TRIES)):
        try:
            await _record(work, claimed, evidence, known, looks_around=tries_left < _TRIES - 1)
            return
        except PoolTimeout:
            # It was waited for already.
            raise
        except (OperationalError, ReferenceHeld):
            if not tries_left:
                raise


async def _record(
    work: Work, claimed: Claimed, evidence: Evidence, known: CommittedPlan, *, looks_around: bool
) -> None:
    """Write it on one page.

    Args:
        looks_around: ask whether the ledger holds what is shown for another step. The first time
            the database refuses to bind it to two, which saves a round trip.
    """
    plan_id, step_id = claimed.plan.plan_id, claimed.step.step_id
    # A page that failed has written into the plan what is not in the ledger.
    fresh = None if looks_around else claimed.plan
    async with work.ledger.page(work.session, plan_id, known=fresh) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        _, step = plan.find(step_id)
        named = work.domain.registry.effect(step.tool).named
        names = names_of(work, step.tool)
        shown = references(evidence, named)
        # What shows beside an effect is held against all others, also where its own name is not
        # kept: by a person's word.
        is_beside = step.state in BOUND and bool(shown - {step.reference})
        asks = looks_around or is_beside or len(shown) > 1
        held = await page.held(names, shown, step) if asks else {}
        judged = judge(step, evidence, named, held, work.guarantees[step.tool])
        was, bound, broken = step.state, step.reference, step.broken
        # One after the other: each is written into the step as it stands then.
        for entry in entries_of(plan, step, evidence, judged):
            page.write(entry)
        if step.state is StepState.DONE and was is not StepState.DONE:
            page.make_stale(stale_tags(work, step))
            if step.reference is not None and step.reference != bound:
                page.bind(names, step.reference, step)
        _release(page, [step] if was is StepState.DONE else [], work)
        for promise in sorted(step.broken - broken):
            why = _stopped_because(step, promise)
            _LOG.error("the tool %s is switched off: %s", step.tool, why)
            page.stop(step.tool, why)
        follow(page, plan, work)
    known.keep(plan, page.now)


def names_of(work: Work, tool: str) -> Namespace:
    """Say where the references of a tool's effects name one effect each."""
    return Namespace(work.domain.name, work.resources.world or "", tool)


def _stopped_because(step: Step, promise: str) -> str:
    """Say why nothing more is sent by a tool: its service broke a promise."""
    return (
        f"its service does not keep what is declared of it ({promise}): {step.step_id} shows that. "
        "Nothing more is sent by it; mend the declaration, then `daybook tool "
        f"{step.tool} --on`"
    )


def follow(page: Page, plan: Plan, work: Work) -> None:
    """Write what follows from what is known now, in the same page: closing, failing, the end."""
    done = [step for step in plan.steps if step.state is StepState.DONE]
    while isinstance(move := work.settle(plan, page.now), Write | End):
        page.write(*(move.entries if isinstance(move, Write) else (ended(plan),)))
    _release(page, done, work)


def _release(page: Page, done: Iterable[Step], work: Work) -> None:
    """Give back what steps had taken that were done and are in doubt now, whoever doubts them.

    Kept, it would be refused to the very step that it belongs to: to the word of a person who names
    it, and to an answer that comes late.
    """
    for step in done:
        if step.state is StepState.IN_DOUBT:
            page.release(names_of(work, step.tool), step)


def reason_of(outcome: Outcome) -> str:
    """Say why an attempt did not confirm."""
    match outcome:
        case Declined(message=message):
            return message
        case NotSent(reason=reason) | Unknown(reason=reason):
            return reason
        case Confirmed():
            return ""


def stale_tags(work: Work, step: Step) -> list[str]:
    """Name the reads that a step makes stale."""
    effect = work.domain.registry.effect(step.tool)
    return tags_of(effect.makes_stale, comparable(effect.args, step.args))
