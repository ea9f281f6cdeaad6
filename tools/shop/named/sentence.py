"""A sentence as it is compared with products: its words, its amounts, its ratings."""

from __future__ import annotations

import re
from functools import cached_property

from daybook.tools.said.numbers import in_digits
from daybook.tools.shop.named.words import KINDS, spelled, words_of

_AMOUNT = re.compile(r"(?<![\d.,-])(\d{1,3}(?:[,' ]\d{3})+|\d+)[.,](\d\d)(?![\d])")

_TENTHS = re.compile(
    r"(?:[$\u20ac\u00a3]\s?)(\d+)[.,](\d)(?!\d)|(?<![\d.,-])(\d+)[.,](\d)\s?(?:usd|dollars?|eur)\b",
    re.IGNORECASE,
)
"""An amount whose last nought is left out."""

_ROUND = re.compile(
    r"[$\u20ac\u00a3]\s?(\d{1,5})(?![\d.,]*\d)"
    r"|(?<![\d.,-])(\d{1,5})[ -](?:usd|dollars?|bucks|eur(?:os?)?)\b",
    re.IGNORECASE,
)
"""An amount of which the cents are left out."""

_RATING = re.compile(
    r"(?<![\d.])([0-5][.,]\d|[0-5])\s*(?:of|out of|/)\s*5\b"
    r"|(?<![\d.])([0-5][.,]\d|[0-5])[ -]*stars?\b",
    re.IGNORECASE,
)

_VAGUE_PRICE = re.compile(
    r"\b(?:from|under|below|over|above|up to|between|about|around|less than|more than|at most)"
    r"\s+(?:[A-Z]{3}|[$\u20ac\u00a3])?\s*$",
    re.IGNORECASE,
)

_GENERAL = re.compile(
    r"\b(?:should|usually|typically|generally|in general|look for|choose|depends?)\b", re.IGNORECASE
)


class Sentence:
    """Hold a text as it is compared: spelled plainly, and as words."""

    def __init__(self, text: str) -> None:
        self.plain = spelled(text)
        self.words = words_of(text)

    def before(self, at: int) -> str:
        """Return what stands before the clause in which a word is."""
        first = next(
            (
                place
                for place in range(at, 0, -1)
                if self.words[place].apart
                or self.words[place].stem in ("and", "but", "so", "while")
            ),
            0,
        )
        return " ".join(word.text for word in self.words[:first])

    @property
    def is_general(self) -> bool:
        """Tell whether it says how things should be, and not how one is."""
        return _GENERAL.search(self.plain) is not None

    @property
    def kinds(self) -> frozenset[str]:
        """Return the kinds of goods that it speaks of."""
        return KINDS & set(self.stems)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """Return the words' stems."""
        return tuple(word.stem for word in self.words)

    @cached_property
    def amounts(self) -> tuple[int, ...]:
        """Return the amounts of money in it, in cents, but those of a range."""
        text = in_digits(self.plain)
        whole = [
            (found.start(), int(re.sub(r"\D", "", found[1])) * 100 + int(found[2]))
            for found in _AMOUNT.finditer(text)
        ]
        tenths = [
            (found.start(), int(found[1] or found[3]) * 100 + int(found[2] or found[4]) * 10)
            for found in _TENTHS.finditer(text)
        ]
        return tuple(cents for at, cents in whole + tenths if not _VAGUE_PRICE.search(text[:at]))

    @cached_property
    def round_amounts(self) -> tuple[int, ...]:
        """Return the amounts of money of which no cents are told, but those of a range."""
        text = in_digits(self.plain)
        return tuple(
            int(found[1] or found[2])
            for found in _ROUND.finditer(text)
            if not _VAGUE_PRICE.search(text[: found.start()])
        )

    @cached_property
    def ratings(self) -> tuple[float, ...]:
        """Return the ratings of 5 in it."""
        return tuple(
            float((found[1] or found[2]).replace(",", "."))
            for found in _RATING.finditer(self.plain)
        )
