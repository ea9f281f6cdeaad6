"""Write what is said of goods, and which of them is meant, as the rules know it. Pure."""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.names import MODELS
from daybook.demo.model.grammar.language.words import NUMBERS

_MODEL: Final = "|".join(MODELS)
_NOUN: Final = (
    r"(?:headlamps?|lamps?|bottles?|flasks?|socks?|jackets?|parkas?|tents?|sleeping bags?|bags?"
    r"|backpacks?|packs?|daypacks?|stoves?|poles?|boots?|shoes?|quilts?)"
)
_COUNT: Final = rf"(?:\d{{1,2}}|{'|'.join(NUMBERS)}|an?|another)"
_APPOSED: Final = re.compile(
    rf"\b(?P<count>{_COUNT}) (?P<kind>(?:(?!(?:the|your|my|that|this|those|these|of|{_COUNT})\b)"
    rf"[a-z-]+,? ){{0,3}}?{_NOUN})(?: sets?)?\s*[,:-]\s*(?:the |that )(?P<model>{_MODEL})"
    r"(?: ones?)?(?=\W*$)",
    re.IGNORECASE,
)
"""A model that says which of a kind is meant: "one headlamp, the Long Scree"."""
_BEARS: Final = re.compile(
    r"(?<!which )(?<!the )(?<!these )(?<!those )(?<!that )(?<!this )(?<!other )"
    r"\b(bags?|quilts?|ones|one|something|anything) (?:(?:that|which) )?"
    r"(?:(?:can|will|would|is|are) )?(?:go|goes|good|rated|warm|comfortable|comfy|ok|fine)"
    r"(?: enough)?(?: down)? (?:to|at|for|until|in) (?:around |about )?(?:zero|0|freezing)\b"
    r"(?: point)?(?: degrees?)?(?: (?:c|celsius)\b)?(?! (?:litres?|pairs?))",
    re.IGNORECASE,
)
"""How cold it may be for goods: "ones that go to zero"."""
_PRICED: Final = re.compile(
    r"^(\W*(?:(?:and|so|ok|oh|hm+)\W+)*)"
    rf"(?!.*\b(?:the|those|these|my|this|that|{_MODEL})\b)"
    rf"((?:[a-z-]+ ){{0,3}}?(?:{_NOUN}|ones)\b[^?.,;]*)[,;] (?:and )?(?:what|how much)"
    r" (?:do|does|would|will|are) they(?: (?:cost|be))*(?=\W*$)",
    re.IGNORECASE,
)
"""What such goods cost, where none of them was shown: "wool socks, what do they cost?"."""
_SHOCKS: Final = re.compile(
    r"\b(?:anti-)?shock[- ](?:absorbers?|absorption|damp(?:ing|eners?))\b", re.IGNORECASE
)


def said_of_goods(text: str) -> str:
    """Return a text with such phrasings replaced; all else stands as it is."""
    text = _SHOCKS.sub("shock-absorbing", _APPOSED.sub(_of_its_kind, text))
    return _PRICED.sub(r"\1show me \2", _BEARS.sub(r"\1 for zero degrees", text))


def _of_its_kind(found: re.Match[str]) -> str:
    return f"{found['count']} {found['model']} {found['kind'].replace(',', '')}"
