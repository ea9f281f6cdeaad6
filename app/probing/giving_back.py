"""Give back what a rehearsal did at a sandbox, as far as a machine may; name what stands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from daybook.nodes.running.work import Work
from daybook.nodes.sending.call import (
    Undoing,
    finds_none,
    look_for_undo,
    look_up,
    undo_once,
    undoing,
)
from daybook.nodes.sending.claim import Claimed
from daybook.state.clock import Clock
from daybook.state.effects.evidence import Evidence, Result, references
from daybook.state.effects.keys import digest, undo_key
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.effects.rehearsal import Rehearsal
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event
from daybook.state.ledger.step import Step
from daybook.tools.checks.effect import needs_look
from daybook.tools.kinds import EffectTool
from daybook.tools.probed.finding import Undone
from daybook.tools.services.classify import is_reused

_PAUSES = (0.05, 1.0)
"""Seconds between two look-ups, at first and at most."""


async def until(end: float, clock: Clock) -> AsyncIterator[None]:
    """Wait for a moment at each step, more and more, and once more when the time is over.

    Args:
        end: as the clock's `monotonic` tells it.
    """
    pause, most = _PAUSES
    while (left := end - clock.monotonic()) > 0:
        await clock.sleep(min(pause, left))
        pause = min(pause * 1.5, most)
        yield


@dataclass
class Series:
    """What is tried under one key.

    Attributes:
        first: when the key was sent first, UTC.
        answered: this process's clock when the last answer came.
        is_cut_off: something was sent of which nothing was heard, because the check ended there.
    """

    tried: Rehearsal
    first: datetime
    answered: float = 0.0
    is_cut_off: bool = False

    @property
    def step(self) -> Step:
        """Return it as a step of the ledger would stand."""
        return self.tried.step

    @property
    def key(self) -> str:
        """Return the idempotency key."""
        return self.tried.step.step_id

    def claimed(self, clock: Clock) -> Claimed:
        """Make what a claim in the ledger would be."""
        now, began = clock.now(), clock.monotonic()
        step = self.tried.step
        plan = Plan(plan_id=step.step_id, turn_id="")
        action = Action(0, "", step.tool, step.args, title="", summary=(), total=None)
        return Claimed(plan, action, step, at=now, began=began, confirmed=began, first=self.first)


@dataclass
class GivingBack:
    """Undo an effect of several series.

    Attributes:
        standing: what was left standing at the other side, in words.
    """

    work: Work
    effect: EffectTool
    standing: list[str] = field(default_factory=list)

    async def all(self, series: Sequence[Series]) -> Undone | None:
        """Undo all that is ours, the first one twice; say what is left standing."""
        undone: Undone | None = None
        for one in series:
            for result, key in self._ours(one):
                if undone is None:
                    undone = await self._undo_twice(one, result, key)
                    is_gone = bool(undone.settled) and undone.settled[0]
                else:
                    is_gone = await self._undo(one, result, key)
                if not is_gone:
                    self.standing.append(f"{self._name(result)}, under {one.key}")
            self.standing.extend(self._left(one))
        # Of two requests under one key it may not be told whose effect it is.
        self.standing = list(dict.fromkeys(self.standing))
        return undone

    def _ours(self, one: Series) -> list[tuple[Result, str]]:
        """Return what a machine may undo, each with the key of its undo."""
        tried, key = one.tried, undo_key(one.key)
        if one.tried.is_beside:
            key += "/other"
        if tried.doubts or not tried.is_bound:
            return []
        bound = one.step.result or {}
        if self.effect.probe is not None and not one.step.is_shown:
            return []
        extras = [(row, f"{key}/{digest(dict(row))[:12]}") for row in tried.duplicates]
        return [(bound, key), *extras]

    def _left(self, one: Series) -> list[str]:
        """Say what may stand and is not for a machine to undo."""
        tried = one.tried
        ours = {self._name(result) for result, _ in self._ours(one)}
        if tried.doubts and not one.tried.is_beside:
            left = sorted(tried.names) or ["something"]
            return [f"{', '.join(left)} (in doubt), under {one.key}"]
        left = sorted(tried.names - ours - set(tried.held))
        left += [f"another {name}" for name in tried.twins()]
        may_be = one.is_cut_off or any(map(_may_be_done, tried.outcomes))
        if may_be and not (ours or tried.names):
            left = ["perhaps something" if self.effect.named is not None else "what was done"]
        return [f"{name}, under {one.key}" for name in left]

    async def _undo(self, one: Series, result: Result, key: str) -> bool:
        undo = self._made(one, result, key)
        if isinstance(undo, Declined):
            return False
        outcome, found = await self._sent(undo)
        return found or self._is_gone(one, outcome)

    def _is_gone(self, one: Series, outcome: Outcome) -> bool:
        """Tell whether an undo says that nothing is left; a sandbox was looked at before it."""
        return isinstance(outcome, Confirmed) or finds_none(self.work, one.step, outcome)

    async def _sent(self, undo: Undoing) -> tuple[Outcome, bool]:
        """Send an undo once; where its answer does not tell, look for it until D is over."""
        outcome, found = await undo_once(self.work, undo)
        if not isinstance(outcome, Unknown) or undo.effect.probe is None:
            return outcome, found
        return outcome, found or await self._is_shown(undo)

    async def _undo_twice(self, one: Series, result: Result, key: str) -> Undone:
        undo = self._made(one, result, key)
        if isinstance(undo, Declined):
            return Undone(impossible=undo.message)
        named = undo.effect.named
        outcomes: list[Outcome] = []
        settled: list[bool] = []
        names: set[str] = set()
        is_shown: bool | None = None
        is_looked_for = self._is_looked_for(undo)
        for _ in range(1 if is_looked_for else 2):
            outcome, found = await self._sent(undo)
            outcomes.append(outcome)
            settled.append(found or self._is_gone(one, outcome))
            names |= references(Evidence(outcome=outcome), named)
            if not settled[-1]:
                break
        if is_looked_for and settled[0]:
            is_shown = await self._is_shown(undo)
        if undo.effect.probe is not None:
            names |= references(Evidence(look=await look_for_undo(self.work, undo)), named)
        after = await look_up(
            self.work, self.effect, one.claimed(self.work.clock), Unknown("undone")
        )
        return Undone(
            outcomes=tuple(outcomes),
            settled=tuple(settled),
            names=frozenset(names),
            is_named=named is not None,
            is_shown=is_shown,
            after=after,
        )

    def _waits(self, undo: Undoing) -> float:
        """Return for how many seconds an undo may lag."""
        guarantees = self.work.guarantees[undo.effect.name]
        return self.work.resources.patience.settle_after(guarantees).total_seconds()

    def _is_looked_for(self, undo: Undoing) -> bool:
        """Tell whether nothing but a look keeps an undo from being sent, and done, again."""
        declared, guarantees = self.effect.undo, self.work.guarantees[undo.effect.name]
        settled_by = declared.settled_by if declared is not None else frozenset()
        return guarantees.provable and not settled_by and needs_look(guarantees)

    async def _is_shown(self, undo: Undoing) -> bool:
        """Look for an undo, until D is over."""
        ends = self.work.clock.monotonic() + self._waits(undo)
        is_shown = (await look_for_undo(self.work, undo)).event is Event.FOUND
        async for _ in until(ends, self.work.clock):
            if is_shown:
                break
            is_shown = (await look_for_undo(self.work, undo)).event is Event.FOUND
        return is_shown

    def _made(self, one: Series, result: Result, key: str) -> Undoing | Declined:
        if self.effect.undo is None:
            return Declined("no_undo", "it has no undo")
        return undoing(self.work, one.claimed(self.work.clock), result, key)

    def _name(self, result: Result) -> str:
        named = self.effect.named
        return (named(result) if named is not None else None) or "what was done"


def _may_be_done(outcome: Outcome) -> bool:
    return not isinstance(outcome, Declined | NotSent) and not is_reused(outcome)
