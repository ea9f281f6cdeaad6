"""A scripted conversation with the stand-in: the prompt as it is specified, and no machine.

`ShopTalk` plays the machine's part by the prompt's format alone: it renders results and the tail as
text, so that these tests say what the model does with a prompt and nothing about the graph.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from daybook.state.clock import SYSTEM
from daybook.state.errors import ToolRefused
from daybook.state.people.facts import Fact, fact_of, forgotten, line_of, remembered
from daybook.state.prompt.progress import Known, Progress, render
from daybook.state.shop.brief import Brief, described, noted
from daybook.tools.shop.agents import REVIEWER_SYSTEM
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.offered import reviewer
from daybook.tools.shop.offered.verdict import Verdict, rendered
from daybook.tools.signature import schema_of
from tests.stand_in import answered

TOOLS, INTERVIEW_TOOLS = (
    {name: SHOP.registry.offered(name) for name in SHOP.flow.offered[flow]}
    for flow in ("shopping", "interviewing")
)
SCHEMAS = {
    name: schema_of(name, tool.description, tool.args)
    for name, tool in (TOOLS | INTERVIEW_TOOLS).items()
}
VERDICT = schema_of("verdict", "Give it.", Verdict)
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


REVIEWS: dict[str, list[dict[str, Any]]] = {
    "BOOT-001": [
        {"rating": 5, "title": "No blisters", "text": "So comfortable. Dry in the rain."},
        {"rating": 4, "title": "Good", "text": "Comfortable from the first day."},
    ],
    "BOOT-004": [
        {"rating": 2, "title": "Leaks", "text": "Wet socks after an hour of rain."},
        {"rating": 5, "title": "Great grip", "text": "I trust the sole on wet rock."},
    ],
    "BOOT-007": [{"rating": 3, "title": "Narrow", "text": "A tight fit, not for wide feet."}],
}


def units(cents: int) -> str:
    """Write cents as units."""
    return f"{cents // 100}.{cents % 100:02}"


@dataclass
class ShopTalk:
    """Hold one conversation. `answers` overrides the result text of a tool.

    `digest` stands in for what was said before `history` begins, `since` for what is known of the
    person from other threads. `questions` are asked once before a call of their tool is run.
    """

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
    digest: str = ""
    since: str = ""
    facts: tuple[Fact, ...] = ()
    brief: Brief = field(default_factory=Brief)
    wish: str = ""
    owner: str = ""
    questions: dict[str, str] = field(default_factory=dict)
    results: dict[int, str] = field(default_factory=dict)
    _handle: int = 0

    def say(self, text: str) -> str:
        """Say something; run the calls of the turn, and return the answer."""
        self.history.append(HumanMessage(text))
        self.calls, self.model_calls, self.wish = [], 0, ""
        while True:
            owner = self.owner
            reply = answered(self.prompt(), self._schemas())
            self.model_calls += 1
            assert self.model_calls <= MOST_MODEL_CALLS, f"the turn does not end: {self.calls}"
            self.history.append(reply)
            if not reply.tool_calls:
                return reply.text
            asked = [q for call in reply.tool_calls if (q := self.questions.pop(call["name"], ""))]
            for call in reply.tool_calls:
                self._run(call["name"], call["args"], str(call["id"]), asked)
            if asked:
                self.history.append(AIMessage(asked[0]))
                return asked[0]
            if self.owner != owner:
                # The next agent sees what came of the conversation, and not the conversation.
                self.history.clear()
                self.digest = self._progress()

    def _tools(self) -> dict[str, Any]:
        if self.owner == "interviewer":
            return INTERVIEW_TOOLS
        return {name: TOOLS[name] for name in self.offered}

    def _schemas(self) -> list[dict[str, Any]]:
        return [SCHEMAS[name] for name in self._tools()]

    def prompt(self) -> list[BaseMessage]:
        """Compile the prompt as every model gets it."""
        digest = [SystemMessage(self.digest)] if self.digest else []
        return [SystemMessage("You are a shop."), *digest, *self.history, SystemMessage(self.now())]

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
                *([f"owner: {self.owner}"] if self.owner else []),
                f"user: {self.user}",
                *cart,
                f"removed: {removed or 'none'}",
                f"orders: {'; '.join(self.orders) or 'none'}",
                f"pending: {self.pending}",
                *([f"brief: {brief}"] if (brief := self._brief()) else []),
                *([f"facts since: {self.since}"] if self.since else []),
                f"superseded: {self.superseded}",
            ]
        )

    def _progress(self) -> str:
        known = tuple(Known(subject=f.subject, value=f.value, kind=f.kind) for f in self.facts)
        return render(Progress(goal=self.brief.goal, facts=known))

    def _brief(self) -> str:
        wish = f"wants now={self.wish}" if self.wish else ""
        return "; ".join(slot for slot in (described(self.brief, "USD"), wish) if slot)

    def _run(self, name: str, args: dict[str, Any], call_id: str, asked: list[str]) -> None:
        tools = self._tools()
        assert name in tools, f"{name} is called and not bound"
        tools[name].args.model_validate(args)
        if asked:
            result = f"{name} refused: asked first: {asked[0]}"
        else:
            self.calls.append((name, args))
            self._handle += 1
            result = self.answers[name](args) if name in self.answers else self._result(name, args)
            self.results[self._handle] = result
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
            case "remember" | "forget":
                return self._memory(name, args)
            case "start_interview" | "note_brief" | "hand_over":
                return self._interview(name, args)
            case "recall":
                if args["handle"] not in self.results:
                    return f"recall refused: There is no result r{args['handle']} here."
                opened = self.results[args["handle"]]
                stale = f"r{args['handle']}" in self.superseded.split()
                was = "superseded: read again before you rely on it" if stale else "still good"
                return f"{head}: r{args['handle']}, {was}\n{opened}"
            case "query_history":
                return f"{head}: 0 rows"
            case "compare_reviews":
                return self._verdict(args)
            case "checkout":
                self.cart = {}
                return "checkout confirmed: order DB-10001, 129.00 USD charged, confirmation mailed"
            case "cancel_order":
                return f"cancel_order confirmed: order {args['order_id']} cancelled, refunded"
            case _:
                return f"{name} confirmed: done"

    def _memory(self, name: str, args: dict[str, Any]) -> str:
        try:
            if name == "forget":
                self.facts = forgotten(self.facts, args["subject"])
                return f"memory: forgot {args['subject']}"
            fact = fact_of(args["subject"], args["value"], args["kind"], "here", SYSTEM.now())
        except ToolRefused as refused:
            return f"{name} refused: {refused}"
        self.facts = remembered(self.facts, fact)
        return f"memory: {line_of(fact)}"

    def _interview(self, name: str, args: dict[str, Any]) -> str:
        if name == "start_interview":
            self.owner, self.flow, self.brief = "interviewer", "interviewing", Brief(**args)
            return f"interview: goal={args['goal']}"
        if name == "note_brief":
            self.brief = noted(self.brief, **args)
            return f"brief: {described(noted(Brief(), **args), 'USD')}"
        self.wish = args.get("wish", "")
        if self.brief.missing and not (args.get("declined") or self.wish):
            return f"hand_over refused: The brief has no {self.brief.missing[0]} yet."
        self.owner, self.flow = "shopper", "shopping"
        return "brief handed over to the shopper"

    def _verdict(self, args: dict[str, Any]) -> str:
        """Let the same model be the reviewer, in a scope of its own."""
        read = [
            reviewer.written(
                {"sku": sku, "name": self._of(sku).name, "rating": 4}, REVIEWS.get(sku, [])
            )
            for sku in args["skus"]
        ]
        text = "\n\n".join([f"Question: {args.get('question', '')}", *read])
        asked = [SystemMessage(REVIEWER_SYSTEM), HumanMessage(text)]
        (call,) = answered(asked, [VERDICT]).tool_calls
        return rendered(self._handle, Verdict.model_validate(call["args"]))

    def _search(self, args: dict[str, Any]) -> list[Goods]:
        # As in the shop, a size narrows nothing down.
        query = re.sub(r" size \w+", "", args["query"].lower())
        words = [word.rstrip("s") for word in query.split()]
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


def fill(talk: ShopTalk) -> None:
    """Put boots and two pairs of socks into the cart, and look at it."""
    talk.cart = {"BOOT-004": 1, "SOCK-012": 2}
    talk.say("what's in my cart")


def needs_what_is_missing(args: dict[str, Any]) -> str:
    """Answer a checkout as the machine does: name what it still has to be told."""
    card, address = NEEDS_BOTH.split("\n")
    missing = [
        line for name, line in (("card_id", card), ("address_id", address)) if name not in args
    ]
    done = f"checkout confirmed: order DB-10001, 129.00 USD charged to {args.get('card_id')}"
    return "\n".join(missing) or done
