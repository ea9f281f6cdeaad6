"""Whether what people bought happened once: the ledger against the shop's own record."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

from daybook.checkpoints.pool import rows_of
from daybook.state.clock import SYSTEM
from evals.load.people import Shopper
from evals.load.world import World
from evals.storm.audit import Account, audit

_CALM_S = 120.0
_PAUSE_S = 0.5

_OPEN = "select thread_id, state from open_step"


async def account(world: World, shoppers: Sequence[Shopper]) -> Account:
    """Compare ledger and shop for all that was bought, once nothing is under way any more."""
    await _settled(world)
    bought: list[Any] = [
        SimpleNamespace(thread_id=thread, user=one.user, approved=0)
        for one in shoppers
        for thread in one.threads
    ]
    found = await audit(cast(Any, bought), world.postgres, world.shop)
    found.approved = sum(one.approved for one in shoppers)
    return found


async def doubts_settled(world: World, everybody: Sequence[Shopper]) -> int:
    """Let people look what became of mails that were cut off, and answer; return of how many."""
    answered = set[str]()
    over = SYSTEM.monotonic() + _CALM_S
    while SYSTEM.monotonic() < over and (left := await rows_of(world.postgres.pool, _OPEN)):
        doubted = {row["thread_id"] for row in left if row["state"] == "in_doubt"}
        sent = {str(one["reference"]) for one in await world.shop.effects()}
        for one in everybody:
            for thread in doubted.intersection(one.threads):
                if await one.settles(thread, sent):
                    answered.add(thread)
        await SYSTEM.sleep(_PAUSE_S)
    return len(answered)


async def _settled(world: World) -> None:
    """Wait until nothing is open, or for so long that the account tells what is left."""
    over = SYSTEM.monotonic() + _CALM_S
    while SYSTEM.monotonic() < over and await rows_of(world.postgres.pool, _OPEN):
        await SYSTEM.sleep(_PAUSE_S)
