"""What `daybook doctor` looks at for merchants: each of them, and the wallet."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import httpx

from daybook.graph.check import Check, Verdict, within_limit
from daybook.graph.merchants.resources import merchant_services
from daybook.graph.merchants.settings import MerchantSettings, merchants_from
from daybook.graph.settings.environment import MERCHANTS, Settings
from daybook.state.errors import ConfigurationError, ServiceUnavailable
from daybook.tools.merchants.ap2.authorization import CAPABILITY
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.services import MerchantServices
from daybook.tools.merchants.ucp.keys import signing_key
from daybook.tools.merchants.wallet import NoWallet

_NEEDED = ("checkout",)
_SECONDS = 5.0
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
        ours = await _profile(services, merchants)
        return [*told, *ours, _wallet(services.wallet)]
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
    over = f"version {profile.version} over {profile.endpoint.transport}"
    if lacking := [one for one in _NEEDED if not profile.can(one)]:
        found = f"{over}; it offers no {', '.join(lacking)}"
        return [Check(merchant.name, Verdict.WRONG, found, "Nothing can be bought from it.")]
    offered = [one for one in _USEFUL if profile.can(one)]
    told = [f"{over}; {', '.join(['checkout', *offered])}"]
    if profile.can(CAPABILITY):
        told.append("it takes orders with a mandate")
    if not profile.keys:
        told.append("it shows no keys, so orders are asked for and nothing it tells is believed")
    return [Check(merchant.name, Verdict.OK, "; ".join(told))]


async def _profile(services: MerchantServices, merchants: MerchantSettings) -> list[Check]:
    """See that our profile stands where merchants who take mandates look for our key."""
    wanted = [one.name for one in services.merchants if await _takes_mandates(one)]
    if not wanted:
        return []
    url, key_id = merchants.profile_url, signing_key(merchants.key).key_id
    advice = (
        f"{', '.join(wanted)} looks there for the key of our mandates, and takes no order without "
        "it: let `daybook serve` run, and set DAYBOOK_PUBLIC_URL."
    )
    try:
        async with httpx.AsyncClient(timeout=_SECONDS, follow_redirects=False) as http:
            shown = (await http.get(url)).json()["keys"]
        names = {one["kid"] for one in shown}
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        return [Check("our profile", Verdict.WRONG, f"{url} cannot be read", advice)]
    if key_id not in names:
        return [Check("our profile", Verdict.WRONG, f"{url} shows another key", advice)]
    return [Check("our profile", Verdict.OK, f"{url} shows our key")]


async def _takes_mandates(merchant: Merchant) -> bool:
    try:
        return (await merchant.profile()).can(CAPABILITY)
    except ServiceUnavailable:
        return False


def _wallet(wallet: object) -> Check:
    if isinstance(wallet, NoWallet):
        advice = "Nothing can be paid; set DAYBOOK_WALLET (docs/merchants.md)."
        return Check("wallet", Verdict.NOT_YET, "there is none", advice)
    return Check("wallet", Verdict.OK, "it can be read")
