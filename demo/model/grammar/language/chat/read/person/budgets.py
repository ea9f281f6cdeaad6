"""Read what money there is for goods as a wish to see such: "300 for a tent and a bag". Pure.

What each may cost is the limit where it is told; else it is all that there is to spend.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.vocabulary import says_goods
from daybook.demo.model.grammar.language.intents.goods import Search
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.past import Remember
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.words import NOUNS, fold, in_shop_words

_AMOUNT: Final = r"[$]? ?\d+(?:\.\d\d)?(?: ?(?:dollars|usd|bucks|\$))?"
_IN_MONEY: Final = r"(?:[$] ?\d+|\d+(?:\.\d\d)? ?(?:dollars|usd|bucks|pounds|euros|\$))"
_SPENDS: Final = (
    r"(?:for|to spend|in total|max|tops|per|each|altogether|all in|together|left"
    r"|an? (?!week|month|year|day|night)[a-z])"
)
_MONEY: Final = re.compile(
    r"\bbudget\b.*\d|\d.*\bbudget\b"
    r"|\b(?:i|we) (?:only |just )*(?:have|got|have got|can spend|could spend|can pay|can afford"
    r"|want to spend|would spend|will spend)(?: (?:about|around|only|up to|like|roughly|just))*"
    rf" (?:{_AMOUNT}(?= {_SPENDS})|{_IN_MONEY})"
    rf"|^(?:(?:ok|so|hi|hello|and|well|with|got|only|having|about|,) )*{_AMOUNT}"
    r"(?: (?:in total|max|total|all in|tops))? (?:for(?! (?:the|my|our|his|her|me|him|us|them|each"
    r"|every\w*)\b)|to spend on)\b"
    rf"|{_AMOUNT} (?:i|we) (?:can|could|would|will|want to) (?:spend|pay)\b"
    rf"|\bwith (?:only )?{_AMOUNT}(?: in (?:total|all))? (?:i|we)\b"
)
_OF_ANOTHER: Final = re.compile(
    r"\b(?:add|put|cart|basket|remove|take|swap|checkout|check out|pay for|refund|left|remains"
    r"|order|ordered|bought|paid|cost|costs|over|above|more than|at least|if|would|forget|how much"
    r"|sizes?|remember|note|each of|g|grams|kg|lumens?|litres?|people|persons?|in stock)\b"
)
_BESIDE: Final = frozenset({"cheap", "budget", "kids", "kid"})


def _required(sentence: Sequence[Token]) -> list[str]:
    """Return how the goods shall be, where a piece behind them says nothing else."""
    pieces = [[token.text for token in piece] for piece in _pieces(sentence)]
    is_named = [any(fold(word) in NOUNS for word in piece) for piece in pieces]
    behind = pieces[is_named.index(True) + 1 :] if True in is_named else []
    said = [[word for word in piece if word not in _MUST_BE] for piece in behind]
    return [word for piece in said if all(map(says_goods, piece)) for word in piece]


_MUST_BE: Final = frozenset(
    """
    they it that must should have has need needs to be is are with a an some really very preferably
    ideally please also well of made in
    """.split()  # noqa: SIM905
)
_BUDGET: Final = re.compile(rf"\bbudget\b.*?({_AMOUNT}(?: (?:each|per \w+(?: bags?)?))?)")


def budgeted(sentence: Sequence[Token]) -> tuple[Intent, ...] | None:
    """Return the searches for the goods that money is told for; None where it is for none."""
    text = " ".join(token.text for token in sentence)
    if _MONEY.search(text) is None or _OF_ANOTHER.search(text):
        return None
    highest = price_bounds(text)[1] or _only_amount(text)
    if highest is None:
        return None
    named = {fold(words[-1]): words for words in reversed(_named(sentence))}
    searches = []
    for words in reversed(named.values()):
        query, category = in_shop_words(list(words))
        searches.append(Search(" ".join(query), category, highest))
    if not searches:
        return None
    required = _required(sentence)
    if len(searches) == 1 and required:
        said_of_it = dict.fromkeys((*required, *searches[0].query.split()))
        searches = [replace(searches[0], query=" ".join(said_of_it))]
    told = _BUDGET.search(text)
    noted = () if told is None else (Remember("budget", told[1].strip(), "constraint"),)
    return (*noted, *searches)


def each_limited(sentence: Sequence[Token]) -> tuple[Intent, ...] | None:
    """Return a search for each kind of goods with its own limit: "tent max 90, bag max 40"."""
    text = " ".join(token.text for token in sentence)
    texts = [token.text for token in sentence]
    if _OF_ANOTHER.search(text) or ACTS & {*texts} - _LOOKS or has_model(texts):
        return None
    limits: dict[str, int] = {}
    for piece in _pieces(sentence):
        kinds = {fold(words[-1]) for words in _named(piece)}
        highest = price_bounds(" ".join(token.text for token in piece))[1]
        if highest is not None and len(kinds) == 1:
            limits.setdefault(kinds.pop(), highest)
    called: dict[str, tuple[str, ...]] = {}
    for words in _named(sentence):
        kind = fold(words[-1])
        called[kind] = max(called.get(kind, ()), words, key=len)
    if len(limits) < _SEVERAL or limits.keys() != called.keys():
        return None
    shop = {kind: in_shop_words(list(words)) for kind, words in called.items()}
    return tuple(
        Search(" ".join(query), category, limits[kind]) for kind, (query, category) in shop.items()
    )


_SEVERAL: Final = 2
_LOOKS: Final = frozenset(
    {"need", "want", "get", "show", "find", "have", "buy", "take", "keep", "make"}
)


def _pieces(sentence: Sequence[Token]) -> list[list[Token]]:
    """Cut a sentence at its commas, and where it joins."""
    pieces: list[list[Token]] = [[]]
    for token in sentence:
        if token.text in (",", ";", "and", "&", "plus", "-", ".", ":"):
            pieces.append([])
        else:
            pieces[-1].append(token)
    return [piece for piece in pieces if piece]


_SHOWS: Final = re.compile(
    r"(?:(?:ok|okay|so|and|then|well|cool|great|nice|yes|please|now|oh|right|,) )*"
    r"(?:(?:can|could|would|will) (?:you|i|we) (?:please |just )*)?(?:let (?:me|us) see|show|see"
    r"|list"
    r"|i (?:want|would like) to see)(?: (?:me|us|only|just|please))*"
    r" (?:those|these|them|that|some|some of (?:those|these|them)|(?:the )?ones?|any|such)"
    r"(?: (?:please|then|but|only|just|that (?:are|cost)|which (?:are|cost)|for|,|-))*"
)


def listed_within(sentence: Sequence[Token]) -> tuple[Intent, ...] | None:
    """Read a wish to see those that were spoken of, within a limit: "show me those, up to 45"."""
    text = " ".join(token.text for token in sentence).strip(" ?!.,;:-\n")
    shows = _SHOWS.match(text)
    if shows is None or any(fold(word) in NOUNS or says_goods(word) for word in text.split()):
        return None
    lowest, highest = price_bounds(text)
    if highest is None or lowest is not None or len(text[shows.end() :].split()) > _LONGEST_LIMIT:
        return None
    return (Search(max_price=highest),)


_LONGEST_LIMIT: Final = 7


def _only_amount(text: str) -> int | None:
    """Return the one amount that is told, in cents; None where there are several."""
    found = re.findall(r"(?<![\w.])(\d{2,4})(?![\w.])", text)
    return int(found[0]) * 100 if len(found) == 1 else None


def _named(sentence: Sequence[Token]) -> list[tuple[str, ...]]:
    """Return the words of each of the goods that are named."""
    found: list[tuple[str, ...]] = []
    words: list[str] = []
    for at, token in enumerate(sentence):
        word = token.text
        after = sentence[at + 1].text if at + 1 < len(sentence) else ""
        if fold(word) in NOUNS and fold(after) not in NOUNS:
            found.append((*words, word))
            words = []
        elif (says_goods(word) or fold(word) in NOUNS) and word not in _BESIDE:
            words.append(word)
        else:
            words = []
    return found
