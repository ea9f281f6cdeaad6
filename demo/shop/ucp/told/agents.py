"""Who is told of orders: where the profile of whoever placed one says."""

import httpx

from daybook.demo.shop.ucp.said.envelope import SERVICE

LARGEST = 256 * 1024


async def webhook_of(client: httpx.AsyncClient, agent: str) -> str | None:
    """Return the URL to which an agent wants its events; None where its profile names none.

    Raises httpx.HTTPError when the profile cannot be read now.
    """
    reply = await client.get(agent)
    reply.raise_for_status()
    if len(reply.content) > LARGEST:
        return None
    try:
        told = reply.json()
        (order, *_) = told["ucp"]["capabilities"][f"{SERVICE}.order"]
        url = order["config"]["webhook_url"]
    except (ValueError, KeyError, TypeError):
        return None
    return url if isinstance(url, str) and url.startswith(("http://", "https://")) else None
