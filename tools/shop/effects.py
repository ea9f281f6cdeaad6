"""The effects of the shop: reserve, charge, order, mail, and their compensations."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Annotated, Any, TypeAlias

from pydantic import Field

from daybook.state.context import EffectContext, PlanContext
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Confirmed, Outcome
from daybook.state.money import in_units
from daybook.state.session import Session
from daybook.tools.kinds import Undo, hybrid, write
from daybook.tools.services.http import resource
from daybook.tools.shop.services import ShopServices

Context: TypeAlias = EffectContext[ShopServices]
Result: TypeAlias = Mapping[str, Any]


def _found(path: str) -> Callable[..., Awaitable[list[Result]]]:
    """Make the probe that looks an effect up by its reference, which is its key."""

    async def probe(args: Result, *, ctx: Context) -> list[Result]:
        found = await ctx.services.shop.get(path, reference=ctx.key)
        return [{**_lean(match), "reference": match["reference"]} for match in found["matches"]]

    return probe


_KEPT = frozenset(
    {
        "hold_id",
        "charge_id",
        "order_id",
        "refund_id",
        "release_id",
        "cancellation_id",
        "message_id",
        "sku",
        "quantity",
        "amount",
        "currency",
        "total",
        "expires_at",
        "card_id",
        "user_id",
    }
)


def _owner(session: Session) -> dict[str, Any]:
    """Say whose an effect is, as the shop writes its customers' ids."""
    return {"user_id": session.user_id.lower()}


def _lean(result: Result) -> dict[str, Any]:
    """Keep ids and amounts of an answer: no address, no name may enter the ledger."""
    return {name: value for name, value in result.items() if name in _KEPT}


async def _post(path: str, ctx: Context, body: dict[str, Any]) -> Outcome:
    outcome = await ctx.services.shop.post(
        path, {"reference": ctx.key, **body}, key=ctx.key, deadline=ctx.deadline
    )
    return Confirmed(_lean(outcome.result)) if isinstance(outcome, Confirmed) else outcome


async def _observe_product(args: Result, *, ctx: PlanContext[ShopServices]) -> dict[str, Any]:
    product = await ctx.services.shop.get(resource("products", args["sku"]))
    return {
        "sku": args["sku"],
        "price": product["price"],
        "currency": product["currency"],
        "enough_stock": product["stock"] >= args["quantity"],
    }


def _product_moved(then: Result, now: Result) -> str | None:
    if not now["enough_stock"]:
        return f"{then['sku']} is no longer in stock in that quantity"
    if (then["price"], then["currency"]) != (now["price"], now["currency"]):
        was, is_ = in_units(then["price"]), in_units(now["price"])
        return f"the price of {then['sku']} moved from {was} to {is_} {now['currency']}"
    return None


async def _observe_card(args: Result, *, ctx: PlanContext[ShopServices]) -> dict[str, Any]:
    user = await ctx.services.shop.get(resource("users", ctx.session.user_id))
    return {"card_on_file": any(card["card_id"] == args["card_id"] for card in user["cards"])}


@hybrid(
    service="holds",
    probe=_found("/holds"),
    reference="hold_id",
    owner=_owner,
    evidence=lambda args: {"sku": args["sku"], "quantity": args["quantity"]},
    observe=_observe_product,
    moved=_product_moved,
    undo=Undo(
        tool="release_inventory",
        args=lambda args, result: {"hold_id": result["hold_id"]},
        settled_by=frozenset({"already_released", "unknown_hold"}),
    ),
    makes_stale=("catalogue",),
    happened="{quantity} of {sku} were reserved",
)
async def reserve_inventory(
    sku: str,
    quantity: Annotated[int, Field(ge=1)],
    unit_price: Annotated[int, Field(description="cents, as approved")],
    currency: str,
    *,
    ctx: Context,
) -> Outcome:
    """Hold stock for a while."""
    return await _post(
        "/holds", ctx, {"user_id": ctx.session.user_id, "sku": sku, "quantity": quantity}
    )


@write(
    service="releases",
    probe=_found("/releases"),
    reference="release_id",
    makes_stale=("catalogue",),
    happened="the reservation was released",
)
async def release_inventory(hold_id: str, *, ctx: Context) -> Outcome:
    """Release held stock."""
    return await _post("/releases", ctx, {"hold_id": hold_id})


@hybrid(
    service="charges",
    probe=_found("/charges"),
    reference="charge_id",
    owner=_owner,
    evidence=lambda args: {name: args[name] for name in ("amount", "currency", "card_id")},
    observe=_observe_card,
    undo=Undo(
        tool="refund_payment",
        # What was charged, which of a duplicate may be something else. A person who says that it
        # happened may name the charge alone.
        args=lambda args, result: {
            "charge_id": result["charge_id"],
            "amount": result.get("amount", args["amount"]),
            "currency": result.get("currency", args["currency"]),
        },
        settled_by=frozenset({"already_refunded", "unknown_charge"}),
    ),
    money=("amount", "currency"),
    direction="charge",
    happened="the card {card_id} was charged",
)
async def charge_payment(
    amount: Annotated[int, Field(gt=0, description="cents")],
    currency: str,
    card_id: str,
    *,
    ctx: Context,
) -> Outcome:
    """Charge a card on file."""
    body = {"amount": amount, "currency": currency, "card_id": card_id}
    return await _post("/charges", ctx, {"user_id": ctx.session.user_id, **body})


@write(
    service="refunds",
    probe=_found("/refunds"),
    reference="refund_id",
    evidence=lambda args: {"amount": args["amount"], "currency": args["currency"]},
    makes_stale=("orders",),
    money=("amount", "currency"),
    direction="refund",
    happened="the charge {charge_id} was refunded",
)
async def refund_payment(
    charge_id: str,
    amount: Annotated[int, Field(gt=0, description="cents")],
    currency: str,
    *,
    ctx: Context,
) -> Outcome:
    """Refund a charge."""
    body = {"charge_id": charge_id, "amount": amount, "currency": currency}
    return await _post("/refunds", ctx, body)


@write(
    service="orders",
    probe=_found("/orders"),
    reference="order_id",
    owner=_owner,
    money=("total", "currency"),
    evidence=lambda args: {"total": args["total"], "currency": args["currency"]},
    undo=Undo(
        tool="cancel_order",
        args=lambda args, result: {"order_id": result["order_id"], "reason": "compensation"},
        settled_by=frozenset({"already_cancelled", "unknown_order"}),
    ),
    makes_stale=("orders", "catalogue"),
    happened="the order was placed",
)
async def place_order(
    hold_ids: list[str], charge_id: str, address_id: str, total: int, currency: str, *, ctx: Context
) -> Outcome:
    """Place the order: it consumes its holds."""
    body = {"hold_ids": hold_ids, "charge_id": charge_id, "address_id": address_id}
    return await _post("/orders", ctx, {"user_id": ctx.session.user_id, **body})


@write(
    service="cancellations",
    probe=_found("/cancellations"),
    reference="cancellation_id",
    evidence=lambda args: {"order_id": args["order_id"]},
    makes_stale=("orders", "catalogue"),
    happened="the order {order_id} was cancelled",
)
async def cancel_order(order_id: str, reason: str = "", *, ctx: Context) -> Outcome:
    """Cancel an order."""
    return await _post("/cancellations", ctx, {"order_id": order_id, "reason": reason})


# A mail server takes or leaves a mail within seconds of the final dot. It honours no key and can be
# asked nothing afterwards, so a mail without a reply is in doubt.
@write(
    guarantees=Guarantees(settle=timedelta(seconds=2)),
    happened='the mail "{subject}" was sent',
)
async def send_email(
    subject: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\r\n]+$")],
    body: Annotated[str, Field(min_length=1, max_length=20_000)],
    *,
    ctx: Context,
) -> Outcome:
    """Send the customer a mail, to the address on file."""
    # The address is looked up for this one call and stays out of ledger, state and logs.
    user = await ctx.services.shop.get(resource("users", ctx.session.user_id))
    return await ctx.services.mail.send(
        user["email"], subject, body, key=ctx.key, deadline=ctx.deadline
    )
