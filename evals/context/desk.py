"""The tools of the contenders: as langchain's are written, over the same shop, returning JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from langchain_core.tools import BaseTool, tool

from daybook.state.shop import cart as carts
from daybook.state.shop.cart import Cart, CartLine
from daybook.tools.services.http import HttpService, resource
from evals.context.script import Json


@dataclass
class Desk:
    """The cart behind a contender's tools; the catalogue is the shop's own."""

    shop: HttpService
    cart: Cart = field(default_factory=lambda: Cart(cart_id="usd-1", currency="USD"))
    orders: int = 0

    def shown(self) -> Json:
        """Show the cart as a tool of the usual kind does: whole, after each change."""
        return {
            "revision": self.cart.revision,
            "currency": self.cart.currency,
            "lines": [
                {
                    "sku": line.sku,
                    "name": line.name,
                    "quantity": line.quantity,
                    "unit_price": line.unit_price,
                    "line_total": line.price,
                }
                for line in self.cart.lines
            ],
            "total": self.cart.total.amount,
        }

    async def add(self, sku: str, quantity: int) -> Json:
        """Put a product into the cart."""
        product = await self.shop.get(resource("products", sku))
        line = CartLine(
            sku=sku,
            name=product["name"],
            quantity=quantity,
            unit_price=product["price"],
        )
        self.cart = carts.add(self.cart, line)
        return self.shown()

    def happens(self, event: Json) -> None:
        """Change the cart as the shop's own page does."""
        if event["type"] == "remove":
            self.cart = carts.remove(self.cart, event["sku"], "")
        else:
            self.cart = carts.set_quantity(self.cart, event["sku"], event["quantity"])

    def order(self) -> Json:
        """Order what is in the cart."""
        self.orders += 1
        placed = {
            "order_id": f"DB-{10_000 + self.orders}",
            "status": "placed",
            "total": self.cart.total.amount,
            "currency": self.cart.currency,
            "lines": [{"sku": o.sku, "quantity": o.quantity} for o in self.cart.lines],
        }
        self.cart = self.cart.model_copy(update={"lines": (), "revision": self.cart.revision + 1})
        return placed


def tools_of(desk: Desk) -> list[BaseTool]:
    """Declare the shop's tools as langchain's, which return JSON."""

    @tool
    async def search_products(
        query: str, category: str | None = None, max_price: int | None = None, limit: int = 5
    ) -> Json:
        """Search the shop's products; at most `limit` hits, best first, prices in cents.

        Args:
            query: what to look for, in plain words
            category: a slug, such as hiking-boots
            max_price: in integer cents
            limit: 1 to 20
        """
        found = await desk.shop.get(
            "/products", query=query, category=category, max_price=max_price, limit=limit
        )
        return {"hits": found["products"]}

    @tool
    async def get_product(sku: str) -> Any:
        """Look up one product: price, stock, description, attributes.

        Args:
            sku: product id, such as BOOT-004
        """
        return await desk.shop.get(resource("products", sku))

    @tool
    async def get_reviews(sku: str) -> Any:
        """Read what customers say about one product.

        Args:
            sku: product id, such as BOOT-004
        """
        return await desk.shop.get(resource("products", sku, "reviews"))

    @tool
    async def get_cart() -> Json:
        """Show the cart as it is now."""
        return desk.shown()

    @tool
    async def add_to_cart(sku: str, quantity: int = 1) -> Json:
        """Put a product into the cart, at the price shown now.

        Args:
            sku: product id, such as BOOT-004
            quantity: 1 to 99
        """
        return await desk.add(sku, quantity)

    @tool
    async def remove_from_cart(sku: str) -> Json:
        """Take a product out of the cart. It will not be recommended again.

        Args:
            sku: product id, such as BOOT-004
        """
        desk.happens({"type": "remove", "sku": sku})
        return desk.shown()

    @tool
    async def set_quantity(sku: str, quantity: int) -> Json:
        """Set how many of a product are in the cart.

        Args:
            sku: product id, such as BOOT-004
            quantity: 1 to 99
        """
        desk.happens({"type": "set_quantity", "sku": sku, "quantity": quantity})
        return desk.shown()

    @tool
    async def checkout(card_id: str | None = None, address_id: str | None = None) -> Json:
        """Buy what is in the cart: the customer is asked first, then the card is charged.

        Args:
            card_id: one of the customer's cards; the default card otherwise
            address_id: one of the customer's addresses; the default address otherwise
        """
        return desk.order()

    @tool
    async def cancel_order(order_id: str, reason: str = "") -> Json:
        """Cancel an order: the customer is asked first, then it is cancelled and refunded.

        Args:
            order_id: order number, such as DB-10001
            reason: why, in the customer's words
        """
        return {"order_id": order_id, "status": "cancelled"}

    @tool
    async def fetch_user_profile() -> Json:
        """Look up the customer: first name, and ids of cards and addresses to choose from."""
        return {"name": "Ada", "cards": [], "addresses": []}

    @tool
    async def get_order(order_id: str) -> Json:
        """Look up one of the customer's orders.

        Args:
            order_id: order number, such as DB-10001
        """
        return {"order_id": order_id, "status": "placed"}

    @tool
    async def list_orders() -> Json:
        """List the customer's orders, newest last."""
        return {"orders": []}

    return [
        search_products,
        get_product,
        get_reviews,
        get_cart,
        add_to_cart,
        remove_from_cart,
        set_quantity,
        checkout,
        cancel_order,
        fetch_user_profile,
        get_order,
        list_orders,
    ]
