"""The resources of the merchants graph: its settings, how they are opened, and its checks."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx

from daybook.checkpoints.postgres import Postgres
from daybook.graph.database import open_database_of
from daybook.graph.model.choice import caching_of, chosen_model
from daybook.graph.serve import SECONDS, Check, Verdict, within_limit
from daybook.graph.settings.environment import MERCHANTS as MERCHANTS_VARIABLE
from daybook.graph.settings.environment import Settings, Variable, home_of
from daybook.graph.settings.limits import limits_of
from daybook.graph.settings.urls import http_fault
from daybook.nodes.running.work import Resources
from daybook.state.clock import SYSTEM, Clock
from daybook.state.errors import ConfigurationError, ServiceUnavailable
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.services import LATE, MerchantServices, Told
from daybook.tools.merchants.ucp.profile import TRANSPORTS, VERSIONS, named_for
from daybook.tools.merchants.ucp.signatures import signing_key
from daybook.tools.merchants.wallet import FileWallet, Wallet

PUBLIC_URL = "http://localhost:2024"
"""The default address of `daybook serve`."""

EVENTS_PATH = "/ucp/events"
"""The path to which merchants send order events."""

PROFILE_PATH = "/ucp/{version}/profile.json"
"""The path of our own profile by version; the newest is also at `/ucp/profile.json`."""

MERCHANT_VARIABLES = (
    Variable(
        MERCHANTS_VARIABLE,
        "the merchants to buy from (Universal Commerce Protocol): URLs separated by spaces; "
        "`#mcp` or `#rest` after a URL chooses the transport, `#unsigned` (`#mcp,unsigned`) says "
        "that the merchant does not sign its order events, so they are looked up instead",
        "none; `daybook chat --merchant` adds them",
    ),
    Variable(
        "DAYBOOK_WALLET",
        "a file of payment instruments and addresses, for tests and sandboxes",
        "`wallet.json` in DAYBOOK_HOME, if it exists",
    ),
    Variable(
        "DAYBOOK_PUBLIC_URL",
        "the URL at which merchants reach this server to read our profile and to send order events",
        PUBLIC_URL,
    ),
    Variable(
        "DAYBOOK_MERCHANT_SECONDS",
        "seconds after a lost answer in which a merchant may still carry out an order",
        f"{LATE.total_seconds():g}",
    ),
)
"""The variables of the domain `merchants`."""

_UNSIGNED = "unsigned"
"""Added to the URL of a merchant that does not sign its order events."""

_SECONDS = re.compile(r"\d{1,5}(\.\d{1,3})?")


@dataclass(frozen=True)
class Place:
    """Where a merchant is, and by which transport it is spoken to; None for the better one.

    Attributes:
        is_unsigned: what it tells carries no signature: it is asked instead, and not believed.
    """

    url: str
    transport: str | None = None
    is_unsigned: bool = False


@dataclass(frozen=True)
class MerchantSettings:
    """What is said of merchants.

    Attributes:
        wallet: a file, or None.
        public_url: where merchants reach us.
        late: seconds after a lost answer in which a merchant may still carry out an order.
        key: the file of our key for signatures; it is made where it is not there.
    """

    places: tuple[Place, ...]
    wallet: Path | None
    public_url: str
    late: timedelta
    key: Path

    @property
    def profile_url(self) -> str:
        """Return where our own profile is, with `{version}` in it."""
        return f"{self.public_url}{PROFILE_PATH}"

    @property
    def events_url(self) -> str:
        """Return where merchants send what becomes of orders."""
        return f"{self.public_url}{EVENTS_PATH}"


def merchants_from(environment: Mapping[str, str] = os.environ) -> MerchantSettings:
    """Read what is said of merchants.

    Raises:
        ConfigurationError: a URL is malformed, or a number of seconds is none.
    """
    faults: list[str] = []
    places = [_place(given, faults) for given in environment.get(MERCHANTS_VARIABLE, "").split()]
    public = environment.get("DAYBOOK_PUBLIC_URL") or PUBLIC_URL
    if fault := http_fault(public):
        faults.append(f"DAYBOOK_PUBLIC_URL {fault}.")
    seconds = environment.get("DAYBOOK_MERCHANT_SECONDS") or f"{LATE.total_seconds():g}"
    if not _SECONDS.fullmatch(seconds) or not float(seconds):
        faults.append("DAYBOOK_MERCHANT_SECONDS is not a number of seconds.")
    if faults:
        raise ConfigurationError(" ".join([*faults, "Nothing was started."]))
    home = home_of(environment)
    named, usual = environment.get("DAYBOOK_WALLET"), home / "wallet.json"
    return MerchantSettings(
        places=tuple(dict.fromkeys(places)),
        wallet=Path(named) if named else usual if usual.exists() else None,
        public_url=public.rstrip("/"),
        late=timedelta(seconds=float(seconds)),
        key=home / "merchants" / "signing_key.pem",
    )


def _place(given: str, faults: list[str]) -> Place:
    url, _, fragment = given.partition("#")
    said = fragment.split(",") if fragment else []
    transports = [one for one in said if one != _UNSIGNED]
    if fault := http_fault(url):
        faults.append(f"{MERCHANTS_VARIABLE}: a URL in it {fault}.")
    if len(transports) > 1 or not set(transports) <= set(TRANSPORTS):
        faults.append(
            f"{MERCHANTS_VARIABLE}: #{fragment} is not known: write #rest, #mcp, #{_UNSIGNED}, or "
            f"two of them as #mcp,{_UNSIGNED}."
        )
    return Place(url.rstrip("/"), next(iter(transports), None), _UNSIGNED in said)


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

    async def newest_facts(merchant: str, checkout_id: str) -> Mapping[str, Any] | None:
        event = await postgres.outside.newest(merchant, checkout_id)
        return None if event is None else event.facts

    return newest_facts


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
            Merchant(
                one.url,
                profile_url=ours,
                key=key,
                transport=one.transport,
                is_unsigned=one.is_unsigned,
                clock=clock,
            )
            for one in merchants.places
        ],
        wallet=wallet or FileWallet(merchants.wallet),
        late=merchants.late,
    )


# -- what `daybook doctor` looks at ----------------------------------------------------------------


def unread_by(merchants: MerchantSettings) -> str:
    """Say that a merchant cannot read our profile from where it is, or nothing.

    Such a merchant refuses each request: it must read the profile that the request names.
    """
    ours = merchants.public_url
    far = [one.url for one in merchants.places if _reach(one.url) > _reach(ours)]
    if not far:
        return ""
    who = "only this machine" if _reach(ours) == _HERE else "only its own network"
    return (
        f"{far[0]} must read our profile to sell anything, and DAYBOOK_PUBLIC_URL is {ours}, "
        f"which {who} reaches. Set it to the public https URL of `daybook serve`."
    )


_HERE, _NEAR, _INTERNET = range(3)


def _reach(url: str) -> int:
    """Tell by its name from how far a URL can be reached."""
    host = httpx.URL(url).host
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        if host == "localhost" or host.endswith(".localhost"):
            return _HERE
        return _NEAR if "." not in host or host.endswith((".local", ".internal")) else _INTERNET
    if address.is_loopback or address.is_unspecified:
        return _HERE
    return _INTERNET if address.is_global else _NEAR


async def _published(merchants: MerchantSettings) -> list[Check]:
    """See that our own profile is where each request says that it is, with our key in it."""
    name, advice = "our profile", "Run `daybook serve` at DAYBOOK_PUBLIC_URL."
    if why := unread_by(merchants):
        return [Check(name, Verdict.WRONG, why, advice)]
    urls = {one: named_for(merchants.profile_url, one) for one in VERSIONS}
    wrong = Verdict.NOT_YET if _reach(merchants.public_url) == _HERE else Verdict.WRONG
    key = await asyncio.to_thread(signing_key, merchants.key)
    for version, url in urls.items():
        try:
            async with httpx.AsyncClient(timeout=SECONDS / 4, trust_env=False) as http:
                told = (await http.get(url)).raise_for_status().json()
            shown, said = [one["kid"] for one in told["keys"]], told["ucp"]["version"]
        except (httpx.HTTPError, ValueError, LookupError, TypeError) as error:
            found = f"{url} cannot be read ({type(error).__name__})"
            return [Check(name, wrong, found, advice)]
        if key.key_id not in shown or said != version:
            lacks = f"the key in {merchants.key}" if said == version else f"version {version}"
            return [Check(name, Verdict.WRONG, f"{url} does not show {lacks}", advice)]
    return [Check(name, Verdict.OK, f"at {', '.join(urls.values())}, with our key")]


_USEFUL = ("checkout", "catalog.search", "catalog.lookup", "order", "fulfillment", "discount")


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
            return [Check("merchants", Verdict.NOT_YET, "none is configured", advice)]
        wallet = Check("wallet", Verdict.OK, "it can be read")
        if merchants.wallet is None:
            advice = "Nothing can be paid; set DAYBOOK_WALLET (docs/merchants.md)."
            wallet = Check("wallet", Verdict.NOT_YET, "there is none", advice)
        looks = [within_limit(one.name, _looked_at(one)) for one in services.merchants]
        looks.append(within_limit("our profile", _published(merchants)))
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
        advice = f"Nothing can be bought from it now. Check that {merchant.url} is its URL."
        return [Check(merchant.name, Verdict.WRONG, why, advice)]
    offered = [one for one in _USEFUL if profile.can(one)]
    found = f"version {profile.version} over {profile.transport}; {', '.join(offered)}"
    if "checkout" not in offered:
        return [Check(merchant.name, Verdict.WRONG, found, "Nothing can be bought from it.")]
    if merchant.is_unsigned:
        found += "; its order events are not signed, so orders are looked up"
    elif not profile.keys:
        found += "; it publishes no keys, so its order events are ignored and orders are looked up"
    return [Check(merchant.name, Verdict.OK, found)]
