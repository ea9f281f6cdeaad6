"""What a sentence measures by what else it measures: a half of it, several of it, two of them together or apart."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import combinations
from typing import Final

from daybook.tools.said.judges.goods.beside.read_alone import things_read
from daybook.tools.said.known import Known
from daybook.tools.said.text import measures_in

_REASONS: Final = re.compile(
    r"[=×÷+*/≈→]|\b(?:each|apiece|per|split|share[ds]?|between|half|double|twice|so|that's|that is|makes?|in (?:total|all)|together|times|plus|minus|"
    r"of (?:them|these|those)|works out|comes? to|adds? up|total|more|less|difference|left|leaves|would|carry)\b|'d\b",
    re.IGNORECASE,
)
_THOUSANDS: Final = re.compile(r"(?:kg|kilos?|kilograms?|l|lit(?:re|er)s?)$", re.IGNORECASE)
_FINE: Final = re.compile(r"(?<![a-z])(?:g|gr|grams?|ml|millilit\w+)$", re.IGNORECASE)
_BY_THE_UNIT: Final = re.compile(
    r"(?:\bper|/|\ba|\bfor (?:each|every)|\bto the|\beach|\bevery) ?(?:l\b|litre|liter|person|head|100 ml|season|lumen|camper|hiker)",
    re.IGNORECASE,
)
_UNITS: Final = ("capacity_litre", "persons", "pot_litre", "seasons")
_MANY: Final = range(2, 21)


def follows_in(measure: Decimal, words: str, text: str) -> bool:
    """Tell whether a measure works out from others of its sentence: "2.4 kg split between two is 1.2 kg each".

    Args:
        words: that measure it.
    """
    if _REASONS.search(text) is None:
        return False
    scale = _scale_of(words)
    others = [
        one * _scale_of(told)
        for one, told, _ in measures_in(text)
        if one * _scale_of(told) != measure * scale
    ]
    exponent = measure.as_tuple().exponent
    near = Decimal(5).scaleb(exponent - 1) * scale if isinstance(exponent, int) else Decimal(0)
    made = {one * many for one in others for many in _MANY}
    made |= {one / many for one in others for many in _MANY}
    made |= {
        value for one, other in combinations(others, 2) for value in (one + other, abs(one - other))
    }
    return any(abs(measure * scale - one) <= near for one in made)


def is_by_the_unit(measure: Decimal, text: str, known: Known) -> bool:
    """Tell whether a measure is what comes of a thing's weight to one litre or person: "27 g per litre"."""
    if _BY_THE_UNIT.search(text) is None:
        return False
    exponent = measure.as_tuple().exponent
    near = Decimal(5).scaleb(exponent - 1) if isinstance(exponent, int) else Decimal(0)
    return any(
        abs(one.figures["weight_g"] / one.figures[name] / scale - measure) <= near
        for one in things_read(known.texts)
        for name in _UNITS
        for scale in (1, 10, 1000)
        if one.figures.get("weight_g") and one.figures.get(name)
    )


def _scale_of(words: str) -> Decimal:
    """Return how many grams or millilitres one of a unit is; of other units one."""
    if _FINE.search(words):
        return Decimal(1)
    return Decimal(1000) if _THOUSANDS.search(words) else Decimal(1)
