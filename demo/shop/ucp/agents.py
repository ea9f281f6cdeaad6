"""Who asks, and who is told of orders: what the profile of an agent says."""

from collections.abc import Mapping
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric import ec

from daybook.demo.shop.ucp.profile import SERVICE
from daybook.demo.shop.ucp.signing import public_keys

LARGEST = 256 * 1024
SECONDS = 5.0


def client() -> httpx.AsyncClient:
    """Return what asks agents for their profiles, and tells them of orders."""
    return httpx.AsyncClient(timeout=SECONDS, follow_redirects=False)


async def webhook_of(http: httpx.AsyncClient, agent: str) -> str | None:
    """Return the URL to which an agent wants its events; None where its profile names none.

    Raises httpx.HTTPError when the profile cannot be read now.
    """
    told = await profile_of(http, agent)
    try:
        (order, *_) = told["ucp"]["capabilities"][f"{SERVICE}.order"]
        url = order["config"]["webhook_url"]
    except (KeyError, TypeError, ValueError):
        return None
    return url if isinstance(url, str) and url.startswith(("http://", "https://")) else None


async def keys_of(agent: str) -> Mapping[str, ec.EllipticCurvePublicKey]:
    """Read the keys that the profile of an agent publishes. Raises httpx.HTTPError."""
    async with client() as http:
        told = await profile_of(http, agent)
    return public_keys(told.get("keys") or told.get("signing_keys"))


async def profile_of(http: httpx.AsyncClient, agent: str) -> dict[str, Any]:
    """Return the profile of an agent; nothing where what stands there is none.

    Raises httpx.HTTPError when it cannot be read now.
    """
    reply = await http.get(agent)
    reply.raise_for_status()
    try:
        told = reply.json() if len(reply.content) <= LARGEST else {}
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}
