"""Open what the demo shop's graph runs on, and close it again."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path

from daybook.checkpoints.kept.keeper import OUTPUT, Kept, keep
from daybook.checkpoints.postgres import Postgres
from daybook.graph.database import open_database_of
from daybook.graph.model.chosen import caching_of, chosen_model
from daybook.graph.serve import Opened, Served
from daybook.graph.settings.environment import Settings
from daybook.graph.settings.limits import limits_of
from daybook.nodes.running.work import Resources
from daybook.state.effects.guarantees import Patience
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.services import reach_shop


@asynccontextmanager
async def open_shop_agent(
    settings: Settings, *, patience: Patience | None = None
) -> AsyncIterator[Opened]:
    """Open what the shop's agent runs on, and build it with a checkpointer of its own.

    Raises:
        DaybookError: something cannot be started or reached (see `open_resources`).
    """
    async with Served(SHOP, lambda: open_resources(settings, patience=patience)).open() as opened:
        yield opened


@asynccontextmanager
async def open_resources(
    settings: Settings, *, patience: Patience | None = None, beside: Sequence[type] = ()
) -> AsyncIterator[Resources]:
    """Open database, shop and model, starting what the settings do not name.

    Args:
        beside: what checkpoints of other graphs hold, where one server keeps them together.

    Raises:
        EmbeddedPostgresError: the embedded Postgres did not start.
        KeeperError: the shop did not start.
        ServiceUnavailable: the shop cannot be reached.
        DatabaseUnavailable: the database cannot be reached.
        ConfigurationError, DeclarationError: the rules of DAYBOOK_POLICY cannot be used.
    """
    limits = limits_of(settings, SHOP)
    if patience is not None:
        limits["patience"] = patience
    async with AsyncExitStack() as stack:
        postgres = await stack.enter_async_context(open_database(settings, beside))
        shop_url, smtp_url = settings.shop_url, settings.smtp_url
        if shop_url is None or smtp_url is None:
            shop = await asyncio.to_thread(keep_shop, settings.home)
            stack.callback(shop.close)
            shop_url, smtp_url = shop.answer
        services = await reach_shop(shop_url, smtp_url)
        stack.push_async_callback(services.close)
        model = await stack.enter_async_context(chosen_model(settings, SHOP))
        yield Resources(
            postgres=postgres,
            model=model,
            caching=caching_of(model),
            services=services,
            promises=services.guarantees,
            world=services.shop_id,
            user=SHOP.user,
            **limits,
        )


def open_database(
    settings: Settings, beside: Sequence[type] = ()
) -> AbstractAsyncContextManager[Postgres]:
    """Open the shop's database: the one that the settings name, else the embedded one.

    Raises:
        EmbeddedPostgresError: the embedded Postgres did not start.
        DatabaseUnavailable: the database cannot be reached.
    """
    return open_database_of(SHOP, settings, beside)


def keep_shop(home: Path) -> Kept[tuple[str, str]]:
    """Use the shop whose data are below `home / "shop"`, and start it if nobody does yet."""
    folder = home.absolute() / "shop"

    def urls() -> tuple[str, str] | None:
        """Read the line that the shop prints when both its servers listen."""
        lines = (folder / OUTPUT).read_text().splitlines() if (folder / OUTPUT).exists() else []
        if not lines:
            return None
        started = json.loads(lines[0])
        return started["shop_url"], started["smtp_url"]

    command = [sys.executable, "-m", "daybook.demo.shop", "--port", "0", "--smtp-port", "0"]
    return keep(folder, [*command, "--db", str(folder / "shop.sqlite")], ready=urls)


def shop_has_data(home: Path) -> bool:
    """Tell whether a shop of our own has been started over `home` before."""
    return (home / "shop" / "shop.sqlite").exists()
