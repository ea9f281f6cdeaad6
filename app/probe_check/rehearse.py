"""Send an effect to a sandbox, look it up and undo it as a runner would, without a ledger."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from daybook.app.probe_check.findings import Moment, Trial, Trials, may_have_happened
from daybook.nodes.running.work import Work
from daybook.nodes.sending.call import (
    Undoing,
    call_once,
    finds_none,
    look_for_undo,
    look_up,
    undo_once,
    undoing,
)
from daybook.nodes.sending.claim import Claimed
from daybook.state.effects.evidence import BOUND, Evidence, references
from daybook.state.effects.keys import undo_key
from daybook.state.effects.outcome import Confirmed, Declined, Outcome, Unknown
from daybook.state.effects.reference import shows
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.tools.boundary import made
from daybook.tools.calling import kept
from daybook.tools.checks.effect import needs_look
from daybook.tools.kinds import EffectTool
from daybook.tools.services.classify import is_reused
from daybook.tools.services.contract import Compared

Args = Mapping[str, Any]


@dataclass
class Rehearsal:
    """Try one effect.

    Attributes:
        other: arguments that differ, for the same key.
        declined: arguments that the sandbox declines.
        compares: how the service compares repeated requests, by its contract.
        left: what may still stand at the service, in words.
    """

    work: Work
    effect: EffectTool
    args: Args
    other: Args | None = None
    declined: Args | None = None
    compares: Compared = "unsaid"
    left: list[str] = field(default_factory=list)

    def max_lag(self, effect: EffectTool) -> float:
        """Return the seconds after which an effect that no lookup shows counts as not done."""
        patience = self.work.resources.patience
        return patience.settle_after(self.work.guarantees[effect.name]).total_seconds()

    async def run(self) -> Trials:
        """Try everything, and undo what certainly is ours, also when it is interrupted.

        Raises:
            ToolRefused, ServiceUnavailable, ToolFailed: `evidence` or `owner` failed.
        """
        effect, what = self.effect, f"`evidence` or `owner` of {self.effect.name}"
        evidence = made(what, lambda: kept(effect.evidence(self.args)))
        owner = made(what, lambda: kept(effect.owner(self.work.session)))
        first = self._trial([])
        trials = Trials(first, {"evidence": evidence, "owner": owner}, self.compares)
        try:
            await self._try(trials, first)
        finally:
            for trial in trials.all:
                if trial.is_pending:
                    await self._look(trial, "late")
                await self._undo_all(trial, trials)
        return trials

    async def _try(self, trials: Trials, first: Trial) -> None:
        if await self._ignores_key(trials):
            # The effects of others could not be told from those of this check.
            return
        await self._send(first, "first", self.args)
        if not trials.is_done or first.doubts or await self._ignores_key(trials):
            # A runner would ask a reviewer about a doubt, so nothing more is tried.
            return
        await self._send(first, "again", self.args)
        if self.other is not None:
            await self._send(first, "other", self.other)
        if self.declined is not None:
            trials.declined = self._trial(trials.all)
            for args in (self.declined, self.declined, self.args):
                await self._send(trials.declined, "again", args)
                if not isinstance(trials.declined.outcomes()[0], Declined):
                    break
        trials.second = self._trial(trials.all)
        await self._send(trials.second, "first", self.args)
        if self.effect.probe is not None:
            await self.work.clock.sleep(self.max_lag(self.effect))
        for trial in trials.all:
            await self._look(trial, "late")

    def _trial(self, before: Sequence[Trial]) -> Trial:
        effect, op = self.effect, f"probe-check/{secrets.token_hex(4)}"
        undo, now = effect.undo.tool if effect.undo is not None else None, self.work.clock.now()
        step = Step(op, 1, effect.name, effect.name, self.args, {}, {}, {}, False, undo, now)
        step.state = StepState.UNKNOWN
        held = {name: trial.step.step_id for trial in before for name in trial.moments}
        return Trial(step, effect.named, self.work.guarantees[effect.name], held)

    def _claimed(self, step: Step) -> Claimed:
        now, began = self.work.clock.now(), self.work.clock.monotonic()
        plan = Plan(plan_id=step.step_id, turn_id="")
        action = Action(0, "", step.tool, step.args, title="", summary=(), total=None)
        return Claimed(plan, action, step, now, began, began, first=step.intended_at)

    async def _ignores_key(self, trials: Trials) -> bool:
        claimed = self._claimed(self._trial([]).step)
        look = await look_up(self.work, self.effect, claimed, Unknown("never sent"))
        trials.unused += [look] if look is not None else []
        return look is not None and bool(look.matches)

    async def _send(self, trial: Trial, moment: Moment, args: Args) -> None:
        """Send once and look up at once; wait for an effect that the answer does not name."""
        effect, step, known = self.effect, trial.step, len(trial.moments)
        expected = made("`evidence`", lambda: kept(effect.expected(args, self.work.session)))
        if moment != "other" and step.state not in BOUND:
            step.args, step.evidence = args, expected
        trial.is_pending = True
        claimed = self._claimed(step)
        outcome = await call_once(self.work, effect, args, claimed, key=step.step_id)
        answered = self.work.clock.monotonic()
        await self._look(trial, moment, outcome)
        trial.is_pending = False

        async def is_shown() -> bool:
            if moment == "first":
                is_over = step.is_shown or bool(trial.doubts)
            else:
                is_over = isinstance(outcome, Confirmed) or len(trial.moments) > known
            if not is_over:
                await self._look(trial, moment, answered=answered)
            return is_over

        if isinstance(outcome, Confirmed | Unknown) and effect.probe and not is_reused(outcome):
            await self._poll(effect, is_shown)

    async def _look(
        self, trial: Trial, moment: Moment, outcome: Outcome | None = None, answered: float = 0.0
    ) -> None:
        after = self.work.clock.monotonic() - answered if answered else 0.0
        sent, claimed = outcome or Unknown("sent before"), self._claimed(trial.step)
        trial.observe(moment, outcome, await look_up(self.work, self.effect, claimed, sent), after)

    async def _poll(self, effect: EffectTool, is_over: Callable[[], Awaitable[bool]]) -> bool:
        """Ask until it is so; return False if it is not within the effect's max lag."""
        clock, pause = self.work.clock, 0.05
        ends = clock.monotonic() + self.max_lag(effect)
        while not await is_over():
            if (left := ends - clock.monotonic()) <= 0:
                return False
            await clock.sleep(min(pause, left))
            pause = min(pause * 1.5, 1.0)
        return True

    async def _undo_all(self, trial: Trial, trials: Trials) -> None:
        """Undo what certainly is ours, and say what else may stand.

        Nothing in doubt is undone, nor, where there is a probe, anything that it did not show under
        our key: a lookup may show other people's effects.
        """
        step, undone, probe = trial.step, set[str](), self.effect.probe
        is_ours = step.state in BOUND and not trial.doubts and (step.is_shown or probe is None)
        if is_ours and step.undo:
            ours = {name: row for name, row in trial.rows.items() if shows(row, step.step_id)}
            for name, result in {**ours, step.reference or "": step.result or {}}.items():
                key = undo_key(step.step_id) + ("" if name == step.reference else f"/{name}")
                undo = undoing(self.work, self._claimed(step), result, key)
                if await self._undo(undo, trials):
                    undone.add(name)
        left = [name for name in trial.moments if name not in undone]
        may_be_done = trial.is_pending or any(map(may_have_happened, trial.outcomes()))
        if may_be_done and not trial.moments and not undone:
            left = ["possibly one effect"]
        if left:
            doubt = " (in doubt)" if trial.doubts else ""
            self.left.append(f"{', '.join(left)}{doubt}, under {step.step_id}")

    async def _undo(self, undo: Undoing | Declined, trials: Trials) -> bool:
        """Undo one effect, the first one twice; return whether it is undone."""
        is_first = not trials.undos
        if isinstance(undo, Declined):
            trials.undos += [(undo, False)] if is_first else []
            return False
        outcome, is_undone = await self._undo_once(undo)
        if not is_first:
            return is_undone
        tool, declared = undo.effect, self.effect.undo
        trials.undos.append((outcome, is_undone))
        promised = self.work.guarantees[tool.name]
        if promised.provable and needs_look(promised) and declared and not declared.settled_by:
            # Only its lookup prevents a second undo: a runner looks instead of sending again.
            trials.is_undo_shown = await self._is_shown(undo)
        elif is_undone:
            trials.undos.append(await self._undo_once(undo))
        if tool.named is not None:
            look = await look_for_undo(self.work, undo) if tool.probe else None
            seen = [Evidence(outcome=one) for one, _ in trials.undos]
            trials.undo_names = set().union(
                *(references(one, tool.named) for one in [*seen, Evidence(look=look)])
            )
        return is_undone

    async def _undo_once(self, undo: Undoing) -> tuple[Outcome, bool]:
        outcome, is_found = await undo_once(self.work, undo)
        if isinstance(outcome, Unknown) and undo.effect.probe is not None:
            is_found = is_found or await self._is_shown(undo)
        is_settled = isinstance(outcome, Confirmed)
        is_settled |= finds_none(self.work, undo.claimed.step, outcome)
        return outcome, is_found or is_settled

    async def _is_shown(self, undo: Undoing) -> bool:
        async def is_found() -> bool:
            return (await look_for_undo(self.work, undo)).event is Event.FOUND

        return await self._poll(undo.effect, is_found)
