"""Changes of the carts: each tool returns an event, and only `apply` changes the carts.

What a merchant has made of a checkout without us comes the same way: by its own page, or an event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from daybook.state.errors import ToolRefused
from daybook.state.merchants.state import (
    UNKNOWN,
    Carts,
    cart_of,
    new_cart,
    open_at,
    priced_in,
    with_cart,
)
from daybook.state.shop.cart import CartLine, Removed
from daybook.tools.bumps import Args
from daybook.tools.domain import Change, State
from daybook.tools.kinds import change
from daybook.tools.merchants.catalog import Context, ItemId, MerchantName, find_offer
from daybook.tools.merchants.settlement import apply_event, refreshed
from daybook.tools.shop.carts import (
    Added,
    CartEvent,
    Changing,
    Quantity,
    QuantitySet,
    TakenOut,
    bump_before_adding,
    cart_event,
    changed_by,
    not_named_in,
)


class Refreshed(CartEvent):
    """A checkout stands at its merchant as these facts of it say."""

    type: Literal["checkout"] = "checkout"
    facts: dict[str, Any]


class Told(CartEvent):
    """A merchant told how an order stands."""

    type: Literal["order"] = "order"
    facts: dict[str, Any]


_EVENT: TypeAdapter[Changing | Refreshed | Told] = TypeAdapter(
    Annotated[Changing | Refreshed | Told, Field(discriminator="type")]
)


@change
async def add_to_cart(
    merchant: MerchantName, item_id: ItemId, quantity: Quantity = 1, *, ctx: Context
) -> dict[str, Any]:
    """Put something into the cart at its merchant, at the price shown now."""
    offer = await find_offer(ctx.services.merchant(merchant), item_id)
    if offer is None:
        line, currency = CartLine(sku=item_id, name=item_id, quantity=quantity), UNKNOWN
    elif offer.available is False:
        raise ToolRefused(
            f"{merchant} says that {offer.title} ({item_id}) is not available now.",
            code="out_of_stock",
        )
    else:
        line = CartLine(sku=item_id, name=offer.title, quantity=quantity, unit_price=offer.price)
        currency = offer.currency
    return Added(merchant=merchant, line=line, currency=currency).model_dump(mode="json")


@change
async def remove_from_cart(
    merchant: MerchantName, item_id: ItemId, *, ctx: Context
) -> dict[str, Any]:
    """Take something out of the cart at a merchant. It will not be recommended again."""
    return TakenOut(merchant=merchant, sku=item_id).model_dump(mode="json")


@change
async def set_quantity(
    merchant: MerchantName, item_id: ItemId, quantity: Quantity, *, ctx: Context
) -> dict[str, Any]:
    """Set how many of something are in the cart at a merchant."""
    return QuantitySet(merchant=merchant, sku=item_id, quantity=quantity).model_dump(mode="json")


@change
async def refresh_checkout(merchant: MerchantName, *, ctx: Context) -> dict[str, Any]:
    """Read the current status of the open checkout from its merchant."""
    _, checkout = open_at(ctx.state["carts"], merchant)
    now = await ctx.services.merchant(merchant).checkout(checkout.checkout_id)
    return Refreshed(merchant=merchant, facts=now.facts()).model_dump(mode="json")


def apply(state: State, event: Mapping[str, Any], turn_id: str) -> Change:
    """Apply an event of the carts.

    Raises:
        ToolRefused: it is invalid, or the cart cannot take it.
    """
    happened = cart_event(_EVENT, event)
    merchant, before = happened.merchant, state["carts"]
    if isinstance(happened, Told):
        return apply_event(state, merchant, happened.facts)
    if isinstance(happened, Refreshed):
        return refreshed(state, merchant, happened.facts)
    cart = cart_of(before, merchant)
    if cart is None and not isinstance(happened, Added):
        raise ToolRefused(f"The cart at {merchant} is empty.")
    cart = cart or new_cart(merchant, state["origin"])
    if isinstance(happened, Added):
        cart = priced_in(cart, happened.currency)
    after, what = changed_by(cart, happened, turn_id)
    return Change(
        update={"carts": with_cart(before, after)},
        text=f"cart at {merchant} r{after.revision}: {what}",
        trigger="cart.changed",
    )


# -- removed products: left out of reads, asked about before they return ---------------------------


def hidden(state: State, words: str, result: Any) -> Sequence[str]:
    """Return the product ids that a cart holds as removed, and no cart holds as wanted.

    Args:
        words: the user's message of this turn; a product that it names is shown.
    """
    held: Carts = state["carts"]
    kept = {name for cart in held for line in cart.lines for name in (line.sku, line.name)}
    gone = [one for cart in held for one in cart.removed if not {one.sku, one.name} & kept]
    return not_named_in(gone, words)


def _removed_before(state: State, args: Args) -> Removed | None:
    """Return the product that a call would add again to the cart from which it was removed."""
    cart = cart_of(state["carts"], str(args["merchant"]))
    found = cart.removed if cart is not None else ()
    return next((one for one in found if one.sku == args["item_id"]), None)


BUMPS = (bump_before_adding(_removed_before),)
