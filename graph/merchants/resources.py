"""Open what the graph that buys from merchants runs on, and look whether it works."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

from daybook.checkpoints.postgres import Postgres
from daybook.graph.database import open_database_of
from daybook.graph.merchants.settings import MerchantSettings, merchants_from
from daybook.graph.model.chosen import caching_of, chosen_model
from daybook.graph.serve import Check, Verdict, within_limit
from daybook.graph.settings.environment import MERCHANTS as MERCHANTS_VARIABLE
from daybook.graph.settings.environment import Settings
from daybook.graph.settings.limits import limits_of
from daybook.nodes.running.work import Resources
from daybook.state.clock import SYSTEM, Clock
from daybook.state.errors import ConfigurationError, ServiceUnavailable
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.services import MerchantServices, Told
from daybook.tools.merchants.ucp.signatures import signing_key
from daybook.tools.merchants.wallet import FileWallet, Wallet


@asynccontextmanager
async def open_resources(
    settings: Settings, merchants: MerchantSettings, *, wallet: Wallet | None = None
) -> AsyncIterator[Resources]:
    """Open database, merchants and model. No merchant is asked before it is needed.

    Args:
        wallet: one of your own; else the file that the settings name.

    Raises:
        EmbeddedPostgresError: the embedded Postgres did not start.
        DatabaseUnavailable: the database cannot be reached.
        ConfigurationError: wallet or key cannot be read, or a merchant's URL cannot be used.
    """
    async with AsyncExitStack() as stack:
        services = merchant_services(merchants, wallet)
        stack.push_async_callback(services.close)
        postgres = await stack.enter_async_context(open_database_of(MERCHANTS, settings))
        services = replace(services, told=told_by(postgres))
        model = await stack.enter_async_context(chosen_model(settings, MERCHANTS))
        yield Resources(
            postgres=postgres,
            model=model,
            caching=caching_of(model),
            services=services,
            promises=services.guarantees,
            user=MERCHANTS.user,
            **limits_of(settings, MERCHANTS),
        )


def told_by(postgres: Postgres) -> Told:
    """Make what finds the newest that a merchant told of the order of a checkout."""

    async def told(merchant: str, checkout_id: str) -> Mapping[str, Any] | None:
        event = await postgres.outside.newest(merchant, checkout_id)
        return None if event is None else event.facts

    return told


def merchant_services(
    merchants: MerchantSettings, wallet: Wallet | None = None, clock: Clock = SYSTEM
) -> MerchantServices:
    """Make the clients of the merchants that the settings name.

    Raises:
        ConfigurationError: wallet or key cannot be read, or a merchant's URL cannot be used.
    """
    key, ours = signing_key(merchants.key), merchants.profile_url
    return MerchantServices(
        merchants=[
            Merchant(one.url, profile_url=ours, key=key, transport=one.transport, clock=clock)
            for one in merchants.places
        ],
        wallet=wallet or FileWallet(merchants.wallet),
        late=merchants.late,
    )


# -- what `daybook doctor` looks at ----------------------------------------------------------------

_USEFUL = ("checkout", "catalog.search", "catalog.lookup", "order", "fulfillment")


async def merchant_checks(settings: Settings) -> list[Check]:
    """Speak to each merchant that is named, and see that there is a wallet."""
    try:
        merchants = merchants_from()
        services = merchant_services(merchants)
    except ConfigurationError as error:
        return [Check("merchants", Verdict.WRONG, str(error))]
    try:
        if not merchants.places:
            advice = f"Set {MERCHANTS_VARIABLE}, or: daybook chat --merchant https://..."
            return [Check("merchants", Verdict.NOT_YET, "none is named", advice)]
        wallet = Check("wallet", Verdict.OK, "it can be read")
        if merchants.wallet is None:
            advice = "Nothing can be paid; set DAYBOOK_WALLET (docs/merchants.md)."
            wallet = Check("wallet", Verdict.NOT_YET, "there is none", advice)
        looks = [within_limit(one.name, _looked_at(one)) for one in services.merchants]
        found = await asyncio.gather(*looks)
        return [*(check for checks in found for check in checks), wallet]
    finally:
        with suppress(OSError):
            await services.close()


async def _looked_at(merchant: Merchant) -> list[Check]:
    try:
        profile = await merchant.profile()
    except ServiceUnavailable as error:
        why, _, _ = str(error).partition(" Nothing was changed")
        advice = f"Nothing can be bought from it now. See that {merchant.url} is its URL."
        return [Check(merchant.name, Verdict.WRONG, why, advice)]
    offered = [one for one in _USEFUL if profile.can(one)]
    found = f"version {profile.version} over {profile.transport}; {', '.join(offered)}"
    if "checkout" not in offered:
        return [Check(merchant.name, Verdict.WRONG, found, "Nothing can be bought from it.")]
    if not profile.keys:
        found += "; it shows no keys, so orders are asked for and nothing it tells is believed"
    return [Check(merchant.name, Verdict.OK, found)]
