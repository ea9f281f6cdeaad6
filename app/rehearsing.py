"""Rehearse an effect at a sandbox, as it would really be sent and looked up. No ledger is used."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from nodes.call import Undoing, call_once, is_undone, look_for_undo, look_up, undo_once, undoing
from nodes.claim import Claimed
from nodes.work import Work
from state.deadline import clock
from state.evidence import Evidence, Look, Result, references
from state.guarantees import Guarantees
from state.keys import digest, undo_key
from state.outcome import Declined, NotSent, Outcome, Unknown
from state.plan import Action, Plan
from state.recovery import StepState
from state.rehearsal import Moment, Rehearsal
from state.step import Step
from tools.boundary import made
from tools.classify import is_reused
from tools.contract import Compared
from tools.kinds import EffectTool
from tools.probed.finding import Declared, Rehearsed, Undone

_PAUSES = (0.05, 1.0)
"""Seconds between two look-ups, at first and at most."""

Args = Mapping[str, Any]


@dataclass
class _Series:
    """Hold what is tried under one key.

    Attributes:
        first: when the key was sent first, UTC.
        is_beside: its key is that of another series.
        answered: this process's clock when the last answer came.
        is_cut_off: something was sent of which nothing was heard, because the check ended there.
    """

    tried: Rehearsal
    first: datetime
    is_beside: bool
    answered: float = 0.0
    is_cut_off: bool = False

    @property
    def step(self) -> Step:
        return self.tried.step

    @property
    def key(self) -> str:
        return self.tried.step.step_id

    def claimed(self) -> Claimed:
        """Make what a claim in the ledger would be."""
        now, began = datetime.now(UTC), clock()
        step = self.tried.step
        plan = Plan(plan_id=step.step_id, turn_id="")
        action = Action(0, "", step.tool, step.args, title="", summary=(), total=None)
        return Claimed(plan, action, step, at=now, began=began, confirmed=began, first=self.first)


@dataclass
class Rehearsing:
    """Rehearse one effect.

    Args:
        other: arguments that differ, for the same key.
        declined: arguments that the sandbox declines.
        compares: how the service tells a repeated request, as its contract says.

    Attributes:
        standing: what was left standing at the other side, in words.
    """

    work: Work
    effect: EffectTool
    args: Args
    other: Args | None = None
    declined: Args | None = None
    compares: Compared = "unsaid"
    standing: list[str] = field(default_factory=list)
    _there: dict[str, str] = field(default_factory=dict)

    @property
    def promised(self) -> Guarantees:
        """Return what is guaranteed of the effect."""
        return self.work.guarantees[self.effect.name]

    @property
    def waits(self) -> float:
        """Return after how many seconds what is not shown is taken for not done."""
        patience = self.work.resources.patience
        return patience.settle_after(self.promised).total_seconds()

    @property
    def declared(self) -> Declared:
        """Return what is declared of the effect with these arguments.

        Raises:
            ToolRefused, ServiceUnavailable, ToolFailed: `evidence` or `owner` cannot be made.
        """
        effect, session = self.effect, self.work.session
        return Declared(
            self.promised,
            effect.named,
            made(f"`evidence` of {effect.name}", lambda: dict(effect.evidence(self.args))),
            made(f"`owner` of {effect.name}", lambda: dict(effect.owner(session))),
            effect.undo.tool if effect.undo is not None else None,
            self.compares,
            self.waits,
        )

    async def run(self) -> Rehearsed:
        """Try all there is to try, and undo at the end what may be undone by a machine."""
        before = await self._unused()
        self._there |= dict.fromkeys(self._names(before), "what was there before")
        once = self._series("sent once")
        seen = Rehearsed(once.tried, [before] if before else [])
        series = [once]
        try:
            await self._try(seen, series)
        finally:
            # Also where a person interrupts it: nothing is left standing that need not be.
            seen.undone = await self._undo_all(series)
        return seen

    async def _try(self, seen: Rehearsed, series: list[_Series]) -> None:
        (once,) = series
        await self._send(once, "once", self.args)
        if not seen.is_done:
            return
        await self._until_shown(once)
        if seen.breaks_off:
            # A person would be asked here, and what is in doubt is not undone by a machine.
            return
        if (unused := await self._unused()) is not None:
            seen.unused.append(unused)
        await self._send(once, "again", self.args)
        if self.other is not None:
            series.append(other := self._series("other arguments", once))
            seen.other = other.tried
            await self._send(other, "once", self.other)
            # It is under the same key, and no duplicate of the first.
            once.tried.keeps_apart(other.tried)
        if self.declined is not None:
            series.append(declined := self._series("declined"))
            seen.declined = declined.tried
            await self._fails(declined, self.declined)
        series.append(second := self._series("another key"))
        seen.second = second.tried
        await self._send(second, "once", self.args)
        await self._late(series)

    # -- sending and looking -----------------------------------------------------------------------

    def _series(self, name: str, under: _Series | None = None) -> _Series:
        """Begin with a key that was never used, or with the key of another series."""
        now = datetime.now(UTC)
        step = Step(
            op=under.step.op if under else f"probe-check/{secrets.token_hex(4)}",
            gen=1,
            name=name,
            tool=self.effect.name,
            args={},
            binds={},
            preconditions={},
            evidence={},
            pivot=False,
            undo=self.effect.undo.tool if self.effect.undo is not None else None,
            intended_at=now,
            state=StepState.UNKNOWN,
            counted=frozenset(self._there),
        )
        tried = Rehearsal(step, self.effect.named, self.promised, self._there.copy())
        return _Series(tried, under.first if under else now, is_beside=under is not None)

    async def _send(self, series: _Series, moment: Moment, args: Args) -> None:
        """Send it once and look it up at once, as an attempt does; keep what it is named."""
        effect = self.effect
        expected = made(
            f"`evidence` of {effect.name}", lambda: effect.expected(args, self.work.session)
        )
        series.tried.about(args, expected)
        claimed = series.claimed()
        series.is_cut_off = True
        outcome = await call_once(self.work, effect, args, claimed, key=series.key)
        series.answered = clock()
        look = await look_up(self.work, effect, claimed, outcome)
        series.tried.observe(moment, outcome, look, clock() - series.answered)
        series.is_cut_off = False
        for name in series.tried.names:
            self._there.setdefault(name, f"{series.step.name}, {series.key}")

    async def _look(self, series: _Series, moment: Moment) -> None:
        after = clock() - series.answered
        look = await look_up(self.work, self.effect, series.claimed(), Unknown("sent before"))
        if look is not None:
            series.tried.observe(moment, None, look, after)

    async def _until_shown(self, series: _Series) -> None:
        """Look until it is shown, and once more when its time is over."""
        pause, most = _PAUSES
        while self.effect.probe is not None and not series.tried.is_known:
            left = series.answered + self.waits - clock()
            if left > 0:
                await asyncio.sleep(min(pause, left))
            pause = min(pause * 1.5, most)
            await self._look(series, "once")
            if left <= 0:
                return

    async def _late(self, series: Sequence[_Series]) -> None:
        """Look at everything once more, when nothing may come any more."""
        if self.effect.probe is None:
            return
        last = max(one.answered for one in series)
        await asyncio.sleep(max(last + self.waits - clock(), 0))
        for one in series:
            await self._look(one, "late")

    async def _fails(self, series: _Series, declined: Args) -> None:
        """Send what is declined twice, and then what is not, under one key."""
        for args in (declined, declined, self.args):
            await self._send(series, "again" if series.tried.seen else "once", args)
            first = series.tried.outcomes[0]
            if not isinstance(first, Declined) or first.at_the_door:
                return

    async def _unused(self) -> Look | None:
        """Look a key up that was never used."""
        series = self._series("unused")
        series.tried.about(self.args, {})
        return await look_up(self.work, self.effect, series.claimed(), Unknown("never sent"))

    def _names(self, look: Look | None) -> set[str]:
        return references(Evidence(look=look), self.effect.named)

    # -- undoing -----------------------------------------------------------------------------------

    async def _undo_all(self, series: Sequence[_Series]) -> Undone | None:
        """Undo all that is ours, the first one twice; say what is left standing."""
        undone: Undone | None = None
        for one in series:
            if one.is_cut_off:
                await self._look(one, "late")
            for result, key in self._ours(one):
                if undone is None:
                    undone = await self._undo_twice(one, result, key)
                    is_gone = bool(undone.settled) and undone.settled[0]
                else:
                    is_gone = await self._undo(one, result, key)
                if not is_gone:
                    self.standing.append(f"{self._name(result)}, under {one.key}")
            self.standing.extend(self._left(one))
        return undone

    def _ours(self, one: _Series) -> list[tuple[Result, str]]:
        """Return what a machine may undo, each with the key of its undo."""
        tried, key = one.tried, undo_key(one.key)
        if one.is_beside:
            key += "/other"
        if tried.doubts or not tried.is_bound:
            return []
        bound = one.step.result or {}
        if self.effect.probe is not None and not one.step.is_shown:
            return []
        extras = [(row, f"{key}/{digest(dict(row))[:12]}") for row in tried.duplicates]
        return [(bound, key), *extras]

    def _left(self, one: _Series) -> list[str]:
        """Say what may stand and is not for a machine to undo."""
        tried = one.tried
        ours = {self._name(result) for result, _ in self._ours(one)}
        if tried.doubts and not one.is_beside:
            left = sorted(tried.names) or ["something"]
            return [f"{', '.join(left)} (in doubt), under {one.key}"]
        left = sorted(tried.names - ours - set(tried.held))
        left += [f"another {name}" for name in tried.twins()]
        may_be = one.is_cut_off or any(map(_may_be_done, tried.outcomes))
        if may_be and not (ours or tried.names):
            left = ["perhaps something" if self.effect.named is not None else "what was done"]
        return [f"{name}, under {one.key}" for name in left]

    async def _undo(self, one: _Series, result: Result, key: str) -> bool:
        undo = self._made(one, result, key)
        if isinstance(undo, Declined):
            return False
        outcome, found = await undo_once(self.work, undo)
        return found or is_undone(self.work, one.step, outcome)

    async def _undo_twice(self, one: _Series, result: Result, key: str) -> Undone:
        undo = self._made(one, result, key)
        if isinstance(undo, Declined):
            return Undone(impossible=undo.message)
        named = undo.effect.named
        outcomes: list[Outcome] = []
        settled: list[bool] = []
        names: set[str] = set()
        for _ in range(2):
            outcome, found = await undo_once(self.work, undo)
            outcomes.append(outcome)
            settled.append(found or is_undone(self.work, one.step, outcome))
            names |= references(Evidence(outcome=outcome), named)
            if not settled[-1]:
                break
        if undo.effect.probe is not None:
            names |= references(Evidence(look=await look_for_undo(self.work, undo)), named)
        after = await look_up(self.work, self.effect, one.claimed(), Unknown("undone"))
        return Undone(
            outcomes=tuple(outcomes),
            settled=tuple(settled),
            names=frozenset(names),
            is_named=named is not None,
            after=after,
        )

    def _made(self, one: _Series, result: Result, key: str) -> Undoing | Declined:
        if self.effect.undo is None:
            return Declined("no_undo", "it has no undo")
        return undoing(self.work, one.claimed(), result, key)

    def _name(self, result: Result) -> str:
        named = self.effect.named
        return (named(result) if named is not None else None) or "what was done"


def _may_be_done(outcome: Outcome) -> bool:
    return not isinstance(outcome, Declined | NotSent) and not is_reused(outcome)
