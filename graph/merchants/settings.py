"""What the environment says of merchants: which they are, what pays, and where we are found."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from daybook.graph.settings.environment import MERCHANTS, Variable, home_of
from daybook.graph.settings.urls import http_fault
from daybook.state.errors import ConfigurationError
from daybook.tools.merchants.services import LATE
from daybook.tools.merchants.ucp.profile import TRANSPORTS

PUBLIC_URL = "http://localhost:2024"
"""Where `daybook serve` listens, where nothing else is said."""

PROFILE_PATH, EVENTS_PATH = "/ucp/profile.json", "/ucp/events"
"""Where our own profile is served, and where merchants send what becomes of orders."""

MERCHANT_VARIABLES = (
    Variable(
        MERCHANTS,
        "merchants to buy from (Universal Commerce Protocol): URLs with blanks between them; "
        "`#mcp` or `#rest` behind one chooses how it is spoken to",
        "none; `daybook chat --merchant` names them too",
    ),
    Variable(
        "DAYBOOK_WALLET",
        "a file of instruments and addresses, for tests and sandboxes",
        "`wallet.json` in DAYBOOK_HOME, if it is there",
    ),
    Variable(
        "DAYBOOK_PUBLIC_URL",
        "where merchants reach this server: for our profile, and for what becomes of orders",
        PUBLIC_URL,
    ),
    Variable(
        "DAYBOOK_MERCHANT_SECONDS",
        "how late after a lost answer a merchant may still carry out an order",
        f"{LATE.total_seconds():g}",
    ),
)
"""Those of the domain `merchants` alone."""

_SECONDS = re.compile(r"\d{1,5}(\.\d{1,3})?")


@dataclass(frozen=True)
class Place:
    """Where a merchant is, and by which transport it is spoken to; None for the better one."""

    url: str
    transport: str | None = None


@dataclass(frozen=True)
class MerchantSettings:
    """What is said of merchants.

    Attributes:
        wallet: a file, or None.
        public_url: where merchants reach us.
        late: how late after a lost answer a merchant may still carry out an order.
        key: the file of our key for signatures; it is made where it is not there.
    """

    places: tuple[Place, ...]
    wallet: Path | None
    public_url: str
    late: timedelta
    key: Path

    @property
    def profile_url(self) -> str:
        """Return where our own profile is."""
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
    places = [_place(given, faults) for given in environment.get(MERCHANTS, "").split()]
    public = environment.get("DAYBOOK_PUBLIC_URL") or PUBLIC_URL
    if fault := http_fault(public):
        faults.append(f"DAYBOOK_PUBLIC_URL {fault}.")
    seconds = environment.get("DAYBOOK_MERCHANT_SECONDS") or f"{LATE.total_seconds():g}"
    if not _SECONDS.fullmatch(seconds) or not float(seconds):
        faults.append("DAYBOOK_MERCHANT_SECONDS is no number of seconds.")
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
    url, _, transport = given.partition("#")
    if fault := http_fault(url):
        faults.append(f"{MERCHANTS}: a URL in it {fault}.")
    if transport and transport not in TRANSPORTS:
        faults.append(f"{MERCHANTS}: nobody is spoken to over {transport}: write #rest or #mcp.")
    return Place(url.rstrip("/"), transport or None)
