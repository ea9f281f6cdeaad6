"""Kill what everything stands on, and start it again."""

from __future__ import annotations

import asyncio

from evals.crash.cells import Outage
from evals.crash.server import Server
from evals.crash.shop import Shop


async def strike(outage: Outage, server: Server, shop: Shop) -> None:
    """Kill Postgres, the shop or both at once, and start them again over what they left."""
    if outage.postgres:
        server.kill()
    if outage.shop:
        await shop.kill()
    back = []
    if outage.postgres:
        back.append(server.start())
    if outage.shop:
        back.append(shop.start())
    await asyncio.gather(*back)
