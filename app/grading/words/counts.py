"""How many of something a person's words ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_WORTH = {
    **{
        word: number
        for number, word in enumerate(
            (
                *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
                *("eleven", "twelve"),
            ),
            1,
        )
    },
    **{"a couple of": 2, "a couple": 2, "a dozen": 12, "half a dozen": 6},
}
_NUMBER = rf"(\d{{1,3}}|{'|'.join(sorted(_WORTH, key=len, reverse=True))})"
_OF_WHAT = (
    r"(?![\w.,]*\d)(?![\s-]*(?:person|people|man|men|season|lit(?:er|re)|l\b|ml|days?|nights?|inch|"
    r"cm|mm|m\b|km|kg|g\b|grams?|oz|lbs?|stars?|dollars?|usd|eur|euros?|bucks|%|percent|hours?|h\b|"
    r"years?|way|piece suit|\$|€|or))"
)
_ASKED = re.compile(
    rf"\b(?:make|have|do)\s+(?:it|that|them|those)\s+{_NUMBER}\b{_OF_WHAT}|"
    rf"\b{_NUMBER}\s*[x\u00d7]\s|(?<!\w)[x\u00d7]\s?{_NUMBER}\b|"
    rf"\b{_NUMBER}\s+(?:of|pairs?|pieces?|units|copies|packs)\b|"
    rf"\b(?:quantity|qty)\s*(?:of|to|:|=)?\s*{_NUMBER}\b|"
    rf"\b(?:set|change)\b.{{1,60}}?\bto\s+{_NUMBER}\b{_OF_WHAT}|"
    rf"\b(?:add|buy|get|take|want|put|order|just|only)\s+(?:me\s+)?{_NUMBER}\b{_OF_WHAT}|"
    rf"(?<!size )(?<!in )(?<!eu )\b{_NUMBER}\s+[a-z]{{2,8}}-\d{{2,}}\b|"
    rf"\b{_NUMBER}\s+(?:is|are|will be)\s+(?:enough|plenty|fine)\b|"
    rf"^\W*(?:no|wait|sorry|please|just|only|make it|[\s,.])*{_NUMBER}(?:\s*(?:please|pls))?\W*$",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:more|another|extra|less|fewer|double|half|twice|thrice|each|additional|increase|"
    r"reduce|both|all|every|everyone|everybody|pair|us|family|instead|some|few|several|many|"
    r"enough|rest|other|others|everything|or|as)\b",
    re.IGNORECASE,
)
"""Words by which a number is not what there shall be in the end, or none is said though meant."""

_ANY = re.compile(rf"(?<![\w.,#-]){_NUMBER}(?![\w-]|[.,]\d)", re.IGNORECASE)
_ROW = re.compile(r"^\s*\d{1,2}[.)]\s", re.MULTILINE)
_QUANTITY = re.compile(r"(?:^|_)(?:quantity|qty|how_many|pieces|units)$")


def asked_for(words: str) -> frozenset[int]:
    """Return how many of something are asked for; nothing where it is not said plainly."""
    if _RELATIVE.search(words):
        return frozenset()
    return frozenset(_worth(one) for found in _ASKED.findall(words) for one in found if one)


def is_relative(words: str) -> bool:
    """Tell whether words may mean a number that they do not say."""
    return _RELATIVE.search(words) is not None


def all_in(text: str) -> frozenset[int]:
    """Return every small number of a text, in digits or spelt; not those of rows and names."""
    return frozenset(map(_worth, _ANY.findall(_ROW.sub(" ", text))))


def quantities_in(args: Any, name: str = "") -> Iterator[int]:
    """Yield the quantities that arguments hold, however deep."""
    if isinstance(args, Mapping):
        for key, value in args.items():
            yield from quantities_in(value, str(key))
    elif isinstance(args, list | tuple):
        for value in args:
            yield from quantities_in(value, name)
    elif isinstance(args, int) and not isinstance(args, bool) and is_quantity(name):
        yield args


def is_quantity(name: str) -> bool:
    """Tell whether an argument of that name says how many."""
    return _QUANTITY.search(name) is not None


def _worth(text: str) -> int:
    small = " ".join(text.lower().split())
    return _WORTH[small] if small in _WORTH else int(small)
