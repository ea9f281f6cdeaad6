"""Open and close the resources of the demo shop's graph, and check them for `daybook doctor`."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from daybook.checkpoints.kept.keeper import OUTPUT, KeeperError, Kept, keep, kept_beside
from daybook.graph.database import open_database_of
from daybook.graph.model.choice import caching_of, chosen_model
from daybook.graph.serve import SECONDS, Check, Opened, Served, Verdict, within_limit
from daybook.graph.settings.environment import Settings
from daybook.graph.settings.limits import limits_of
from daybook.nodes.running.work import Resources
from daybook.state.effects.guarantees import Patience
from daybook.state.extras import require_demo
from daybook.tools.services.mail import MailService
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
        own, shop_url, smtp_url = None, settings.shop_url or "", settings.smtp_url or ""
        if not (shop_url and smtp_url):
            own = await stack.enter_async_context(kept_beside(partial(keep_shop, settings.home)))
        postgres = await stack.enter_async_context(open_database_of(SHOP, settings, beside))
        if own is not None:
            shop_url, smtp_url = (await own).answer
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


def keep_shop(home: Path) -> Kept[tuple[str, str]]:
    """Use the shop whose data are below `home / "shop"`, and start it if nobody does yet."""
    require_demo()
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


async def shop_checks(settings: Settings) -> list[Check]:
    """Check the shop and the mail server that the settings name, else our own if it has data."""
    with ExitStack() as stack:
        if settings.shop_url is not None and settings.smtp_url is not None:
            shop_url, smtp_url = settings.shop_url, settings.smtp_url
        elif not shop_has_data(settings.home):
            found = f"no data below {settings.home}: a shop of our own was never started"
            return [Check("shop", Verdict.NOT_YET, found, "The first `daybook chat` does it.")]
        else:
            try:
                kept = await asyncio.to_thread(keep_shop, settings.home)
            except KeeperError as error:
                return [Check("shop", Verdict.WRONG, str(error))]
            stack.callback(kept.close)
            shop_url, smtp_url = kept.answer
        both = await asyncio.gather(
            within_limit("shop", _shop(shop_url, smtp_url)), within_limit("mail", _mail(smtp_url))
        )
        return [check for checks in both for check in checks]


async def _shop(shop_url: str, smtp_url: str) -> list[Check]:
    services = await reach_shop(shop_url, smtp_url)
    await services.close()
    return [Check("shop", Verdict.OK, f"{shop_url} answers; its currency is {services.currency}")]


async def _mail(smtp_url: str) -> list[Check]:
    await MailService(smtp_url).greet(SECONDS)
    return [Check("mail", Verdict.OK, f"{smtp_url} answers")]
