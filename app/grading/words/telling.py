"""What a result tells, and where it is used: told again in an answer, or given to a later call."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from daybook.tools.said.mentions import held_in, mentions_in
from daybook.tools.said.numbers import numbers_in

from daybook.state.effects.keys import canonical
from daybook.tools.own.recall import inner

_LEAST = 100
"""The smallest number that tells something; less is told by many results."""

_TOGETHER = 2
"""Figures that must be told together, or beside a name: one alone may be of another thing."""

_FEW = 8
"""Values of a result so short that each of them tells something: a count, a status."""

_ACKNOWLEDGED = 4
"""Words of a text without a number that tells nothing but that it was done."""

_RUN = 4
"""Words in a row that show that a text was told again."""

_SPELT_OF_RUN, _SPELT_OF_NAME = 3, 2
"""Of those, and of a name, the words that are spelt with three letters or more."""

_NAME = 12
"""Words of a name at most."""

_PART = re.compile(r"[()\[\]{}:;,|\n]+")
_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_MEASURE = re.compile(r"\d{1,4}(?:\.\d+)?[-\s]?[a-z]*")
"""A number with its unit, such as 128gb: it names nothing."""

_LETTERS = 4


@dataclass(frozen=True)
class Telling:
    """What a result tells.

    Attributes:
        is_absence: that there is nothing, or nothing to tell.
        values: its single words, in small letters, which arguments may be made of.
        words: identifiers and dates.
        figures: numbers that tell something.
        names: names of several words, and words in a row of longer texts.
        few: every single word and number, where it is short.
    """

    is_absence: bool
    values: frozenset[str]
    words: frozenset[str]
    figures: frozenset[Decimal]
    names: frozenset[str]
    few: frozenset[str]

    def found_in(self, text: str) -> frozenset[str]:
        """Return what of it a text tells."""
        small = _small(text)
        names = {name for name in self.names if f" {name} " in small} | (self.few & _singles(text))
        figures = {f"{figure:f}" for figure in self.figures & held_in(text).figures}
        is_told = len(figures) >= _TOGETHER or names or self.few
        return self.pinned_in(text) | frozenset(names | (figures if is_told else set()))

    def pinned_in(self, text: str) -> frozenset[str]:
        """Return the identifiers and dates of it that a text tells."""
        return frozenset(self.words & held_in(text).words)

    def is_pinned(self, found: frozenset[str]) -> bool:
        """Tell whether what was found can be of nothing else: an identifier, a date or a figure."""
        return bool(found - self.names - self.few)

    def known_in(self, text: str) -> frozenset[str]:
        """Return what of it, and of its words, was known from another text."""
        return self.found_in(text) | (self.values & held_in(text).words)

    def given_in(self, args: Mapping[str, Any]) -> frozenset[str]:
        """Return what of it arguments name."""
        given = {leaf.lower() for leaf in _leaves(args) if isinstance(leaf, str)}
        named = {mention.text for mention in mentions_in(args) if mention.sort != "handle"}
        text = canonical(dict(args))
        return self.found_in(text) | (self.values & given) | (self.words & named)


def tells_of(result: Any) -> Telling:
    """Find what a result tells, of an opened read what was read."""
    return _tells_of(canonical(_parsed(inner(result))))


@lru_cache(maxsize=4_096)
def _tells_of(written: str) -> Telling:
    result = json.loads(written)
    leaves = [leaf for leaf in _leaves(result) if leaf is not None and not isinstance(leaf, bool)]
    texts = [leaf.strip() for leaf in leaves if isinstance(leaf, str)]
    numbers = [Decimal(str(leaf)) for leaf in leaves if isinstance(leaf, int | float)]
    several = [text for text in texts if len(text.split()) > 1]
    parts = [part for text in several for part in _PART.split(text) if len(part.split()) > 1]
    whole = {
        " ".join(words)
        for words in map(_words, parts)
        if len(words) <= _NAME and sum(map(_is_spelt, words)) >= _SPELT_OF_NAME
    }
    runs = {run for text in several for run in _runs(_words(text))}
    return Telling(
        is_absence=_is_absence(result),
        values=frozenset(text.lower() for text in texts if len(text) >= _LETTERS)
        - {text.lower() for text in several},
        words=frozenset(
            mention.text
            for mention in mentions_in(result)
            if mention.sort in ("identifier", "date") and not _MEASURE.fullmatch(mention.text)
        ),
        figures=frozenset(number for number in numbers if abs(number) >= _LEAST),
        names=frozenset(whole | runs),
        few=frozenset(one for leaf in leaves if _is_short(leaf) for one in _singles(str(leaf)))
        if len(leaves) <= _FEW
        else frozenset(),
    )


def is_named(args: Mapping[str, Any], text: str) -> bool:
    """Tell whether a text names what arguments are about.

    By an identifier or figure of theirs; where there is none, by half of their words, or all those
    of one argument.
    """
    mentions = list(mentions_in(args))
    if mentions:
        held = held_in(text)
        return any(held.names(mention) for mention in mentions)
    given = [{word for word in _singles(str(leaf)) if word.isalpha()} for leaf in _leaves(args)]
    words, said = set[str]().union(*given), _singles(text)
    return 2 * len(words & said) >= len(words) or any(one and one <= said for one in given)


def _is_absence(result: Any) -> bool:
    if result in (None, "", [], {}, False):
        return True
    if isinstance(result, str):
        # An error, or a few words such as "Transfer successful", which only acknowledge.
        is_short = len(result.split()) <= _ACKNOWLEDGED and not any(map(str.isdigit, result))
        return is_short or result.lower().startswith("error")
    lists = list(_lists(result))
    return bool(lists) and not any(lists)


def _parsed(result: Any) -> Any:
    """Read a result that is JSON as text."""
    if isinstance(result, str) and result.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(result)
        except ValueError:
            return result
    try:
        return float(result) if isinstance(result, str) and Decimal(result) else result
    except InvalidOperation:
        return result


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def _lists(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _lists(item)
    elif isinstance(value, list | tuple):
        yield value
        for item in value:
            yield from _lists(item)


def _is_short(leaf: Any) -> bool:
    return len(str(leaf).split()) <= 2


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _runs(words: list[str]) -> Iterator[str]:
    for at in range(len(words) - _RUN + 1):
        run = words[at : at + _RUN]
        if sum(map(_is_spelt, run)) >= _SPELT_OF_RUN:
            yield " ".join(run)


def _is_spelt(word: str) -> bool:
    return len(word) >= 3 and word.isalpha()


@lru_cache(maxsize=8_192)
def _small(text: str) -> str:
    """Return the words of a text with blanks around them."""
    return f" {' '.join(_words(text))} "


@lru_cache(maxsize=8_192)
def _singles(text: str) -> frozenset[str]:
    """Return the single words that tell something, and the numbers."""
    words = {word for word in _words(text) if len(word) >= _LETTERS and not word.isdigit()}
    return frozenset(words | {f"{number.normalize():f}" for number in numbers_in(text)})
