"""Run the replay: the shop as a process, Daybook on a Postgres of its own, and all contenders."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from daybook.checkpoints.embedded.postgres import embedded_postgres
from daybook.tools.shop.services import ShopServices, reach_shop
from evals.bench.database import new_database
from evals.context.catalogue import Shelf, shelves
from evals.context.contenders import Contender, contenders
from evals.context.figures import Replay
from evals.context.handing import Handed, interviewed, reviewed
from evals.context.ours import open_daybook
from evals.context.script import Turn, script
from evals.crash.shop import Shop

BUDGETS = (8_000, 5_000)
"""Tokens that Daybook's prompts may take: as by default, and less."""


@dataclass(frozen=True)
class Outside:
    """What the replay runs on.

    Attributes:
        url: an empty server of databases, as its owner.
    """

    shop: Shop
    services: ShopServices
    url: str


@dataclass(frozen=True)
class Played:
    """All that was played.

    Attributes:
        handed: what hand-overs came to, with Daybook alone.
    """

    turns: Sequence[Turn]
    replays: Sequence[Replay]
    handed: Sequence[Handed]


async def replayed(count: int) -> Played:
    """Play the script with Daybook and with all others; everything is gone afterwards.

    Args:
        count: turns of the script.

    Raises:
        EmbeddedPostgresError: the server did not start.
        ServiceUnavailable: the shop did not start.
        RuntimeError: they did not all do the same.
    """
    async with _outside() as outside:
        shelved = await shelves(outside.services.shop)
        turns = script(shelved, count)
        replays = []
        for contender in contenders(outside.services.shop):
            replays.append(await played(contender, turns))
        for budget in BUDGETS:
            # What the one before bought is in stock again.
            await outside.shop.ask("POST", "/admin/reset")
            url = await new_database(outside.url, f"context_{budget}")
            async with open_daybook(url, outside.services, budget) as daybook:
                replays.append(await played(daybook, turns))
        handed = await _handed(outside, shelved)
    check_same_course(replays)
    return Played(turns, replays, handed)


async def played(contender: Contender, turns: Sequence[Turn]) -> Replay:
    """Play the whole script with one contender."""
    for turn in turns:
        await contender.play(turn)
    return contender.replay()


def check_same_course(replays: Sequence[Replay]) -> None:
    """Check that all carts went through the same changes: else nothing here can be compared.

    Raises:
        RuntimeError: they did not.
    """
    ended = {replay.name: replay.asked[-1].revision for replay in replays}
    if len(set(ended.values())) > 1:
        raise RuntimeError(f"the carts ended at different revisions: {ended}")


async def _handed(outside: Outside, shelved: Sequence[Shelf]) -> list[Handed]:
    """Hand work over, each time in a new thread."""
    boots = next(shelf for shelf in shelved if shelf.category == "hiking-boots")
    url = await new_database(outside.url, "interview")
    async with open_daybook(url, outside.services, BUDGETS[0]) as daybook:
        interview = await interviewed(daybook)
    url = await new_database(outside.url, "reviewer")
    async with open_daybook(url, outside.services, BUDGETS[0]) as daybook:
        return [interview, await reviewed(daybook, boots)]


@asynccontextmanager
async def _outside() -> AsyncIterator[Outside]:
    with tempfile.TemporaryDirectory(prefix="daybook-context-") as folder:
        home = Path(folder)
        shop = Shop(home / "shop", "keyed")
        server = None
        try:
            await shop.start()
            await shop.ask("POST", "/admin/reset")
            server = await asyncio.to_thread(embedded_postgres, home / "postgres")
            services = await reach_shop(shop.url, shop.smtp_url)
            try:
                yield Outside(shop, services, server.url)
            finally:
                await services.close()
        finally:
            if server is not None:
                await asyncio.to_thread(server.close)
            await shop.close()
