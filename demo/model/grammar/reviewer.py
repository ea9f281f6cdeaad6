"""Answer as the reviewer: a verdict on products by the ratings and the words of their reviews.

What is read here was written by strangers. A point of a verdict is a word of this file's lists, so
that nothing of theirs is passed on as it stands.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from daybook.demo.model.grammar.desk import Wish
from daybook.demo.model.grammar.language.words import stems

ROLE: Final = "You are the reviewer"
TOOL: Final = "verdict"

_HEAD: Final = re.compile(r"^## ([A-Za-z]+-\d+) \| .*$")
_REVIEW: Final = re.compile(r"^([1-5])(?:\.\d)? of 5 \| (.*)$")
_QUESTION: Final = re.compile(r"^Question: (.*)$")
_WORD: Final = re.compile(r"[a-z]+(?:-[a-z]+)?")

_MOST_POINTS: Final = 2
_GOOD, _POOR = 4, 2

ASPECTS: Final[dict[str, tuple[str, ...]]] = {
    "comfort": ("comfort", "comfortable", "comfy", "soft", "blister", "cosy", "cushion"),
    "fit": ("fit", "size", "sizing", "tight", "loose", "narrow", "wide", "roomy"),
    "warmth": ("warm", "warmth", "cold", "insulation", "insulated", "chilly"),
    "dryness": ("dry", "waterproof", "wet", "rain", "leak", "damp", "membrane", "soaked"),
    "weight": ("light", "lightweight", "heavy", "weight", "weigh", "bulky"),
    "durability": ("durable", "lasted", "sturdy", "broke", "tear", "torn", "wear", "worn", "year",
                   "seam", "trusty", "solid", "firm"),
    "grip": ("grip", "sole", "slip", "slippery", "traction", "lug"),
    "ease of use": ("easy", "simple", "quick", "zip", "pitch", "setup", "fiddly"),
    "price": ("price", "cheap", "expensive", "value", "money", "worth"),
    "light": ("bright", "beam", "lumen", "battery", "dim"),
    "heat": ("boil", "flame", "gas", "wind", "heat"),
}  # fmt: skip
"""What reviews speak of, and by which words; the names are all that a verdict says of them."""


@dataclass(frozen=True)
class _Reviewed:
    """One product, and (rating, folded words) of each of its reviews."""

    sku: str
    reviews: tuple[tuple[int, frozenset[str]], ...]

    @property
    def mean(self) -> float:
        ratings = [rating for rating, _ in self.reviews]
        return sum(ratings) / len(ratings) if ratings else 3.0

    def rated(self, aspect: str) -> float:
        """Return how those rate it who speak of an aspect; nobody does, then as all do."""
        wanted = stems(ASPECTS[aspect])
        ratings = [rating for rating, words in self.reviews if words & wanted]
        return sum(ratings) / len(ratings) if ratings else self.mean - 0.5


def is_reviewer(system: str, offered: Iterable[str]) -> bool:
    """Tell whether these instructions are the reviewer's."""
    return system.startswith(ROLE) and TOOL in offered


def verdict(text: str) -> Wish:
    """Give the verdict on the products whose reviews a text holds. The same text, the same one."""
    question, products = _read(text)
    aspects = [name for name, words in ASPECTS.items() if _WORDS[name] & question]
    judged = [_judged(product) for product in products]
    best = max(products, key=lambda p: _score(p, aspects), default=None)
    if best is not None and not any(product.reviews for product in products):
        best = None
    return Wish(
        TOOL,
        {
            "products": judged,
            "best": best.sku if best is not None else None,
            "summary": _summary(products, best, aspects),
        },
    )


def _read(text: str) -> tuple[frozenset[str], list[_Reviewed]]:
    question: frozenset[str] = frozenset()
    products: list[tuple[str, list[tuple[int, frozenset[str]]]]] = []
    for line in text.split("\n"):
        head, review, asked = _HEAD.match(line), _REVIEW.match(line), _QUESTION.match(line)
        if head:
            products.append((head[1].upper(), []))
        elif asked and not products:
            question = stems(_WORD.findall(asked[1].lower()))
        elif review and products:
            products[-1][1].append((int(review[1]), stems(_WORD.findall(review[2].lower()))))
    return question, [_Reviewed(sku, tuple(reviews)) for sku, reviews in products]


def _judged(product: _Reviewed) -> dict[str, Any]:
    praised = _spoken_of(product, lambda rating: rating >= _GOOD)
    faulted = _spoken_of(product, lambda rating: rating <= _POOR + 1)
    # What as many praise as fault is no point of either side.
    points_for = [name for name in praised if praised[name] > faulted[name]]
    points_against = [name for name in faulted if faulted[name] > praised[name]]
    return {
        "sku": product.sku,
        "rating": min(5, max(1, int(product.mean + 0.5))),
        "points_for": _ranked(praised, points_for),
        "points_against": _ranked(faulted, points_against),
    }


def _spoken_of(product: _Reviewed, counts: Callable[[int], bool]) -> Counter[str]:
    found: Counter[str] = Counter()
    for rating, words in product.reviews:
        if counts(rating):
            found.update(name for name in ASPECTS if _WORDS[name] & words)
    return found


def _ranked(counted: Counter[str], names: Sequence[str]) -> list[str]:
    order = list(ASPECTS)
    ranked = sorted(names, key=lambda name: (-counted[name], order.index(name)))
    return [
        f"{name} ({counted[name]} review{'s' if counted[name] > 1 else ''})"
        for name in ranked[:_MOST_POINTS]
    ]


def _score(product: _Reviewed, aspects: Sequence[str]) -> tuple[float, float, int]:
    asked = [product.rated(aspect) for aspect in aspects] or [product.mean]
    return sum(asked) / len(asked), product.mean, len(product.reviews)


def _summary(products: Sequence[_Reviewed], best: _Reviewed | None, aspects: Sequence[str]) -> str:
    if best is None:
        return "There are no reviews to judge by."
    count = sum(len(product.reviews) for product in products)
    what = f" on {' and '.join(aspects)}" if aspects else ""
    return (
        f"{best.sku} does best{what} in {count} reviews of {len(products)} products, with "
        f"{best.mean:.1f} of 5 on average."
    )


_WORDS: Final = {name: stems((name, *words)) for name, words in ASPECTS.items()}
