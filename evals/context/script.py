"""The script: what the person says, what the model decides, and what changes outside the chat.

It is written from the shop's catalogue by rules and is the same in every run. The answers tell no
totals and no quantities, whoever plays it: what stands in a prompt of the cart was put there by
tools or by the prompt itself. The person tells 25 facts in 200 turns, 13 of them in 100.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from daybook import HttpService
from daybook.state.money import in_units

Json = Mapping[str, Any]

Kind = Literal["fact", "preference", "constraint"]


class Stated(NamedTuple):
    """A fact and the words in which it is said; `value` stands in them as it is."""

    subject: str
    value: str
    kind: Kind
    said: str


FACTS = (
    Stated("shoe size", "EU 43", "fact", "My shoe size is EU 43, by the way."),
    Stated("allergy", "goose down", "constraint", "I am allergic to goose down, so none of that."),
    Stated("budget", "300 dollars in all", "constraint", "Keep it below 300 dollars in all."),
    Stated("journey", "Iceland in March", "fact", "All this is for Iceland in March."),
    Stated("companion", "my sister Maren", "fact", "I go together with my sister Maren."),
    Stated("colours", "nothing bright orange", "preference", "And please, nothing bright orange."),
    Stated("jacket size", "medium tall", "fact", "In jackets I take medium tall."),
    Stated("knee", "a bad left knee", "fact", "I have a bad left knee, which likes poles."),
    Stated("stove fuel", "gas canisters only", "constraint", "Stoves: gas canisters only."),
    Stated("flight", "on the ninth of March", "fact", "We fly on the ninth of March."),
    Stated("luggage", "one bag of 20 kilos", "constraint", "We may take one bag of 20 kilos."),
    Stated("material", "prefers merino", "preference", "Maren prefers merino."),
    Stated("height", "188 centimetres", "fact", "I am 188 centimetres, if that matters for tents."),
    Stated("Maren's shoe size", "EU 38", "fact", "Maren's shoe size is EU 38."),
    Stated("animals", "no leather", "preference", "If there is a choice, no leather."),
    Stated("water", "two litres a day", "fact", "I drink two litres a day when walking."),
    Stated("nights", "nine nights outside", "fact", "It will be nine nights outside."),
    Stated("cold", "freezes easily", "fact", "Maren freezes easily, keep that in mind."),
    Stated("gift", "a lamp for our father", "fact", "I also look for a lamp for our father."),
    Stated("returns", "no final sales", "constraint", "And for me no final sales."),
    Stated("zips", "left-handed zips", "preference", "I like left-handed zips."),
    Stated("brand", "not Hollow Oak again", "preference", "Please not Hollow Oak again."),
    Stated("delivery", "to the office", "preference", "Deliveries go to the office."),
    Stated("experience", "first winter tour", "fact", "It is our first winter tour."),
    Stated("camera", "a camera of 900 grams", "fact", "I carry a camera of 900 grams."),
)  # fmt: skip

_EVERY = 100 / 13


def fact_at(turn: int) -> Stated | None:
    """Return the fact that is said in a turn, counted from 1."""
    place = round((turn - 4) / _EVERY)
    is_here = place >= 0 and turn == round(4 + place * _EVERY)
    return FACTS[place] if is_here and place < len(FACTS) else None


_KINDS = (
    ("jackets", 30_000, ("warm jacket for wind", "light rain jacket", "jacket to pack small")),
    ("hiking-boots", 25_000, ("waterproof hiking boot", "winter boot", "light boot for summer")),
    ("sleeping-bags", 40_000, ("sleeping bag for frost", "light sleeping bag", "wide bag")),
    ("socks", 5_000, ("merino wool socks", "thick socks for cold feet", "thin liner socks")),
    ("tents", 50_000, ("two person tent", "tent that stands in a storm", "light tent")),
    ("backpacks", 30_000, ("backpack for nine days", "small day pack", "pack with rain cover")),
    ("headlamps", 10_000, ("rechargeable headlamp", "bright headlamp", "small spare lamp")),
    ("stoves", 15_000, ("gas stove that starts in the cold", "small stove", "stove for two")),
    ("trekking-poles", 20_000, ("folding trekking poles", "poles with cork grips", "sturdy poles")),
    ("water-bottles", 6_000, ("insulated bottle", "bottle of one litre", "bottle that is light")),
)
"""Category, the most to pay in cents, and what is looked for in it."""

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
        for category, dearest, queries in _KINDS:
            # The fourth and the fifth time round the same is looked for, for less.
            query = queries[round_ % len(queries)]
            most = dearest - round_ // len(queries) * dearest // 5
            body = await shop.get(
                "/products", query=query, category=category, max_price=most, limit=LIMIT
            )
            found.append(Shelf(query, category, most, body["products"]))
    return found


_CYCLE = (
    *("search", "look", "add", "chat", "search", "reviews", "add", "quantity", "chat", "search"),
    *("look", "add", "chat", "remove", "add", "cart", "search", "add two", "chat", "chat"),
)
_PURCHASES = frozenset({39, 99, 139, 199})
_OUTSIDE = frozenset({34, 58, 86, 127, 151, 177})
"""Turns before which the cart is changed on the shop's own page."""

_AWAY = {12: 50.0, 37: 480.0, 61: 2880.0, 83: 40.0, 112: 90.0, 137: 1440.0, 161: 45.0, 183: 600.0}
"""Minutes for which the person was away before a turn."""

_BETWEEN = 1.5
"""Minutes between two turns otherwise."""

_SMALL_TALK = (
    ("Is it better to wear two thin layers or one thick one?",
     "Two thin layers: you can take one off before you sweat, and they dry faster than one thick "
     "one. Keep the thick one for the evening, when you sit still."),
    ("How do I keep the water from freezing over night?",
     "Fill the bottle with warm water, put it upside down into a sock and take it into the "
     "sleeping bag. Ice begins at the top, which is then the bottom, and you can drink in the "
     "morning."),
    ("Do I have to treat new boots before the first tour?",
     "Wear them for an hour a day for a week before you go, with the socks that you will walk in. "
     "Wax is for leather; a membrane needs none."),
    ("What would you leave at home first?",
     "Spare clothes. One set to walk in and one dry set to sleep in are enough; what gets wet on "
     "the way dries on you faster than in the tent."),
    ("How many people fit into a tent for two in winter?",
     "Two, if the bags are thin. With winter bags and boots inside most people are happier with a "
     "tent for three, or with a large porch."),
)  # fmt: skip


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


Played = tuple[str, Sequence[Sequence[Call]], str]
"""What is said, what is decided, what is answered."""


def script(shelves: Sequence[Shelf], turns: int) -> list[Turn]:
    """Write the first turns of the script; of 100 and of 200 the first 100 are the same."""
    writer = _Writer(shelves)
    return [writer.turn(number) for number in range(1, turns + 1)]


@dataclass
class _Writer:
    """Write turn after turn, with a cart of its own to know what can be said of it."""

    shelves: Sequence[Shelf]
    searches: int = 0
    bought: int = 0
    cart: dict[str, int] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)

    def turn(self, number: int) -> Turn:
        outside = [self._on_the_page()] if number in _OUTSIDE else []
        said, rounds, answer = self._played(number)
        fact = fact_at(number)
        said = f"{fact.said} {said}" if fact else said
        minutes = _AWAY.get(number, _BETWEEN)
        return Turn(number, minutes, outside, said, fact, rounds, answer)

    def _played(self, number: int) -> Played:
        if number in _PURCHASES:
            return self._checkout()
        match _CYCLE[(number - 1) % len(_CYCLE)]:
            case "search":
                return self._search()
            case "look":
                return self._look()
            case "reviews":
                return self._reviews()
            case "add":
                return self._add(1)
            case "add two":
                return self._add(2)
            case "quantity":
                return self._quantity(number)
            case "remove":
                return self._remove()
            case "cart":
                return self._cart()
            case _:
                said, answer = _SMALL_TALK[number // 4 % len(_SMALL_TALK)]
                return said, [], answer

    def _search(self) -> Played:
        shelf = self.shelves[self.searches % len(self.shelves)]
        self.searches += 1
        self.names |= {hit["sku"]: hit["name"] for hit in shelf.hits}
        args = {
            "query": shelf.query,
            "category": shelf.category,
            "max_price": shelf.most,
            "limit": LIMIT,
        }
        rows = [
            f"{number}. {hit['name']}, {in_units(hit['price'])} {hit['currency']}, "
            f"{hit['rating']} of 5"
            for number, hit in enumerate(self._shown()[:5], 1)
        ]
        return (
            f"Could you look for a {shelf.query}, at most {shelf.most // 100} dollars?",
            [[Call("search_products", args)]],
            "\n".join(["This is what I found:", *rows, "Which one shall I look at?"]),
        )

    def _look(self) -> Played:
        one, other = (hit["sku"] for hit in self._shown()[:2])
        return (
            f"Tell me more about the first one and the {self.names[other]}.",
            [[Call("get_product", {"sku": one}), Call("get_product", {"sku": other})]],
            f"The {self.names[one]} is the lighter of the two and has the better marks; the "
            f"{self.names[other]} is sturdier. For what you told me I would take the first.",
        )

    def _reviews(self) -> Played:
        one, other = (hit["sku"] for hit in self._shown()[:2])
        return (
            f"What do people say about the {self.names[one]} and the {self.names[other]}?",
            [[Call("get_reviews", {"sku": one}), Call("get_reviews", {"sku": other})]],
            "Most are content: it does what it says and lasts. One or two find it runs a little "
            "small, so take half a size more if you are between two.",
        )

    def _add(self, count: int) -> Played:
        skus = [hit["sku"] for hit in self._shown()][:count]
        for sku in skus:
            self.cart[sku] = 1
            self.touched.add(sku)
        named = " and the ".join(self.names[sku] for sku in skus)
        return (
            f"Good, put the {named} into my cart.",
            [[Call("add_to_cart", {"sku": sku, "quantity": 1}) for sku in skus]],
            f"Done: the {named} went into your cart. Shall I look for something else?",
        )

    def _quantity(self, number: int) -> Played:
        sku = list(self.cart)[-1]
        self.cart[sku] = 2 + number % 3
        args = {"sku": sku, "quantity": self.cart[sku]}
        return (
            f"We need more than one of the {self.names[sku]}, make it {self.cart[sku]}.",
            [[Call("set_quantity", args)]],
            f"I changed how many of the {self.names[sku]} you get.",
        )

    def _remove(self) -> Played:
        sku = next(iter(self.cart))
        del self.cart[sku]
        return (
            f"I do not want the {self.names[sku]} after all, take it out.",
            [[Call("remove_from_cart", {"sku": sku})]],
            f"The {self.names[sku]} is out of your cart.",
        )

    def _cart(self) -> Played:
        return (
            "What do I have in my cart by now?",
            [[Call("get_cart", {})]],
            "You see it beside the chat: the things for the nights and for walking, as agreed.",
        )

    def _checkout(self) -> Played:
        self.cart.clear()
        self.bought += 1
        return (
            "That is all for now, please order it.",
            [[Call("checkout", {})]],
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
