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


Played = tuple[str, Sequence[Call], str]
"""What is said, what is called, what is answered."""


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
        said, calls, answer = getattr(self, f"_{kind}")(number)
        fact = fact_at(number)
        said = f"{fact.said} {said}" if fact else said
        rounds = [calls] if calls else []
        return Turn(number, _AWAY.get(number, _BETWEEN), outside, said, fact, rounds, answer)

    def _chat(self, number: int) -> Played:
        talk = _WRITTEN["small talk"]
        said, answer = talk[number // 4 % len(talk)].values()
        return said, [], answer

    def _search(self, number: int) -> Played:
        shelf = self.shelves[self.searches % len(self.shelves)]
        self.searches += 1
        self.names |= {hit["sku"]: hit["name"] for hit in shelf.hits}
        about = {"query": shelf.query, "category": shelf.category, "max_price": shelf.most}
        rows = [
            f"{place}. {hit['name']}, {in_units(hit['price'])} {hit['currency']}, "
            f"{hit['rating']} of 5"
            for place, hit in enumerate(self._shown()[:5], 1)
        ]
        return (
            f"Could you look for a {shelf.query}, at most {shelf.most // 100} dollars?",
            [Call("search_products", {**about, "limit": LIMIT})],
            "\n".join(["This is what I found:", *rows, "Which one shall I look at?"]),
        )

    def _look(self, number: int) -> Played:
        one, other = (hit["sku"] for hit in self._shown()[:2])
        return (
            f"Tell me more about the first one and the {self.names[other]}.",
            [Call("get_product", {"sku": sku}) for sku in (one, other)],
            f"The {self.names[one]} is the lighter of the two and has the better marks; the "
            f"{self.names[other]} is sturdier. For what you told me I would take the first.",
        )

    def _reviews(self, number: int) -> Played:
        one, other = (hit["sku"] for hit in self._shown()[:2])
        return (
            f"What do people say about the {self.names[one]} and the {self.names[other]}?",
            [Call("get_reviews", {"sku": sku}) for sku in (one, other)],
            "Most are content: it does what it says and lasts. One or two find it runs a little "
            "small, so take half a size more if you are between two.",
        )

    def _add(self, number: int, count: int = 1) -> Played:
        skus = [hit["sku"] for hit in self._shown()][:count]
        self.cart |= dict.fromkeys(skus, 1)
        self.touched |= {*skus}
        named = " and the ".join(self.names[sku] for sku in skus)
        return (
            f"Good, put the {named} into my cart.",
            [Call("add_to_cart", {"sku": sku, "quantity": 1}) for sku in skus],
            f"Done: the {named} went into your cart. Shall I look for something else?",
        )

    def _add_two(self, number: int) -> Played:
        return self._add(number, 2)

    def _quantity(self, number: int) -> Played:
        sku = list(self.cart)[-1]
        self.cart[sku] = 2 + number % 3
        return (
            f"We need more than one of the {self.names[sku]}, make it {self.cart[sku]}.",
            [Call("set_quantity", {"sku": sku, "quantity": self.cart[sku]})],
            f"I changed how many of the {self.names[sku]} you get.",
        )

    def _remove(self, number: int) -> Played:
        sku = next(iter(self.cart))
        del self.cart[sku]
        return (
            f"I do not want the {self.names[sku]} after all, take it out.",
            [Call("remove_from_cart", {"sku": sku})],
            f"The {self.names[sku]} is out of your cart.",
        )

    def _cart(self, number: int) -> Played:
        return (
            "What do I have in my cart by now?",
            [Call("get_cart", {})],
            "You see it beside the chat: the things for the nights and for walking, as agreed.",
        )

    def _purchase(self, number: int) -> Played:
        self.cart.clear()
        return (
            "That is all for now, please order it.",
            [Call("checkout", {})],
            "It is ordered, and the confirmation is on its way to you by mail.",
        )

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
