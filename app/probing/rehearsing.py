"""Rehearse an effect at a sandbox, as it would really be sent and looked up. No ledger is used."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from daybook.app.probing.giving_back import GivingBack, Series, until
from daybook.nodes.running.work import Work
from daybook.nodes.sending.call import call_once, look_up
from daybook.state.effects.evidence import Evidence, Look, references
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Declined, Unknown
from daybook.state.effects.rehearsal import Moment, Rehearsal
from daybook.state.ledger.recovery import StepState
from daybook.state.ledger.step import Step
from daybook.tools.boundary import made
from daybook.tools.calling import kept
from daybook.tools.kinds import EffectTool
from daybook.tools.probed.finding import Declared, Rehearsed
from daybook.tools.services.contract import Compared

Args = Mapping[str, Any]


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
            made(f"`evidence` of {effect.name}", lambda: kept(effect.evidence(self.args))),
            made(f"`owner` of {effect.name}", lambda: kept(effect.owner(session))),
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
            for one in series:
                if one.is_cut_off:
                    await self._look(one, "late")
            if seen.other is not None:
                # Under the same key, and no duplicate of the first.
                once.tried.keeps_apart(seen.other)
            giving_back = GivingBack(self.work, self.effect)
            seen.undone = await giving_back.all(series)
            self.standing += giving_back.standing
        return seen

    async def _try(self, seen: Rehearsed, series: list[Series]) -> None:
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

    def _series(self, name: str, under: Series | None = None) -> Series:
        """Begin with a key that was never used, or with the key of another series."""
        now = self.work.clock.now()
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
        tried.is_beside = under is not None
        return Series(tried, under.first if under else now)

    async def _send(self, series: Series, moment: Moment, args: Args) -> None:
        """Send it once and look it up at once, as an attempt does; keep what it is named."""
        effect, session = self.effect, self.work.session
        what = f"`evidence` of {effect.name}"
        expected = made(what, lambda: kept(effect.expected(args, session)))
        series.tried.about(args, expected)
        claimed = series.claimed(self.work.clock)
        series.is_cut_off = True
        outcome = await call_once(self.work, effect, args, claimed, key=series.key)
        series.answered = self.work.clock.monotonic()
        look = await look_up(self.work, effect, claimed, outcome)
        series.tried.observe(moment, outcome, look, self.work.clock.monotonic() - series.answered)
        series.is_cut_off = False
        for name in series.tried.names:
            self._there.setdefault(name, f"{series.step.name}, {series.key}")

    async def _look(self, series: Series, moment: Moment) -> None:
        after = self.work.clock.monotonic() - series.answered
        look = await look_up(
            self.work, self.effect, series.claimed(self.work.clock), Unknown("sent before")
        )
        if look is not None:
            series.tried.observe(moment, None, look, after)

    async def _until_shown(self, series: Series) -> None:
        """Look until it is shown, and once more when its time is over."""
        if self.effect.probe is None:
            return
        async for _ in until(series.answered + self.waits, self.work.clock):
            if series.tried.is_known:
                return
            await self._look(series, "once")

    async def _late(self, series: Sequence[Series]) -> None:
        """Look at everything once more, when nothing may come any more."""
        if self.effect.probe is None:
            return
        last = max(one.answered for one in series)
        await self.work.clock.sleep(max(last + self.waits - self.work.clock.monotonic(), 0))
        for one in series:
            await self._look(one, "late")

    async def _fails(self, series: Series, declined: Args) -> None:
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
        return await look_up(
            self.work, self.effect, series.claimed(self.work.clock), Unknown("never sent")
        )

    def _names(self, look: Look | None) -> set[str]:
        return references(Evidence(look=look), self.effect.named)
