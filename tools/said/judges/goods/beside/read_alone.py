"""The things that were read by themselves, each with its attributes and figures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final

from daybook.tools.said.rows import record_of_line
from daybook.tools.said.text import plain

_ATTRIBUTES: Final = re.compile(r"^attributes: (.+)$", re.MULTILINE)
_ONE: Final = re.compile(r"(?:^|, )(\w+)=([^=]*?)(?=, \w+=|$)")
_PRICE: Final = re.compile(r"\| (\d+\.\d\d) [A-Z]{3} \|")
_RATING: Final = re.compile(r"\| (\d(?:\.\d)?) of 5 \((\d+)\)")
_LEFT: Final = re.compile(r"\| (\d+) in stock\b")
_WORD: Final = re.compile(r"[a-z]{3,}")


@dataclass(frozen=True)
class Thing:
    """A thing that was read by itself.

    Attributes:
        text: all that was read of it, as `plain` writes it.
        told: the sentences of its description, as `plain` writes them.
    """

    names: frozenset[str]
    traits: Mapping[str, str]
    figures: Mapping[str, Decimal]
    text: str
    line: str
    told: tuple[str, ...] = ()

    @property
    def own(self) -> frozenset[str]:
        """Return the words of its attributes."""
        return frozenset(word for value in self.traits.values() for word in words_of(value))


@lru_cache(maxsize=64)
def things_read(texts: tuple[str, ...]) -> tuple[Thing, ...]:
    """Return the things of which attributes were read, each once."""
    found = dict[frozenset[str], Thing]()
    for text in texts:
        for attributes in _ATTRIBUTES.finditer(text):
            rows = [row for row in text[: attributes.start()].split("\n") if " | " in row]
            record = record_of_line(rows[-1]) if rows else None
            if record is None:
                continue
            body = text[text.find(rows[-1]) : attributes.end()]
            traits = dict(_ONE.findall(attributes[1]))
            told = body[len(rows[-1]) : body.rfind("attributes: ")]
            found[record.names] = Thing(
                record.names,
                traits,
                _figures(rows[-1], traits),
                plain(body),
                rows[-1],
                tuple(plain(one) for one in re.split(r"(?<=[.;]) |\n", told) if one.strip()),
            )
    return tuple(found.values())


def _figures(row: str, traits: Mapping[str, str]) -> Mapping[str, Decimal]:
    figures = dict[str, Decimal]()
    if price := _PRICE.search(row):
        figures["price"] = Decimal(price[1])
    if rating := _RATING.search(row):
        figures |= {"rating": Decimal(rating[1]), "reviews": Decimal(rating[2])}
    if left := _LEFT.search(row):
        figures["stock"] = Decimal(left[1])
    for name, value in traits.items():
        if (number := re.match(r"-?\d+(?:\.\d+)?", value)) is not None:
            figures[name] = Decimal(number.group())
    return figures


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text, those of three letters or more."""
    return frozenset(_WORD.findall(plain(text)))
