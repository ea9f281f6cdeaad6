"""Read the most of some goods beside what they may cost: "brightest headlamp under 60". Pure."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.things import LEADING, SUPERLATIVES
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.goods import (
    AskPrice,
    AskProperty,
    Mention,
    Pick,
    Search,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import By, Extreme, Named
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.words import CHEAP, NOUNS, fold, in_shop_words, kind_of

CALLED: Final[dict[By, str]] = {
    "lightest": "ultralight", "warmest": "winter", "brightest": "long-range",
    "quickest": "integrated",
}  # fmt: skip
"""What the shop calls goods that have the most of something."""
_QUICK: Final = frozenset({"fastest", "quickest", "speediest", "fastest-boiling"})
_HALVES: Final = frozenset({"most", "least", "rated", "reviewed", "expensive", "light", "warm"})


def with_the_most(found: tuple[Intent, ...], tokens: Sequence[Token]) -> tuple[Intent, ...]:
    """Look for goods within their limit, and then tell which of them has the most."""
    texts = [token.text for token in tokens]
    found = tuple(each for one in found for each in _of_each_kind(one))
    by = _most(texts)
    if by is None or len(found) != 1 or has_model(texts):
        return found
    match found[0]:
        case Search(query) as search if (search.max_price or search.measures) and _names(query):
            kept = [word for word in query.split() if word not in _SAID and word not in CHEAP]
            said = "" if by not in CALLED or kind_of(kept) not in _CALLED_SO[by] else CALLED[by]
            kept = [word for word in kept if word not in _BY_WORD.get(by, ())]
            words = " ".join([said, *kept]).strip()
            looked = replace(search, query=words, cheap=False)
            if by in ("cheapest", "dearest"):
                looked = replace(looked, first="cheapest" if by == "cheapest" else "dearest")
            return (looked, Pick(Extreme(by)))
        case AskPrice(Named(words, definite=False)) if by in ("dearest", "cheapest"):
            return (Pick(Extreme(by, words)),) if kind_of(words) else found
        case Search() | AskProperty(Named()) | Mention(Named()) if (
            by == "quickest" and kind_of(texts) == "stoves"
        ):
            nouns, _ = in_shop_words([text for text in texts if fold(text) in NOUNS])
            return (Pick(Extreme(by, tuple(nouns))),)
        case _:
            return found


def _of_each_kind(intent: Intent) -> tuple[Intent, ...]:
    """Read the most of two kinds as the most of each: "the cheapest stove and pole"."""
    match intent:
        case Pick(Extreme(by, words)):
            at = [n for n, word in enumerate(words, 1) if fold(word) in NOUNS]
            kinds = [kind_of(words[:1] if n == 1 else words[n - 1 : n]) for n in at]
            if len(at) != _PAIR or None in kinds or len({*kinds}) < _PAIR:
                return (intent,)
            return (Pick(Extreme(by, words[: at[0]])), Pick(Extreme(by, words[at[0] :])))
        case _:
            return (intent,)


_PAIR: Final = 2


def _most(texts: Sequence[str]) -> By | None:
    for one, two in pairwise([*texts, ""]):
        if one in LEADING and two in LEADING[one] and one not in ("more", "less", "better"):
            return LEADING[one][two]
        if one in SUPERLATIVES and one.endswith("st") and one != "best":
            return SUPERLATIVES[one]
        if one in _QUICK:
            return "quickest"
    return None


def _names(query: str) -> bool:
    return kind_of(query.split()) is not None


_SAID: Final = SUPERLATIVES.keys() | _QUICK | _HALVES - {"light", "warm"}
_BY_WORD: Final[dict[By, tuple[str, ...]]] = {"lightest": ("light",), "warmest": ("warm",)}
_CALLED_SO: Final[dict[By, frozenset[str]]] = {
    "lightest": frozenset({"tents"}),
    "warmest": frozenset({"sleeping-bags"}),
    "brightest": frozenset({"headlamps"}),
    "quickest": frozenset({"stoves"}),
}
