"""Ranking of products by the words that a query has in common with them."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

WORD = re.compile(r"[a-z0-9]+")

NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "eight": "8"}
SYNONYMS = {
    one: word
    for word, others in {
        "jacket": "anorak coat",
        "bottle": "canteen",
        "stove": "cooker",
        "foot": "feet",
        "headlamp": "flashlight headlight lamp torch",
        "boot": "footwear",
        "hiking": "hike",
        "insulated": "insulation",
        "light": "lightweight ultralight",
        "litre": "liter",
        "man": "men",
        "backpack": "pack rucksack",
        "person": "people",
        "waterproof": "rainproof",
        "tent": "shelter tarp",
        "pole": "stick",
        "trekking": "trek",
        "woman": "women",
        "wool": "woolen woollen",
    }.items()
    for one in others.split()
}
"""Words, in the singular where they have one, that are indexed and looked for under another."""

UNITS = frozenset({"person", "season", "litre", "lumen"})
"""Words that make one word with the number before them: a 4 person tent is no 4 season tent."""

FILLERS = frozenset(
    """
    a an and any are best buy can cheap could do find for from get give good great have i in
    inside is it like looking me my near need nice of on or our pair pairs per please product
    products some someone something stuff that the them these they thing things this those to
    under up us want we which with would you your
    """.split()  # noqa: SIM905
)
"""Words that say nothing about a product."""

KINDS: dict[str, frozenset[str]] = {
    "hiking-boots": frozenset({"boot", "shoe"}),
    "socks": frozenset({"sock", "liner"}),
    "jackets": frozenset({"jacket", "parka", "shell"}),
    "tents": frozenset({"tent"}),
    "sleeping-bags": frozenset({"bag", "quilt"}),
    "backpacks": frozenset({"backpack", "daypack"}),
    "headlamps": frozenset({"headlamp"}),
    "stoves": frozenset({"stove", "burner"}),
    "water-bottles": frozenset({"bottle", "flask"}),
    "trekking-poles": frozenset({"pole"}),
}
"""The words that name a kind of product: what is not of that kind is no answer to them."""

PURPOSES = frozenset({"for", "with", "in", "inside", "under", "on", "to"})
"""Words after which a noun says what a thing is for and no longer what it is."""

WEIGHTS = {"name": 6, "category": 5, "attributes": 4, "brand": 3, "description": 1}


Found = tuple[tuple[str, ...], Literal["all", "some"]]
"""The skus that fit, best first, and whether they fit all words or only some."""


class Search:
    """Rank products by the words that a query has in common with them."""

    def __init__(self, products: Sequence[Mapping[str, Any]]) -> None:
        self._category = {product["sku"]: str(product["category"]) for product in products}
        self._weights = {product["sku"]: weighed(product) for product in products}

    @property
    def categories(self) -> frozenset[str]:
        """Return the slugs of the categories that have products."""
        return frozenset(self._category.values())

    def rank(
        self, query: str, category: str | None, hits: Mapping[str, Mapping[str, Any]]
    ) -> Found:
        """Rank those of `hits` (by sku) that fit the query, best first.

        What fits all words drives out what fits only some. Of two that fit alike, the one in
        stock comes first, then the better rated.
        """
        kinds = kinds_in(query)
        wanted = kinds or self.categories
        if category is not None:
            wanted = frozenset({category})
        asked = [word for word in words_of(query) if word not in FILLERS]
        words = [word for word in dict.fromkeys(asked) if kind_of(word) in {None, *wanted}]
        shelf = [sku for sku in hits if self._category[sku] in wanted]

        whole = [sku for sku in shelf if self._fits_all(sku, words)]
        if whole:
            return self._sorted(whole, words, hits), "all"
        part = [sku for sku in shelf if any(word in self._weights[sku] for word in words)]
        return self._sorted(part, words, hits), "some"

    def _fits_all(self, sku: str, words: list[str]) -> bool:
        """Say whether a product has all words, those aside that name another kind."""
        return all(
            word in self._weights[sku]
            for word in words
            if kind_of(word) in (None, self._category[sku])
        )

    def _sorted(
        self, skus: list[str], words: list[str], hits: Mapping[str, Mapping[str, Any]]
    ) -> tuple[str, ...]:
        def order(sku: str) -> tuple[Any, ...]:
            weights = self._weights[sku]
            matched = sum(1 for word in words if word in weights)
            score = sum(weights.get(word, 0) for word in words)
            in_stock = hits[sku]["stock"] > 0
            return (-matched, -score, not in_stock, -hits[sku]["rating"], sku)

        return tuple(sorted(skus, key=order))


def kinds_in(query: str) -> frozenset[str]:
    """Return the categories that a query names.

    The last of several nouns in a row is the thing ("boot socks" are socks), and nouns after a
    "for" only say what it is for ("socks for hiking boots").
    """
    words = words_of(query)
    cut = next((at for at, word in enumerate(words) if word in PURPOSES and at), len(words))
    return kinds_among(words[:cut]) or kinds_among(words)


def kinds_among(words: list[str]) -> frozenset[str]:
    """Return the categories named in a row of words, by the head of each noun group."""
    named = [*map(kind_of, words), None]
    return frozenset(kind for kind, after in pairwise(named) if kind and not after)


def kind_of(word: str) -> str | None:
    """Return the category that a word names by itself."""
    return next((category for category, names in KINDS.items() if word in names), None)


def weighed(product: Mapping[str, Any]) -> dict[str, int]:
    """Return the words of a product with the weight of the best place that each stands in."""
    fields = {
        "name": product["name"],
        "category": product["category"],
        "attributes": " ".join(attribute_words(product["attributes"])),
        "brand": product["brand"],
        "description": product["description"],
    }
    weights: dict[str, int] = {}
    for field, text in fields.items():
        for word in words_of(text):
            weights[word] = max(weights.get(word, 0), WEIGHTS[field])
    return weights


def attribute_words(attributes: Mapping[str, Any]) -> list[str]:
    """Return what attributes say in words; one that is false says nothing."""
    words: list[str] = []
    for name, value in attributes.items():
        if value is False:
            continue
        if value is not True:
            # The value first, so that a number meets its unit: "4 person", "45 litre".
            words.append(f"{value} {name.rpartition('_')[2]}")
        words.append(name.replace("_", " "))
    return words


def words_of(text: str) -> list[str]:
    """Return the words of a text in order, folded so that plural and singular are the same.

    A number and its unit are one word.
    """
    words: list[str] = []
    for word in map(fold, WORD.findall(text.lower().replace("'", ""))):
        if word in UNITS and words and words[-1].isdigit():
            words[-1] += word
        else:
            words.append(word)
    return words


def fold(word: str) -> str:
    """Return the form under which a word is indexed and looked for."""
    singular = NUMBERS.get(word, singular_of(word))
    return SYNONYMS.get(singular, singular)


def singular_of(word: str) -> str:
    """Return a plural without its ending, by the rules that hold for nearly all nouns."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
