"""Who asks, and who is told of orders: what the profile of an agent says."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
from cryptography.hazmat.primitives.asymmetric import ec

from daybook.demo.shop.ucp.profile import SERVICE
from daybook.demo.shop.ucp.signing import public_keys

LARGEST = 256 * 1024
SECONDS = 5.0
KEPT_SECONDS, MOST_READS = 60.0, 5
"""How long a profile is kept, and how often it is read in that time for keys not in it."""

Keys = Mapping[str, ec.EllipticCurvePublicKey]


async def webhook_of(client: httpx.AsyncClient, agent: str) -> str | None:
    """Return the URL to which an agent wants its events; None where its profile names none.

    Raises httpx.HTTPError when the profile cannot be read now.
    """
    told = await profile_of(client, agent)
    try:
        (order, *_) = told["ucp"]["capabilities"][f"{SERVICE}.order"]
        url = order["config"]["webhook_url"]
    except (KeyError, TypeError, ValueError):
        return None
    return url if isinstance(url, str) and url.startswith(("http://", "https://")) else None


async def profile_of(client: httpx.AsyncClient, agent: str) -> dict[str, Any]:
    """Return the profile of an agent; nothing where what stands there is none.

    Raises httpx.HTTPError when it cannot be read now.
    """
    reply = await client.get(agent)
    reply.raise_for_status()
    try:
        told = reply.json() if len(reply.content) <= LARGEST else {}
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


@dataclass
class Read:
    """The keys of an agent, as they were read, and how often since it was first kept."""

    keys: Keys
    until: float
    times: int = 1


@dataclass
class KnownKeys:
    """The keys of those who ask; one that is new to a profile is looked for there again."""

    read: dict[str, Read] = field(default_factory=dict)

    async def of(self, agent: str, key_id: str) -> Keys:
        """Return the keys of an agent. Raises httpx.HTTPError when its profile cannot be read."""
        now, known = time.monotonic(), self.read.get(agent)
        if known is None or known.until <= now:
            self.read[agent] = known = Read(await keys_of(agent), now + KEPT_SECONDS)
        elif key_id not in known.keys and known.times < MOST_READS:
            known.keys, known.times = await keys_of(agent), known.times + 1
        return known.keys


async def keys_of(agent: str) -> Keys:
    """Read the keys that the profile of an agent publishes. Raises httpx.HTTPError."""
    async with httpx.AsyncClient(timeout=SECONDS, follow_redirects=False) as client:
        told = await profile_of(client, agent)
    return public_keys(told.get("keys") or told.get("signing_keys"))
