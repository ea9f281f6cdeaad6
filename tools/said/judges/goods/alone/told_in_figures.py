"""Judge the figures that a clause tells of a thing, against its attributes: for how many it is, how long, how large."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from daybook.tools.said.clauses import is_open
from daybook.tools.said.numbers import SMALL

NOT: Final = re.compile(
    r"\b(?:not|n't|never|isn't|aren't|no|nothing|without|non|neither|nor|than|if|instead|would|could|might|should)\b|n't\b|'d\b"
)
AS_WELL: Final = re.compile(r"\b(?:other|another|also|others|similar|compare\w*|like|such as)\b")
_MINUTES: Final = re.compile(
    rf"(?<![\d.,])(\d{{1,3}}(?:,\d{{3}})+|\d+(?:\.\d+)?|\ban? (?=full |whole )|{'|'.join(SMALL)})(?: ?full| whole| flat| short)? ?(minutes?|litres?|liters?)\b(?! (?:longer|more|less|faster|quicker|slower|shorter|earlier|later|apart|sooner))"
)
_APART: Final = re.compile(
    r"\b(?:extra|more|less|additional|bigger|smaller|larger|difference|longer|shorter|faster|slower|gain\w*|on top)\b"
)
_OF_A_RANGE: Final = re.compile(r"(?<![\w.,])\d+(?:\.\d+)? (?:to |and |or )?$")
"""Before the end of what lies between two figures."""
_UNITS: Final = {"minute": "minutes", "litre": "litre", "liter": "litre"}
_SO_MANY: Final = rf"\d{{1,2}}|{'|'.join(SMALL)}"
_COUNTED: Final = {
    "persons": re.compile(
        rf"\b(?:sleeps|fits|room for|space for|made for|for up to|meant for|holds) (?P<n>{_SO_MANY})\b(?! (?:usd|dollars|litres?|liters?|pairs?|days?|nights?|minutes?|seasons?|pieces?))|"
        rf"\b(?:tent|shelter|model|one) for (?P<o>{_SO_MANY})\b(?! (?:usd|dollars|seasons?|nights?|days?))|\bfor (?P<m>{_SO_MANY}) (?:people|persons|campers|sleepers|adults)\b|\b(?P<k>{_SO_MANY}) (?:person|man) (?:tent|shelter|model|one)\b|"
        rf"\b(?P<j>{_SO_MANY}) (?:people|persons|campers|adults) (?:can |will |do )?(?:fit|sleep)\w*\b"
    ),
    "seasons": re.compile(rf"\b(?P<n>{_SO_MANY}) seasons?\b"),
    "comfort": re.compile(
        r"\b(?:comfort\w*|down to|warm|rated|to|till|at|until)\b[a-z ,]{0,24}?(?P<n>\d{1,2}) ?(?:degrees|°|c\b|celsius)|"
        r"\bcomfort\w*\b(?: (?:down|to|at|is|rated|till|until|temperature|limit|of|figure|around|about))*[ :]*(?P<m>\d{1,2})\b"
    ),
}
"""Attributes that are numbers, and how a clause tells them."""
_SUITS: Final = re.compile(
    r"\b(?:should|would|will|works?|fine|enough|plenty|suits?|suitable|comfortabl\w*|roomy|good|ideal|perfect|great|right|generous|spacious)\b"
)
_BEING: Final = re.compile(r"^\W*being\b|\bonly\b")


def counts_otherwise(clause: str, read: Sequence[Mapping[str, str]], whole: str) -> bool:
    """Tell whether a clause tells another number of an attribute than any of what it speaks of has.

    Args:
        whole: the sentence of which it is a clause.
    """
    if NOT.search(clause) or AS_WELL.search(clause):
        return False
    for name, pattern in _COUNTED.items():
        found = pattern.search(clause)
        values = [re.search(r"\d+", one[name]) for one in read if name in one]
        if found is None or not values or is_open(_BEING.sub("", clause[: found.start()])):
            continue
        told = next(one for one in found.groups() if one)
        numbers = {value[0] for value in values if value}
        if name == "persons" and found["m"] and _SUITS.search(whole):
            # What has room for four suits two, too.
            numbers |= {str(one) for one in range(1, max(map(int, numbers), default=0))}
        if str(SMALL.get(told, told)) not in numbers:
            return True
    return False


def measures_otherwise(clause: str, read: Sequence[Mapping[str, str]]) -> bool:
    """Tell whether a clause measures in a unit of which figures were read, and this one not."""
    found = _MINUTES.search(clause)
    if found is None or NOT.search(clause) or _OF_A_RANGE.search(clause[: found.start()]):
        return False
    apart = _APART.search(clause) is not None
    unit = _UNITS[found[2].rstrip("s")]
    values = [value for one in read for name, value in one.items() if name.endswith(unit)]
    said = found[1].strip().replace(",", "")
    number = Decimal(1) if said in ("a", "an") else Decimal(SMALL.get(said, said))
    figures = {Decimal(one) for one in values if re.fullmatch(r"\d+(?:\.\d+)?", one)}
    if apart:
        # By how much two of them differ.
        return len(figures) > 1 and number not in {
            abs(one - other) for one in figures for other in figures
        }
    return bool(figures) and not any(
        number == one * many for one in figures for many in range(1, 11)
    )
