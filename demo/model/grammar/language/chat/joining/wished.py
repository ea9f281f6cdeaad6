"""A wish that is put as something else: a need, names and a please, goods that are so. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.vocabulary import is_a_name, says_goods
from daybook.demo.model.grammar.language.intents.cart import Add, Doubtful
from daybook.demo.model.grammar.language.intents.goods import (
    AskKinds,
    AskPrice,
    AskProperty,
    Mention,
    Pick,
    Search,
    Times,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import AskPolicy
from daybook.demo.model.grammar.language.intents.past import Remember
from daybook.demo.model.grammar.language.intents.references import Extreme, Named, Sku
from daybook.demo.model.grammar.language.words import in_shop_words, kind_of


def as_needed(found: Sequence[Intent]) -> Sequence[Intent]:
    """Read what somebody needs as what is looked for: "my son needs boots" names no "son boots"."""
    return [_as_needed(one) for one in found]


def _as_needed(intent: Intent) -> Intent:
    match intent:
        case Mention(Named(words), None) if (at := _needs_at(words)) and kind_of(words[at:]):
            query, category = in_shop_words(list(words[at:]))
            return Search(" ".join(query), category)
        case _:
            return intent


def _needs_at(words: Sequence[str]) -> int:
    """Return where the goods begin behind whoever needs them; 0 where nobody does."""
    return next((at + 1 for at, word in enumerate(words[:4]) if at and word in _NEEDS), 0)


_NEEDS: Final = frozenset({"need", "needs", "wants", "require", "requires"})


def wished(found: Sequence[Intent], text: str) -> Sequence[Intent]:
    """Read several products that are named, and a please, as a wish to have them."""
    pointed = [one.item for one in found if isinstance(one, Mention) and one.quantity is None]
    skus = [item for item in pointed if isinstance(item, Sku)]
    if skus and len(skus) == len(found):
        if _PLEASE.search(text.lower()):
            return [Add(item) for item in skus]
        return [Doubtful("add", tuple(skus))] if len(skus) >= _SEVERAL else found
    names = [
        tuple(one.query.split())
        for one in found
        if isinstance(one, Search) and one.bare and any(map(is_a_name, one.query.split()))
    ]
    if len(names) < _SEVERAL or len(names) < len(found):
        return found
    if not _PLEASE.search(text.lower()):
        named = all(has_model(words) and kind_of(words) is not None for words in names)
        asks = "?" in text or not named
        return found if asks else [Doubtful("add", tuple(Named(words) for words in names))]
    return [Add(Named(words)) for words in names]


_SEVERAL: Final = 2
_PLEASE: Final = re.compile(r"\b(?:please|pls|plz|need|want|would like|take)\b")


def of_a_kind(found: Sequence[Intent], text: str) -> Sequence[Intent]:
    """Look for goods of a kind that are had so: "do you have the socks that are waterproof?"."""
    if len(found) == 1 and isinstance(found[0], Remember) and _FOR_GIFTS.search(text.lower()):
        # Money that is for presents is told by somebody who looks for some.
        return [*found, AskKinds()]
    return [_of_a_kind(one, text.lower()) for one in found]


_FOR_GIFTS: Final = re.compile(
    r"\b(?:to spend|budget|spare)\b.*\b(?:presents?|gifts?|birthdays?|christmas|xmas)\b"
)


def _of_a_kind(intent: Intent, text: str) -> Intent:
    match intent:
        case AskProperty(Named(words, definite), asked) if (
            kind_of(words) is not None and not has_model(words) and _HAS_SUCH.match(text)
        ):
            if definite and not _THAT_ARE.search(text):
                return intent
            said = [word for word in asked if says_goods(word)]
            query, category = in_shop_words([*words, *said])
            return Search(" ".join(query), category) if said else intent
        case Pick(Extreme(by, words)) if "for" in words[1:]:
            # "The best stove for the patrol kitchen": whom it is for is none of its name.
            at = words.index("for")
            is_said = any(says_goods(word) or word.isdigit() for word in words[at:])
            cut = kind_of(words[:at]) is not None and not is_said
            return Pick(Extreme(by, words[:at])) if cut else intent
        case _:
            return intent


_HAS_SUCH: Final = re.compile(
    r"\W*(?:(?:hi|hello|hey|oi|ok|so|and|yo|please|excuse me)\W+)*"
    r"(?:(?:do|did) (?:you|u|ya) (?:have|hav|sell|stock|do|carry)|have (?:you|u) got|(?:you|u) got"
    r"|got any|any|is there|are there)\b"
)
_THAT_ARE: Final = re.compile(
    r"\b(?:that|which|who|what)(?:['\u2019]?s| is| are| has| have| can| do)?\b"
)


def kept_dry(found: tuple[Intent, ...], text: str) -> tuple[Intent, ...]:
    """Look for what is waterproof where it is told that something gets wet."""
    if _WET.search(text.lower()) is None:
        return found
    return tuple(
        replace(one, query=f"waterproof {one.query}")
        if isinstance(one, Search) and _may_be_wet(one)
        else one
        for one in found
    )


def _may_be_wet(search: Search) -> bool:
    words = search.query.split()
    is_said = {"waterproof", *search.without} & {*words, *search.without}
    return not is_said and kind_of(words) in ("hiking-boots", "jackets")


_WET: Final = re.compile(
    r"\b(?:gets?|getting|always) (?:so |always |very )?(?:wet|soaked|soaking)\b"
    r"|\bwet (?:feet|toes)\b|\bkeeps? (?:me|my \w+|the \w+|us) dry\b|\bstay dry\b"
    r"|\brain sideways\b"
)


def with_currency(found: tuple[Intent, ...], text: str) -> tuple[Intent, ...]:
    """Add what the shop says of currencies where a price is asked for in another one."""
    priced = any(isinstance(one, AskPrice | Times) for one in found)
    return (*found, AskPolicy("currency")) if priced and _FOREIGN.search(text.lower()) else found


_FOREIGN: Final = re.compile(r"\b(?:euros?|eur|pounds|gbp|yen|chf|francs|cad|aud)\b|[€£]")
