"""Claim, send once, look, record: one attempt of one effect.

Nothing else in the house sends. The claim is committed before the call and the outcome after it;
no transaction is open in between. What a task returns is a receipt for the checkpoint: the ledger
is what is believed.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from langgraph.func import task

from nodes.work import Work
from state.context import EffectContext, PlanContext
from state.errors import ServiceUnavailable, ToolRefused
from state.keys import digest, undo_key
from state.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from state.plan import Action, Entry, Plan, Step
from state.recovery import Event, StepState
from state.settle import Claim, ClaimUndo, LookFor, Move, UndoExtra
from tools.kinds import EffectTool

_LOG = logging.getLogger(__name__)

Receipt = dict[str, Any]


@dataclass(frozen=True)
class _Claimed:
    """Hold a committed claim.

    Attributes:
        at: the database's clock at the claim, UTC.
        began: this process's clock before the claim, in seconds; it runs on while suspended.
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


@task
async def send(work: Work, plan_id: str, claim: Claim) -> Receipt:
    """Claim a step, send it once, look for it, and write down what came of it."""
    moved = await _moved(work, plan_id, claim) if claim.number == 1 else None
    if moved == _UNCHECKED:
        return {"step": claim.step_id, "outcome": "unchecked"}
    claimed = await _claim(work, plan_id, claim, Event.ATTEMPTED, moved)
    if claimed is None:
        return {"step": claim.step_id, "outcome": "overtaken"}
    step, effect = claimed.step, work.domain.registry.effect(claimed.step.tool)
    args = {**step.args, **{k: b.value(claimed.action.results) for k, b in step.binds.items()}}
    work.tell(f"{step.name}: attempt {claim.number}")
    outcome = await _run(work, effect, args, claimed, key=step.step_id)
    looked = await _look(work, effect, args, claimed, outcome)
    await _record(work, claimed, claim.number, outcome, looked, args)
    return {
        "step": step.step_id,
        "args_hash": step.args_hash,
        "outcome": type(outcome).__name__.lower(),
    }


@task
async def look_for(work: Work, plan_id: str, due: LookFor) -> Receipt:
    """Ask the other side for the effect of a step, and write down what it shows."""
    plan, now = await work.plan(plan_id)
    action, step = plan.find(due.step_id)
    effect = work.domain.registry.effect(step.tool)
    args = {**step.args, **{k: b.value(action.results) for k, b in step.binds.items()}}
    began = _clock()
    claimed = _Claimed(plan, action, step, at=now, began=began, confirmed=began)
    work.tell(f"{step.name}: looking whether it happened")
    looked = await _look(work, effect, args, claimed, Unknown("restarted"))
    await _record(work, claimed, None, None, looked, args)
    return {"step": step.step_id, "outcome": looked[0].event.value if looked else "nothing"}


@task
async def undo(work: Work, plan_id: str, claim: ClaimUndo) -> Receipt:
    """Claim the undo of a step, send it once, and write down what came of it."""
    claimed = await _claim(work, plan_id, claim, Event.UNDO_ATTEMPTED, None)
    if claimed is None:
        return {"step": claim.step_id, "outcome": "overtaken"}
    step = claimed.step
    work.tell(f"undoing {step.name}")
    outcome, found = await _undo_once(work, claimed, step.result or {}, undo_key(step.step_id))
    detail: dict[str, Any] = {"verified": found}
    if _undone(work, step, outcome) or found:
        event = Event.UNDONE
    else:
        event = Event.UNDO_FAILED
        detail |= {"reason": _reason(outcome), "final": isinstance(outcome, Declined)}
    async with work.ledger.page(work.session) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        # A successor that has finished the undo meanwhile leaves nothing to write.
        if plan.find(step.step_id)[1].state is StepState.UNDOING:
            page.write(_entry(claimed, event, attempt=claim.number, detail=detail))
            page.make_stale(_tags(work, step))
    return {"step": step.step_id, "outcome": event.value}


@task
async def undo_extra(work: Work, plan_id: str, due: UndoExtra) -> Receipt:
    """Undo a duplicate that a probe found beside the effect of a step, and say so."""
    plan, now = await work.plan(plan_id)
    action, step = plan.find(due.step_id)
    began = _clock()
    claimed = _Claimed(plan, action, step, at=now, began=began, confirmed=began)
    work.tell(f"undoing a duplicate of {step.name}")
    key = f"{undo_key(step.step_id)}/{digest(dict(due.match))[:12]}"
    outcome, found = await _undo_once(work, claimed, due.match, key)
    if not (_undone(work, step, outcome) or found):
        return {"step": step.step_id, "outcome": "again"}
    async with work.ledger.page(work.session) as page:
        current = await page.plan(plan_id)
        assert current is not None
        if due.match in current.find(step.step_id)[1].extras:
            page.write(_entry(claimed, Event.EXTRA_UNDONE, payload={"match": dict(due.match)}))
    return {"step": step.step_id, "outcome": "undone"}


# -- before the call ------------------------------------------------------------------------------

_UNCHECKED = "what it depends on cannot be read"


async def _moved(work: Work, plan_id: str, claim: Claim) -> str | None:
    """Say what moved since the plan was approved, or None."""
    plan, _ = await work.plan(plan_id)
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
    async with work.ledger.page(work.session) as page:
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
    args = forward.undo.args(claimed.step.args, result)
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


async def _look(
    work: Work, effect: EffectTool, args: Mapping[str, Any], claimed: _Claimed, outcome: Outcome
) -> list[Entry]:
    """Read after write: look the effect up, and return what that shows as entries."""
    if effect.probe is None or not isinstance(outcome, Confirmed | Unknown):
        return []
    began_at = {"began_at": claimed.now().isoformat()}
    matches = await _matches(work, effect, args, claimed.step.step_id)
    if matches is None:
        return [_entry(claimed, Event.UNREACHABLE, detail=began_at)]
    if not matches:
        return [_entry(claimed, Event.ABSENT, detail=began_at)]
    if isinstance(outcome, Confirmed):
        extras = [dict(match) for match in matches if not _same(match, outcome.result)]
        detail = {**began_at, "matches": len(matches)}
        return [_entry(claimed, Event.VERIFIED, detail=detail, payload={"extras": extras})]
    result, *rest = matches
    payload = {"result": dict(result), "extras": [dict(match) for match in rest]}
    detail = {**began_at, "matches": len(matches)}
    return [_entry(claimed, Event.FOUND, detail=detail, payload=payload)]


async def _record(
    work: Work,
    claimed: _Claimed,
    attempt: int | None,
    outcome: Outcome | None,
    looked: Sequence[Entry],
    args: Mapping[str, Any],
) -> None:
    """Write the outcome down: always the evidence; what follows from it is for `settle`."""
    entries = [*([_answered(claimed, attempt, outcome)] if outcome is not None else []), *looked]
    mismatch = _mismatch(claimed.step, entries)
    async with work.ledger.page(work.session) as page:
        plan = await page.plan(claimed.plan.plan_id)
        assert plan is not None
        _, step = plan.find(claimed.step.step_id)
        if mismatch and step.state is StepState.UNKNOWN:
            shown = [dict(entry.payload or {}) for entry in entries]
            page.write(
                _entry(claimed, Event.IN_DOUBT, payload={"reason": mismatch, "shown": shown})
            )
            return
        page.write(*entries)
        if step.state is StepState.DONE:
            page.make_stale(_tags(work, step))


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


def _mismatch(step: Step, entries: Sequence[Entry]) -> str:
    """Say where an answer does not show what was expected, or nothing."""
    for entry in entries:
        if entry.event in (Event.ACKNOWLEDGED, Event.FOUND):
            result = (entry.payload or {})["result"]
            wrong = {k: result.get(k) for k, v in step.evidence.items() if result.get(k) != v}
            if wrong:
                return f"expected {dict(step.evidence)}, the other side shows {wrong}"
    return ""


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
