"""Write phrasings that mean the same in the one way that the rules know. Pure."""

import re
from typing import Final

_COUNTS: Final = {
    "1": "1", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six",
    "me": "1", "myself": "1", "one": "one", "two": "two",
    "three": "three", "four": "four", "five": "five", "six": "six",
}  # fmt: skip
_SO_MANY: Final = re.compile(
    r"\b(tents?)((?: (?:you have|you've|u have)(?: got)?)?) (?:for|to fit|that fits|that sleeps|"
    rf"sleeping) ({'|'.join(_COUNTS)})(?: (?:people|persons?|adults|of us))?\b"
    r"(?! (?:hundred|dollars?|euros?|nights?|days?|weeks?|kids?|seasons?|\d))(?![.,]\d)",
    re.IGNORECASE,
)
_COMPARED: Final = re.compile(
    r"\b(compare (?:the |that |this )?\w[^.,?!]{2,60}?) (?:with|to|against|versus|vs\.?) ",
    re.IGNORECASE,
)


def plainly(text: str) -> str:
    """Return a text with such phrasings replaced; all else stands as it is."""
    text = _SO_MANY.sub(lambda found: f"{_COUNTS[found[3].lower()]} person {found[1]}", text)
    text = _TIMES.sub(r"\1 x\2", _SO_MANY_OF.sub(r"\1x \2", text))
    text = _EACH.sub(r"\1, one each", _I_MEAN.sub(r"\1", text))
    text = _OWN.sub(r"the \2 of \1", text).replace("shoe number", "shoe size")
    text = _BARE.sub(r"\1 it", text)
    return _COMPARED.sub(r"\1 and ", text)


_SKU: Final = r"\b([a-z]{4}-\d{3})\b"
_TIMES: Final = re.compile(rf"{_SKU}[ :]*(?:x|\*) ?(\d{{1,3}})\b", re.IGNORECASE)
_SO_MANY_OF: Final = re.compile(rf"\b(\d{{1,3}}) ?(?:x|\*) ?{_SKU}", re.IGNORECASE)
_EACH: Final = re.compile(rf"{_SKU} ?[:,-] ?(?:one|1)(?: of)? each\b", re.IGNORECASE)
_I_MEAN: Final = re.compile(r"\b\w+,? i mean (?:the )?(\w+)(?=\W*$)", re.IGNORECASE)
_OWN: Final = re.compile(
    r"\b((?:the|that|this) (?:\w+ ){0,3}?\w+)['\u2019]s (price|weight|size|sizes|colou?r|material"
    r"|height|rating|capacity|volume)\b",
    re.IGNORECASE,
)
_BARE: Final = re.compile(
    r"((?:^|[.,;!]|\b(?:so|then|and|please|pls|ok|k|yes|just|\w+ please|\w+ pls)\b)\W*"
    r"(?:add|remove|gimme|give me|cart(?= it)))\W*$",
    re.IGNORECASE,
)
"""A verb with nothing behind it: "COAT-013 is fine. Add." """
