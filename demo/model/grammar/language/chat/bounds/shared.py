"""Share out money that is for several alike: "six daypacks, 400 for all of them". Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.things import UNITS
from daybook.demo.model.grammar.language.intents.goods import Search
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import NOUNS, fold

_FOR_ALL: Final = re.compile(
    r"\b(?:for (?:the (?:lot|whole lot|bunch)|all|everything|them all|all of (?:it|them|us|those)"
    r"|all (?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve)|both)|in total|altogether"
    r"|all together|all in|in all|total|between (?:them|us)|overall)\b"
)
_EACH: Final = re.compile(r"\b(?:each|apiece|a ?piece|per (?:\w+))\b")
_FEW: Final = 4
_MOST: Final = 60


def shared_out(found: tuple[Intent, ...], tokens: Sequence[Token]) -> tuple[Intent, ...]:
    """Give the one search of a text what each may cost, where so many are to cost so much."""
    text = " ".join(token.text for token in tokens)
    looks = [one for one in found if isinstance(one, Search)]
    if len(looks) != 1 or looks[0].max_price is None or not looks[0].query:
        return found
    many = _so_many(tokens)
    if many is None or not _FOR_ALL.search(text) or _EACH.search(text):
        return found
    limited = replace(looks[0], max_price=max(1, looks[0].max_price // many))
    return tuple(limited if one is looks[0] else one for one in found)


def _so_many(tokens: Sequence[Token]) -> int | None:
    """Return how many of the goods are looked for; None where no one count says it."""
    counts = set()
    for at, token in enumerate(tokens):
        if token.kind not in (Kind.NUMBER, Kind.TIMES) or not 1 < token.value <= _MOST:
            continue
        behind = [one.text for one in tokens[at + 1 : at + 1 + _FEW]]
        of_them = behind[:2] in (["of", "them"], ["of", "those"], ["of", "these"])
        if of_them or (_reaches_goods(behind) and behind[:1] and behind[0] not in UNITS):
            counts.add(token.value)
    return counts.pop() if len(counts) == 1 else None


def _reaches_goods(words: Sequence[str]) -> bool:
    """Tell whether words name several of a kind: "daypacks", "wool socks"."""
    for word in words:
        if fold(word) in NOUNS:
            return word.endswith("s")
        if word in _BREAKS or word in UNITS:
            return False
    return False


_BREAKS: Final = frozenset(
    [",", ".", "?", "!", ";", "\n", "and", "or", "for", "to", "of", "with", "in", "on", "at",
     "people", "kids", "friends", "dollars"]
)  # fmt: skip
