"""Whether what people bought happened once: the ledger against the shop's own record."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

from daybook.state.clock import SYSTEM
from evals.load.people import Shopper
from evals.load.world import World
from evals.storm.audit import Account, audit

_CALM_S = 120.0

# What is in doubt waits for a person.
_UNSETTLED = "select count(*) from open_step where state <> 'in_doubt'"


async def account(world: World, shoppers: Sequence[Shopper]) -> Account:
    """Compare ledger and shop for all that was bought, once nothing is under way any more."""
    await settled(world)
    bought: list[Any] = [
        SimpleNamespace(thread_id=thread, user=one.user, approved=0)
        for one in shoppers
        for thread in one.threads
    ]
    found = await audit(cast(Any, bought), world.postgres, world.shop)
    found.approved = sum(one.approved for one in shoppers)
    return found


async def settled(world: World) -> None:
    """Wait until nothing is under way, or for so long that the account tells what is left."""
    over = SYSTEM.monotonic() + _CALM_S
    while SYSTEM.monotonic() < over:
        async with world.postgres.pool.connection() as conn:
            row = await (await conn.execute(_UNSETTLED)).fetchone()
        if row and not row["count"]:
            return
        await SYSTEM.sleep(0.5)
