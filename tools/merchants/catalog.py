"""Reads at the merchants. Their answers are untrusted data."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from pydantic import Field

from daybook.state.context import ReadContext
from daybook.state.errors import ServiceUnavailable, ToolRefused
from daybook.tools.kinds import read
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.services import MerchantServices
from daybook.tools.merchants.ucp import answers
from daybook.tools.merchants.ucp.answers import Offer

Context: TypeAlias = ReadContext[MerchantServices]
MerchantName = Annotated[str, Field(description="the merchant's name, as results show it")]
ItemId = Annotated[str, Field(min_length=1, max_length=200, description="the item_id of a result")]

MINUTE = 60.0
_MOST_PAGES = 3
"""Of one search, at one merchant."""

_WITHIN = 20.0
"""Seconds for all merchants together; each has its own limit below that."""


@read(lifetime=10 * MINUTE, tags=("catalogue",), within=_WITHIN)
async def search_catalog(
    query: Annotated[str, Field(max_length=200, description="what to look for, in plain words")],
    merchant: Annotated[str | None, Field(description="one merchant only; else all")] = None,
    limit: Annotated[int, Field(ge=1, le=20, description="hits of each merchant")] = 5,
    *,
    ctx: Context,
) -> Any:
    """Search what the merchants sell; prices in cents of each one's currency."""
    services = ctx.services
    asked = [services.merchant(merchant)] if merchant else list(services.merchants)
    if not asked:
        raise ToolRefused("No merchant is set. Set DAYBOOK_MERCHANTS, or use --merchant.")
    body = {"query": query, "pagination": {"limit": limit}}
    found = await asyncio.gather(*(_searched(one, body) for one in asked))
    hits: list[dict[str, Any]] = []
    silent: list[dict[str, str]] = []
    for one, said in zip(asked, found, strict=True):
        if isinstance(said, str):
            silent.append({"merchant": one.name, "why": said})
        else:
            hits += [{"merchant": one.name, **offer.as_row()} for offer in said[:limit]]
    return {"hits": hits, "silent": silent}


async def _searched(merchant: Merchant, body: Mapping[str, Any]) -> list[Offer] | str:
    """Search one merchant; what it says instead where it cannot be searched."""
    try:
        if not (await merchant.profile()).can("catalog.search"):
            return "it has no catalogue that can be searched"
        return await _offers(merchant, body)
    except (ToolRefused, ServiceUnavailable) as error:
        return str(error)


async def _offers(merchant: Merchant, body: Mapping[str, Any]) -> list[Offer]:
    """Read page after page until there is as much as was asked for, or no more.

    A page may hold less than was asked for although there is more: the merchant says which.
    """
    wanted, found = int(body["pagination"]["limit"]), list[Offer]()
    for _ in range(_MOST_PAGES):
        page = await merchant.read("search_catalog", body=body)
        found += answers.offers(page)
        cursor = answers.next_page(page)
        if cursor is None or len(found) >= wanted:
            break
        body = {**body, "pagination": {"limit": wanted, "cursor": cursor}}
    return found


@read(lifetime=10 * MINUTE, tags=("catalogue",))
async def get_item(merchant: MerchantName, item_id: ItemId, *, ctx: Context) -> Any:
    """Look up one item of a merchant: its price, and whether it is available."""
    offer = await find_offer(ctx.services.merchant(merchant), item_id)
    if offer is None:
        raise ToolRefused(f"{merchant} has no catalogue; the price is shown at the checkout.")
    return {"merchant": merchant, **offer.as_row()}


async def find_offer(merchant: Merchant, item_id: str) -> Offer | None:
    """Find something that a merchant sells by its id; None if nobody can look there.

    Raises:
        ToolRefused: it sells nothing by this id.
        ServiceUnavailable: it cannot be asked.
    """
    profile = await merchant.profile()
    if not profile.can("catalog.lookup"):
        return None
    body = await merchant.read("lookup_catalog", body={"ids": [item_id]})
    for offer in answers.offers(body):
        if offer.item_id == item_id:
            return offer
    raise ToolRefused(f"{merchant.name} has no item {item_id}.", code="not_found")


@read(lifetime=10 * MINUTE)
async def get_wallet(*, ctx: Context) -> Any:
    """Look up the payment instruments and delivery addresses: ids and labels."""
    user = ctx.session.user_id
    wallet = ctx.services.wallet
    return {
        "instruments": [one.model_dump() for one in await wallet.instruments(user)],
        "addresses": [one.model_dump() for one in await wallet.addresses(user)],
    }


@read(lifetime=MINUTE, tags=("orders",))
async def get_order(
    merchant: MerchantName,
    order_id: Annotated[str, Field(min_length=1, max_length=200)],
    *,
    ctx: Context,
) -> Any:
    """Look up an order of this conversation at its merchant: what was shipped, refunds."""
    if not any(one.is_the(merchant, order_id) for one in ctx.state["orders"]):
        raise ToolRefused(
            f"There is no order {order_id} at {merchant} in this conversation.", code="not_found"
        )
    return await ctx.services.merchant(merchant).order(order_id)
