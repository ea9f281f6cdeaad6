"""Judge by how much one of the only two things that were read is said to be lighter or cheaper than the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.judges.goods.beside.read_alone import Thing, things_read
from daybook.tools.said.known import Known
from daybook.tools.said.spoken_of import mentioned

_TWO: Final = 2
_FIGURE: Final = r"(?<![\w.,])(?P<n>\d[\d,]*(?:\.\d+)?) ?(?P<unit>grams?|g|kg|kilos?)\b"
_DIFFERENCE: Final = (
    re.compile(rf"\b(?:differences?|gap) (?:of|is|comes to|amounts to) (?:just |only )?{_FIGURE}"),
    re.compile(rf"{_FIGURE} (?:difference|apart)\b"),
)
_MORE: Final = re.compile(
    rf"^\W*(?:and |but |so )?(?P<who>.{{0,60}}?)(?:is|'s|are|weighs)(?: (?:just|only|a|another|full|good))* (?:{_FIGURE} )?(?:\w+ly |a bit |a little |much |far )?(?P<how>heavier|lighter|more|less) than (?:the |your )?(?P<other>.*)"
)
_COSTS_MORE: Final = re.compile(
    r"^\W*(?:and |but |so )?(?P<who>.{0,60}?)(?:is|'s|are)(?: (?:just|only|a|another|full|good))* (?:(?:usd )?[$€£]?[\d.,]+(?: usd| dollars)? )?(?:\w+ly |a bit |a little |much |far )?(?P<how>cheaper|dearer|pricier|costlier|more expensive|less expensive) than (?:the |your )?(?P<other>.*)"
)
_IT: Final = re.compile(r"^(?:it|that one|this one|which)\W*$")
_LESS: Final = frozenset({"lighter", "less", "cheaper", "less expensive"})
_NOT: Final = re.compile(
    r"\b(?:not|never|no|if|would|could|or|about|around|roughly|nearly|almost|over|under|together|both|each|two of|per|compared)\b|n't\b"
)


def of_what_is_apart(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield both things, where they are said to differ by another weight, or the other way round."""
    things = things_read(known.texts)
    if len(things) != _TWO or len([one for one in known.records if one.stock]) > _TWO:
        return
    for clause in clauses.asserted:
        if _NOT.search(clause):
            continue
        if (
            _differs_otherwise(clause, things)
            or _is_the_other_way(clause, _MORE, "weight_g", things, known)
            or _is_the_other_way(clause, _COSTS_MORE, "price", things, known)
        ):
            yield "; ".join(one.line for one in things)


def _differs_otherwise(clause: str, things: Sequence[Thing]) -> bool:
    found = next((one for way in _DIFFERENCE if (one := way.search(clause))), None)
    weights = [one.figures["weight_g"] for one in things if "weight_g" in one.figures]
    if found is None or len(weights) != _TWO or mentions_more(clause, found):
        return False
    told = Decimal(found["n"].replace(",", ""))
    if found["unit"].startswith("k"):
        exponent = told.as_tuple().exponent
        near = Decimal(500).scaleb(exponent) if isinstance(exponent, int) else Decimal(0)
        return abs(told * 1000 - abs(weights[0] - weights[1])) > near
    return told != abs(weights[0] - weights[1])


def mentions_more(clause: str, found: re.Match[str]) -> bool:
    """Tell whether a clause measures something else beside what it tells apart."""
    rest = clause[: found.start()] + clause[found.end() :]
    return re.search(_FIGURE, rest) is not None


def _is_the_other_way(
    clause: str, way: re.Pattern[str], name: str, things: Sequence[Thing], known: Known
) -> bool:
    """Tell whether "it" is said to have more than a thing that is named, and the other one has less."""
    found = way.match(clause)
    if found is None or not _IT.match(found["who"].strip()):
        return False
    named = {id(one.record): one.record for one in mentioned(found["other"], known)}
    if len(named) != 1:
        return False
    [record] = named.values()
    than = [one for one in things if one.names & record.names]
    other = [one for one in things if not one.names & record.names]
    if len(than) != 1 or len(other) != 1:
        return False
    if any(name not in one.figures for one in things):
        return False
    one, of = other[0].figures[name], than[0].figures[name]
    return one > of if found["how"] in _LESS else one < of
