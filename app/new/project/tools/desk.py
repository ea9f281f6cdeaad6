"""The hire desk that the tools call: what its answers prove, and how effects are looked up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Any, TypeAlias

from daybook import EffectContext, Guarantees, HttpService, PlanContext, ReadContext
from daybook.domain import Contract

Reading: TypeAlias = ReadContext[HttpService]
Planning: TypeAlias = PlanContext[HttpService]
Acting: TypeAlias = EffectContext[HttpService]

KEYED = Guarantees(
    honours_key=True,
    stores_failures=True,
    retention=timedelta(days=1),
    settle=timedelta(seconds=1),
)
"""For effects with a key: the desk acts once per key, and a refusal is final."""

FOUND = Guarantees(settle=timedelta(seconds=1))
"""For effects without a key: a lookup shows them within a second after they were sent."""

DESK = Contract(
    name="the hire desk",
    guarantees=KEYED,
    declined={"taken", "card_declined", "no_hold"},
    code=(("error",),),
    message=(("message",),),
)


def looked_up(path: str) -> Callable[..., Awaitable[list[Mapping[str, Any]]]]:
    """Make the probe of an effect: it returns all that the desk has under its key."""

    async def probe(args: Mapping[str, Any], *, ctx: Acting) -> list[Mapping[str, Any]]:
        found = await ctx.services.get(path, reference=ctx.key)
        matches: list[Mapping[str, Any]] = found["matches"]
        return matches

    return probe
