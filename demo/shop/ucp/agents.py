"""The caller of a request and receiver of order events, from an agent's profile."""

import re
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from functools import cache
from ssl import SSLContext
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec

from daybook.demo.shop import clock
from daybook.demo.shop.faults import Refusal
from daybook.demo.shop.settings import Version
from daybook.demo.shop.ucp.profile import CAPABILITIES, EXTENSIONS, SERVICE
from daybook.demo.shop.ucp.signing import public_keys

LARGEST = 256 * 1024
SECONDS = 5.0
SHORTEST, MOST = 60, 1000
"""Seconds for which a profile is kept at least, and how many are kept."""

AGE = re.compile(r"max-age=(\d{1,6})")


@cache
def trusted() -> SSLContext:
    """Read the authorities, once."""
    import httpx

    return httpx.create_ssl_context()


def client() -> AbstractAsyncContextManager[Any]:
    """Return what asks agents for their profiles, and tells them of orders."""
    # Imported here: most shops are asked by no agent.
    from httpx import AsyncClient

    return AsyncClient(verify=trusted(), timeout=SECONDS, follow_redirects=False)


class Profiles:
    """Profiles of agents, each kept as long as it says: a purchase asks once."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[datetime, dict[str, Any]]] = {}

    def clear(self) -> None:
        """Forget all."""
        self._kept.clear()

    async def read(self, agent: str, *, anew: bool = False) -> dict[str, Any]:
        """Return the profile of an agent.

        Raises Refusal: 400 invalid_profile_url, 424 profile_unreachable, 422 profile_malformed.
        """
        import httpx

        until, told = self._kept.get(agent, (clock.now(), {}))
        if not anew and clock.now() < until:
            return told
        try:
            url = httpx.URL(agent)
            if url.scheme not in ("http", "https") or not url.host or (url.port or 1) > 65_535:
                raise httpx.InvalidURL(agent)
            async with client() as http:
                reply = (await http.get(agent)).raise_for_status()
            told = reply.json() if len(reply.content) <= LARGEST else {}
        except httpx.InvalidURL as error:
            raise Refusal(400, "invalid_profile_url", "Your request has no profile URL.") from error
        except httpx.HTTPError as error:
            raise Refusal(424, "profile_unreachable", "Your profile cannot be read.") from error
        except (ValueError, RecursionError):
            told = {}
        ucp = told.get("ucp") if isinstance(told, dict) else None
        parts = ("version", str), ("capabilities", dict)
        if not isinstance(ucp, dict) or not all(isinstance(ucp.get(it), of) for it, of in parts):
            raise Refusal(422, "profile_malformed", "The document at that URL is not a profile.")
        if len(self._kept) >= MOST:
            self.clear()
        age = AGE.search(reply.headers.get("cache-control", ""))
        seconds = max(SHORTEST, int(age[1]) if age else 0)
        self._kept[agent] = clock.now() + timedelta(seconds=seconds), told
        return told

    async def shares(self, agent: str, version: Version) -> bool:
        """Tell whether an agent has a capability of the shop; what extends one counts for nothing.

        Raises Refusal as a profile that is read, and 422 version_unsupported.
        """
        told = (await self.read(agent))["ucp"]
        if told["version"] != version:
            raise Refusal(422, "version_unsupported", f"The shop supports version {version}.")
        has = told["capabilities"]
        said = (has.get(f"{SERVICE}.{one}") for one in CAPABILITIES if one not in EXTENSIONS)
        entries = (one for given in said if isinstance(given, list) for one in given)
        return any(isinstance(one, dict) and one.get("version") == version for one in entries)

    async def keys(self, agent: str, key_id: str) -> dict[str, ec.EllipticCurvePublicKey]:
        """Return the keys that an agent publishes; one that is not there is looked for again.

        Raises Refusal as a profile that is read.
        """
        found: dict[str, ec.EllipticCurvePublicKey] = {}
        for anew in (False, True):
            if key_id not in found:
                told = await self.read(agent, anew=anew)
                found = public_keys(told.get("signing_keys")) | public_keys(told.get("keys"))
        return found

    async def webhook(self, agent: str) -> str | None:
        """Return the URL to which an agent wants its events; None if its profile names none.

        Raises Refusal as a profile that is read.
        """
        try:
            (order, *_) = (await self.read(agent))["ucp"]["capabilities"][f"{SERVICE}.order"]
            url = order["config"]["webhook_url"]
        except (KeyError, TypeError, ValueError):
            return None
        return url if isinstance(url, str) and url.startswith(("http://", "https://")) else None
