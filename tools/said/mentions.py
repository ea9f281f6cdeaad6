r"""What names something: identifiers, figures, dates and mail addresses, in arguments and in texts.

An argument is not judged word by word. What counts is

- an identifier: a word with a digit in it (`BOOT-004`, `#W2378156`), of free text only what looks
  like one (letters, then three digits or more); and whatever stands in an argument that is named
  `id`, `..._id`, `..._ids` or `handle`;
- a mail address;
- a date (`2031-05-06`);
- a figure: a number of 100 or more, or one with decimals. Smaller ones are counts, which people say
  in many ways. Amounts are compared in units and in cents.

All other text is free: it is not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from daybook.tools.said.numbers import days_in, is_relative, numbers_in, years_in

Sort: TypeAlias = Literal["identifier", "figure", "date", "handle"]

LEAST = 100
"""The smallest whole number that is a figure and no count."""

_NAMES_ONE = re.compile(r"(?:^|_)ids?$")
_WORD = re.compile(r"#?[^\W_]+(?:[-_.@+]+[^\W_]+)*", re.UNICODE)
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)")
_SPOKEN_MAIL = re.compile(r"([\w.+-]+) (?:\(at\)|at) ([\w-]+(?:\.[\w-]+)+)", re.IGNORECASE)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_CODE = re.compile(r"#?[^\W\d_]+[-_]?(?:[^\W_]+[-_])*[^\W\d_]*\d{3,}[^\W_]*(?![-_\w])", re.UNICODE)
_SUM = re.compile(r"[\d\s.,+*/()%$€£-]+")


@dataclass(frozen=True)
class Mention:
    """One thing that is named.

    Attributes:
        text: as it is compared: small letters, a number without its zeros at the end.
        shown: as it was written.
    """

    sort: Sort
    text: str
    shown: str


@dataclass(frozen=True)
class Mentions:
    """What a text names.

    Attributes:
        words: in small letters.
        figures: numbers, as they stand and a hundredfold.
        days: month and day of the dates in it.
        years: of those that name one.
        is_relative: it speaks of days by where they lie, such as "next Friday".
    """

    words: frozenset[str]
    figures: frozenset[Decimal]
    days: frozenset[tuple[int, int]]
    years: frozenset[int]
    is_relative: bool

    def names(self, mention: Mention) -> bool:
        """Tell whether something is named here."""
        match mention.sort:
            case "figure":
                number = Decimal(mention.text)
                return number in self.figures or number * 100 in self.figures
            case "date":
                year, month, day = map(int, mention.text.split("-"))
                is_said = (month, day) in self.days and (not self.years or year in self.years)
                return mention.text in self.words or is_said
            case _:
                return mention.text in self.words


def mentions_in(args: Any, name: str = "") -> Iterator[Mention]:
    """Yield what arguments name, however deep it stands.

    Args:
        name: of the argument; of an item of a list that of the list.
    """
    if isinstance(args, Mapping):
        for key, value in args.items():
            yield from mentions_in(value, str(key))
    elif isinstance(args, list | tuple):
        for value in args:
            yield from mentions_in(value, name)
    elif isinstance(args, bool) or args is None:
        return
    elif isinstance(args, int | float):
        yield from _of_number(args, name)
    elif isinstance(args, str):
        yield from _of_text(args.strip(), name)


def _of_number(value: int | float, name: str) -> Iterator[Mention]:
    if name == "handle":
        yield Mention("handle", f"r{value}", f"r{value}")
    elif _NAMES_ONE.search(name):
        yield Mention("identifier", str(value), str(value))
    elif is_figure(number := Decimal(str(value))):
        yield Mention("figure", plain(number), str(value))


def _of_text(text: str, name: str) -> Iterator[Mention]:
    if not text:
        return
    if _ISO.fullmatch(text):
        yield Mention("date", text, text)
    elif _MAIL.fullmatch(text) or _NAMES_ONE.search(name):
        yield _identifier(text)
    elif _SUM.fullmatch(text) and not text.isdigit():
        for number in numbers_in(text):
            if is_figure(number):
                yield Mention("figure", plain(number), plain(number))
    elif len(text.split()) > 1:
        yield from _of_free_text(text)
    elif any(sign.isdigit() for sign in text) and (len(text) > 2 or not text.isdigit()):
        yield _identifier(text)


def _of_free_text(text: str) -> Iterator[Mention]:
    for found in _MAIL.findall(text):
        yield _identifier(found)
    for date in _ISO.finditer(text):
        yield Mention("date", date.group(), date.group())
    for found in _CODE.findall(_MAIL.sub(" ", text)):
        yield _identifier(found)


def _identifier(text: str) -> Mention:
    return Mention("identifier", text.lower().lstrip("#"), text)


@lru_cache(maxsize=8_192)
def held_in(text: str) -> Mentions:
    """Find what a text names."""
    words = frozenset(word.lower().lstrip("#") for word in _WORD.findall(text))
    mails = frozenset("@".join(parts).lower() for parts in _SPOKEN_MAIL.findall(text))
    numbers = set(numbers_in(text))
    return Mentions(
        words=words | mails | frozenset(text.lower().split()),
        figures=frozenset(numbers | {number * 100 for number in numbers}),
        days=frozenset(days_in(text)),
        years=years_in(text),
        is_relative=is_relative(text),
    )


def is_figure(number: Decimal) -> bool:
    """Tell a figure from a count."""
    return abs(number) >= LEAST or number != number.to_integral_value()


def plain(number: Decimal) -> str:
    """Write a number in its one form."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
