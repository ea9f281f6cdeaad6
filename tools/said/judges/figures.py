"""Judge what else of a sentence names or counts something: ids, stock, ratings, quantities, dates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.codes import codes_in, numbers_of_orders_in
from daybook.tools.said.judges.added_up import IS_APART
from daybook.tools.said.judges.changed import changed_by
from daybook.tools.said.known import Known
from daybook.tools.said.mentions import held_in, mentions_in
from daybook.tools.said.numbers import SMALL, bound_of, is_roughly
from daybook.tools.said.rows import Record
from daybook.tools.said.spoken_of import (
    Mentioned,
    heads_in,
    is_of_what_went_before,
    only_one,
    shown_of,
)
from daybook.tools.said.text import (
    SOLD_OUT,
    is_row,
    plain,
    ratings_in,
    stock_in,
)

_NAMED = re.compile(r"(?<![\w/.@-])[a-z]{2,}_(?:[a-z0-9]+_)*\d+\b")

_SAMPLE = re.compile(
    r"\b(?:like|such as|e\.g\.,?|for example,?|for instance,?|in the (?:format|form)(?: of)?|looks like)\s*['\"‘“`(*]{0,2}#?[\w-]+",
    re.IGNORECASE,
)
"""What only shows how an id is written."""

_BETWEEN = re.compile(
    r"^[\s*_`|:(\[\])–—-]{0,4}(?:(?:\w+ ){0,3}(?:id|sku|no|number|item)[\s:*`#.]{1,4})?[\s(\[#`*]{0,3}$"
)

_CLOSE = re.compile(r"^[\s*`]*\(?(?:(?:item|id|sku|number)[\s:*`#.]{1,4}){0,2}$")
_CALLED = re.compile(r"(?:\bitem|\bid|\bsku|\bnumber|→)[\s:*`#.(]{1,4}$")
_BESIDE = re.compile(
    r"\b(?:than|unlike|like|instead|and|or|plus|with|besides|beside|not|other|another|both|along|same|different|while|whereas|vs|versus)\b"
)
"""Between a name and the id of something else that a sentence sets beside it."""

_GIVEN = re.compile(r"^(\d) of 5 \| ", re.MULTILINE)
"""What a review gave."""

_REVIEWED = re.compile(r"\bof 5 \((\d+)\)")
_SO_MANY_REVIEWS = re.compile(
    rf"\b(?:there are|has|have|got|based on|basis of)(?: only| just| all of)? (?P<n>\d{{1,3}}|{'|'.join(SMALL)}) (?:customer )?reviews?\b(?! (?:that|which|say|saying|mention|mentioning|praise|speak|of|about|with|give|giving|below|under|each))",
    re.IGNORECASE,
)
_MOST_PAIRED = 3
_WEEKDAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE)

_COUNTED = r"(?:(?:pairs?|pieces?|units?|of|x|×|the|your|more)\s+)*"

_IN_CART = re.compile(
    r"\b(?:cart|basket|added|order(?:ed)?|bought|have now|contains?|holds?|quantity|qty)\b",
    re.IGNORECASE,
)

_NUMERAL = rf"\d{{1,3}}|{'|'.join(SMALL)}"

_NONE = re.compile(r"\b(?:none|not|neither|never|nothing|nor)\b|n't\b")

_BEST = 5
_OUT_OF_FIVE = re.compile(r"(?<![\w.])(\d\.\d) of 5\b")

_WANTED = re.compile(
    r"\b(?:if|want\w*|need\w*|looking for|insist\w* on|asked for|mark of|line of)\W*$",
    re.IGNORECASE,
)
"""Stands before a figure that somebody only asks for."""

_LEFT_OUT = re.compile(
    r"\b(?:if|leave out|leaving out|exclud\w+|skip\w*|without|anything|everything|nothing|none|rule out|drop\w*|filter\w*|only)\b",
    re.IGNORECASE,
)
"""Stands before a rating below which somebody looks at nothing."""
_BY_STARS = re.compile(r"^\W*(?:[1-5] ?(?:stars?|★)|★+)\W*:", re.IGNORECASE)
"""Begins a row that tells how many gave so many stars."""

_SOME_OF_THEM = re.compile(
    rf"\b(?:{'|'.join(SMALL)}|\d+) (?:out )?of (?:the |them|its |her )?(?:{'|'.join(SMALL)}|\d+)?\b[^.;]{{0,30}}\b(?:gave|give|gives)\b[^.;]{{0,20}}$",
    re.IGNORECASE,
)
"""Stands before what some reviewers gave, of whom none was read by itself."""

_NEXT_ONE = re.compile(r"^[\s)*\]]*(?:\([^)]*\)\s*)?, ")

_SPOKEN_OF = re.compile(
    r"\b(?:if|would|could|can|may|want|like|shall|should|instead|or|asked|wanted|requested|only)\b|\?",
    re.IGNORECASE,
)


def of_codes(text: str, known: Known) -> Iterator[str]:
    """Find identifiers that stand in nothing that was read or done."""
    said = _SAMPLE.sub(" ", text)
    for code in (*codes_in(said), *_NAMED.findall(said), *numbers_of_orders_in(said)):
        small = code.lower().lstrip("#").replace(" ", "-")
        if small not in known.words and not any(small in word for word in known.words):
            yield f"{code} stands in nothing that was read or done."


def of_pairs(text: str, about: Sequence[Mentioned]) -> Iterator[str]:
    """Find a name beside an id that is another thing's."""
    said = plain(text)
    # A table's columns hold several of each.
    is_many = len({one.name for one in about}) > _MOST_PAIRED
    between = _CLOSE if is_many else _BETWEEN
    both = [one for one in about if _has_both(one.record)]
    for one, other in pairwise(about):
        if one.record is other.record or one not in both or other not in both:
            continue
        is_pair = _is_id(one) != _is_id(other) and not (is_many and _is_id(one))
        if is_pair and one.end <= other.start and between.match(said[one.end : other.start]):
            yield _both_told(one, other)
    names = [one for one in both if not _is_id(one)]
    ids = [one for one in both if _is_id(one)]
    if len({id(one.record) for one in names}) != 1 or not ids or names[0].start > ids[0].start:
        return
    if any(one.record is names[0].record for one in ids):
        return
    if _CALLED.search(said[: ids[0].start]) and not _BESIDE.search(said[: ids[0].start]):
        yield _both_told(names[0], ids[0])


def _is_id(one: Mentioned) -> bool:
    return any(map(str.isdigit, one.name))


def _both_told(one: Mentioned, other: Mentioned) -> str:
    shown = [name.record.shown for name in (one, other) if name.record.shown]
    return "; ".join(shown) or f"{one.name} and {other.name} are not the same."


def _has_both(record: Record) -> bool:
    """Tell whether a record has a name and an id."""
    return len({any(map(str.isdigit, name)) for name in record.names}) == 2


_THE_SOLD_OUT = re.compile(
    r"\b(?:the|your|that) (?:sold[- ]out|unavailable|out[- ]of[- ]stock) \w+", re.IGNORECASE
)
"""Calls a thing by this that none is left of it."""


_NOT_SO_MANY = re.compile(
    rf"(?<![\w.,$€£-])(?P<n>\d{{1,3}}|{'|'.join(SMALL)})(?: more)?(?: (?:pairs?|pieces?|units?|of (?:them|those|these)|[a-z]+s))?(?: (?:are|is) )?(?: ?aren't| ?isn't| not| no longer|n't)\b"
)
"""Says that there are not as many."""


def of_stock(clauses: Clauses, about: Sequence[Mentioned], known: Known) -> Iterator[str]:
    """Find figures of a thing that were read of none: in stock, of its reviews, of its measures."""
    text = clauses.sentence.text
    records = [one.record for one in about]
    figures = frozenset[Decimal]().union(*(one.figures for one in records)) or known.figures
    stock = {one for record in records for one in record.stock}
    if not records and not known.records:
        return
    cells = clauses.asserted if clauses.sentence.columns else ()
    for number, words in (one for part in (text, *cells) for one in stock_in(part)):
        there = {Decimal(one) for one in stock} or figures
        counts = {count for record in records for count in record.counts}
        if "vailable" in words and not any(record.stock for record in known.records):
            # It may count what there is to choose from: of stock nothing was read.
            continue
        if is_roughly(text[: text.find(words)]) and any(
            abs(one - number) <= one / 10 for one in there
        ):
            continue
        if (bound := bound_of(text[: text.find(words)])) and number:
            stocks = stock or {one for record in known.records for one in record.stock}
            if not stocks or any((one - number) * bound >= 0 for one in stocks):
                continue
        if number and Decimal(number) not in there and number not in counts:
            yield shown_of(records) or f"“{words}” was read nowhere."
    is_set_apart = _THE_SOLD_OUT.search(text) is not None and 0 in {
        one for record in known.records for one in record.stock
    }
    if (
        stock
        and min(stock) > 0
        and not is_set_apart
        and any(_is_sold_out(one) and not _is_of_more(one, min(stock)) for one in clauses.asserted)
    ):
        yield shown_of(records) or f"In stock: {min(stock)}."
    given = {Decimal(one) for held in known.texts for one in _GIVEN.findall(held)}
    # An order has no rating: what it holds may have one.
    rated_ = [one for one in records if not one.statuses]
    for rating, words in (one for part in (text, *cells) for one in ratings_in(part)):
        if IS_APART.search(text[: text.find(words)]):
            # By how much two are rated apart is no rating.
            continue
        if rating in given or (not given and _SOME_OF_THEM.search(text[: text.find(words)])):
            continue
        if is_of_what_went_before(text, text.find(words), about) and rating in known.figures:
            continue
        if _WANTED.search(text[: text.find(words)]) or _BY_STARS.match(text):
            continue
        bound = bound_of(text[: text.find(words)])
        if rating > _BEST and bound:
            # "4.4 stars over 8 reviews" tells how many there are.
            bound = 0
        if bound and _LEFT_OUT.search(text[: text.find(words)]):
            continue
        if bound:
            rated = _ratings_of(rated_ or known.records)
            if rated and not any((one - rating) * bound >= 0 for one in rated):
                yield shown_of(rated_) or f"“{words}” was read nowhere."
            continue
        own = (
            frozenset[Decimal]().union(*(one.figures for one in rated_))
            if rated_
            else frozenset[Decimal]().union(*(one.record.figures for one in only_one(known)))
        )
        if rating not in (own or known.figures) and (
            rated_ or only_one(known) or rating != rating.to_integral_value()
        ):
            yield shown_of(rated_) or f"“{words}” was read nowhere."
    called = [some[0] for _, some in heads_in(plain(text), known) if len(some) == 1]
    yield from _of_reviews(
        text, records or called or [one.record for one in only_one(known)], known
    )


def _of_reviews(text: str, records: Sequence[Record], known: Known) -> Iterator[str]:
    """Yield what was read of a thing, where it is said to have another number of reviews."""
    counts = {int(one) for record in records for one in _REVIEWED.findall(record.shown)}
    counts |= {
        int(one)
        for text_ in known.texts
        for line in text_.split("\n")
        for one in _REVIEWED.findall(line)
        if any(name in plain(line) for record in records for name in record.names)
    }
    if counts and (told := _SO_MANY_REVIEWS.search(text)):
        many = SMALL.get(told["n"].lower()) or int(told["n"])
        if many not in counts:
            yield shown_of(records)


def _ratings_of(records: Sequence[Record]) -> list[Decimal]:
    return [Decimal(one) for record in records for one in _OUT_OF_FIVE.findall(record.shown)]


def _is_of_more(clause: str, stock: int) -> bool:
    """Tell whether a clause only says that there are not so many: "three pairs aren't available"."""
    found = _NOT_SO_MANY.search(clause)
    return found is not None and (SMALL.get(found["n"]) or int(found["n"])) > stock


def _is_sold_out(clause: str) -> bool:
    found = SOLD_OUT.search(clause)
    if found is None or _SPOKEN_OF.search(clause):
        return False
    return _NONE.search(clause[: found.start()]) is None


def of_counts(text: str, about: Sequence[Mentioned], known: Known) -> Iterator[str]:
    """Find a quantity of something of which the state holds another one.

    How many were added or taken out stands in what a change of the cart told.
    """
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
            rf"[\s)*\]]*(?:\([^)]*\)\s*)?(?:, (?=\d+ ?[x×])|x|×|quantity:?|qty:?|\(x|\(×|\|(?=\s*\d+\s*\|))\s*({_NUMERAL})\b",
            said[one.end :],
        )
        for found in (before, behind):
            if found is None or not (is_of_cart or found is behind):
                continue
            if found is behind and before is not None and _NEXT_ONE.match(found.group()):
                # Of two that are counted before each: "1 x a pack, 2 x a bottle".
                continue
            number = SMALL.get(found.group(1)) or int(found.group(1))
            if (
                is_row(text)
                and found is before
                and said[: one.start].strip().rstrip(".)").isdigit()
            ):
                continue
            if number not in one.record.counts | changed_by(text, one.record, known):
                yield one.record.shown or f"{one.name}: {', '.join(map(str, one.record.counts))}"


_SUPPOSES_A_DAY = re.compile(
    r"\b(?:if|say|suppose|supposing|assuming|for example|for instance|e\.g\.)\b.*\b(?:on|by|from|until|till)\b|\b(?:on|from|by) an? (?:\w+ )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    re.IGNORECASE,
)


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
    if _SUPPOSES_A_DAY.search(text):
        # What follows if something came on that day.
        return
    weekdays = {day.lower() for day in _WEEKDAY.findall(text)}
    if weekdays and not _SPOKEN_OF.search(text) and not weekdays & known.words:
        yield "Nothing that was read tells of such a day."
    if held.days and not held.days & known.days and "/" not in text:
        yield "No such date was read or said."
