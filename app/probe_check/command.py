"""`daybook probe-check`: run an effect at a sandbox, and print which declared guarantees held.

It is sent, looked up and undone as a runner would, without a ledger.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from daybook.app.conversations.terminal import Terminal
from daybook.app.domains import served_by
from daybook.app.output import tell, tell_aside, tell_json
from daybook.app.probe_check.findings import Moment, Trial, Trials, Verdict, findings
from daybook.graph.settings.environment import Settings
from daybook.nodes.effects import provider
from daybook.nodes.effects.compensation import finds_none, undo_of
from daybook.nodes.effects.engine import Claimed
from daybook.nodes.effects.provider import Request, forward
from daybook.nodes.running.identity import session_of
from daybook.nodes.running.work import Work
from daybook.state.effects.evidence import BOUND, Result
from daybook.state.effects.keys import digest, undo_key
from daybook.state.effects.outcome import Confirmed, Declined, Outcome, Unknown
from daybook.state.effects.reference import shows
from daybook.state.errors import DaybookError, InputRefused
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.tools.boundary import UNABLE, made
from daybook.tools.calling import fitting, kept
from daybook.tools.kinds import EffectTool
from daybook.tools.registry import Registry
from daybook.tools.services.http import HttpService


async def probe_check(
    settings: Settings,
    tool: str,
    arguments: str,
    *,
    user: str | None,
    is_sure: bool,
    as_json: bool,
) -> bool:
    """Run an effect at the configured service and print its findings; no ledger is used.

    Returns:
        Whether no declared guarantee was seen not to hold.

    Raises:
        InputRefused: no such effect, wrong arguments, nobody agreed, or the effect was not done.
        DaybookError: something cannot be started or reached.
    """
    served, terminal = served_by(settings), Terminal()
    effect = _effect(served.domain.registry, tool)
    args = _arguments(effect, arguments)
    async with served.open() as opened:
        resources = opened.resources
        who = {"thread_id": "probe-check", **({"user_id": user} if user else {})}
        session = session_of({"configurable": who}, resources.postgres.tenant_id, resources.user)
        rehearsal = Rehearsal(Work(opened.domain, resources, session), effect, args)
        where = " and ".join(sorted({client.base_url for client in _clients(resources.services)}))
        where = where or f"the services of {opened.domain.name}"
        undo = f"undone by {effect.undo.tool}" if effect.undo else "which nothing undoes"
        (tell_aside if as_json else tell)(
            f"{tool} will really be done at {where}, for {session.user_id}: several times, {undo}."
            f" It mostly takes at most {2 * rehearsal.max_lag(effect) + 10:.0f} s. Use a sandbox."
        )
        if not is_sure and not terminal.interactive:
            raise InputRefused("Nothing was done: there is no terminal to ask at; say --yes.")
        if not is_sure and terminal.read("do it? (y/n) ") not in ("y", "yes"):
            raise InputRefused("Nothing was done.")
        try:
            trials = await rehearsal.run()
        except (*UNABLE, asyncio.CancelledError) as error:
            raise DaybookError(f"Interrupted. {error} {_left(rehearsal)}".strip()) from error
    found = findings(trials)
    if as_json:
        facts = {"tool": tool, "at": where, "user": session.user_id, "left": rehearsal.left}
        tell_json(json.dumps({**facts, "findings": [asdict(one) for one in found]}, indent=2))
    else:
        for one in found:
            told = f"{one.verdict.value:<12}  {one.what:<15}"
            tell(f"{told}  declared: {one.declared}; seen: {one.seen}.")
        tell(_left(rehearsal))
    is_broken = any(one.verdict is Verdict.NOT_HELD for one in found)
    if not trials.first.may_be_done and not is_broken:
        raise InputRefused(f"{tool} was not done, so nothing was seen: {found[1].seen}.")
    return not is_broken


def _left(rehearsal: Rehearsal) -> str:
    return f"Left at the service: {'; '.join(rehearsal.left) or 'nothing that was seen'}."


def _effect(registry: Registry, tool: str) -> EffectTool:
    effects = registry.effects
    if tool in effects:
        return effects[tool]
    is_offered = tool in registry.names
    kind = registry.offered(tool).kind if is_offered else ""
    what = f"{tool} is a {kind}, and no effect" if is_offered else f"There is no {tool}"
    names = ", ".join(sorted(effects)) or "none"
    raise InputRefused(f"{what}. Nothing was done; the effects are: {names}.")


def _arguments(effect: EffectTool, text: str) -> dict[str, Any]:
    try:
        return fitting(effect.name, effect.args, dict(json.loads(text)))
    except (ValueError, TypeError) as error:
        raise InputRefused(
            f"Nothing was done: the arguments must be a JSON object, by argument ({error})."
        ) from error
    except UNABLE as error:
        raise InputRefused(
            f"Nothing was done: the arguments do not fit {effect.name}. {error}"
        ) from error


def _clients(services: Any, depth: int = 3) -> Iterator[HttpService]:
    """Find the HTTP clients among what a domain gives to its tools."""
    if isinstance(services, HttpService):
        yield services
    elif depth:
        inner = services if isinstance(services, Mapping) else getattr(services, "__dict__", {})
        for one in services if isinstance(services, list | tuple) else inner.values():
            yield from _clients(one, depth - 1)


@dataclass
class Rehearsal:
    """Try one effect; `left` says in words what may still stand at the service."""

    work: Work
    effect: EffectTool
    args: Result
    left: list[str] = field(default_factory=list)
    _owners: dict[str, str] = field(default_factory=dict)

    def max_lag(self, effect: EffectTool) -> float:
        """Return the seconds after which an effect that no lookup shows counts as not done."""
        patience = self.work.resources.patience
        return patience.settle_after(self.work.guarantees[effect.name]).total_seconds()

    async def run(self) -> Trials:
        """Try everything, and undo what certainly is ours, also if it is interrupted.

        Raises:
            ToolRefused, ServiceUnavailable, ToolFailed: `evidence` or `owner` failed.
        """
        trials = Trials(self._trial(), self._trial(), self._trial())
        try:
            await self._try(trials.first, trials.second, trials.unused)
        finally:
            for trial in (trials.first, trials.second):
                await self._undo(trial, trials)
        return trials

    async def _try(self, first: Trial, second: Trial, unused: Trial) -> None:
        await self._look(unused, "first")
        if any(look.matches for look in unused.looks):
            # The effects of others could not be told from those of this check.
            return
        await self._send(first, "first")
        await self._look(unused, "first")
        if not first.may_be_done or first.doubts or any(look.matches for look in unused.looks):
            # A runner would ask a reviewer about a doubt, so nothing more is tried.
            return
        await self._send(first, "again")
        await self._send(second, "first")
        if self.effect.probe is not None:
            await self.work.clock.sleep(self.max_lag(self.effect))
        for trial in (first, second):
            await self._look(trial, "late")

    def _trial(self) -> Trial:
        effect, op = self.effect, f"probe-check/{secrets.token_hex(4)}"
        undo, now = effect.undo.tool if effect.undo is not None else None, self.work.clock.now()
        step = Step(op, 1, effect.name, effect.name, self.args, {}, {}, {}, False, undo, now)
        step.state = StepState.UNKNOWN
        return Trial(step, effect.named, self.work.guarantees[effect.name], self._owners)

    def _claimed(self, step: Step) -> Claimed:
        now, began = self.work.clock.now(), self.work.clock.monotonic()
        plan = Plan(plan_id=step.step_id, turn_id="")
        action = Action(0, "", step.tool, step.args, title="", summary=(), total=None)
        return Claimed(plan, action, step, now, began, began, first=step.intended_at)

    async def _send(self, trial: Trial, moment: Moment) -> None:
        """Send once and look up at once; wait for an effect that the answer does not name."""
        clock, known = self.work.clock, len(trial.moments)
        if trial.step.state not in BOUND:
            expect = lambda: kept(self.effect.expected(self.args, self.work.session))  # noqa: E731
            trial.step.evidence = made("`evidence`", expect)
        outcome: Outcome = Unknown("the check was interrupted")
        request = forward(self.work.engine, self._claimed(trial.step))
        try:
            outcome = await provider.call(self.work.engine, request)
        finally:
            answered = clock.monotonic()
            await self._look(trial, moment, outcome)
        is_awaited = isinstance(outcome, Unknown)
        is_awaited |= isinstance(outcome, Confirmed) and moment == "first"
        pause, ends = 0.05, answered + self.max_lag(self.effect)
        while is_awaited and self.effect.probe and clock.monotonic() < ends and not trial.doubts:
            if len(trial.moments) > known and (trial.step.is_shown or moment != "first"):
                break
            await clock.sleep(min(pause, max(ends - clock.monotonic(), 0)))
            await self._look(trial, moment, after=clock.monotonic() - answered)
            pause = min(pause * 1.5, 1.0)

    async def _look(
        self, trial: Trial, moment: Moment, outcome: Outcome | None = None, after: float = 0.0
    ) -> None:
        look = None
        try:
            if outcome is None or isinstance(outcome, Confirmed | Unknown):
                request = forward(self.work.engine, self._claimed(trial.step))
                look = await provider.look_up(self.work.engine, request)
        finally:
            # Also if it is interrupted: an answer that is not recorded would not be undone.
            trial.observe(moment, outcome, look, after)

    async def _undo(self, trial: Trial, trials: Trials) -> None:
        """Undo what certainly is ours, and say what else may stand.

        Nothing in doubt is undone, nor, where there is a probe, anything that it did not show under
        our key: a lookup may show other people's effects.
        """
        step, undone = trial.step, set[str]()
        if trial.moments and self.effect.probe is not None and not step.is_shown:
            # An interrupt may have cut off the only lookup after an answer.
            await self._look(trial, "late")
        is_ours = step.is_shown or (self.effect.probe is None and step.state in BOUND)
        if is_ours and step.undo and not trial.doubts:
            ours = {name: row for name, row in trial.rows.items() if shows(row, step.step_id)}
            for name, result in {**ours, step.reference or "": step.result or {}}.items():
                key = undo_key(step.step_id)
                key += "" if name == step.reference else f"/{digest(name)[:12]}"
                undo = undo_of(self.work.engine, self._claimed(replace(step, result=result)))
                undo = replace(undo, key=key) if isinstance(undo, Request) else undo
                trials.undos.append(await self._undone(undo))
                undone |= {name} if trials.undos[-1][1] else set()
        left = [name for name in trial.moments if name not in undone]
        if trial.may_be_done and not trial.moments and not undone:
            left = ["possibly one effect"]
        if left:
            doubt = " (in doubt)" if trial.doubts else ""
            self.left.append(f"{', '.join(left)}{doubt}, under {step.step_id}")

    async def _undone(self, undo: Request | Declined) -> tuple[Outcome, bool]:
        if isinstance(undo, Declined):
            return undo, False
        engine = self.work.engine
        outcome, look = await provider.send(engine, undo)
        if isinstance(outcome, Unknown) and look is not None and look.event is not Event.FOUND:
            await self.work.clock.sleep(self.max_lag(undo.effect))
            look = await provider.look_up(engine, undo)
        is_found = look is not None and look.event is Event.FOUND
        is_settled = finds_none(engine, undo.claimed.step, outcome)
        return outcome, is_found or is_settled or isinstance(outcome, Confirmed)
