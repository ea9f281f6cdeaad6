"""What the cells share: a database, the shop, a model, forks, and where merchants reach us."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daybook.graph.merchants.resources import open_resources
from daybook.graph.merchants.settings import merchants_from
from daybook.graph.settings.environment import settings_from
from evals.crash.merchants.cells import Cell
from evals.crash.merchants.hears import Ear, listening
from evals.crash.merchants.script import reply, said
from evals.crash.merchants.shop import ITEM, Shop, open_shop
from evals.crash.server import open_server
from evals.forking import Forked, Forks, open_forks
from evals.model_server import serving

PLAYER = "evals.crash.merchants.player"

_LATE = "1"
"""DAYBOOK_MERCHANT_SECONDS: later than the shop's settling time."""

WALLET: dict[str, Any] = {
    "*": {
        "buyer": {"email": "ada@example.com"},
        "instruments": [
            {
                "id": "visa",
                "handler_id": "shop_card",
                "type": "card",
                "label": "Visa ending in 4242",
                "credential": {"type": "token", "token": "card_ada_1"},
            }
        ],
        "addresses": [
            {
                "id": "home",
                "label": "Home",
                "address": {
                    "street_address": "12 Birch Street",
                    "address_locality": "Portland",
                    "address_region": "OR",
                    "postal_code": "97205",
                    "address_country": "US",
                },
            }
        ],
    }
}


@dataclass(frozen=True)
class World:
    """What cells run on; `environment` is that of each process, but for what its cell says."""

    shop: Shop
    forks: Forks
    ear: Ear
    environment: dict[str, str]

    async def start(self, cell: Cell, at: str = "") -> Forked:
        """Start a process that buys, or goes on with it, and is killed at a moment."""
        merchant = f"{self.shop.url}#{'mcp' if cell.transport == 'mcp' else 'rest'}"
        thread = f"m-{cell.name}".replace("/", "-").replace("#", "-").replace("+", "-")
        (started,) = await self.forks.start(
            {
                "environment": {**self.environment, "DAYBOOK_MERCHANTS": merchant},
                "thread": thread,
                "says": said(self.shop.name, ITEM),
                "url": self.shop.url,
                "at": at,
            }
        )
        return started


@contextmanager
def _environment_of(given: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(given)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@asynccontextmanager
async def open_world(folder: Path) -> AsyncIterator[World]:
    """Start everything below a folder; nothing of it outlives the block."""
    (folder / "wallet.json").write_text(json.dumps(WALLET))
    async with AsyncExitStack() as stack:
        models = stack.enter_context(serving({"merchants": reply}))
        server = await stack.enter_async_context(open_server(folder))
        shop = await stack.enter_async_context(open_shop(folder))
        ear = await stack.enter_async_context(listening())
        environment = {
            "DATABASE_URL": server.url,
            "OPENAI_BASE_URL": models["merchants"].url,
            "OPENAI_MODEL": "scripted",
            "DAYBOOK_MERCHANTS": shop.url,
            "DAYBOOK_MERCHANT_SECONDS": _LATE,
            "DAYBOOK_PUBLIC_URL": ear.url,
            "DAYBOOK_WALLET": str(folder / "wallet.json"),
            "DAYBOOK_HOME": str(folder / "home"),
        }
        # What hears reads its settings there, as in any server.
        stack.enter_context(_environment_of(environment))
        ear.resources = await stack.enter_async_context(
            open_resources(settings_from(environment), merchants_from(environment))
        )
        forks = await stack.enter_async_context(open_forks(PLAYER))
        yield World(shop, forks, ear, environment)
