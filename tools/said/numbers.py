"""Numbers and days as people write them: 1,299.50 or two hundred; 6 May or the sixth of May."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from daybook.state.once import once_for_each

_NUMBER = re.compile(r"(?<![\w.])\d{1,3}(?:[,']\d{3})+(?:\.\d+)?(?!\w)|(?<![^\W\d])\d+(?:[.,]\d+)?")
_BETWEEN_THOUSANDS = re.compile(r"[,'](?=\d{3}(?!\d))")
_THOUSANDS = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s?k\b", re.IGNORECASE | re.ASCII)

_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
SMALL = {word: number for number, word in enumerate(_UNITS[1:13], 1)}
"""Numerals by which people count things."""

_WORTH = {
    **{word: number for number, word in enumerate(_UNITS)},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
    **{"a": 1, "an": 1},
}
_NUMERAL = "|".join(sorted((*_WORTH, "hundred", "thousand"), key=len, reverse=True))
_SPELT = re.compile(
    rf"\b(?:\d+ )?(?:{_NUMERAL})(?:[\s-]+(?:and\s+)?(?:{_NUMERAL}))*\b", re.IGNORECASE | re.ASCII
)
_LEAST_SPELT = 13
"""Less is a count, or the article."""

_SPELT_ALONE = re.compile(
    rf"\b(?P<article>an? )?(?P<words>(?:{_NUMERAL})(?:[\s-]+(?:and\s+)?(?:{_NUMERAL}))*)\b"
    rf"(?!-?(?:first|second|third|[a-z]+th)\b)(?<!\ba)(?<!\ban)",
    re.IGNORECASE | re.ASCII,
)
_COUNTS_A_UNIT = re.compile(
    r"[\s-]+(?:dollars?|bucks|euros?|pounds?|usd|eur|cents?|per ?cent|%|degrees|grams?|kilos?|points|(?:centi|milli)?met(?:re|er)s?)\b",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    r"\b(?:more than|over|upwards of|above|at least|not (?:less|fewer|under) than|past|beats?|beat|reach(?:es)?|exceeds?|tops?|north of|no fewer than|no less than|a minimum of)\W*(?:the |a |an |its |their )?$",
    re.IGNORECASE,
)
_AT_MOST = re.compile(
    r"\b(?:fewer than|less than|under|below|not even|at most|up to|no more than|not more than|short of|miss(?:es)?|south of|a maximum of)\W*(?:the |a |an |its |their )?$",
    re.IGNORECASE,
)
"""Stands before a figure that is only a bound."""

_ROUGHLY = re.compile(
    r"(?:\b(?:about|around|roughly|nearly|almost|some|close to|just (?:over|under)|approximately|not even|not quite|under|over|up to)|~)\s*$",
    re.IGNORECASE,
)
"""Stands before a figure that is only about so much."""

_DOLLARS_AND_CENTS = re.compile(
    r"(?<![\w.,])(\d{1,4}) (dollars?|bucks|euros?|pounds?|usd)(?:,? and)? (\d\d)(?: cents?)?"
    r"(?=\s*(?:[.,;:!?)]|$| (?:in|for|each|altogether|on|from|to|was|were|is|are|went|has|have|had|it|that|you|we|they|came|comes|makes|made|including|with|and|but|by|all|apiece|back|more|less|refunded|paid|charged)\b))"
    r"(?! in stock)",
    re.IGNORECASE,
)
_LEAST_WITH_CENTS = 10
_CENTS = range(10, 100)

_ORDINAL_UNITS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
    *("seventeenth", "eighteenth", "nineteenth", "twentieth"),
)
_ORDINALS = {
    **{word: number for number, word in enumerate(_ORDINAL_UNITS, 1)},
    **{f"twenty-{word}": 20 + number for number, word in enumerate(_ORDINAL_UNITS[:9], 1)},
    **{"thirtieth": 30, "thirty-first": 31},
}
_MONTH_NAMES = (
    *("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul"),
    *("august aug", "september sept sep", "october oct", "november nov", "december dec"),
)
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
_DAY = rf"(\d{{1,2}})(?:st|nd|rd|th)?|({'|'.join(sorted(_ORDINALS, key=len, reverse=True))})"
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY_OF_MONTH = re.compile(rf"\b(?:{_DAY})\.?(?: of)? ({_MONTH})\b", re.IGNORECASE | re.ASCII)
_MONTH_DAY = re.compile(rf"\b({_MONTH})\.? (?:the )?(?:{_DAY})\b", re.IGNORECASE | re.ASCII)
# Without a year only with a slash: 4.7 is a rating.
_NUMERIC = re.compile(
    r"(?<![\d.])(\d{1,2})(?:\.(?=\d{1,2}\.\d\d)|/)(\d{1,2})(?:[./](?:\d{4}|\d\d))?(?![\d/])"
)
_YEAR = re.compile(
    rf"(?:\b(?:{_MONTH})\.?(?: (?:the )?(?:{_DAY}))?,?|\d[./]\d{{1,2}}[./]) ?(\d{{4}})\b",
    re.IGNORECASE | re.ASCII,
)
_RELATIVE = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|(?:next|coming|this|last) (?:week|month|weekend)|"
    r"in (?:a|\w+) (?:days?|weeks?|months?)|(?:day|week|month)s? (?:later|earlier|after|before)|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE | re.ASCII,
)


def worth_of(digits: str) -> Decimal:
    """Read a number as it is written: 1,299.50 as well as 1299,50."""
    return Decimal(_BETWEEN_THOUSANDS.sub("", digits.replace("\u00a0", "")).replace(",", "."))


def numbers_in(text: str) -> Iterator[Decimal]:
    """Yield the numbers of a text: in digits, or spelt out from thirteen on."""
    return iter(_numbers_of(text))


@once_for_each
def _numbers_of(text: str) -> tuple[Decimal, ...]:
    return tuple(_read_numbers(text))


def _read_numbers(text: str) -> Iterator[Decimal]:
    for found in _NUMBER.findall(text):
        yield worth_of(found)
    for found in _THOUSANDS.findall(text):
        yield Decimal(found) * 1000
    for found in _SPELT.findall(text):
        words = re.split(r"[\s-]+(?:and\s+)?", found.lower())
        yield from (Decimal(number) for number in _spelt(words) if number >= _LEAST_SPELT)


def _spelt(words: Sequence[str]) -> Iterator[int]:
    """Yield the numbers that numerals make; "one fifty" is 150 too."""
    whole = part = 0
    for word in words:
        if word == "hundred":
            part = (part or 1) * 100
        elif word == "thousand":
            whole, part = whole + (part or 1) * 1000, 0
        else:
            worth = int(word) if word.isdigit() else _WORTH[word]
            room = part % 100 if worth >= 10 else part % 10 or part % 100 == 10
            if room and part < 10 <= worth:
                yield 100 * part + worth
            if room:
                yield whole + part
                whole = part = 0
            part += worth
    yield whole + part


def in_digits(text: str) -> str:
    """Write the numbers of a text in digits that are spelt out, but for those that only count.

    Example:
        >>> in_digits("Forty-five fifty in all, or a hundred and two dollars ninety for two pairs.")
        '45.50 in all, or 102.90 dollars for two pairs.'
    """
    return _DOLLARS_AND_CENTS.sub(r"\1.\3 \2", _SPELT_ALONE.sub(_in_digits, text))


def _in_digits(found: re.Match[str]) -> str:
    article, words = found["article"] or "", re.split(r"[\s-]+(?:and\s+)?", found["words"].lower())
    if words[0] in ("hundred", "thousand"):
        article = "" if article.strip().lower() in ("a", "an") else article
    groups = _groups(words)
    if len(groups) == 2 and groups[0] >= _LEAST_WITH_CENTS and groups[1] in _CENTS:
        return f"{article}{groups[0]}.{groups[1]}"
    if len(groups) == 1 and (
        groups[0] >= _LEAST_SPELT or _COUNTS_A_UNIT.match(found.string, found.end())
    ):
        return f"{article}{groups[0]}"
    return found.group()


def _groups(words: Sequence[str]) -> list[int]:
    """Return the numbers that numerals make, one after the other: "eleven ninety" makes two."""
    found, whole, part = list[int](), 0, 0
    for word in words:
        if word == "hundred":
            part = (part or 1) * 100
        elif word == "thousand":
            whole, part = whole + (part or 1) * 1000, 0
        else:
            worth = int(word) if word.isdigit() else _WORTH[word]
            if part % 100 if worth >= 10 else part % 10 or part % 100 == 10:
                found.append(whole + part)
                whole = part = 0
            part += worth
    return [*found, whole + part]


def days_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield month and day of the dates in a text that names no year first; of 5/6 both readings."""
    for digits, word, month in _DAY_OF_MONTH.findall(text):
        yield _MONTHS[month.lower()], _day(digits, word)
    for month, digits, word in _MONTH_DAY.findall(text):
        yield _MONTHS[month.lower()], _day(digits, word)
    for one, other in _NUMERIC.findall(text):
        yield int(one), int(other)
        yield int(other), int(one)


def years_in(text: str) -> frozenset[int]:
    """Return the years of the dates in a text."""
    return frozenset(int(found[-1]) for found in _YEAR.findall(text))


def is_relative(text: str) -> bool:
    """Tell whether a text speaks of days by where they lie, such as "next week"."""
    return _RELATIVE.search(text) is not None


def _day(digits: str, word: str) -> int:
    return int(digits) if digits else _ORDINALS[word.lower()]


def bound_of(before: str) -> int:
    """Return 1 where a figure behind a text is told as a lower bound, -1 as an upper one, else 0.

    Example:
        >>> bound_of("There are more than "), bound_of("There are not even "), bound_of("There are ")
        (1, -1, 0)
    """
    return 1 if _AT_LEAST.search(before) else -1 if _AT_MOST.search(before) else 0


def is_roughly(before: str) -> bool:
    """Tell whether a figure behind a text is told as about so much."""
    return _ROUGHLY.search(before) is not None
