"""What `daybook doctor` looks at for merchants: each of them, and the wallet."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from daybook.graph.check import Check, Verdict, within_limit
from daybook.graph.merchants.resources import merchant_services
from daybook.graph.merchants.settings import merchants_from
from daybook.graph.settings.environment import MERCHANTS, Settings
from daybook.state.errors import ConfigurationError, ServiceUnavailable
from daybook.tools.merchants.merchant import Merchant

_NEEDED = ("checkout",)
_USEFUL = ("catalog.search", "catalog.lookup", "order", "fulfillment")


async def merchant_checks(settings: Settings) -> list[Check]:
    """Speak to each merchant that is named, and see that there is a wallet."""
    try:
        merchants = merchants_from()
        services = merchant_services(merchants)
    except ConfigurationError as error:
        return [Check("merchants", Verdict.WRONG, str(error))]
    try:
        if not merchants.places:
            advice = f"Set {MERCHANTS}, or: daybook chat --merchant https://..."
            return [Check("merchants", Verdict.NOT_YET, "none is named", advice)]
        found = await asyncio.gather(
            *(within_limit(one.name, _merchant(one)) for one in services.merchants)
        )
        told = [check for checks in found for check in checks]
        return [*told, _wallet(merchants.wallet is not None)]
    finally:
        with suppress(OSError):
            await services.close()


async def _merchant(merchant: Merchant) -> list[Check]:
    try:
        profile = await merchant.profile()
    except ServiceUnavailable as error:
        why, _, _ = str(error).partition(" Nothing was changed")
        advice = f"Nothing can be bought from it now. See that {merchant.url} is its URL."
        return [Check(merchant.name, Verdict.WRONG, why, advice)]
    over = f"version {profile.version} over {profile.transport}"
    if lacking := [one for one in _NEEDED if not profile.can(one)]:
        found = f"{over}; it offers no {', '.join(lacking)}"
        return [Check(merchant.name, Verdict.WRONG, found, "Nothing can be bought from it.")]
    offered = [one for one in _USEFUL if profile.can(one)]
    told = [f"{over}; {', '.join(['checkout', *offered])}"]
    if not profile.keys:
        told.append("it shows no keys, so orders are asked for and nothing it tells is believed")
    return [Check(merchant.name, Verdict.OK, "; ".join(told))]


def _wallet(is_there: bool) -> Check:
    if is_there:
        return Check("wallet", Verdict.OK, "it can be read")
    advice = "Nothing can be paid; set DAYBOOK_WALLET (docs/merchants.md)."
    return Check("wallet", Verdict.NOT_YET, "there is none", advice)
