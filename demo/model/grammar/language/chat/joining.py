"""Join what was read of the parts of a text, where it belongs together. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.vocabulary import is_a_name, says_goods
from daybook.demo.model.grammar.language.intents import (
    Add,
    AskPolicy,
    AskPrice,
    AskProperty,
    Details,
    Extreme,
    Intent,
    It,
    Mention,
    Named,
    Nth,
    Reference,
    Remove,
    Reviews,
    Search,
    Sku,
    Times,
)
from daybook.demo.model.grammar.language.words import NOUNS, fold


def combined(found: Sequence[Intent]) -> tuple[Intent, ...]:
    """Join what belongs together.

    "The Pine Ledge tent, is it heavy?" asks about the tent, and "add a stove, the Moss Bridge one"
    adds one stove.
    """
    joined: list[Intent] = []
    if any(isinstance(one, Search) and one.query for one in found):
        # What was told before a search is no product: "my feet get cold easily, thick socks?"
        found = [one for one in found if not (isinstance(one, Mention) and _is_chatter(one))]
    for one in map(_narrowing, found):
        before = joined[-1] if joined else None
        named = _named_by(before)
        if (
            named is not None
            and isinstance(one, AskProperty | AskPrice | Reviews | Details | Add | Remove)
            and isinstance(one.item, It)
        ):
            joined[-1] = replace(one, item=named)
        elif isinstance(before, Add) and isinstance(one, Add) and _says_which(before, one):
            joined[-1] = replace(before, item=_both(before.item, one.item))
        elif isinstance(before, Search) and isinstance(one, Mention) and _narrows(one):
            assert isinstance(one.item, Named), "what narrows is named"
            joined[-1] = replace(before, query=" ".join((*one.item.words, before.query)))
        elif isinstance(before, Add) and (more := _had_too(one)) is not None:
            joined.append(more)
        elif _is_said_twice(before, one):
            continue
        elif isinstance(before, Mention) and isinstance(one, Add) and isinstance(before.item, It):
            joined[-1:] = [Add(before.item), one]
        else:
            joined.append(one)
    return tuple(joined)


def _is_said_twice(before: Intent | None, one: Intent) -> bool:
    """Tell whether one wish stands there in two sentences: "I do need it, add it"."""
    match before, one:
        case Add(It(), 1, False), Add(It(), 1, False):
            return True
        case _:
            return False


def wished(found: Sequence[Intent], text: str) -> Sequence[Intent]:
    """Read several products that are named, and a please, as a wish to have them."""
    names = [
        tuple(one.query.split())
        for one in found
        if isinstance(one, Search) and one.bare and any(map(is_a_name, one.query.split()))
    ]
    if len(names) < _SEVERAL or len(names) < len(found) or not _PLEASE.search(text.lower()):
        return found
    return [Add(Named(words)) for words in names]


_SEVERAL: Final = 2
_PLEASE: Final = re.compile(r"\b(?:please|pls|plz|need|want|would like|take)\b")


def with_currency(found: tuple[Intent, ...], text: str) -> tuple[Intent, ...]:
    """Add what the shop says of currencies where a price is asked for in another one."""
    priced = any(isinstance(one, AskPrice | Times) for one in found)
    return (*found, AskPolicy("currency")) if priced and _FOREIGN.search(text.lower()) else found


_FOREIGN: Final = re.compile(r"\b(?:euros?|eur|pounds|gbp|yen|chf|francs|cad|aud)\b|[€£]")


def _named_by(intent: Intent | None) -> Reference | None:
    """Return what an intent names and nothing else."""
    match intent:
        case Mention(item, None) if isinstance(item, Named | Sku | Nth):
            return item
        case Search(query, bare=True, min_price=None, max_price=None) if query:
            return Named(tuple(query.split()), definite=True)
        case _:
            return None


_COMPARED: Final = {"lighter": "light", "warmer": "warm", "thinner": "thin", "thicker": "thick"}
_SIZED: Final = frozenset({"size", "in", "for", "with", "but", "only", "and", "also", "or"})
_NO_WORDS: Final = frozenset({"bigger", "larger", "smaller", "longer", "shorter", "others", "next"})


def _narrowing(intent: Intent) -> Intent:
    """Read a search that names how a thing shall be, and no thing, as one that narrows."""
    if not isinstance(intent, Search) or not intent.query or intent.narrows or intent.category:
        return intent
    words = intent.query.split()
    if set(words) <= _NO_WORDS:
        return replace(intent, query="", bare=False, more=True)
    if any(fold(word) in NOUNS for word in words):
        return intent
    if not all(w in _COMPARED or w in _SIZED or says_goods(w) or w.isdigit() for w in words):
        return intent
    query = " ".join(_COMPARED.get(word, word) for word in words if word not in _SIZED - {"size"})
    return replace(intent, query=query or intent.query, bare=False, narrows=True)


def _is_chatter(mention: Mention) -> bool:
    item = mention.item
    if not isinstance(item, Named) or mention.quantity is not None:
        return False
    return len(item.words) >= _MANY_WORDS and not any(fold(word) in NOUNS for word in item.words)


_MANY_WORDS: Final = 3


def _narrows(mention: Mention) -> bool:
    """Tell whether a mention only says more of what was named before: "the light ones"."""
    item = mention.item
    return (
        isinstance(item, Named)
        and item.definite
        and mention.quantity is None
        and not any(fold(word) in NOUNS for word in item.words)
    )


def _had_too(intent: Intent) -> Add | None:
    """Read what is named behind something that is added as a wish to have it too."""
    match intent:
        case Mention(item, quantity) if isinstance(item, Nth | Sku | Named | Extreme):
            return Add(item, quantity or 1)
        case Search(query, bare=True, min_price=None) if query:
            return Add(Named(tuple(query.split()), max_price=intent.max_price))
        case _:
            return None


def _says_which(before: Add, after: Add) -> bool:
    """Tell whether the second names what the first left open: "a stove, the Moss Bridge one"."""
    first, second = before.item, after.item
    if not (isinstance(first, Named) and isinstance(second, Named)):
        return False
    has_kind = any(fold(word) in NOUNS for word in second.words)
    return second.definite and not first.definite and not has_kind and after.quantity == 1


def _both(first: Reference, second: Reference) -> Reference:
    assert isinstance(first, Named), "only what is named is joined"
    assert isinstance(second, Named), "only what is named is joined"
    return Named((*second.words, *first.words), definite=False, max_price=first.max_price)
