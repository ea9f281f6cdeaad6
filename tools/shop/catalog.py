"""The reads of the shop."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from daybook.state.context import ReadContext
from daybook.state.errors import ToolRefused
from daybook.state.session import Session
from daybook.state.shop.cart import Cart
from daybook.tools.kinds import read
from daybook.tools.services.http import resource
from daybook.tools.shop.services import ShopServices

Context: TypeAlias = ReadContext[ShopServices]
Sku = Annotated[str, Field(description="product id, such as BOOT-004", pattern="^[A-Za-z0-9-]+$")]
OrderId = Annotated[str, Field(description="order number, such as DB-10001")]

MINUTE = 60.0


@read(lifetime=10 * MINUTE, tags=("catalogue",))
async def search_products(
    query: Annotated[str, Field(description="what to look for, in plain words")],
    category: Annotated[str | None, Field(description="a slug, such as hiking-boots")] = None,
    max_price: Annotated[int | None, Field(description="in integer cents", gt=0)] = None,
    limit: Annotated[int, Field(ge=1, le=20)] = 5,
    *,
    ctx: Context,
) -> Any:
    """Search the shop's products; at most `limit` hits, best first, prices in cents."""
    if not query.strip() and category is None:
        raise ToolRefused("The search is empty. Say what to look for, or name a category.")
    found = await ctx.services.shop.get(
        "/products", query=query, category=category, max_price=max_price, limit=limit
    )
    return {"hits": found["products"]}


@read(lifetime=10 * MINUTE, tags=("catalogue", "product:{sku}"))
async def get_product(sku: Sku, *, ctx: Context) -> Any:
    """Look up one product: price, stock, description, attributes."""
    return await ctx.services.shop.get(resource("products", sku))


@read(lifetime=60 * MINUTE)
async def list_categories(*, ctx: Context) -> Any:
    """List the shop's categories: the slug of each, and how many products it has."""
    return await ctx.services.shop.get("/categories")


@read(lifetime=60 * MINUTE)
async def get_reviews(sku: Sku, *, ctx: Context) -> Any:
    """Read what customers say about one product."""
    return await ctx.services.shop.get(resource("products", sku, "reviews"))


@read(lifetime=60 * MINUTE)
async def get_policy(
    topic: Annotated[
        Literal["shipping", "returns", "payment", "currency", "warranty", "gifts"],
        Field(description="what to look up"),
    ],
    *,
    ctx: Context,
) -> Any:
    """Look up a policy of the shop: shipping, returns, payment, currency, warranty, gifts."""
    return await ctx.services.shop.get(resource("policies", topic))


@read()
async def get_cart(*, ctx: Context) -> Any:
    """Show the cart as it is now."""
    cart: Cart = ctx.state["cart"]
    return cart.model_dump(mode="json", exclude={"removed"})


@read(lifetime=10 * MINUTE, tags=("profile",))
async def fetch_user_profile(*, ctx: Context) -> Any:
    """Look up the customer: first name, and ids of cards and addresses to choose from."""
    return await profile(ctx.services, ctx.session.user_id)


@read(lifetime=5 * MINUTE, tags=("orders", "order:{order_id}"))
async def get_order(order_id: OrderId, *, ctx: Context) -> Any:
    """Look up one of the customer's orders."""
    return await own_order(ctx.services, ctx.session.user_id, order_id)


@read(lifetime=5 * MINUTE, tags=("orders",))
async def list_orders(*, ctx: Context) -> Any:
    """List the customer's orders, newest last."""
    found = await ctx.services.shop.get("/orders", user_id=ctx.session.user_id)
    return {"orders": [_lean(order) for order in found["orders"]]}


async def profile(services: ShopServices, user_id: str) -> dict[str, Any]:
    """Read a customer's profile without what must never be stored: no street, no mail address."""
    user = await services.shop.get(resource("users", user_id))
    return {
        "name": user["name"].split()[0],
        "default_card_id": user["default_card_id"],
        "default_address_id": user["default_address_id"],
        "cards": [{k: card[k] for k in ("card_id", "brand", "last4")} for card in user["cards"]],
        "addresses": [{k: a[k] for k in ("address_id", "label")} for a in user["addresses"]],
    }


async def addresses_in_words(services: ShopServices, session: Session) -> dict[str, dict[str, str]]:
    """Read where a customer may have it delivered, with streets: to be shown, and never kept."""
    user = await services.shop.get(resource("users", session.user_id))
    return {
        "address_id": {
            one["address_id"]: f"{one['label']}, {one['street']}, {one['postcode']} {one['city']}"
            for one in user["addresses"]
        }
    }


async def own_order(services: ShopServices, user_id: str, order_id: str) -> dict[str, Any]:
    """Read an order of this customer.

    Raises:
        ToolRefused: there is no such order, or it is someone else's.
    """
    order = await services.shop.get(resource("orders", order_id))
    if order["user_id"] != user_id:
        raise ToolRefused(f"You have no order {order_id}.", code="not_found")
    return _lean(order)


def _lean(order: dict[str, Any]) -> dict[str, Any]:
    kept = ("order_id", "status", "total", "currency", "charge_id", "refunded")
    shown = {name: order[name] for name in kept if name in order}
    shown["status"] = order.get("status", order.get("state"))
    shown["lines"] = [
        {k: line[k] for k in ("sku", "name", "quantity", "unit_price") if k in line}
        for line in order["lines"]
    ]
    return shown
