"""Judge what else of a sentence names or counts something: ids, stock, ratings, quantities, dates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from daybook.tools.said.claimed import codes_in
from daybook.tools.said.known import Known
from daybook.tools.said.mentions import held_in, mentions_in
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.rows import Record
from daybook.tools.said.spoken_of import Mentioned, shown_of
from daybook.tools.said.text import (
    SOLD_OUT,
    is_row,
    measures_in,
    plain,
    ratings_in,
    stock_in,
)

_NAMED = re.compile(r"(?<![\w/.@-])[a-z]{2,}_(?:[a-z0-9]+_)*\d+\b")

_BETWEEN = re.compile(
    r"^[\s*_`|:(\[\])–—-]{0,4}(?:(?:\w+ ){0,3}(?:id|sku|no|number)[\s:*`#.]{1,4})?[\s(\[#`*]{0,3}$"
)

_MOST_PAIRED = 3
_WEEKDAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE)

_COUNTED = r"(?:(?:pairs?|pieces?|units?|of|x|×|the|your|more)\s+)*"

_IN_CART = re.compile(
    r"\b(?:cart|basket|added|order(?:ed)?|bought|have now|contains?|holds?|quantity|qty)\b",
    re.IGNORECASE,
)

_NUMERAL = rf"\d{{1,3}}|{'|'.join(SMALL)}"

_SPOKEN_OF = re.compile(
    r"\b(?:if|would|could|can|may|want|like|shall|should|instead|or|asked|wanted|requested|only)\b|\?",
    re.IGNORECASE,
)


def of_codes(text: str, known: Known) -> Iterator[str]:
    """Find identifiers that stand in nothing that was read or done."""
    for code in (*codes_in(text), *_NAMED.findall(text)):
        small = code.lower().lstrip("#")
        if small not in known.words and not any(small in word for word in known.words):
            yield f"{code} stands in nothing that was read or done."


def of_pairs(text: str, about: Sequence[Mentioned]) -> Iterator[str]:
    """Find a name beside an id that is another thing's."""
    said = plain(text)
    if len({one.name for one in about}) > _MOST_PAIRED:
        # A table whose columns hold several of each.
        return
    for one, other in pairwise(about):
        if one.record is other.record or not (_has_both(one.record) and _has_both(other.record)):
            continue
        if one.end <= other.start and _BETWEEN.match(said[one.end : other.start]):
            is_id = [any(map(str.isdigit, name.name)) for name in (one, other)]
            if is_id[0] != is_id[1]:
                shown = [name.record.shown for name in (one, other) if name.record.shown]
                yield "; ".join(shown) or f"{one.name} and {other.name} are not the same."


def _has_both(record: Record) -> bool:
    """Tell whether a record has a name and an id."""
    return len({any(map(str.isdigit, name)) for name in record.names}) == 2


def of_stock(text: str, about: Sequence[Mentioned], known: Known) -> Iterator[str]:
    """Find figures of a thing that were read of none: in stock, of its reviews, of its measures."""
    records = [one.record for one in about]
    figures = frozenset[Decimal]().union(*(one.figures for one in records)) or known.figures
    stock = {one for record in records for one in record.stock}
    if not records and not known.records:
        return
    for number, words in stock_in(text):
        there = {Decimal(one) for one in stock} or figures
        counts = {count for record in records for count in record.counts}
        if number and Decimal(number) not in there and number not in counts:
            yield shown_of(records) or f"“{words}” was read nowhere."
    if stock and min(stock) > 0 and SOLD_OUT.search(text) and not _SPOKEN_OF.search(text):
        yield shown_of(records) or f"In stock: {min(stock)}."
    for rating, words in ratings_in(text):
        if rating not in figures and (records or rating != rating.to_integral_value()):
            yield shown_of(records) or f"“{words}” was read nowhere."
    for measure, words in measures_in(text):
        if not {measure, measure * 1000, measure / 1000, measure * 10} & known.figures and records:
            yield shown_of(records) or f"“{words}” was read nowhere."


def of_counts(text: str, about: Sequence[Mentioned]) -> Iterator[str]:
    """Find a quantity of something of which the state holds another one."""
    if _SPOKEN_OF.search(text):
        return
    is_of_cart = _IN_CART.search(text) is not None
    said = plain(text)
    for one in about:
        if not one.record.counts:
            continue
        before = re.search(
            rf"(?<![\w.,-])({_NUMERAL})\s*(?:x|×)?\s+{_COUNTED}[\s*(\[]*$", said[: one.start]
        )
        behind = re.match(
            rf"[\s)*\]]*(?:\([^)]*\)\s*)?(?:x|×|quantity:?|qty:?|\(x|\(×|\|(?=\s*\d+\s*\|))\s*({_NUMERAL})\b",
            said[one.end :],
        )
        for found in (before, behind):
            if found is None or not (is_of_cart or found is behind):
                continue
            number = SMALL.get(found.group(1)) or int(found.group(1))
            if (
                is_row(text)
                and found is before
                and said[: one.start].strip().rstrip(".)").isdigit()
            ):
                continue
            if number not in one.record.counts:
                yield one.record.shown or f"{one.name}: {', '.join(map(str, one.record.counts))}"


def of_days(text: str, known: Known) -> Iterator[str]:
    """Find dates and weekdays that stand in nothing that was read or said."""
    held = held_in(text)
    iso = {
        one.text
        for one in mentions_in(re.findall(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)", text))
        if one.sort == "date"
    }
    for date in iso:
        if date not in known.words and (int(date[5:7]), int(date[8:10])) not in known.days:
            yield f"The date {date} stands in nothing that was read or said."
    weekdays = {day.lower() for day in _WEEKDAY.findall(text)}
    if weekdays and not _SPOKEN_OF.search(text) and not weekdays & known.words:
        yield "Nothing that was read tells of such a day."
    if held.days and not held.days & known.days and "/" not in text:
        yield "No such date was read or said."
