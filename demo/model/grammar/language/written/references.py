"""Turn the matched rules of a noun phrase into references, quantities, prices and choices."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final, Literal

from daybook.demo.model.grammar.language.intents.goods import Search
from daybook.demo.model.grammar.language.intents.references import (
    By,
    Choice,
    Every,
    Extreme,
    It,
    Named,
    Nth,
    Other,
    Reference,
    Sku,
)
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import CHEAP, FILLERS, in_shop_words
from daybook.demo.model.grammar.language.written.parser import Node

_POINTERS: Final = frozenset({"the", "this", "that", "these", "those", "my"})
_EXTREMES: Final[dict[str, Literal["cheapest", "dearest"]]] = {
    "Cheapest": "cheapest",
    "LessDear": "cheapest",
    "Dearest": "dearest",
    "MoreDear": "dearest",
}
_MOST: Final[dict[str, By]] = {
    "lightest": "lightest", "lighter": "lightest", "heaviest": "heaviest", "heavier": "heaviest",
    "brightest": "brightest", "brighter": "brightest", "warmest": "warmest", "warmer": "warmest",
    "biggest": "largest", "bigger": "largest", "largest": "largest", "larger": "largest",
    "roomiest": "largest", "smallest": "smallest", "smaller": "smallest",
}  # fmt: skip
_PLAIN_FORM: Final[dict[str, str]] = {
    "lightest": "light", "warmest": "warm", "thickest": "thick", "thinnest": "thin", "best": "",
    "top": "", "rated": "", "most": "", "popular": "", "highest": "", "cheapest": "", "max": "",
    "nicest": "", "lighter": "light", "warmer": "warm", "brightest": "", "costing": "", "cost": "",
}  # fmt: skip
_PLACES: Final = ("Nth", "NthShort", "NthDigits")
_LONGEST_QUERY: Final = 200


@dataclass(frozen=True)
class Counted:
    """A reference with how many of it, None when that was not said."""

    item: Reference
    quantity: int | None = None
    more: bool = False


def reference(node: Node) -> Reference:
    """Read the first reference in a matched rule; "it" when there is none but a pronoun."""
    texts = [token.text for token in node.tokens]
    for token in node.tokens:
        if token.kind is Kind.SKU:
            return Sku(token.text.upper())
    if node.name == "OtherOne" or node.one("OtherOne") is not None:
        return Other()
    extreme = node.one("Cheapest", "LessDear", "Dearest", "MoreDear", "Best", "Better", "WouldPick",
                       "Most", "MoreOf")  # fmt: skip
    if extreme is not None:
        by = _EXTREMES.get(extreme.name) or _MOST.get(extreme.tokens[-1].text, "best")
        return Extreme(by, _phrase(node))
    if node.name == "All" or node.one("All") is not None:
        count = 2 if {"both", "two"} & set(texts) else _number(node.tokens)
        return Every(count, _phrase(node), exact=count is not None)
    if node.name == "Leading" or node.one("Leading") is not None:
        return Every(next(t.value for t in node.tokens if t.kind is Kind.NUMBER))
    numbered = node.one("Numbered")
    if numbered is not None:
        return Nth(_number(numbered.tokens) or 0, (numbered.tokens[0].text,))
    place = _place(node)
    if place is not None:
        return Nth(place, _phrase(node), _is_counted(node))
    words = _phrase(node)
    plain = tuple(word for word in words if word not in CHEAP)
    if plain != words:
        return Extreme("cheapest", plain)
    definite = bool(_POINTERS & set(texts[:2]))
    many = bool({"them", "they", "these", "those"} & set(texts))
    return Named(words, definite) if words else It(many)


def items(node: Node) -> list[Counted]:
    """Read every item of a list, with its quantity."""
    names = ("Item", "WantedItem", "MentionItem", "CancelItem", "ShownItem")
    return [_counted(item) for item in node.all(*names)] or [_counted(node)]


def _counted(node: Node) -> Counted:
    count = node.one("Count", "TimesTail")
    pointed = node.one("Reference", "Nth", "NthDigits", "Extreme", "Pronoun") or node
    more = count is not None and bool({"more", "another", "extra"} & _texts(count))
    if count is not None and pointed is node and not _has_sku(node):
        return Counted(It(), quantity(count), more)
    more = more or (bool(node.tokens) and node.tokens[0].text in ("another", "more"))
    item = reference(pointed)
    if isinstance(item, Named):
        item = replace(item, max_price=_bounds(node)[1])
    return Counted(item, None if count is None else quantity(count), more)


def quantity(node: Node) -> int:
    """Read a count: "x3", "three", "a couple of", "a dozen", "another"."""
    words = _texts(node)
    if "dozen" in words:
        return 12
    if words & {"couple", "twice"}:
        return 2
    number = _number(node.tokens)
    return 1 if number is None else number


def search(node: Node) -> Search:
    """Read what to look for and its price bounds; the synonyms of a kind become the shop's noun."""
    words = _phrase(node)
    lowest, highest, foreign = _bounds(node)
    plain = [_PLAIN_FORM.get(word, word) for word in words if word not in CHEAP]
    query, category = in_shop_words([word for word in plain if word])
    return Search(
        query=" ".join(query or words)[:_LONGEST_QUERY],
        category=category,
        max_price=highest,
        min_price=lowest,
        cheap=any(word in CHEAP for word in words),
        foreign=foreign,
        my_size=node.one("MySize") is not None,
        my_budget=node.one("MyBudget") is not None,
    )


def choice(node: Node) -> Choice:
    """Read how a card or an address is named."""
    for token in node.tokens:
        if token.kind in (Kind.CARD, Kind.ADDRESS):
            return Choice((token.text,))
        if token.kind is Kind.NTH:
            return Choice(n=token.value)
    generic = {"the", "my", "card", "address", "place", "ending", "in", "with", "number", "no"}
    words = tuple(token.text for token in node.tokens if token.text not in generic)
    last = node.tokens[-1]
    if len(words) == 1 and last.kind is Kind.NUMBER and last.value < 100:
        return Choice(words, n=last.value)
    return Choice(words)


def _place(node: Node) -> int | None:
    pointed = node if node.name in _PLACES else node.one(*_PLACES)
    if pointed is None:
        return None
    if any(token.text in ("last", "final") for token in pointed.tokens):
        return -1
    return _number(pointed.tokens)


def _is_counted(node: Node) -> bool:
    """Tell whether a place is said as an ordinal, not as a number that is written in the list."""
    return any(token.kind is Kind.NTH and token.text[0] != "#" for token in node.tokens)


def _phrase(node: Node) -> tuple[str, ...]:
    """Return the words of the noun phrase that mean something to a search."""
    words: list[str] = []
    for thing in [node] if node.name == "Thing" else node.all("Thing", "SubjectName"):
        words += [
            token.text
            for token, after in zip_longest(thing.tokens, thing.tokens[1:])
            if token.kind in (Kind.WORD, Kind.NUMBER, Kind.NTH)
            and (token.text not in FILLERS or _is_measured(token, after))
        ]
    return tuple(words)


def _is_measured(token: Token, after: Token | None) -> bool:
    """Tell whether a number says how large a thing is: "one person tent"."""
    return token.kind is Kind.NUMBER and after is not None and after.text in _UNITS


_UNITS: Final = frozenset({"person", "man", "season", "litre", "liter", "burner", "layer"})


def _bounds(node: Node) -> tuple[int | None, int | None, str]:
    lowest: int | None = None
    highest: int | None = None
    foreign = ""
    for bound in node.all("AtMost", "AtLeast", "Between", "Around"):
        amounts = sorted(_cents(amount) for amount in bound.all("Amount"))
        if bound.name == "AtMost":
            highest = amounts[0]
        elif bound.name == "AtLeast":
            lowest = amounts[0]
        elif bound.name == "Between":
            lowest, highest = amounts[0], amounts[-1]
        else:
            lowest, highest = amounts[0] * 4 // 5, amounts[0] * 6 // 5
        for sign in bound.all("Foreign"):
            foreign = sign.tokens[0].text
        foreign = foreign or next((c for t in bound.tokens for c in t.text if c in "€£"), "")
    return lowest, highest, foreign


def _cents(amount: Node) -> int:
    token = amount.tokens[0]
    return token.value if token.kind is Kind.MONEY else token.value * 100


def _number(tokens: Iterable[Token]) -> int | None:
    kinds = (Kind.NUMBER, Kind.TIMES, Kind.NTH)
    return next((token.value for token in tokens if token.kind in kinds), None)


def _has_sku(node: Node) -> bool:
    return any(token.kind is Kind.SKU for token in node.tokens)


def _texts(node: Node) -> set[str]:
    return {token.text for token in node.tokens}
