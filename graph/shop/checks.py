"""What `daybook doctor` looks at for the demo shop: the shop, and its mail server."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

from daybook.checkpoints.kept.keeper import KeeperError
from daybook.graph.check import SECONDS, Check, Verdict, within_limit
from daybook.graph.settings.environment import Settings
from daybook.graph.shop.resources import keep_shop, shop_has_data
from daybook.tools.services.mail import MailService
from daybook.tools.shop.services import reach_shop


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
