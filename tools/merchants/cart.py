"""Changes of the carts: each tool returns an event, and `apply` is the one place that changes them.

What a merchant has made of a checkout without us comes the same way: by its own page, or an event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from daybook.state.errors import ToolRefused
from daybook.state.merchants import cart as lines
from daybook.state.merchants import state as carts
from daybook.state.merchants.cart import MOST_OF_ONE, Line, Removed
from daybook.state.merchants.state import UNKNOWN, Carts, MerchantCart, cart_of, with_cart
from daybook.state.misfits import faults_of
from daybook.tools.bumps import Args
from daybook.tools.domain import Change, State
from daybook.tools.kinds import change
from daybook.tools.merchants.carts import bump_before_adding, not_named_in
from daybook.tools.merchants.catalog import Context, ItemId, MerchantName, find_offer
from daybook.tools.merchants.settlement import refreshed, told

Quantity = Annotated[int, Field(description=f"1 to {MOST_OF_ONE}")]


class Added(BaseModel):
    """Something was put into the cart at a merchant."""

    type: Literal["add"] = "add"
    merchant: str
    line: Line
    currency: str = UNKNOWN


class TakenOut(BaseModel):
    """Something was taken out of it."""

    type: Literal["remove"] = "remove"
    merchant: str
    item_id: str


class QuantitySet(BaseModel):
    """The quantity of something was set."""

    type: Literal["set_quantity"] = "set_quantity"
    merchant: str
    item_id: str
    quantity: int


class Refreshed(BaseModel):
    """A checkout stands at its merchant as these facts of it say."""

    type: Literal["checkout"] = "checkout"
    merchant: str
    facts: dict[str, Any]


class Told(BaseModel):
    """A merchant told how an order stands."""

    type: Literal["order"] = "order"
    merchant: str
    facts: dict[str, Any]
    newness: str


_EVENT: TypeAdapter[Added | TakenOut | QuantitySet | Refreshed | Told] = TypeAdapter(
    Annotated[Added | TakenOut | QuantitySet | Refreshed | Told, Field(discriminator="type")]
)


@change
async def add_to_cart(
    merchant: MerchantName, item_id: ItemId, quantity: Quantity = 1, *, ctx: Context
) -> dict[str, Any]:
    """Put something into the cart at its merchant, at the price shown now."""
    if not 1 <= quantity <= MOST_OF_ONE:
        raise ToolRefused(f"{quantity} of {item_id} cannot be added: 1 to {MOST_OF_ONE} can.")
    offer = await find_offer(ctx.services.merchant(merchant), item_id)
    if offer is None:
        line, currency = Line(sku=item_id, name=item_id, quantity=quantity), UNKNOWN
    elif offer.available is False:
        raise ToolRefused(
            f"{merchant} says that {offer.title} ({item_id}) cannot be had now.",
            code="out_of_stock",
        )
    else:
        line = Line(sku=item_id, name=offer.title, quantity=quantity, unit_price=offer.price)
        currency = offer.currency
    return Added(merchant=merchant, line=line, currency=currency).model_dump(mode="json")


@change
async def remove_from_cart(
    merchant: MerchantName, item_id: ItemId, *, ctx: Context
) -> dict[str, Any]:
    """Take something out of the cart at a merchant. It will not be recommended again."""
    return TakenOut(merchant=merchant, item_id=item_id).model_dump(mode="json")


@change
async def set_quantity(
    merchant: MerchantName, item_id: ItemId, quantity: Quantity, *, ctx: Context
) -> dict[str, Any]:
    """Set how many of something are in the cart at a merchant."""
    event = QuantitySet(merchant=merchant, item_id=item_id, quantity=quantity)
    return event.model_dump(mode="json")


@change
async def refresh_checkout(merchant: MerchantName, *, ctx: Context) -> dict[str, Any]:
    """Take up how the open checkout stands at its merchant, where it went on there."""
    cart = cart_of(ctx.state["carts"], merchant)
    if cart is None or cart.checkout is None:
        raise ToolRefused(f"No checkout is open at {merchant}.")
    now = await ctx.services.merchant(merchant).checkout(cart.checkout.checkout_id)
    return Refreshed(merchant=merchant, facts=now.facts()).model_dump(mode="json")


def apply(state: State, event: Mapping[str, Any], turn_id: str) -> Change:
    """Apply an event of the carts.

    Raises:
        ToolRefused: it is none, or the cart cannot take it.
    """
    try:
        happened = _EVENT.validate_python({k: v for k, v in event.items() if k != "id"})
    except ValidationError as error:
        raise ToolRefused(f"This is no event of a cart: {faults_of(error, 'event')}.") from error
    before: Carts = state["carts"]
    cart = cart_of(before, happened.merchant)
    if isinstance(happened, Told):
        return told(state, happened.merchant, happened.facts, happened.newness)
    if isinstance(happened, Refreshed):
        return refreshed(state, _there(cart, happened.merchant), happened.facts)
    match happened:
        case Added(merchant=merchant, line=line, currency=currency):
            cart = cart or carts.begun(merchant, state["origin"])
            after = carts.add_priced(cart, line, currency)
            what = f"+{line.sku} x{line.quantity} ({line.name})"
        case TakenOut(merchant=merchant, item_id=item_id):
            after = lines.remove(_there(cart, merchant), item_id, turn_id)
            what = f"-{item_id}"
        case QuantitySet(merchant=merchant, item_id=item_id, quantity=quantity):
            after = lines.set_quantity(_there(cart, merchant), item_id, quantity)
            what = f"{item_id} x{quantity}"
    return Change(
        update={"carts": with_cart(before, after)},
        text=f"cart at {happened.merchant} r{after.revision}: {what}",
        trigger="cart.changed",
    )


def _there(cart: MerchantCart | None, merchant: str) -> MerchantCart:
    if cart is None:
        raise ToolRefused(f"There is nothing in a cart at {merchant}.")
    return cart


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


BUMPS = (bump_before_adding("add_to_cart", _removed_before),)
