"""Changes of the cart: each tool returns an event, and only `apply` changes the cart.

And what depends on it: questions before a costly step, products that are not shown again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from daybook.state.errors import ToolRefused
from daybook.state.money import Money
from daybook.state.panel import Column, Line, Panel
from daybook.state.shop.brief import Brief
from daybook.state.shop.cart import Cart, CartLine, Removed
from daybook.state.shop.state import Checkout, OrderSeen
from daybook.tools.bumps import Args, Bump, Said
from daybook.tools.domain import Change, State
from daybook.tools.kinds import change
from daybook.tools.services.http import resource
from daybook.tools.shop.carts import (
    Changing,
    Quantity,
    bump_before_adding,
    cart_event,
    cart_panel,
    changed_by,
    not_named_in,
)
from daybook.tools.shop.catalog import Context, Sku

_EVENT: TypeAdapter[Changing] = TypeAdapter(Annotated[Changing, Field(discriminator="type")])


Variant = Annotated[
    str, Field(description="size, colour or other variant that the customer named", max_length=60)
]


@change
async def add_to_cart(
    sku: Sku, quantity: Quantity = 1, variant: Variant = "", *, ctx: Context
) -> dict[str, Any]:
    """Put a product into the cart, at the price shown now."""
    product = await ctx.services.shop.get(resource("products", sku))
    if variant.strip():
        raise ToolRefused(
            f"{product['sku']} ({product['name']}) has no variants, so {variant.strip()!r} cannot "
            "be chosen. Nothing was added. It can be added without one."
        )
    cart: Cart = ctx.state["cart"]
    _require_not_just_removed(cart, product, ctx.state)
    inside = cart.line(product["sku"])
    _require_stock(product, quantity + (inside.quantity if inside is not None else 0))
    if product["currency"] != cart.currency:
        raise ToolRefused(
            f"{sku} ({product['name']}) is priced in {product['currency']}, but the cart is in "
            f"{cart.currency}."
        )
    line = CartLine(
        sku=product["sku"],
        name=product["name"],
        quantity=quantity,
        unit_price=product["price"],
    )
    return {"type": "add", "line": line.model_dump(mode="json")}


@change
async def remove_from_cart(sku: Sku, *, ctx: Context) -> dict[str, Any]:
    """Take a product out of the cart. It will not be recommended again."""
    return {"type": "remove", "sku": _in_cart(ctx, sku)}


@change
async def set_quantity(sku: Sku, quantity: Quantity, *, ctx: Context) -> dict[str, Any]:
    """Set how many of a product are in the cart."""
    sku = _in_cart(ctx, sku)
    cart: Cart = ctx.state["cart"]
    line = cart.line(sku)
    if line is not None and quantity > line.quantity:
        _require_stock(await ctx.services.shop.get(resource("products", sku)), quantity)
    return {"type": "set_quantity", "sku": sku, "quantity": quantity}


def _require_not_just_removed(cart: Cart, product: Mapping[str, Any], state: State) -> None:
    """Refuse a product that went in this very turn, as by a call that stands before this.

    What went earlier is asked about before any call of a decision is run.
    """
    turn = (state.get("turn") or {}).get("turn_id", "")
    if any((gone.sku, gone.turn_id) == (product["sku"], turn) for gone in cart.removed):
        raise ToolRefused(
            f"{product['sku']} ({product['name']}) was removed from the cart. Add it again only "
            "if the customer asks for it; to change the number, set the quantity."
        )


def _require_stock(product: Mapping[str, Any], quantity: int) -> None:
    """Refuse more of a product than the shop has."""
    if product["stock"] < quantity:
        raise ToolRefused(
            f"Only {product['stock']} of {product['sku']} ({product['name']}) are in stock.",
            code="out_of_stock",
        )


def apply(state: State, event: Mapping[str, Any], turn_id: str) -> Change:
    """Apply a cart event, from the model's tools or from the shop's own page.

    Raises:
        ToolRefused: it is no cart event, or the cart cannot take it.
    """
    before: Cart = state["cart"]
    after, what = changed_by(before, cart_event(_EVENT, event), turn_id)
    return Change(
        update={"cart": after},
        text=f"cart r{before.revision}>r{after.revision}: {what}",
        trigger="cart.changed",
    )


def _in_cart(ctx: Context, sku: str) -> str:
    """Spell a sku as the cart does; one that is not in it is refused when the event is applied."""
    cart: Cart = ctx.state["cart"]
    return next((line.sku for line in cart.lines if line.sku.lower() == sku.lower()), sku)


# -- what is asked before a costly step, and which products are not shown again---------------------

_LARGE_CART = 100_000
"""Integer cents."""


def hidden(state: State, words: str, result: Any) -> tuple[str, ...]:
    """Return the SKUs of a read's result that the cart holds as removed.

    Args:
        words: the user's message of this turn; a product that it names is shown.
    """
    if not isinstance(result, Mapping):
        return ()
    verdict: Mapping[str, Any] = result.get("verdict", {})
    rows = [*result.get("hits", ()), *verdict.get("products", ()), result]
    shown = {row["sku"] for row in rows if "sku" in row}
    return not_named_in((one for one in state["cart"].removed if one.sku in shown), words)


def _removed_before(state: State, args: Args) -> Removed | None:
    """Return the removed product that a call would add again."""
    cart: Cart = state["cart"]
    sku = str(args["sku"]).casefold()
    return next((one for one in cart.removed if one.sku.casefold() == sku), None)


def _has_budget(state: State, args: Args, said: Said) -> bool:
    brief: Brief = state.get("brief", Brief())
    if brief.max_price is not None:
        return True
    return any("budget" in fact.subject.split() for fact in state.get("facts", ()))


def _total(state: State, args: Args) -> int:
    """Return what the cart adds up to; a single piece was chosen at its price."""
    cart: Cart = state["cart"]
    return cart.total.amount if sum(line.quantity for line in cart.lines) > 1 else 0


BUMPS = (
    Bump(
        tool="checkout",
        slot=lambda state, args: "budget",
        threshold=_LARGE_CART,
        cost=_total,
        is_known=_has_budget,
        question=lambda state, args: (
            "This cart costs more than a thousand, and I know no budget. Is there a limit that I "
            "should keep to, or shall I check out as it is?"
        ),
    ),
    bump_before_adding(_removed_before),
)


# -- beside the conversation ----------------------------------------------------------------------


def panels(state: State) -> Sequence[Panel]:
    """Show the cart, and the orders of the thread where there are any."""
    checkout: Checkout = state.get("checkout", Checkout())
    cart: Cart | None = state.get("cart")
    if cart is None:
        return []
    return [cart_panel(cart, "Cart"), _orders(checkout.orders)]


def _orders(orders: Sequence[OrderSeen]) -> Panel:
    return Panel(
        title="Orders",
        columns=(Column("Order", "id"), Column("Status", "state"), Column("Total", "number")),
        lines=tuple(
            Line(
                (one.order_id, one.status, str(Money(amount=one.total, currency=one.currency))),
                stands=one.status == "placed",
            )
            for one in reversed(orders)
        ),
        told=False,
    )
