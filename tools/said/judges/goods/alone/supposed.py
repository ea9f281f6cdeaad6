"""What a sentence measures of a thing that only somebody supposes or has: "a 24 cm pan would hang over"."""

from __future__ import annotations

import re
from collections.abc import Set
from decimal import Decimal
from typing import Final

from daybook.tools.said.judges.allowed import part_at
from daybook.tools.said.text import measures_in

_CONDITION: Final = re.compile(
    r"^\W*(?:and |but |so |or |even |say |then )*(?:if|when|with|for|suppose|supposing|say|assuming|imagine|should|unless|in case|provided|once)\b",
    re.IGNORECASE,
)
_YOURS: Final = re.compile(
    r"\b(?:your (?!order|new|cart|own new)[\w' -]{1,24}?|yours) (?:is|are|was|measures?|weighs?|holds?|has)(?: \w+){0,2} $|"
    r"\b(?:you|you've|you'd|i|we)(?: \w+)? (?:mentioned|said|told me|asked (?:for|about)|need|needed|want|wanted|have|had|drink|carry|own|use|plan|put|add|pour|take)(?: (?:about|a|an|around|some|only|in|your|of|with|up to))* $",
    re.IGNORECASE,
)
_INDEFINITE: Final = re.compile(
    r"\b(?:an?|your|any|another|some|most)(?: (?!is\b)\w+)? $", re.IGNORECASE
)
_WOULD: Final = re.compile(
    r"\b(?:would|could|might|should|wouldn't|couldn't|shouldn't|won't|will|can|can't|fits?|needs?)\b|'d\b|'ll\b",
    re.IGNORECASE,
)
_ADVISES: Final = re.compile(
    r"\b(?:would|could|should|usually|typically|generally|often|enough|plenty|ideal|fine|do|does|suits?|works?|sensible|comfortable|most people|recommend(?:ed)?|i'd|you'd|you'll|better|need|want)\b|'d\b",
    re.IGNORECASE,
)
_IT_IS: Final = re.compile(
    r"\b(?:it|this|that|these|they|which|he|she|the [\w -]{1,40}?)(?:'s| is|'re| are| has| have| holds| comes with| with| was| offers| gives)(?: \w+)? (?:an? )?$",
    re.IGNORECASE,
)
_OF_ANY: Final = re.compile(
    r"\b(?:something|anything|someth|one|ones|packs?|bags?|tents?|bottles?|stoves?|lamps?|jackets?|models?) (?:of |with |in |that (?:is|holds|weighs) |at |which \w+ )?(?:about |around |roughly |some |maybe |say |between |from |the )*(?:[\d.,]+ ?(?:to|and|-|–|or) ?)?$|"
    r"\b(?:aim(?:ing)? (?:for|at)|go(?:ing)? for|look(?:ing)? (?:for|at)|think|plan(?:ning)? (?:for|on)|around|between|need|count on|reckon with|recommend(?:ed)?|allow|budget|expect) (?:about |around |roughly |some |maybe |say |between )*[\d.,]+ ?(?:to|and|-|–|or) ?$",
    re.IGNORECASE,
)
"""Before how large something would be that nobody has read: "something around 35 to 40 litres"."""
_RANGE: Final = re.compile(r"(?<![\w.,$€£])\d[\d.,]* ?(?:to|-|–|or|and) ?$", re.IGNORECASE)
_PER: Final = re.compile(r"(?:\bper|/|\bfor (?:each|every)|\bevery|\beach) ?$", re.IGNORECASE)
"""Before a measure by which something else is told: "5.85 per 100 ml"."""
_IS_DONE: Final = re.compile(
    r"^\W*(?:(?:and|then|now|so|or|first|next|always|just|simply|please|never|don't|do not|to|try to|best)\W+)*"
    r"(?:load|fill|stuff|pack|put|leave|keep|allow|cut|hang|pour|add|use|give|set|place|boil|walk|stay|stand|tighten|loosen|shorten|lengthen|carry|hold|lift|store|drink)"
    r" (?=(?:it|them|the|your|an?|about|around|at|up|some|no|in|on|with|only)\b|\d)",
    re.IGNORECASE,
)
"""Begins what somebody is told to do, which measures nothing: "load it with 10 kg"."""
_PUT_IN: Final = re.compile(
    r"\b(?:(?:load|fill|stuff|pack|weigh)(?:ing)? (?:it|them|this|that|the \w+|your \w+|an? \w+)(?: \w+)?|(?:loaded|weighed down)(?: up)?) (?:with|to) (?:about |around |roughly |some |only |just |at least |up to )*$",
    re.IGNORECASE,
)
_INSIDE: Final = re.compile(
    r"^ ?(?:of [\w ]{2,20} )?(?:inside|in (?:it|them|the|your)|into|on board|on (?:your|the) (?:back|shoulders|hips))\b",
    re.IGNORECASE,
)
_OF_WEIGHT: Final = re.compile(r"(?:g|gr|grams?|kilos?|lbs?|pounds?)$", re.IGNORECASE)
_WITH: Final = re.compile(
    r"\b(?:with|put|puts|carr\w+|having|load) (?:about |around |roughly |some |only |just |at least |up to )*$",
    re.IGNORECASE,
)
"""Around what is put into a thing: "with 12 kg inside"."""
_PLENTY: Final = re.compile(
    r"^\W*(?:[\w.,-]+ ?){1,4}?(?:is|are|'s) (?:plenty|enough|a lot|a good|a fair|about right|on the|more than|ample|quite|too|typical|standard|common|usual|normal)\b",
    re.IGNORECASE,
)


def is_supposed(text: str, place: int, words: str) -> bool:
    """Tell whether what stands at a place measures nothing that was read, and only what somebody supposes.

    Args:
        words: that measure it.
    """
    part = part_at(text, place)
    before = text[:place]
    if _PER.search(before):
        return True
    behind = text[place + len(words) :]
    is_inside = _WITH.search(before) and _INSIDE.match(behind) and _OF_WEIGHT.search(words)
    if is_inside or _PUT_IN.search(before):
        return True
    if _IS_DONE.match(part) and part.find(words) >= 0:
        return True
    if _OF_ANY.search(before) and _ADVISES.search(text):
        return True
    if _IT_IS.search(before):
        return False
    if _PLENTY.match(text[place:]) or (_RANGE.search(before) and _ADVISES.search(text)):
        return True
    if _CONDITION.match(part) and part.find(words) >= 0 and _YOURS.search(before):
        return True
    if _YOURS.search(before):
        return True
    return _INDEFINITE.search(before) is not None and _WOULD.search(text) is not None


def beside_what_is_supposed(text: str, read: Set[Decimal]) -> frozenset[Decimal]:
    """Return by how much what is supposed in a text differs from what was read, and half of that."""
    supposed = [one for one, words, at in measures_in(text) if is_supposed(text, at, words)]
    apart = {abs(one - other) for one in supposed for other in read}
    return frozenset(apart | {one / 2 for one in apart})
