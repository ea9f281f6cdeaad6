"""What the machine says of a cart or an answer that meets what is known of the person. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from daybook.state.effects.keys import digest
from daybook.state.money import Money
from daybook.state.people.facts import Fact, line_of
from daybook.state.people.forgotten import spoken
from daybook.state.prompt.stating import plainly
from daybook.state.prompt.wants import Stated, kept
from daybook.state.shop.cart import Cart, Removed
from daybook.tools.domain import State, Warned
from daybook.tools.said.numbers import in_digits
from daybook.tools.shop.named.mentions import Product
from daybook.tools.shop.named.sentence import Sentence
from daybook.tools.shop.named.traits import traits_of
from daybook.tools.shop.named.words import BUDGETS, KINDS, amounts_in, is_telling, words_in

_NO_LIMIT = re.compile(r"\b(?:no|any|whatever|unlimited|open)\b", re.IGNORECASE)
_IN_ALL = re.compile(
    r"\b(?:budgets?|limit|in all|in total|total|altogether|all together|all told|to spend"
    r"|can (?:only )?spend|(?:can|could) (?:only )?afford|is all (?:i|we)"
    r"|(?:for|on) (?:everything|the lot|it all)|everything included"
    r"|(?:keep|get|hold) (?:the|my) (?:\w+ )?(?:cart|basket|order|bill)"
    r"|(?:don't|do not|can't|cannot|won't|will not) (?:\w+ ){0,3}(?:spend|pay|go)"
    r" (?:over|beyond|above|more than)|is my max(?:imum)?|my max(?:imum)? is"
    r"|is the (?:very )?most (?:i|we)|not a (?:cent|penny) (?:over|more)"
    r"|(?:i|we)(?: only| just)?(?: have|'ve)(?: got)?(?: only| just)?"
    r" (?:(?:usd |[$\u20ac\u00a3])?\d[\d.,]* ?(?:dollars|usd|bucks)"
    r"|[$\u20ac\u00a3]\d[\d.,]*(?=\W*$)))\b",
    re.IGNORECASE,
)
_OF_EACH = re.compile(r"\b(?:per|each|apiece|a (?:piece|pair)|every)\b", re.IGNORECASE)
"""An amount that no cart is held against: what one thing may cost."""

_OTHER_MONEY: Mapping[str, re.Pattern[str]] = {
    "USD": re.compile(r"\b(?:eur(?:os?)?|gbp|chf|francs?)\b|[\u20ac\u00a3]", re.IGNORECASE),
    "EUR": re.compile(r"\b(?:usd|dollars?|gbp|chf|francs?)\b|[$\u00a3]", re.IGNORECASE),
}
"""How an amount is written that is of another currency than the cart."""

_BARS = re.compile(
    r"\b(?:allerg(?:y|ies|ic)(?: to)?|intoleran(?:t|ce)(?: (?:to|of))?|avoids?|without|never|not"
    r"|no|nothing|hates?|free of|can(?:no|')?t (?:have|wear|stand|use|bear|eat)"
    r"|can(?:no|')?t (?:tolerate|do|take)|(?:don't|do not) (?:wear|use|eat|have|do|buy)"
    r"|sensitive to|must(?: not|n't)|(?<=\w)-free|(?:don't|do not) want"
    r"|against|reacts?(?: \w+)? to|(?:gives? (?:me|him|her|us) |causes? )?(?:an? )?(?:rash|hives"
    r"|asthma)(?: from)?|itch(?:es|y)?|sneez\w+(?: from)?|out of the question|deal[- ]?breaker"
    r"|no-go)\b",
    re.IGNORECASE,
)
_ALLERGY = re.compile(
    r"\b(?:allerg\w*|intoleran\w*|rash|reacts?|hives|asthma|sensitive to)\b", re.IGNORECASE
)
_NOT_ALLERGIC = re.compile(
    r"\b(?:not|no longer|never|isn't|aren't|no)(?: \w+)? (?:allerg|intoleran|vegan)", re.IGNORECASE
)
_VEGAN_SAID = re.compile(
    r"\bvegan\b|\banimal[- ]free\b|\bfree of animals?\b|\banimal (?:fib(?:re|er)s?|hairs?)\b"
    r"|\b(?:no|nothing|never|without|not|don't|avoid\w*)\b[^.;]{0,30}\banimals?\b"
    r"|\banimal \w+: (?:no|none|never|avoid\w*)\b",
    re.IGNORECASE,
)
_STRICT = re.compile(r"\b(?:no|never|without|avoids?|can(?:no|')?t|don't)\b", re.IGNORECASE)
"""How a preference is told that bars something."""

_MUST_NOT = re.compile(
    r"\b(?:allerg|intoleran|rash\b|reacts?\b|can(?:no|')?t (?:have|wear|use|eat|do|tolerate)\b"
    r"|hives\b|asthma\b|sneez|itch|sensitive to\b|(?:don't|do not|never) (?:wear|use|eat|buy)\b"
    r"|avoid\b|can(?:no|')?t take\b|must(?: not|n't)\b|\w+-free\b"
    r"|(?:don't|do not) want (?:any|some)thing (?:\w+ )?(?:of|from|with|in)\b"
    r"|(?:i'm|i am|we're|we are) against\b|out of the question\b|deal[- ]?breaker\b"
    r"|no-go\b)"
    r"|^\W*(?:please,? )?(?:no|nothing (?:made )?(?:of|from|with)) \w+(?: \w+)?"
    r"(?:,? (?:please|for me)){0,2}\W*$",
    re.IGNORECASE,
)
"""What of a person's own words bars a product, and is no mere dislike."""

_OWN_WORDS = "own words"
"""The subject of what was said and not remembered by a call."""
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
    "cashmere",
    "alpaca",
    "mohair",
    "fur",
    "lanolin",
)
_ALSO: Mapping[str, tuple[str, ...]] = {
    "feather": ("down", "goose", "duck"),
    "bird": ("down", "goose", "duck", "feather"),
    "goose": ("down",),
    "duck": ("down",),
    "wool": ("merino", "cashmere", "alpaca", "mohair", "lanolin"),
    "lanolin": ("wool", "merino"),
    "sheep": ("wool", "merino", "lanolin"),
    "sheepskin": ("wool",),
    "leather": ("nubuck", "suede"),
    "latex": ("rubber",),
    "rubber": ("latex",),
}
"""What else a product is called that holds a thing, or comes of it."""

_FILLING = """
all animal any anything bad badly brand constraint final from gear goods have kind made material
nothing pair please product sale sensitivity skin some stuff thing things wear with
trigger cause give get make sneeze itch itche buy use eat from yes true severe question
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
    stated = kept(_human(state))
    facts = [fact for fact in state.get("facts", ()) if _is_bar(fact)]
    own = [
        _said(one)
        for one in stated
        if (_MUST_NOT.search(plainly(one.text)) or _VEGAN_SAID.search(plainly(one.text)))
        and not _NOT_ALLERGIC.search(plainly(one.text))
    ]
    met = [*_in(cart), *_named_in(text, results)] if facts or own else []
    told = {}
    for one in met:
        barring = [fact for fact in facts if _meets(fact, one)]
        # What is remembered tells it better.
        for fact in barring or [said for said in own if _meets(said, one)]:
            about = f"{one.place} {one.product.sku} {digest(line_of(fact))[:12]}"
            known = (
                f"what you said ({fact.value})"
                if fact.subject == _OWN_WORDS
                else f"what I know of you ({line_of(fact)})"
            )
            told[about] = f"Mind {known}: {one.product.name} may not fit that."
    return (*_beyond(state, cart, stated), *(Warned(key, said) for key, said in told.items()))


def _human(state: State) -> list[tuple[str, str]]:
    return [(name, text) for name, kind, text in spoken(state) if kind == "human"]


def _said(one: Stated) -> Fact:
    """Write what a person said as what is known of them."""
    return Fact(
        subject=_OWN_WORDS,
        value=one.text,
        kind="constraint",
        source=one.source,
        at=datetime.min.replace(tzinfo=UTC),
    )


def _beyond(state: State, cart: Cart, stated: Sequence[Stated]) -> Iterator[Warned]:
    """Say that the cart is beyond the budget: once for each change of it.

    It stays in the conversation, so it names no total: that changes, and stands beside the chat.
    """
    told, limit = _budget(state, stated)
    if limit is not None and cart.total.amount > limit:
        budget = Money(amount=limit, currency=cart.currency)
        yield Warned(
            f"budget {limit} r{cart.revision}",
            f"What is in your cart now comes to more than your budget of {budget}.",
        )
    elif limit is None and cart.lines and _is_of_other_money(told, cart.currency):
        yield Warned(
            f"budget {digest(told)[:12]}",
            f"I cannot tell whether your cart is within your budget ({told}): its prices are in "
            f"{cart.currency}.",
        )


def budget_of(state: State, stated: Sequence[Stated] | None = None) -> int | None:
    """Return the person's budget for the whole cart in cents: as remembered, or as they said it.

    Args:
        stated: what they said that matters later, where it is known.
    """
    return _budget(state, kept(_human(state)) if stated is None else stated)[1]


def _budget(state: State, stated: Sequence[Stated]) -> tuple[str, int | None]:
    """Return what tells the person's budget, and how much it is in the cart's cents, if it says."""
    currency = state["cart"].currency
    for fact in reversed(state.get("facts", ())):
        if _is_on_budget(fact):
            is_of_each = _OF_EACH.search(f"{fact.subject} {fact.value}") is not None
            return fact.value, None if is_of_each else _limit_in(fact.value, currency)
    for one in reversed(stated):
        if (
            "limit" in one.kinds
            and one.unit in ("", "money")
            and _IN_ALL.search(in_digits(plainly(one.text)))
            and not KINDS & set(words_in(one.text))
            and not _OF_EACH.search(one.text)
        ):
            # What was corrected says last how it is.
            parts = [part for part in one.text.split(" / ") if amounts_in(part)]
            latest = parts[-1] if parts else one.text
            return latest, _limit_in(latest, currency)
    return "", None


def _is_on_budget(fact: Fact) -> bool:
    return any(name in fact.subject for name in BUDGETS)


def _is_of_other_money(text: str, currency: str) -> bool:
    other = _OTHER_MONEY.get(currency)
    return other is not None and other.search(text) is not None


def _limit_in(text: str, currency: str) -> int | None:
    amounts = [amount for amount in amounts_in(text) if amount]
    if not amounts or _is_of_other_money(text, currency):
        return None
    if _NO_LIMIT.search(text) and not re.search(r"\bno more than\b", text, re.IGNORECASE):
        return None
    return round(100 * max(amounts))


def _is_bar(fact: Fact) -> bool:
    """Tell whether a fact may bar a product: an allergy, or what must be kept to."""
    if _is_on_budget(fact):
        return False
    line = line_of(fact)
    if _NOT_ALLERGIC.search(line):
        return False
    bars = fact.kind == "constraint" or _ALLERGY.search(line) or _VEGAN_SAID.search(line)
    return bool(bars or (fact.kind == "preference" and _STRICT.search(line)))


def _meets(fact: Fact, met: _Met) -> bool:
    line = plainly(line_of(fact))
    if _VEGAN_SAID.search(line) and met.words & set(_VEGAN):
        return True
    if _ONLY.search(fact.value) and not _ALLERGY.search(line) and not _BARS.search(fact.value):
        return _is_of(fact, met) and not set(_content(fact.value)) & met.all_words
    return any(_holds(met, _content(part)) for part in _PARTS.split(_barred(fact)))


def _barred(fact: Fact) -> str:
    """Return what of a fact names the thing that is barred: behind the bar, or before it."""
    value, line = plainly(fact.value), plainly(line_of(fact))
    found = _BARS.search(value)
    is_barred_by_subject = fact.subject != _OWN_WORDS and _BARS.search(fact.subject) is not None
    if found is None and not is_barred_by_subject and not _ALLERGY.search(line):
        return ""
    before, behind = (
        ("", value) if found is None else (value[: found.start()], value[found.end() :])
    )
    named = behind if _content(behind) else before
    # "leather allergy: severe", "leather: never"
    about = "" if fact.subject == _OWN_WORDS else _BARS.sub(" ", fact.subject)
    is_of_subject = (_ALLERGY.search(line) or not _content(named)) and _content(about)
    return f"{named}, {about}" if is_of_subject else named


def _holds(met: _Met, barred: Sequence[str]) -> bool:
    """Tell whether a product is of something: "goose down" is met by whatever is of down."""
    if not barred:
        return False
    if (barred[-1], "free") in pairwise(met.product.traits.held):
        return False
    # One word alone may stand in a description of what it is not made of.
    alike = {barred[-1], *_ALSO.get(barred[-1], ())}
    return bool(alike & met.words) or (len(barred) > 1 and met.all_words.issuperset(barred))


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
