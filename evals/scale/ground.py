"""What everything here runs on: one Postgres with several databases, one shop, agents on both."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from daybook.graph.build import build
from daybook.graph.serve import Opened, Served
from daybook.graph.settings.environment import Settings, settings_from
from daybook.graph.shop.resources import open_resources
from daybook.tools.shop.domain import SHOP
from evals.crash.shop import Server, Shop, open_server


@dataclass(frozen=True)
class Ground:
    """A server and a shop; a database is made by name."""

    folder: Path
    server: Server
    shop: Shop

    def environment(self, url: str) -> dict[str, str]:
        """Return the variables by which a process finds a database and the shop."""
        return {
            "DATABASE_URL": url,
            "SHOP_URL": self.shop.url,
            "SMTP_URL": self.shop.smtp_url,
            "DAYBOOK_HOME": str(self.folder / "home"),
        }

    def settings(self, url: str) -> Settings:
        """Return the settings of a process that works on a database."""
        return settings_from(self.environment(url))


@asynccontextmanager
async def open_ground(folder: Path) -> AsyncIterator[Ground]:
    """Start server and shop; nothing of them outlives the block."""
    shop = Shop(folder / "shop", "keyed")
    async with open_server(folder) as server:
        try:
            await shop.start()
            yield Ground(folder, server, shop)
        finally:
            await shop.close()


@asynccontextmanager
async def open_agent(settings: Settings) -> AsyncIterator[Opened]:
    """Open the shop's agent as a server does: the console's pages find it too."""
    served = Served(SHOP, lambda: open_resources(settings))
    async with served.checkpointer():
        resources = served()
        graph = build(SHOP, lambda: resources, resources.postgres.saver)
        yield Opened(graph, SHOP, resources)
