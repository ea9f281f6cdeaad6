"""A search without a thing: it narrows, asks for a property, or counts. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.things import SUPERLATIVES
from daybook.demo.model.grammar.language.chat.read.changes.counts import WORDS_FOR
from daybook.demo.model.grammar.language.chat.vocabulary import says_goods
from daybook.demo.model.grammar.language.intents.cart import Add
from daybook.demo.model.grammar.language.intents.goods import AskPrice, AskProperty, Mention, Search
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Extreme, It, Named
from daybook.demo.model.grammar.language.words import NOUNS, fold

_PROPERTIES: Final = frozenset(
    "weight height length colour color material capacity volume battery".split()  # noqa: SIM905
)
_COMPARED: Final = {"lighter": "light", "warmer": "warm", "thinner": "thin", "thicker": "thick"}
_SIZED: Final = frozenset({"size", "in", "for", "with", "but", "only", "and", "also", "or"})
_LITRES: Final = frozenset({"liter", "liters", "litres", "l"})
_MEASURED: Final = frozenset({"litre", "person", "persons", "season", "seasons"})
_WEATHER: Final = frozenset({"hot", "cold", "wet", "dry", "bad", "real", "hard"})
_NO_WORDS: Final = frozenset({"bigger", "larger", "smaller", "longer", "shorter", "others", "next"})


def narrowing(intent: Intent) -> Intent:
    """Read a search that names how a thing shall be, and no thing, as one that narrows.

    A property alone is asked of what was spoken of: "and the weight?".
    """
    match intent:
        case Search(query, bare=True, max_price=None) if query in WORDS_FOR:
            return Mention(It(), WORDS_FOR[query])
        case Search(query, bare=True, max_price=None) if query in SUPERLATIVES:
            return Mention(Extreme(SUPERLATIVES[query]))
        case Add(Named(words) as item, again=False) if (cut := _bare(words)) != words:
            return replace(intent, item=replace(item, words=cut))
        case Add(Named(words), count, again=False) if set(words) <= _MEASURES:
            return Add(It(), count, intent.more)
        case AskProperty(item, words) if set(words) & _SURELY and _are_amounts(words):
            # "Is it really 448": no property is asked for.
            return AskPrice(item)
        case Mention(Named(asked, definite=True), None) if set(asked) <= _PROPERTIES:
            return AskProperty(It(), asked)
    if not isinstance(intent, Search) or not intent.query or intent.narrows or intent.category:
        return intent
    said = ["litre" if word in _LITRES else word for word in intent.query.split()]
    if set(said) <= _NO_WORDS:
        return replace(intent, query="", bare=False, more=True)
    if any(fold(word) in NOUNS for word in said):
        return intent
    known = _COMPARED.keys() | _SIZED | _MEASURED
    if any(map(says_goods, said)):
        # "For hot summer" is for summer.
        said = [word for word in said if word not in _WEATHER]
    if not all(w in known or says_goods(w) or w.isdigit() for w in said):
        return intent
    query = " ".join(_COMPARED.get(word, word) for word in said if word not in _SIZED - {"size"})
    return replace(intent, query=query or intent.query, bare=False, narrows=True)


def _bare(words: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out whom goods are for, and praise: "headlamp for my brother", "it looks fine"."""
    at = words.index("for") if "for" in words[1:] else len(words)
    if not set(words[at:]) & _WHOM:
        at = len(words)
    while at > 1 and words[at - 1] in _PRAISE:
        at -= 1
    return words[:at]


_PRAISE: Final = frozenset(
    "looks look seems sounds fine good nice great lovely perfect cool ok".split()  # noqa: SIM905
)
_WHOM: Final = frozenset(
    """
    son daughter wife husband friend friends brother sister dad mum mom father mother girlfriend
    boyfriend grandson granddaughter grandpa grandma nephew niece uncle aunt boss colleague partner
    mate roommate roomie twins grandchildren neighbour
    """.split()  # noqa: SIM905
)
_MEASURES: Final = frozenset({"piece", "pieces", "pair", "pairs", "unit", "units", "pcs"})
_SURELY: Final = frozenset({"really", "still", "only", "just", "actually", "truly"})


def _are_amounts(words: Sequence[str]) -> bool:
    amounts = set(words) - _SURELY
    return bool(amounts) and all(word.isdigit() for word in amounts)
