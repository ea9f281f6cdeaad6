"""Write down what came of an attempt, and in the same page what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import OperationalError
from psycopg_pool import PoolTimeout

from checkpoints.page import Page
from nodes.advance import ended
from nodes.call import Seen
from nodes.claim import Claimed
from nodes.work import Work
from state.entry import Entry
from state.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from state.plan import Plan
from state.recovery import Event, StepState
from state.settle import End, Write
from state.step import Step
from tools.signature import comparable
from tools.tags import tags_of


@dataclass
class Known:
    """Hold a plan as this process has just committed it, so that it is not read again."""

    _plan: Plan | None = None
    _now: datetime | None = None

    def keep(self, plan: Plan, now: datetime) -> None:
        """Keep a plan whose page was committed."""
        self._plan, self._now = plan, now

    def taken(self) -> tuple[Plan, datetime] | None:
        """Take the plan out, if there is one: it counts for one look only."""
        plan, now, self._plan = self._plan, self._now, None
        return (plan, now) if plan is not None and now is not None else None


async def record(
    work: Work,
    claimed: Claimed,
    attempt: int | None,
    outcome: Outcome | None,
    seen: Seen | None,
    known: Known,
) -> None:
    """Write down the evidence, and in the same page what follows from it.

    Once more where the database went away meanwhile: a reply that is not kept may become a doubt.
    Evidence that is written twice says the same.
    """
    try:
        await _record(work, claimed, attempt, outcome, seen, known)
    except PoolTimeout:
        # It was waited for already.
        raise
    except OperationalError:
        await _record(work, claimed, attempt, outcome, seen, known)


async def _record(
    work: Work,
    claimed: Claimed,
    attempt: int | None,
    outcome: Outcome | None,
    seen: Seen | None,
    known: Known,
) -> None:
    plan_id, step_id = claimed.plan.plan_id, claimed.step.step_id
    async with work.ledger.page(work.session, plan_id) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        _, step = plan.find(step_id)
        mismatch = _mismatch(step, outcome, seen)
        if mismatch and step.state is StepState.UNKNOWN:
            page.write(claimed.entry(Event.IN_DOUBT, payload=mismatch))
        else:
            if outcome is not None:
                page.write(_answered(claimed, attempt, outcome))
            if seen is not None:
                page.write(_shown(claimed, seen, step))
        if step.state is StepState.DONE:
            page.make_stale(stale_tags(work, step))
        follow(page, plan, work)
    known.keep(plan, page.now)


def _shown(claimed: Claimed, seen: Seen, step: Step) -> Entry:
    """Write what a look-up showed beside what the ledger holds: more than that is a duplicate."""
    detail: dict[str, Any] = {"began_at": seen.began_at.isoformat()}
    if not seen.matches:
        return claimed.entry(seen.event, detail=detail)
    detail["matches"] = len(seen.matches)
    if step.state in (StepState.UNKNOWN, StepState.IN_DOUBT, StepState.NEGATIVE):
        result, *extras = [dict(match) for match in seen.matches]
        return claimed.entry(
            Event.FOUND, detail=detail, payload={"result": result, "extras": extras}
        )
    counted = [*step.extras, step.result or {}]
    extras = [dict(m) for m in seen.matches if not any(_same(m, one) for one in counted)]
    payload = {"extras": extras} if extras else None
    return claimed.entry(Event.VERIFIED, detail=detail, payload=payload)


def _answered(claimed: Claimed, attempt: int | None, outcome: Outcome) -> Entry:
    match outcome:
        case Confirmed(result=result):
            kept: dict[str, Any] = {"result": dict(result)}
            return claimed.entry(Event.ACKNOWLEDGED, attempt=attempt, payload=kept)
        case Declined(code=code, message=message, detail=detail):
            payload = {"reason": message, "detail": dict(detail)}
            facts = {"code": code}
            return claimed.entry(Event.DECLINED, attempt=attempt, detail=facts, payload=payload)
        case NotSent(reason=reason):
            return claimed.entry(Event.REFUSED, attempt=attempt, payload={"reason": reason})
        case Unknown(reason=reason):
            return claimed.entry(Event.UNANSWERED, attempt=attempt, payload={"reason": reason})


def _mismatch(step: Step, outcome: Outcome | None, seen: Seen | None) -> dict[str, Any] | None:
    """Say where the other side does not show what was expected, and what it shows."""
    results = [outcome.result] if isinstance(outcome, Confirmed) else []
    results += seen.matches[:1] if seen is not None else []
    for result in results:
        wrong = {k: result.get(k) for k, v in step.evidence.items() if result.get(k) != v}
        if wrong:
            reason = f"expected {dict(step.evidence)}, the other side shows {wrong}"
            return {"reason": reason, "shown": dict(result)}
    return None


def follow(page: Page, plan: Plan, work: Work) -> None:
    """Write what follows from what is known now, in the same page: closing, failing, the end."""
    while isinstance(move := work.settle(plan, page.now), Write | End):
        page.write(*(move.entries if isinstance(move, Write) else (ended(plan),)))


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


def _same(match: Mapping[str, Any], result: Mapping[str, Any]) -> bool:
    return all(result[name] == value for name, value in match.items() if name in result)
