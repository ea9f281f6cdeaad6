"""Checkout and cancellation: deterministic plans that the model only triggers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from pydantic import Field

from daybook.state.context import PlanContext
from daybook.state.effects.bind import take, take_all, take_into
from daybook.state.effects.keys import step_id
from daybook.state.errors import ChoiceNeeded, ToolRefused
from daybook.state.ledger.recovery import StepState
from daybook.state.money import Money, in_units
from daybook.state.shop.cart import Cart, CartLine, checkout_id
from daybook.state.shop.state import Checkout
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import plan
from daybook.tools.services.http import resource
from daybook.tools.shop.carts import named_together
from daybook.tools.shop.catalog import OrderId, own_order, profile
from daybook.tools.shop.services import ShopServices

Context: TypeAlias = PlanContext[ShopServices]


@plan
async def checkout(
    card_id: Annotated[str | None, Field(description="one of the customer's cards")] = None,
    address_id: Annotated[str | None, Field(description="one of their addresses")] = None,
    *,
    ctx: Context,
) -> ActionDraft:
    """Buy what is in the cart: reserve, charge, order, confirmation mail. Asks for approval."""
    cart: Cart = ctx.state["cart"]
    if not cart.lines:
        raise ToolRefused("The cart is empty.", code="cart_empty")
    known = await profile(ctx.services, ctx.session.user_id)
    card, address = _choices(ctx.state["checkout"], known, card_id, address_id)
    name = await _next_checkout(ctx, cart)
    lines, moved = await _priced(ctx, cart)
    total = Money(amount=sum(line.price for line in lines), currency=cart.currency)
    reserves = [f"reserve {line.sku}" for line in lines]
    steps = [
        StepDraft(
            name=reserve,
            tool="reserve_inventory",
            op=f"checkout/{name}/reserve/{line.sku}",
            args={
                "sku": line.sku,
                "quantity": line.quantity,
                "unit_price": line.unit_price,
                "currency": cart.currency,
            },
        )
        for reserve, line in zip(reserves, lines, strict=True)
    ]
    money = {"amount": total.amount, "currency": total.currency}
    steps += [
        StepDraft(
            name="charge",
            tool="charge_payment",
            op=f"checkout/{name}/charge",
            args={**money, "card_id": card["card_id"]},
        ),
        StepDraft(
            name="place order",
            tool="place_order",
            op=f"checkout/{name}/place_order",
            args={
                "address_id": address["address_id"],
                "total": total.amount,
                "currency": total.currency,
            },
            binds={
                "hold_ids": take_all(reserves, "hold_id"),
                "charge_id": take("charge", "charge_id"),
            },
            pivot=True,
        ),
        StepDraft(
            name="mail",
            tool="send_email",
            op=f"checkout/{name}/send_email",
            args={"body": _confirmation(lines, total)},
            binds={"subject": take_into("Your order {}", "place order", "order_id")},
        ),
    ]
    summary = [
        *(
            f"{line.quantity} x {line.name} ({line.sku}) at {in_units(line.unit_price or 0)}"
            f" = {in_units(line.price)} {cart.currency}"
            for line in lines
        ),
        *moved,
        f"charge {total} to {card['brand']} ending in {card['last4']} ({card['card_id']})",
        f"deliver to {address['label']} ({address['address_id']})",
        "mail a confirmation",
    ]
    return ActionDraft(
        tool="checkout",
        args={"card_id": card["card_id"], "address_id": address["address_id"]},
        title=f"Check out for {total}",
        summary=tuple(summary),
        total=total,
        about=named_together([line.name for line in lines]),
        steps=tuple(steps),
        choices={
            "card_id": {
                one["card_id"]: f"{one['brand']} ending in {one['last4']}" for one in known["cards"]
            },
            "address_id": {one["address_id"]: one["label"] for one in known["addresses"]},
        },
    )


@plan
async def cancel_order(
    order_id: OrderId, reason: Annotated[str, Field(max_length=500)] = "", *, ctx: Context
) -> ActionDraft:
    """Cancel an order of the customer and refund what was charged. Asks for approval."""
    order = await own_order(ctx.services, ctx.session.user_id, order_id)
    if order["status"] == "cancelled" and order.get("refunded", 0) >= order["total"]:
        raise ToolRefused(f"The order {order_id} is already cancelled and refunded.")
    total = Money(amount=order["total"], currency=order["currency"])
    cancel = StepDraft(
        name="cancel",
        tool="cancel_order",
        op=f"order/{order_id}/cancel",
        args={"order_id": order_id, **({"reason": reason} if reason else {})},
    )
    refund = StepDraft(
        name="refund",
        tool="refund_payment",
        op=f"order/{order_id}/refund",
        args={"charge_id": order["charge_id"], "amount": total.amount, "currency": total.currency},
        pivot=True,
    )
    # An order that was cancelled and not refunded is refunded now.
    steps = (cancel, refund) if order["status"] != "cancelled" else (refund,)
    return ActionDraft(
        tool="cancel_order",
        args={"order_id": order_id, "reason": reason} if reason else {"order_id": order_id},
        title=f"Cancel the order {order_id} and refund {total}",
        summary=(
            *(f"{line['quantity']} x {line['name']} ({line['sku']})" for line in order["lines"]),
            f"refund {total} to the card that was charged",
        ),
        total=total,
        about=f"Cancel {named_together([line['name'] for line in order['lines']])}",
        steps=steps,
    )


def _choices(
    before: Checkout, known: Mapping[str, Any], card_id: str | None, address_id: str | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Settle card and address: what was said, what was chosen before, the default, the only one."""
    cards = {card["card_id"]: card for card in known["cards"]}
    addresses = {address["address_id"]: address for address in known["addresses"]}
    if not cards:
        raise ToolRefused("There is no card on file. Add one in the shop, then check out again.")
    if not addresses:
        raise ToolRefused("There is no address on file. Add one in the shop, then check out again.")
    card = _settled("card_id", cards, card_id, before.card_id, known["default_card_id"])
    address = _settled(
        "address_id", addresses, address_id, before.address_id, known["default_address_id"]
    )
    asked = {}
    if card is None:
        asked["card_id"] = [f"{c['card_id']} {c['brand']} {c['last4']}" for c in cards.values()]
    if address is None:
        asked["address_id"] = [f"{a['address_id']} {a['label']}" for a in addresses.values()]
    if card is None or address is None:
        raise ChoiceNeeded(asked)
    return cards[card], addresses[address]


def _settled(
    name: str, there: dict[str, Any], said: str | None, before: str | None, default: str | None
) -> str | None:
    if said is not None and said not in there:
        raise ToolRefused(
            f"You have no {name} {said}; available are: {', '.join(there)}.", code="not_found"
        )
    for candidate in (said, before, default):
        if candidate in there:
            return candidate
    return next(iter(there)) if len(there) == 1 else None


async def _next_checkout(ctx: Context, cart: Cart) -> str:
    """Name the checkout: n grows only when the one before is closed and compensated."""
    n = 1
    while True:
        name = checkout_id(cart.cart_id, n)
        known = await ctx.ledger.operation(f"checkout/{name}/place_order")
        if known is None:
            return name
        action, step = known.plan.find(step_id(known.op, known.gen))
        if action.succeeded or step.state is StepState.DONE:
            raise ToolRefused("This cart was checked out already. Add something to buy again.")
        if not known.plan.over:
            # The same checkout goes on: its operations meet their record in `intend`.
            return name
        n += 1


async def _priced(ctx: Context, cart: Cart) -> tuple[list[CartLine], list[str]]:
    """Take today's prices for the plan, and say where they moved since the cart was filled."""
    lines, moved = [], []
    for line in cart.lines:
        product = await ctx.services.shop.get(resource("products", line.sku))
        if product["currency"] != cart.currency:
            raise ToolRefused(
                f"{line.sku} ({line.name}) is priced in {product['currency']} now, but the cart "
                f"is in {cart.currency}. Remove it to check out the rest."
            )
        if product["stock"] < line.quantity:
            raise ToolRefused(
                f"Only {product['stock']} of {line.sku} ({line.name}) are in stock; "
                f"{line.quantity} are in the cart.",
                code="out_of_stock",
            )
        if product["price"] != line.unit_price:
            was, now = in_units(line.unit_price or 0), in_units(product["price"])
            moved.append(f"the price of {line.sku} moved from {was} to {now}")
        lines.append(line.model_copy(update={"unit_price": product["price"]}))
    return lines, moved


def _confirmation(lines: list[CartLine], total: Money) -> str:
    rows = [
        f"{line.quantity} x {line.name} ({line.sku}): {in_units(line.price)} {total.currency}"
        for line in lines
    ]
    return "\n".join(["Thank you for your order.", "", *rows, "", f"Total: {total}"])
