"""The effects at a merchant: the checkout session, and the order that results."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, Field

from daybook.state.context import EffectContext, PlanContext
from daybook.state.effects.keys import digest
from daybook.state.effects.outcome import Confirmed, Declined, Outcome, Unknown
from daybook.state.errors import NothingCame, ServiceUnavailable, StillInHand, ToolRefused
from daybook.tools.kinds import Undo, hybrid, write
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.services import MerchantServices
from daybook.tools.merchants.ucp import requests
from daybook.tools.merchants.ucp.checkout import IN_HAND, OPEN, Checkout, declined
from daybook.tools.merchants.ucp.requests import Wanted

Context: TypeAlias = EffectContext[MerchantServices]
Result: TypeAlias = Mapping[str, Any]


class BoughtLine(BaseModel):
    """What is to be bought, and how many: prices are the merchant's."""

    item_id: str
    quantity: Annotated[int, Field(ge=1)]


def _key_with(ctx: Context, body: bytes) -> str:
    """Derive a key of the bytes as well: an address that has changed is another request."""
    return requests.key_of(f"{ctx.key}/{digest(body.decode())}")


def _there(args: Result) -> dict[str, Any]:
    return {"merchant": args["merchant"]}


async def _looked_at(there: Merchant, checkout_id: str) -> Checkout | Declined:
    """Look a checkout up before something is sent; a no to that says nothing of what was sent."""
    try:
        return await there.checkout(checkout_id)
    except ToolRefused as no:
        return Declined(no.code or "refused", str(no), at_the_door=True)


async def _wanted(
    ctx: Context,
    lines: list[BoughtLine],
    address_id: str | None,
    codes: list[str] | None,
    delivery: list[str] | None,
) -> Wanted:
    """Take buyer and address out of the wallet: they go into the request and nowhere else."""
    user, wallet = ctx.session.user_id, ctx.services.wallet
    return Wanted(
        [line.model_dump() for line in lines],
        await wallet.buyer(user),
        await wallet.address(user, address_id) if address_id else None,
        codes or (),
        delivery or (),
    )


@hybrid(
    service="sessions",
    reference=("merchant", "checkout_id"),
    evidence=_there,
    undo=Undo(
        tool="cancel_session",
        args=lambda args, result: {**_there(args), "checkout_id": result["checkout_id"]},
        settled_by=frozenset({"canceled", "not_found", "expired", "404"}),
    ),
    approval="never",
    happened="a checkout was opened at {merchant}",
)
async def open_session(
    merchant: str,
    lines: list[BoughtLine],
    address_id: str | None = None,
    discount_codes: list[str] | None = None,
    delivery_options: list[str] | None = None,
    *,
    ctx: Context,
) -> Outcome:
    """Open a checkout at a merchant: it holds goods until it is completed or expires."""
    there = ctx.services.merchant(merchant)
    wanted = await _wanted(ctx, lines, address_id, discount_codes, delivery_options)
    body = wanted.created()
    key = _key_with(ctx, body)
    return await there.send("create_checkout", "", body, key=key, deadline=ctx.deadline)


# A PUT replaces the whole, so it is the same done twice; and it is made of what stands there now.
@write(
    service="sessions",
    evidence=_there,
    approval="never",
    happened="the checkout at {merchant} was updated",
)
async def update_session(
    merchant: str,
    checkout_id: str,
    lines: list[BoughtLine],
    address_id: str | None = None,
    discount_codes: list[str] | None = None,
    delivery_options: list[str] | None = None,
    *,
    ctx: Context,
) -> Outcome:
    """Update a checkout: lines, address, discounts and delivery option."""
    there = ctx.services.merchant(merchant)
    now = await _looked_at(there, checkout_id)
    if isinstance(now, Declined):
        return now
    if now.status not in OPEN:
        return Declined(now.status or "closed", f"It cannot be changed: it is {now.status}.")
    wanted = await _wanted(ctx, lines, address_id, discount_codes, delivery_options)
    body = wanted.updated(now)
    if body is None:
        return Confirmed({"merchant": merchant, **now.facts()})
    key = _key_with(ctx, body)
    return await there.send("update_checkout", checkout_id, body, key=key, deadline=ctx.deadline)


@write(
    service="sessions",
    evidence=lambda args: {**_there(args), "checkout_id": args["checkout_id"]},
    approval="never",
    happened="the checkout at {merchant} was cancelled",
)
async def cancel_session(merchant: str, checkout_id: str, *, ctx: Context) -> Outcome:
    """Cancel a checkout at its merchant and release what it holds."""
    there, key = ctx.services.merchant(merchant), requests.key_of(ctx.key)
    return await there.send("cancel_checkout", checkout_id, b"", key=key, deadline=ctx.deadline)


async def _terms(args: Result, *, ctx: PlanContext[MerchantServices]) -> dict[str, Any]:
    """Say what an approval of a checkout depends on."""
    try:
        now = await ctx.services.merchant(args["merchant"]).checkout(args["checkout_id"])
    except ToolRefused as no:
        # Waited for, it would be told to nobody.
        return {"refused": str(no).rstrip(".")}
    return {"status": now.status, "total": str(now.total), "terms": now.terms}


def _moved(then: Result, now: Result) -> str | None:
    if "refused" in {*now, *then}:
        return str(now.get("refused", then.get("refused")))
    if now["status"] != "ready_for_complete":
        return f"the merchant has the checkout as {now['status']}"
    if now["total"] != then["total"]:
        return f"the merchant's total moved from {then['total']} to {now['total']}"
    if now["terms"] != then["terms"]:
        return "the merchant has changed lines, sums, delivery or a warning of the checkout"
    return None


def _not_as_approved(now: Checkout, terms: str, merchant: str) -> Declined | Unknown | None:
    """Say why nothing is sent: a checkout is not what was approved any more, or is in progress.

    What was sent before may not have come there, and much may have moved since; so it is looked at
    before each sending, and not before the first one alone.
    """
    if now.status == IN_HAND:
        return Unknown(f"{merchant} is processing the order", in_hand=True)
    if now.status == "completed":
        return Unknown(f"{merchant} has completed the checkout")
    if now.status == "ready_for_complete" and now.terms == terms:
        return None
    return declined(now) or Declined(
        "moved", f"{merchant} has changed the checkout since it was approved.", now.facts()
    )


async def _order_of(args: Result, *, ctx: Context) -> list[Result]:
    """Look an order up by its checkout, which is ours: Get Checkout shows the outcome.

    What its merchant told by itself shows it too, signed: so nobody needs to be asked where the
    merchant does not answer.
    """
    there = ctx.services.merchant(args["merchant"])
    told = await ctx.services.told(there.name, args["checkout_id"])
    if told is not None:
        return [order_match(there.name, told)]
    now = await there.checkout(args["checkout_id"])
    if now.status == "completed" and now.order_id:
        return [{"merchant": there.name, **now.facts()}]
    if now.status == IN_HAND:
        raise StillInHand(f"{there.name} is still processing the order.")
    if now.status not in (*OPEN, "canceled"):
        # Neither there nor absent: it is looked for again until the merchant has decided.
        raise ServiceUnavailable(f"{there.name} does not report an outcome ({now.status}).")
    if (no := declined(now)) is not None:
        raise NothingCame(no.message, no.detail)
    return []


def order_match(merchant: str, told: Result) -> dict[str, Any]:
    """Write what a merchant told of an order as a look-up of it would show it."""
    names = ("checkout_id", "order_id", "total", "currency", "bought")
    url = {"order_url": told["url"]} if told.get("url") else {}
    named = {name: told[name] for name in names}
    return {"merchant": merchant, **named, "status": "completed", **url}


def _approved(args: Result) -> dict[str, Any]:
    """Say what an order must show: what was approved, and no other goods for the same money."""
    return {name: args[name] for name in ("merchant", "checkout_id", "total", "currency", "bought")}


@write(
    service="orders",
    probe=_order_of,
    reference=("merchant", "order_id"),
    evidence=_approved,
    observe=_terms,
    moved=_moved,
    makes_stale=("orders", "catalogue"),
    money=("total", "currency"),
    direction="charge",
    happened="the order at {merchant} was placed",
)
async def complete_session(
    merchant: str,
    checkout_id: str,
    instrument_id: str,
    address_id: str | None,
    total: int,
    currency: str,
    terms: str,
    body: str,
    bought: str,
    endpoint: str,
    *,
    ctx: Context,
) -> Outcome:
    """Place the order of a checkout. Only here the credential is added to the body."""
    there = ctx.services.merchant(merchant)
    now, asked_at = await _looked_at(there, checkout_id), (await there.profile()).endpoint
    if isinstance(now, Declined):
        return now
    if (why := _not_as_approved(now, terms, merchant)) is not None:
        return why
    if asked_at != endpoint:
        moved = f"{merchant} is now reached at {asked_at}, and no longer where it was approved."
        return Declined("endpoint_moved", moved)
    key = requests.key_of(ctx.key)
    credential = await ctx.services.wallet.credential(
        ctx.session.user_id, instrument_id, checkout_id, key
    )
    outcome = await there.send(
        "complete_checkout",
        checkout_id,
        requests.with_credential(body, credential),
        key=key,
        deadline=ctx.deadline,
        credential=credential,
    )
    if isinstance(outcome, Declined):
        # A no may be said of what was done: told as one, it could be ordered again.
        with suppress(ServiceUnavailable, ToolRefused):
            now = await there.checkout(checkout_id)
            if now.status in ("completed", IN_HAND):
                shown = f"{merchant} refused it, and has the checkout as {now.status}"
                return Unknown(shown, in_hand=now.status == IN_HAND)
    return outcome
