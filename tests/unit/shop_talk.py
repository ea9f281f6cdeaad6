"""A scripted conversation with the embedded model: the prompt as it is specified, and no machine.

`ShopTalk` plays the machine's part by the prompt's format alone: it renders results and the tail as
text, so that these tests say what the model does with a prompt and nothing about the graph.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import (
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from tools.shop import cart_tools, effects, plans, reads
from tools.shop.embedded_model import EmbeddedModel
from tools.signature import schema_of

TOOLS: dict[str, Any] = {
    tool.name: tool
    for tool in (
        reads.search_products,
        reads.get_product,
        reads.get_reviews,
        reads.get_cart,
        reads.fetch_user_profile,
        reads.get_order,
        reads.list_orders,
        cart_tools.add_to_cart,
        cart_tools.remove_from_cart,
        cart_tools.set_quantity,
        plans.checkout,
        plans.cancel_order,
        effects.send_email,
    )
}
MOST_MODEL_CALLS = 6
BOOTS = "I need waterproof hiking boots under 150"
NEEDS_BOTH = (
    "checkout needs card_id: card_ben_1 visa 1881; card_ben_2 mastercard 4444\n"
    "checkout needs address_id: addr_ben_1 Home; addr_ben_2 Work"
)

Calls = list[tuple[str, dict[str, Any]]]


@dataclass(frozen=True)
class Goods:
    """One product of the scripted shop; the price in cents."""

    sku: str
    name: str
    price: int
    rating: str = "4.6 of 5 (31)"
    stock: int = 14
    description: str = "A thing for the trail."
    attributes: str = "waterproof=yes, weight_g=450"

    @property
    def row(self) -> str:
        price = f"{units(self.price)} USD"
        return f"{self.sku} | {self.name} | {price} | {self.rating} | {self.stock} in stock"


ASSORTMENT = (
    Goods("BOOT-001", "Pine Hollow Waterproof Hiking Boot", 9_900, "4.4 of 5 (12)"),
    Goods("BOOT-004", "Alder Ridge Waterproof Hiking Boot", 12_900),
    Goods("BOOT-007", "Fern Gully Waterproof Hiking Boot", 14_900, "4.9 of 5 (8)"),
    Goods("SOCK-012", "Merino Wool Hiking Socks", 1_200),
    Goods("SOCK-003", "Alpine Wool Socks", 1_500, "4.1 of 5 (3)"),
    Goods("POLE-002", "Larch Trekking Poles", 7_800),
    Goods("PACK-009", "Day Hiking Backpack", 8_900),
    Goods("TENT-001", "Two Person Tent", 20_000),
    Goods("LAMP-005", "Night Path Headlamp", 3_900, stock=0),
)


def units(cents: int) -> str:
    """Write cents as units."""
    return f"{cents // 100}.{cents % 100:02}"


@dataclass
class ShopTalk:
    """Hold one conversation. `answers` overrides the result text of a tool."""

    user: str = "ada"
    flow: str = "browsing"
    pending: str = "none"
    superseded: str = "none"
    orders: list[str] = field(default_factory=list)
    offered: Collection[str] = tuple(TOOLS)
    answers: dict[str, Callable[[dict[str, Any]], str]] = field(default_factory=dict)
    goods: tuple[Goods, ...] = ASSORTMENT
    cart: dict[str, int] = field(default_factory=dict)
    removed: dict[str, str] = field(default_factory=dict)
    history: list[BaseMessage] = field(default_factory=list)
    calls: Calls = field(default_factory=list)
    model_calls: int = 0
    revision: int = 0
    _handle: int = 0

    def say(self, text: str) -> str:
        """Say something; run the calls of the turn, and return the answer."""
        self.history.append(HumanMessage(text))
        self.calls, self.model_calls = [], 0
        schemas = [
            schema_of(name, TOOLS[name].description, TOOLS[name].args) for name in self.offered
        ]
        model = EmbeddedModel().bind_tools(schemas)
        while True:
            reply = model.invoke(self.prompt())
            self.model_calls += 1
            assert self.model_calls <= MOST_MODEL_CALLS, f"the turn does not end: {self.calls}"
            self.history.append(reply)
            if not reply.tool_calls:
                return reply.text
            for call in reply.tool_calls:
                self._run(call["name"], call["args"], str(call["id"]))

    def prompt(self) -> list[BaseMessage]:
        """Compile the prompt as every model gets it."""
        return [SystemMessage("You are a shop."), *self.history, SystemMessage(self.now())]

    def now(self) -> str:
        """Render the volatile tail."""
        head = f"cart r{self.revision} (USD):"
        lines = [
            f"  {sku} x{n} @ {units(self._of(sku).price)} = {units(n * self._of(sku).price)}"
            f" | {self._of(sku).name}"
            for sku, n in self.cart.items()
        ]
        total = sum(n * self._of(sku).price for sku, n in self.cart.items())
        cart = [head, *lines, f"total: {units(total)} USD"] if lines else [f"{head} empty"]
        removed = "; ".join(f"{sku} | {name}" for sku, name in self.removed.items())
        return "\n".join(
            [
                "# Now",
                f"flow: {self.flow}",
                f"user: {self.user}",
                *cart,
                f"removed: {removed or 'none'}",
                f"orders: {'; '.join(self.orders) or 'none'}",
                f"pending: {self.pending}",
                f"superseded: {self.superseded}",
            ]
        )

    def _run(self, name: str, args: dict[str, Any], call_id: str) -> None:
        assert name in self.offered, f"{name} is called and not bound"
        TOOLS[name].args.model_validate(args)
        self.calls.append((name, args))
        self._handle += 1
        result = self.answers[name](args) if name in self.answers else self._result(name, args)
        self.history.append(ToolMessage(result, tool_call_id=call_id))

    def _result(self, name: str, args: dict[str, Any]) -> str:
        head = f"r{self._handle} {name} ok"
        match name:
            case "search_products":
                found = self._search(args)
                rows = [f"{n}. {goods.row}" for n, goods in enumerate(found, 1)]
                return "\n".join([f"{head}: {len(found)} hits", *rows])
            case "get_product":
                goods = self._of(args["sku"])
                return f"{head}\n{goods.row}\n{goods.description}\nattributes: {goods.attributes}"
            case "get_reviews":
                return f"{head}: 1 reviews of {args['sku']}\n5 of 5 | No blisters | I like it."
            case "fetch_user_profile":
                return (
                    f"{head}\nname: {self.user.title()}\n"
                    "cards: card_ben_1 visa 1881; card_ben_2 mastercard 4444\n"
                    "addresses: addr_ben_1 Home; addr_ben_2 Work\n"
                    "default card: none\ndefault address: none"
                )
            case "list_orders":
                rows = [order.replace(" ", " | ", 2) + " | BOOT-004 x1" for order in self.orders]
                return "\n".join([f"{head}: {len(rows)} orders", *rows])
            case "get_order":
                return f"{head}\n{args['order_id']} | placed | 129.00 USD | BOOT-004 x1"
            case "add_to_cart" | "remove_from_cart" | "set_quantity":
                return self._change(name, args)
            case "checkout":
                self.cart = {}
                return "checkout confirmed: order DB-10001, 129.00 USD charged, confirmation mailed"
            case "cancel_order":
                return f"cancel_order confirmed: order {args['order_id']} cancelled, refunded"
            case _:
                return f"{name} confirmed: done"

    def _search(self, args: dict[str, Any]) -> list[Goods]:
        words = [word.rstrip("s") for word in args["query"].lower().split()]
        most = args.get("max_price") or 10**9
        return [
            goods
            for goods in self.goods
            if all(word in goods.name.lower() for word in words) and goods.price <= most
        ]

    def _change(self, name: str, args: dict[str, Any]) -> str:
        sku, quantity = args["sku"], args.get("quantity", 1)
        goods = next((goods for goods in self.goods if goods.sku == sku), None)
        if goods is None or (name != "add_to_cart" and sku not in self.cart):
            return f"{name} refused: There is no product {sku}."
        self.revision += 1
        head = f"cart r{self.revision - 1}>r{self.revision}:"
        if name == "remove_from_cart":
            del self.cart[sku]
            self.removed[sku] = goods.name
            return f"{head} -{sku} ({goods.name})"
        if name == "set_quantity":
            self.cart[sku] = quantity
            return f"{head} {sku} x{quantity} ({goods.name})"
        self.cart[sku] = self.cart.get(sku, 0) + quantity
        self.removed.pop(sku, None)
        return f"{head} +{sku} x{quantity} ({goods.name})"

    def _of(self, sku: str) -> Goods:
        return next(goods for goods in self.goods if goods.sku == sku)


def with_boots_and_socks() -> ShopTalk:
    """Begin a conversation with boots and two pairs of socks in the cart."""
    talk = ShopTalk(cart={"BOOT-004": 1, "SOCK-012": 2})
    talk.say("what's in my cart")
    return talk


def needs_what_is_missing(args: dict[str, Any]) -> str:
    """Answer a checkout as the machine does: name what it still has to be told."""
    card, address = NEEDS_BOTH.split("\n")
    missing = [
        line for name, line in (("card_id", card), ("address_id", address)) if name not in args
    ]
    done = f"checkout confirmed: order DB-10001, 129.00 USD charged to {args.get('card_id')}"
    return "\n".join(missing) or done
