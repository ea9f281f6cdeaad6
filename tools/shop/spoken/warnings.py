"""What the machine says of a cart or an answer that meets what is known of the person. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from daybook.state.effects.keys import digest
from daybook.state.money import Money
from daybook.state.people.facts import Fact, line_of
from daybook.state.people.forgotten import spoken
from daybook.state.prompt.wants import kept
from daybook.state.shop.cart import Cart, Removed
from daybook.tools.domain import State, Warned
from daybook.tools.shop.named.mentions import Product, Sentence, traits_of
from daybook.tools.shop.named.words import BUDGETS, KINDS, amounts_in, is_telling, words_in

_NO_LIMIT = re.compile(r"\b(?:no|any|whatever|unlimited|open)\b", re.IGNORECASE)
_IN_ALL = re.compile(
    r"\b(?:budget|in all|in total|altogether|can spend|to spend|can afford)\b", re.IGNORECASE
)
_OTHER_MONEY: Mapping[str, re.Pattern[str]] = {
    "USD": re.compile(r"\b(?:eur(?:os?)?|gbp|chf|francs?)\b|[\u20ac\u00a3]", re.IGNORECASE),
    "EUR": re.compile(r"\b(?:usd|dollars?|gbp|chf|francs?)\b|[$\u00a3]", re.IGNORECASE),
}
"""How an amount is written that is of another currency than the cart."""

_BARS = re.compile(
    r"\b(?:allerg(?:y|ies|ic)(?: to)?|intoleran(?:t|ce)(?: (?:to|of))?|avoids?|without|never|not"
    r"|no|nothing|hates?|free of|can(?:no|')t (?:have|wear|stand|use|bear))\b",
    re.IGNORECASE,
)
_ALLERGY = re.compile(r"\b(?:allerg|intoleran)", re.IGNORECASE)
_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)
_PARTS = re.compile(r",|;|\band\b|\bor\b|/", re.IGNORECASE)
_VEGAN = (
    "leather",
    "wool",
    "merino",
    "down",
    "goose",
    "duck",
    "silk",
    "suede",
    "nubuck",
    "feather",
)
_FILLING = """
all animal any anything bad brand constraint final from gear goods have kind made material nothing
pair please product sale sensitivity skin some stuff thing things wear with
"""
_EMPTY = frozenset(_FILLING.split())


@dataclass(frozen=True)
class _Met:
    """Hold a product that a person meets: in the cart, or named in an answer."""

    product: Removed
    place: str

    @property
    def words(self) -> frozenset[str]:
        """Return what it is made of and has, and its name."""
        return frozenset({*words_in(self.product.name), *self.product.traits.held})

    @property
    def all_words(self) -> frozenset[str]:
        """Return all that the shop says of it."""
        return self.words | {*self.product.traits.words, *words_in(self.product.category)}


def warnings(state: State, text: str, results: Sequence[Any]) -> tuple[Warned, ...]:
    """Say where the cart is beyond the budget, and what meets an allergy or a constraint.

    Args:
        text: the answer.
        results: of the thread's last reads: products that it may name.
    """
    if "cart" not in state:
        return ()
    cart: Cart = state["cart"]
    bars = [fact for fact in state.get("facts", ()) if _is_bar(fact)]
    met = [*_in(cart), *_named_in(text, results)] if bars else []
    told = {}
    for one in met:
        for fact in bars:
            if _meets(fact, one):
                about = f"{one.place} {one.product.sku} {digest(line_of(fact))[:12]}"
                told[about] = (
                    f"Mind what I know of you ({line_of(fact)}): {one.product.name} may not fit "
                    "that."
                )
    return (*_beyond(state, cart), *(Warned(key, said) for key, said in told.items()))


def _beyond(state: State, cart: Cart) -> Iterator[Warned]:
    """Say that the cart is beyond the budget: once for each change of it.

    It stays in the conversation, so it names no total: that changes, and stands beside the chat.
    """
    limit = budget_of(state)
    if limit is not None and cart.total.amount > limit:
        budget = Money(amount=limit, currency=cart.currency)
        yield Warned(
            f"budget {limit} r{cart.revision}",
            f"What is in your cart now comes to more than your budget of {budget}.",
        )


def budget_of(state: State) -> int | None:
    """Return the person's budget for the whole cart in cents: as remembered, or as they said it."""
    currency = state["cart"].currency
    for fact in reversed(state.get("facts", ())):
        if any(name in fact.subject for name in BUDGETS):
            return _limit_in(fact.value, currency)
    human = [(name, text) for name, kind, text in spoken(state) if kind == "human"]
    for one in reversed(kept(human)):
        if (
            "limit" in one.kinds
            and _IN_ALL.search(one.text)
            and not KINDS & set(words_in(one.text))
        ):
            return _limit_in(one.text, currency)
    return None


def _limit_in(text: str, currency: str) -> int | None:
    other = _OTHER_MONEY.get(currency)
    amounts = [amount for amount in amounts_in(text) if amount]
    if not amounts or (other is not None and other.search(text)):
        return None
    if _NO_LIMIT.search(text) and not re.search(r"\bno more than\b", text, re.IGNORECASE):
        return None
    return round(100 * max(amounts))


def _is_bar(fact: Fact) -> bool:
    """Tell whether a fact may bar a product: an allergy, or what must be kept to."""
    if any(name in fact.subject for name in BUDGETS):
        return False
    return fact.kind == "constraint" or _ALLERGY.search(line_of(fact)) is not None


def _meets(fact: Fact, met: _Met) -> bool:
    line = line_of(fact)
    if re.search(r"\bvegan\b", line, re.IGNORECASE) and met.words & set(_VEGAN):
        return True
    if _ONLY.search(fact.value):
        return _is_of(fact, met) and not set(_content(fact.value)) & met.all_words
    if _ALLERGY.search(line):
        barred = _BARS.sub(" ", fact.value)
    elif (found := _BARS.search(fact.value)) is not None:
        barred = fact.value[found.end() :]
    else:
        return False
    return any(_holds(met, _content(part)) for part in _PARTS.split(barred))


def _holds(met: _Met, barred: Sequence[str]) -> bool:
    """Tell whether a product is of something: "goose down" is met by whatever is of down."""
    if not barred:
        return False
    # One word alone may stand in a description of what it is not made of.
    return barred[-1] in met.words or (len(barred) > 1 and met.all_words.issuperset(barred))


def _is_of(fact: Fact, met: _Met) -> bool:
    """Tell whether a fact is about a product's kind: "stove fuel" is about stoves."""
    return bool(set(words_in(f"{fact.subject} {fact.value}")) & KINDS & met.all_words)


def _content(text: str) -> list[str]:
    return [word for word in words_in(text) if is_telling(word) and word not in _EMPTY]


def _in(cart: Cart) -> Iterator[_Met]:
    for line in cart.lines:
        product = Removed(
            sku=line.sku, name=line.name, category=line.category, turn_id="", traits=line.traits
        )
        yield _Met(product, "cart")


def _named_in(text: str, results: Sequence[Any]) -> Iterator[_Met]:
    """Return the products of results that a text names."""
    rows: dict[str, Mapping[str, Any]] = {}
    for result in results:
        found = result if isinstance(result, Mapping) else {}
        for row in found.get("hits", [found]):
            if isinstance(row, Mapping) and {"sku", "name"} <= row.keys():
                # A product that was looked up tells more than a hit.
                rows[str(row["sku"])] = {**rows.get(str(row["sku"]), {}), **row}
    said = Sentence(text)
    for sku, row in rows.items():
        product = Removed(
            sku=sku,
            name=str(row["name"]),
            category=str(row.get("category", "")),
            turn_id="",
            traits=traits_of(row),
        )
        if Product(product).is_named(said):
            yield _Met(product, "told")
