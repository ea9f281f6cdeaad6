"""Identifiers and amounts: which ones arguments name, and whether a text contains them.

Texts are compared token by token after normalisation: case, a leading `#`, surrounding punctuation,
thousands separators, and units against cents. No language is parsed: a number that is spelled out
is not found, and free text, calculations, dates, times and counts are not judged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any, Literal

_LEAST_AMOUNT = 100
"""The smallest whole number that is judged as an amount; smaller ones are counts."""

_LEAST_DIGITS = 3
"""Digits that make a word an identifier where the argument's name does not say that it is one."""

_NAMED_ID = re.compile(r"(?:^|_)ids?$")
_TIME = r"\d\d?:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"
_DATE_OR_TIME = re.compile(rf"\d{{4}}-\d\d-\d\d(?:[T ]{_TIME})?|{_TIME}")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_WORD = re.compile(r"[^\W_]+(?:[-_.@+]+[^\W_]+)*")
_NUMBER = re.compile(r"(?<![\w.,])(?<![^\W\d_]-)\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class Token:
    """One identifier or amount that arguments name: as it is compared, and as it is written."""

    sort: Literal["identifier", "amount", "handle"]
    value: str
    written: str


@dataclass(frozen=True)
class Tokens:
    """The words and numbers of one text, normalised."""

    words: frozenset[str]
    numbers: frozenset[Decimal]

    def contains(self, token: Token) -> bool:
        """Tell whether the text contains an identifier or amount; cents are read as units too."""
        if token.sort == "amount":
            amount = Decimal(token.value)
            return not self.numbers.isdisjoint((amount, amount / 100, amount * 100))
        return self.words.issuperset(_WORD.findall(token.value))


def text_of(value: Any) -> str:
    """Return a value as text for `tokens_of`."""
    # With spaces behind commas: "100,200" would be read as one number.
    is_text = isinstance(value, str)
    return value if is_text else json.dumps(value, ensure_ascii=False, default=str)


@lru_cache(maxsize=8_192)
def tokens_of(text: str) -> Tokens:
    """Return the words and numbers of a text."""
    lowered = text.casefold()
    numbers = {number for found in _NUMBER.findall(lowered) for number in _readings(found)}
    return Tokens(frozenset(_WORD.findall(lowered)), frozenset(numbers))


def _readings(written: str) -> Iterator[Decimal]:
    """Yield what a written number may mean: "1,299" is 1299, and 1.299 where a comma is decimal."""
    *whole, last = re.split("[.,]", written)
    if all(len(part) == 3 for part in (*whole[1:], last)) or not whole:
        yield Decimal("".join((*whole, last)))
    if whole:
        yield Decimal(f"{''.join(whole)}.{last}")


def argument_tokens(args: Any, name: str = "") -> Iterator[Token]:
    """Yield the identifiers and amounts that arguments name, however deep they stand.

    An identifier is a mail address, a word with three digits or more, and any value of an argument
    named `id`, `ids`, `..._id` or `..._ids`. An amount is a number of 100 or more, or with
    decimals. In free text only mail addresses and words that begin with a letter and have three
    digits count.

    Args:
        name: of the argument; of an item of a list that of the list.
    """
    if isinstance(args, Mapping):
        for key, value in args.items():
            yield from argument_tokens(value, str(key))
    elif isinstance(args, list | tuple):
        for value in args:
            yield from argument_tokens(value, name)
    elif isinstance(args, str):
        yield from _in_text(args.strip(), name)
    elif isinstance(args, int | float) and not isinstance(args, bool):
        if name == "handle":
            yield Token("handle", f"r{args}", f"r{args}")
        elif _NAMED_ID.search(name):
            yield _identifier(str(args))
        else:
            yield from _amount(Decimal(str(args)))


def _in_text(text: str, name: str) -> Iterator[Token]:
    if not text or _DATE_OR_TIME.fullmatch(text):
        return
    if _NAMED_ID.search(name):
        yield _identifier(text)
    elif _NUMBER.fullmatch(text) and not text.isdigit():
        yield from _amount(next(_readings(text)))
    elif len(text.split()) == 1 and not _MAIL.search(text):
        if _digits(text) >= _LEAST_DIGITS:
            yield _identifier(text)
    else:
        yield from map(_identifier, _MAIL.findall(text))
        for word in _WORD.findall(_MAIL.sub(" ", text)):
            if _digits(word) >= _LEAST_DIGITS and word[0].isalpha():
                yield _identifier(word)


def _digits(text: str) -> int:
    return sum(sign.isdigit() for sign in text)


def _amount(number: Decimal) -> Iterator[Token]:
    if abs(number) >= _LEAST_AMOUNT or number != number.to_integral_value():
        yield Token("amount", f"{number:f}", f"{number:f}")


def _identifier(written: str) -> Token:
    return Token("identifier", written.casefold().lstrip("#"), written)
