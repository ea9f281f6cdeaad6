"""Claim, send once, look, record: one attempt of one effect.

Nothing else in the house sends. The claim is committed before the call and the outcome after it;
no transaction is open in between. What a task returns is a receipt for the checkpoint: the ledger
is what is believed.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from langgraph.func import task

from checkpoints.ledger import Page
from nodes.advance import ended
from nodes.work import Work
from state.context import EffectContext, PlanContext
from state.entry import Entry
from state.errors import ServiceUnavailable, ToolRefused
from state.keys import digest, undo_key
from state.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from state.plan import Action, Plan
from state.recovery import Event, StepState
from state.settle import Claim, ClaimUndo, End, LookFor, Move, UndoExtra, Write
from state.step import Step
from tools.kinds import EffectTool

_LOG = logging.getLogger(__name__)

Receipt = dict[str, Any]


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


@dataclass(frozen=True)
class _Claimed:
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
        return self.at + timedelta(seconds=_clock() - self.confirmed)

    @property
    def args(self) -> dict[str, Any]:
        """Return the step's arguments, with what is bound to earlier results."""
        results = self.action.results
        bound = {name: bind.value(results) for name, bind in self.step.binds.items()}
        return {**self.step.args, **bound}


@task
async def send(work: Work, plan: Plan, claim: Claim, known: Known) -> Receipt:
    """Claim a step, send it once, look for it, and write down what came of it."""
    moved = await _moved(work, plan, claim) if claim.number == 1 else None
    if moved == _UNCHECKED:
        return {"step": claim.step_id, "outcome": "unchecked"}
    claimed = await _claim(work, plan.plan_id, claim, Event.ATTEMPTED, moved)
    if claimed is None:
        return {"step": claim.step_id, "outcome": "not due"}
    step, effect = claimed.step, work.domain.registry.effect(claimed.step.tool)
    work.tell(f"{step.name}: attempt {claim.number}")
    outcome = await _run(work, effect, claimed.args, claimed, key=step.step_id)
    seen = await _look(work, effect, claimed, outcome)
    await _record(work, claimed, claim.number, outcome, seen, known)
    return {
        "step": step.step_id,
        "args_hash": step.args_hash,
        "outcome": type(outcome).__name__.lower(),
    }


@task
async def look_for(work: Work, plan: Plan, now: datetime, due: LookFor, known: Known) -> Receipt:
    """Ask the other side for the effect of a step, and write down what it shows."""
    reading = _reading(plan, due.step_id, now)
    effect = work.domain.registry.effect(reading.step.tool)
    work.tell(f"{reading.step.name}: looking whether it happened")
    seen = await _look(work, effect, reading, Unknown("restarted"))
    await _record(work, reading, None, None, seen, known)
    return {"step": due.step_id, "outcome": seen.event.value if seen else "nothing"}


@task
async def undo(work: Work, plan: Plan, claim: ClaimUndo, known: Known) -> Receipt:
    """Claim the undo of a step, send it once, and write down what came of it."""
    claimed = await _claim(work, plan.plan_id, claim, Event.UNDO_ATTEMPTED, None)
    if claimed is None:
        return {"step": claim.step_id, "outcome": "not due"}
    step = claimed.step
    work.tell(f"undoing {step.name}")
    outcome, found = await _undo_once(work, claimed, step.result or {}, undo_key(step.step_id))
    detail: dict[str, Any] = {"verified": found}
    if _undone(work, step, outcome) or found:
        event = Event.UNDONE
    else:
        event = Event.UNDO_FAILED
        detail |= {"reason": _reason(outcome), "final": isinstance(outcome, Declined)}
    async with work.ledger.page(work.session, plan.plan_id) as page:
        current = await page.plan(plan.plan_id)
        assert current is not None
        # A successor that has finished the undo meanwhile leaves nothing to write.
        if current.find(step.step_id)[1].state is StepState.UNDOING:
            page.write(_entry(claimed, event, attempt=claim.number, detail=detail))
            page.make_stale(_tags(work, step))
            follow(page, current, work)
    known.keep(current, page.now)
    return {"step": step.step_id, "outcome": event.value}


@task
async def undo_extra(work: Work, plan: Plan, now: datetime, due: UndoExtra) -> Receipt:
    """Undo a duplicate that a probe found beside the effect of a step, and say so."""
    reading = _reading(plan, due.step_id, now)
    step = reading.step
    work.tell(f"undoing a duplicate of {step.name}")
    key = f"{undo_key(step.step_id)}/{digest(dict(due.match))[:12]}"
    outcome, found = await _undo_once(work, reading, due.match, key)
    if not (_undone(work, step, outcome) or found):
        return {"step": step.step_id, "outcome": "again"}
    async with work.ledger.page(work.session, plan.plan_id) as page:
        current = await page.plan(plan.plan_id)
        assert current is not None
        if due.match in current.find(step.step_id)[1].extras:
            page.write(_entry(reading, Event.EXTRA_UNDONE, payload={"match": dict(due.match)}))
    return {"step": step.step_id, "outcome": "undone"}


def follow(page: Page, plan: Plan, work: Work) -> None:
    """Write what follows from what is known now, in the same page: closing, failing, the end."""
    while isinstance(move := work.settle(plan, page.now), Write | End):
        page.write(*(move.entries if isinstance(move, Write) else (ended(plan),)))


# -- before the call ------------------------------------------------------------------------------

_UNCHECKED = "what it depends on cannot be read"


async def _moved(work: Work, plan: Plan, claim: Claim) -> str | None:
    """Say what moved since the plan was approved, or None."""
    _, step = plan.find(claim.step_id)
    effect = work.domain.registry.effect(step.tool)
    if effect.observe is None:
        return None
    context = PlanContext(
        session=work.session,
        state={},
        services=work.domain.services,
        ledger=work.ledger,
        turn_id=plan.turn_id,
    )
    try:
        now = await effect.observe(dict(step.args), ctx=context)
    except (ServiceUnavailable, ToolRefused) as error:
        _LOG.warning("%s: %s: %s", step.step_id, _UNCHECKED, error)
        return _UNCHECKED
    return effect.moved(step.preconditions, now)


async def _claim(
    work: Work, plan_id: str, claim: Claim | ClaimUndo, event: Event, moved: str | None
) -> _Claimed | None:
    """Commit the right to send once; None when the move is no longer due, or must not be made.

    The decision is taken again under the lock. What moved since the approval ends the step
    instead: it is for a person to decide again.
    """
    began = _clock()
    async with work.ledger.page(work.session, plan_id) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        due: Move = work.settle(plan, page.now)
        action, step = plan.find(claim.step_id)
        if due != claim:
            return None
        claimed = _Claimed(plan, action, step, page.now, began, began)
        if moved is not None:
            reason = {"reason": f"Since the plan was made, {moved}"}
            page.write(_entry(claimed, Event.SUPERSEDED, detail=reason))
            return None
        patience, guarantees = work.resources.patience, work.domain.registry.guarantees
        tool = step.tool if event is Event.ATTEMPTED else step.undo or step.tool
        deadline = page.now + patience.budget
        page.write(
            _entry(
                claimed,
                event,
                attempt=claim.number,
                worker=work.session.worker,
                deadline_at=deadline,
                settle_at=deadline + patience.settle_after(guarantees[tool]),
            )
        )
    return _Claimed(plan, action, step, claimed.at, began, _clock())


# -- the call -------------------------------------------------------------------------------------


async def _run(
    work: Work, effect: EffectTool, args: Mapping[str, Any], claimed: _Claimed, *, key: str
) -> Outcome:
    """Call the effect once, if there is still time to."""
    seconds = work.resources.patience.budget.total_seconds() - (_clock() - claimed.began)
    if seconds <= 0:
        return NotSent("its time was over before it was sent")
    context = EffectContext(
        session=work.session,
        services=work.domain.services,
        key=key,
        forward=claimed.step.step_id,
        seconds=seconds,
    )
    try:
        return await effect.run(**args, ctx=context)
    except (ServiceUnavailable, ToolRefused) as error:
        # By contract an effect raises these only before it sends.
        return NotSent(str(error))
    except Exception as error:
        # A fault in a tool must not lose the attempt: whether it sent is not known.
        _LOG.exception("%s failed within the tool", key)
        return Unknown(f"the tool failed ({type(error).__name__})")


async def _undo_once(
    work: Work, claimed: _Claimed, result: Mapping[str, Any], key: str
) -> tuple[Outcome, bool]:
    """Send the compensation of a step once and look for it: the outcome, and if it is there."""
    forward = work.domain.registry.effect(claimed.step.tool)
    assert forward.undo is not None
    effect = work.domain.registry.effect(forward.undo.tool)
    try:
        args = forward.undo.args(claimed.step.args, result)
    except KeyError as missing:
        # A person said "it happened" and gave no reference that the undo could name.
        return Declined("unknown_result", f"{missing} of {claimed.step.name} is not known"), False
    outcome = await _run(work, effect, args, claimed, key=key)
    if not isinstance(outcome, Confirmed | Unknown) or effect.probe is None:
        return outcome, False
    return outcome, bool(await _matches(work, effect, args, key))


def _undone(work: Work, step: Step, outcome: Outcome) -> bool:
    forward = work.domain.registry.effect(step.tool)
    settled_by = forward.undo.settled_by if forward.undo else frozenset()
    already = isinstance(outcome, Declined) and outcome.code in settled_by
    return already or isinstance(outcome, Confirmed)


# -- after the call -------------------------------------------------------------------------------


async def _matches(
    work: Work, effect: EffectTool, args: Mapping[str, Any], key: str
) -> list[Mapping[str, Any]] | None:
    """Look an effect up from outside; None when the other side cannot be asked."""
    assert effect.probe is not None
    context = EffectContext(
        session=work.session,
        services=work.domain.services,
        key=key,
        forward=key,
        seconds=work.resources.patience.budget.total_seconds(),
    )
    try:
        return await effect.probe(dict(args), ctx=context)
    except (ServiceUnavailable, ToolRefused) as error:
        _LOG.warning("%s cannot be looked up: %s", key, error)
        return None


@dataclass(frozen=True)
class _Seen:
    """Hold what a look-up showed: absent, unreachable, or all that match the reference."""

    event: Event
    began_at: datetime
    matches: list[Mapping[str, Any]]


async def _look(
    work: Work, effect: EffectTool, claimed: _Claimed, outcome: Outcome
) -> _Seen | None:
    """Read after write: look the effect up. None where it cannot be, or need not be."""
    if effect.probe is None or not isinstance(outcome, Confirmed | Unknown):
        return None
    began_at = claimed.now()
    matches = await _matches(work, effect, claimed.args, claimed.step.step_id)
    if matches is None:
        return _Seen(Event.UNREACHABLE, began_at, [])
    return _Seen(Event.FOUND if matches else Event.ABSENT, began_at, matches)


async def _record(
    work: Work,
    claimed: _Claimed,
    attempt: int | None,
    outcome: Outcome | None,
    seen: _Seen | None,
    known: Known,
) -> None:
    """Write down the evidence, and in the same page what follows from it."""
    plan_id, step_id = claimed.plan.plan_id, claimed.step.step_id
    async with work.ledger.page(work.session, plan_id) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        _, step = plan.find(step_id)
        mismatch = _mismatch(step, outcome, seen)
        if mismatch and step.state is StepState.UNKNOWN:
            page.write(_entry(claimed, Event.IN_DOUBT, payload=mismatch))
        else:
            if outcome is not None:
                page.write(_answered(claimed, attempt, outcome))
            if seen is not None:
                page.write(_shown(claimed, seen, step))
        if step.state is StepState.DONE:
            page.make_stale(_tags(work, step))
        follow(page, plan, work)
    known.keep(plan, page.now)


def _shown(claimed: _Claimed, seen: _Seen, step: Step) -> Entry:
    """Write what a look-up showed beside what the ledger holds: more than that is a duplicate."""
    detail: dict[str, Any] = {"began_at": seen.began_at.isoformat()}
    if not seen.matches:
        return _entry(claimed, seen.event, detail=detail)
    detail["matches"] = len(seen.matches)
    if step.state in (StepState.UNKNOWN, StepState.IN_DOUBT, StepState.NEGATIVE):
        result, *extras = [dict(match) for match in seen.matches]
        return _entry(
            claimed, Event.FOUND, detail=detail, payload={"result": result, "extras": extras}
        )
    counted = [*step.extras, step.result or {}]
    extras = [dict(m) for m in seen.matches if not any(_same(m, one) for one in counted)]
    payload = {"extras": extras} if extras else None
    return _entry(claimed, Event.VERIFIED, detail=detail, payload=payload)


def _answered(claimed: _Claimed, attempt: int | None, outcome: Outcome) -> Entry:
    match outcome:
        case Confirmed(result=result):
            kept: dict[str, Any] = {"result": dict(result)}
            return _entry(claimed, Event.ACKNOWLEDGED, attempt=attempt, payload=kept)
        case Declined(code=code, message=message, detail=detail):
            payload = {"reason": message, "detail": dict(detail)}
            facts = {"code": code}
            return _entry(claimed, Event.DECLINED, attempt=attempt, detail=facts, payload=payload)
        case NotSent(reason=reason):
            return _entry(claimed, Event.REFUSED, attempt=attempt, detail={"reason": reason})
        case Unknown(reason=reason):
            return _entry(claimed, Event.UNANSWERED, attempt=attempt, detail={"reason": reason})


def _mismatch(step: Step, outcome: Outcome | None, seen: _Seen | None) -> dict[str, Any] | None:
    """Say where the other side does not show what was expected, and what it shows."""
    results = [outcome.result] if isinstance(outcome, Confirmed) else []
    results += seen.matches[:1] if seen is not None else []
    for result in results:
        wrong = {k: result.get(k) for k, v in step.evidence.items() if result.get(k) != v}
        if wrong:
            reason = f"expected {dict(step.evidence)}, the other side shows {wrong}"
            return {"reason": reason, "shown": dict(result)}
    return None


def _reading(plan: Plan, step_id: str, now: datetime) -> _Claimed:
    action, step = plan.find(step_id)
    began = _clock()
    return _Claimed(plan, action, step, at=now, began=began, confirmed=began)


def _same(match: Mapping[str, Any], result: Mapping[str, Any]) -> bool:
    return all(result[name] == value for name, value in match.items() if name in result)


def _reason(outcome: Outcome) -> str:
    match outcome:
        case Declined(message=message):
            return message
        case NotSent(reason=reason) | Unknown(reason=reason):
            return reason
        case Confirmed():
            return ""


def _tags(work: Work, step: Step) -> list[str]:
    """Name the reads that a step makes stale."""
    tags = work.domain.registry.effect(step.tool).makes_stale
    return [tag.format_map(dict(step.args)) for tag in tags]


def _entry(claimed: _Claimed, event: Event, **more: Any) -> Entry:
    return claimed.plan.entry(event, claimed.step, **more)


def _clock() -> float:
    """Read a clock that runs on while the process or the machine is suspended, in seconds."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
