"""Judge a bound of one thing: that it costs under so much, or weighs more than so much."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.judges.goods.beside.set_beside import one_called, prices_of, weights_of
from daybook.tools.said.known import Known
from daybook.tools.said.spoken_of import Mentioned

_BOUND: Final = re.compile(
    r"\b(?:is|are|'s|was|costs?|weighs?|comes in|stays?|priced|listed)(?: priced| listed| at| just| well| still| comfortably| only)* (?P<how>under|below|less than|over|above|more than) "
    r"(?:(?P<sign>usd |[$€£])(?P<price>\d[\d,]*(?:\.\d\d)?)(?: usd)?|(?P<dollars>\d[\d,]*(?:\.\d\d)?) (?:usd|dollars)|(?P<kilos>\d(?:\.\d+)?) ?(?:kg|kilos?)|(?P<grams>\d[\d,]*) ?(?:g|grams))(?!\w)(?! (?:more|less|cheaper|dearer|lighter|heavier|off|each|apart|a |per ))"
)
_OF_MORE: Final = re.compile(
    r"\b(?:both|all|together|each|two|three|total|pair|would|if|not|none|per|half|than (?:the|it|that))\b|n't\b"
)
_IT: Final = re.compile(r"\W*(?:so |and |but )*(?:it|this one|that one)\W*")
_BELOW: Final = ("under", "below", "less than")


def of_bounds_of_one(clauses: Clauses, about: Sequence[Mentioned], known: Known) -> Iterator[str]:
    """Yield what a thing costs or weighs that a clause names alone, where its bound is passed."""
    begins = clauses.sentence.begins and _IT.match(clauses.text.lower()) is not None
    is_one = begins and len({id(one.record) for one in about}) == 1
    only = about[0].record if is_one else None
    for said in clauses.asserted:
        found = _BOUND.search(said)
        if found is None or _OF_MORE.search(said) or is_open(said):
            continue
        before = said[: found.start()]
        record = one_called(before, known) or (only if _IT.fullmatch(before) else None)
        if record is None or not record.stock:
            continue
        if weight := found["kilos"] or found["grams"]:
            told = Decimal(weight.replace(",", "")) * (1000 if found["kilos"] else 1)
            read = weights_of(record, known)
        else:
            told = Decimal((found["price"] or found["dollars"]).replace(",", ""))
            read = prices_of(record)
        is_passed = (
            bool(read) and min(read) >= told
            if found["how"] in _BELOW
            else bool(read) and max(read) <= told
        )
        if is_passed:
            yield record.shown
