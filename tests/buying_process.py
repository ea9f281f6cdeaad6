"""A process that buys one pair of boots, to be killed in the middle.

Run as a module with a database URL, the shop's two URLs and a thread id.
"""

import asyncio
import sys

import httpx

from daybook.checkpoints.postgres import open_postgres
from daybook.tools.shop.domain import SHOP
from tests.conftest import Shop, shop_agent
from tests.purchases import bought


async def buy(database_url: str, shop_url: str, smtp_url: str, thread_id: str) -> None:
    """Put boots into the cart, check out and approve."""
    with httpx.Client(base_url=shop_url) as http:
        shop = Shop(shop_url, smtp_url, http)
        async with (
            open_postgres(
                database_url, tenant_id="default", stored_types=SHOP.restored_types
            ) as postgres,
            shop_agent(postgres, shop) as agent,
        ):
            await bought(agent, thread=thread_id)


if __name__ == "__main__":
    asyncio.run(buy(*sys.argv[1:]))
