"""Run an effect at a sandbox: send it, look it up and undo it like a runner, without a ledger."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace

from daybook.app.probe_check.findings import Moment, Trial, Trials
from daybook.nodes.effects import provider
from daybook.nodes.effects.compensation import finds_none, undo_of
from daybook.nodes.effects.engine import Claimed
from daybook.nodes.effects.provider import forward
from daybook.nodes.running.work import Work
from daybook.state.effects.evidence import BOUND, Result
from daybook.state.effects.keys import digest, undo_key
from daybook.state.effects.outcome import Confirmed, Declined, Outcome, Unknown
from daybook.state.effects.reference import shows
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.tools.boundary import made
from daybook.tools.calling import storable_mapping
from daybook.tools.kinds import EffectTool


@dataclass
class Rehearsal:
    """Try one effect."""

    work: Work
    effect: EffectTool
    args: Result

    def __post_init__(self) -> None:
        work, effect, owners = self.work, self.effect, dict[str, str]()
        undo, promised = effect.undo.tool if effect.undo else None, work.guarantees[effect.name]
        self.max_lag = work.resources.patience.settle_after(promised).total_seconds()

        def trial() -> Trial:
            about = (f"probe-check/{secrets.token_hex(4)}", 1, effect.name, effect.name, self.args)
            step = Step(*about, {}, {}, {}, False, undo, work.clock.now(), state=StepState.UNKNOWN)
            return Trial(step, effect.reference_of, promised, owners)

        self.trials = Trials(trial(), trial(), trial())

    async def run(self) -> Trials:
        """Try everything, and undo what certainly is ours, also if it is interrupted.

        Raises:
            ToolRefused, ServiceUnavailable, ToolFailed: `evidence` or `owner` failed.
        """
        try:
            await self._try(self.trials.first, self.trials.second, self.trials.unused)
        finally:
            for trial in (self.trials.first, self.trials.second):
                await self._undo(trial)
        return self.trials

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
            await self.work.clock.sleep(self.max_lag)
        for trial in (first, second):
            await self._look(trial, "late")

    def _claimed(self, step: Step) -> Claimed:
        now, began = self.work.clock.now(), self.work.clock.monotonic()
        action = Action(0, "", step.tool, step.args, title="", summary=(), total=None)
        plan = Plan(plan_id=step.step_id, turn_id="")
        return Claimed(plan, action, step, now, began, began, first=step.intended_at)

    async def _send(self, trial: Trial, moment: Moment) -> None:
        """Send once and look up at once; wait for an effect that the answer does not name."""
        clock, known = self.work.clock, len(trial.moments)
        if trial.step.state not in BOUND:
            expect = lambda: storable_mapping(self.effect.expected(self.args, self.work.session))  # noqa: E731
            trial.step.evidence = made("`evidence`", expect)
        outcome: Outcome = Unknown("the check was interrupted")
        try:
            request = forward(self.work.engine, self._claimed(trial.step))
            outcome = await provider.call(self.work.engine, request)
        finally:
            answered = clock.monotonic()
            await self._look(trial, moment, outcome)
        is_awaited = isinstance(outcome, Unknown)
        is_awaited |= isinstance(outcome, Confirmed) and moment == "first"
        pause, ends = 0.05, answered + self.max_lag
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

    async def _undo(self, trial: Trial) -> None:
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
                if await self._is_undone(replace(step, result=result), key):
                    undone.add(name)
        left = [name for name in trial.moments if name not in undone]
        if trial.may_be_done and not trial.moments and not undone:
            left = ["possibly one effect"]
        if left:
            doubt = " (in doubt)" if trial.doubts else ""
            self.trials.left.append(f"{', '.join(left)}{doubt}, under {step.step_id}")

    async def _is_undone(self, step: Step, key: str) -> bool:
        engine = self.work.engine
        undo = undo_of(engine, self._claimed(step))
        if isinstance(undo, Declined):
            self.trials.undos.append((undo, False))
            return False
        outcome, look = await provider.send(engine, replace(undo, key=key))
        is_found = look is not None and look.event is Event.FOUND
        is_undone = is_found or finds_none(engine, step, outcome) or isinstance(outcome, Confirmed)
        self.trials.undos.append((outcome, is_undone))
        return is_undone
