"""The script: what the person says, what the model decides, and what changes outside the chat.

It is written from the shop's catalogue and `script.json` by rules and is the same in every run. The
answers tell no totals and no quantities, whoever plays it: what stands in a prompt of the cart was
put there by tools or by the prompt itself. The person tells 25 facts in 200 turns, 13 in 100.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from daybook import HttpService
from daybook.state.money import in_units

Json = Mapping[str, Any]

_WRITTEN: Json = json.loads(Path(__file__).with_name("script.json").read_text(encoding="utf-8"))


class Stated(NamedTuple):
    """A fact and the words in which it is said; `value` stands in them as it is."""

    subject: str
    value: str
    kind: str
    said: str


FACTS = tuple(Stated(**one) for one in _WRITTEN["facts"])
_EVERY = 100 / 13


def fact_at(turn: int) -> Stated | None:
    """Return the fact that is said in a turn, counted from 1."""
    place = round((turn - 4) / _EVERY)
    is_here = place >= 0 and turn == round(4 + place * _EVERY)
    return FACTS[place] if is_here and place < len(FACTS) else None


_ROUNDS = 5

LIMIT = 10
"""Hits of a search."""


@dataclass(frozen=True)
class Shelf:
    """What the shop answers to one search.

    Attributes:
        most: to pay, in cents.
    """

    query: str
    category: str
    most: int
    hits: Sequence[Json]


async def shelves(shop: HttpService) -> list[Shelf]:
    """Ask the shop for all that the script looks for; no two searches are the same."""
    found = []
    for round_ in range(_ROUNDS):
        for kind in _WRITTEN["kinds"]:
            queries, dearest = kind["queries"], kind["dearest"]
            # The fourth and the fifth time round the same is looked for, for less.
            query = queries[round_ % len(queries)]
            most = dearest - round_ // len(queries) * dearest // 5
            about = {"query": query, "category": kind["category"], "max_price": most}
            body = await shop.get("/products", **about, limit=LIMIT)
            found.append(Shelf(query, kind["category"], most, body["products"]))
    return found


_CYCLE = (
    *("search", "look", "add", "chat", "search", "reviews", "add", "quantity", "chat", "search"),
    *("look", "add", "chat", "remove", "add", "cart", "search", "add_two", "chat", "chat"),
)
_CALLS = {
    "look": ("get_product", 2),
    "reviews": ("get_reviews", 2),
    "add": ("add_to_cart", 1),
    "add_two": ("add_to_cart", 2),
    "quantity": ("set_quantity", 0),
    "remove": ("remove_from_cart", 0),
    "cart": ("get_cart", 0),
    "purchase": ("checkout", 0),
}
"""What a turn calls, and for how many of the products that were shown last."""

_PURCHASES = frozenset({39, 99, 139, 199})
_OUTSIDE = frozenset({34, 58, 86, 127, 151, 177})
"""Turns before which the cart is changed on the shop's own page."""

_AWAY = {12: 50.0, 37: 480.0, 61: 2880.0, 83: 40.0, 112: 90.0, 137: 1440.0, 161: 45.0, 183: 600.0}
"""Minutes for which the person was away before a turn."""

_BETWEEN = 1.5
"""Minutes between two turns otherwise."""


@dataclass(frozen=True)
class Call:
    """A call that the model decides."""

    tool: str
    args: Json


@dataclass(frozen=True)
class Turn:
    """One turn of the script.

    Attributes:
        number: from 1.
        minutes: for which nothing happened before it.
        outside: cart events of the shop's own page, before it.
        fact: what the person says of herself in it.
        rounds: the model's decisions before its answer, each of one call or several.
    """

    number: int
    minutes: float
    outside: Sequence[Json]
    said: str
    fact: Stated | None
    rounds: Sequence[Sequence[Call]]
    answer: str


def script(shelves: Sequence[Shelf], turns: int) -> list[Turn]:
    """Write the first turns of the script; of 100 and of 200 the first 100 are the same."""
    writer = _Writer(shelves)
    return [writer.turn(number) for number in range(1, turns + 1)]


@dataclass
class _Writer:
    """Write turn after turn, with a cart of its own to know what can be said of it."""

    shelves: Sequence[Shelf]
    searches: int = 0
    cart: dict[str, int] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)

    def turn(self, number: int) -> Turn:
        outside = [self._on_the_page()] if number in _OUTSIDE else []
        kind = "purchase" if number in _PURCHASES else _CYCLE[(number - 1) % len(_CYCLE)]
        calls, about = list[Call](), dict[str, Any]()
        if kind == "chat":
            talk = _WRITTEN["small talk"]
            words = talk[number // 4 % len(talk)]
        else:
            calls, about = self._search() if kind == "search" else self._calls(kind, number)
            words = _WRITTEN["turns"][kind]
        said, answer = (words[of].format(**about) for of in ("said", "answer"))
        fact = fact_at(number)
        said = f"{fact.said} {said}" if fact else said
        rounds = [calls] if calls else []
        return Turn(number, _AWAY.get(number, _BETWEEN), outside, said, fact, rounds, answer)

    def _search(self) -> tuple[list[Call], dict[str, Any]]:
        shelf = self.shelves[self.searches % len(self.shelves)]
        self.searches += 1
        self.names |= {hit["sku"]: hit["name"] for hit in shelf.hits}
        rows = [
            f"{place}. {hit['name']}, {in_units(hit['price'])} {hit['currency']}, "
            f"{hit['rating']} of 5"
            for place, hit in enumerate(self._shown()[:5], 1)
        ]
        sought = {"query": shelf.query, "category": shelf.category, "max_price": shelf.most}
        about = {"query": shelf.query, "most": shelf.most // 100, "rows": "\n".join(rows)}
        return [Call("search_products", {**sought, "limit": LIMIT})], about

    def _calls(self, kind: str, number: int) -> tuple[list[Call], dict[str, Any]]:
        """Change the cart as a turn does; return its calls, and what is said in it by name."""
        tool, count = _CALLS[kind]
        skus = [hit["sku"] for hit in self._shown()[:count]]
        more: dict[str, Any] = {}
        match kind:
            case "add" | "add_two":
                more = {"quantity": 1}
                self.cart |= dict.fromkeys(skus, 1)
                self.touched |= {*skus}
            case "quantity":
                more, skus = {"quantity": 2 + number % 3}, list(self.cart)[-1:]
                self.cart |= dict.fromkeys(skus, more["quantity"])
            case "remove":
                skus = list(self.cart)[:1]
                del self.cart[skus[0]]
            case "purchase":
                self.cart.clear()
        named = zip(("one", "other"), (self.names[sku] for sku in skus), strict=False)
        calls = [Call(tool, {"sku": sku, **more}) for sku in skus] or [Call(tool, {})]
        return calls, {**dict(named), **more}

    def _on_the_page(self) -> Json:
        """Change the cart on the shop's page: another quantity, or a product taken out."""
        sku = list(self.cart)[len(self.cart) // 2]
        if len(self.cart) % 2:
            del self.cart[sku]
            return {"type": "remove", "sku": sku}
        self.cart[sku] += 3
        return {"type": "set_quantity", "sku": sku, "quantity": self.cart[sku]}

    def _shown(self) -> list[Json]:
        """Return the hits of the last search that were in no cart so far."""
        hits = self.shelves[(self.searches - 1) % len(self.shelves)].hits
        return [hit for hit in hits if hit["sku"] not in self.touched]
