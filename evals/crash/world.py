"""What cells share: a database, a shop for each way to treat keys, a model, forks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.tools.shop.domain import SHOP
from evals.crash.script import Model
from evals.crash.server import Server, open_server
from evals.crash.shop import Mode, Shop, open_shops
from evals.forking import Forks, open_forks
from evals.model_server import serving

BUDGET = 1.0
"""Seconds that an attempt may take in these runs."""


@dataclass(frozen=True)
class World:
    """What cells run on.

    Attributes:
        database: the URL of the database.
        has_workers: whether `daybook worker` processes finish what died.
    """

    server: Server
    database: str
    postgres: Postgres
    shops: dict[Mode, Shop]
    model: Model
    model_url: str
    forks: Forks
    has_workers: bool = False


@asynccontextmanager
async def open_world(folder: Path) -> AsyncIterator[World]:
    """Start everything below a folder; nothing of it outlives the block."""
    model = Model()
    async with AsyncExitStack() as stack:
        models = stack.enter_context(serving({"crash": model.reply}))
        server = await stack.enter_async_context(open_server(folder))
        yield World(
            server,
            server.url,
            await stack.enter_async_context(opened(server.url)),
            await stack.enter_async_context(open_shops(folder)),
            model,
            models["crash"].url,
            await stack.enter_async_context(open_forks("evals.crash.player")),
        )


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Postgres]:
    """Open a database as the shop's agent does."""
    async with open_postgres(
        url, tenant_id="default", stored_types=SHOP.restored_types
    ) as postgres:
        yield postgres
