"""Write what money there is for goods as the limit of a search for them. Pure."""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.vocabulary import says_goods
from daybook.demo.model.grammar.language.words import kind_of

_MONEY_FOR: Final = re.compile(
    r"(?P<lead>(?:(?:hi|hello|hey|ok|so|well|right|now|and)\b[,.! ]*)*)"
    r"(?:i|we)(?: ?['\u2019]ve| have)(?: got| only| just| about| around)* \$?(?P<most>\d{2,4})"
    r"(?: ?(?:dollars?|bucks|usd|\$))?(?: (?:to spend|left|available))? (?:for|on) "
    r"(?:(?:a|an|some|the|my|new|pair of) )*(?P<goods>[a-z -]+?)(?: ?[,;-] ?(?P<how>[a-z -]+?))?"
    r"(?: please| pls|[.! ])*",
    re.IGNORECASE,
)
_COUNTED: Final = frozenset(
    "one two three four person persons season seasons man for and or with a women men".split()  # noqa: SIM905
)


def with_its_limit(text: str) -> str:
    """Write "I have 150 for a bag, three season" as "three season bag under 150"."""
    found = _MONEY_FOR.fullmatch(text.strip())
    if found is None:
        return text
    goods, how = found["goods"].lower(), (found["how"] or "").lower()
    words = re.split(r"[ -]+", f"{how} {goods}".strip())
    is_told = all(says_goods(word) or word in _COUNTED for word in words)
    if not is_told or has_model(words) or kind_of(goods.split()) is None:
        return text
    return f"{found['lead']}{f'{how} {goods}'.strip()} under {found['most']}"
