"""Judge what is said of one among several that were listed together: the cheapest, all under 70."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.grammar.things import sorts_in, sorts_of
from daybook.tools.said.known import Known
from daybook.tools.said.numbers import SMALL, bound_of
from daybook.tools.said.spoken_of import Mentioned, is_of_what_went_before, mentioned

_PRICE: Final = re.compile(r"\| (\d+\.\d\d) [A-Z]{3} \|")
_RATING: Final = re.compile(r"\| (\d(?:\.\d)?) of 5 \((\d+)\)")

_LEFT: Final = re.compile(r"\| (\d+) in stock\b")

MOST: Final[tuple[tuple[re.Pattern[str], str, Callable[..., Decimal]], ...]] = (
    (
        re.compile(
            r"\b(?:cheapest|least expensive|lowest[ -]priced?|most affordable|lowest price)\b"
        ),
        "price",
        min,
    ),
    (
        re.compile(
            r"\b(?:dearest|priciest|most expensive|costliest|highest[ -]priced?|highest price)\b"
        ),
        "price",
        max,
    ),
    (
        re.compile(
            r"\b(?:(?:best|highest|top) ?(?:rated|reviewed|rating|reviews|scored|scoring|score)|best liked|liked (?:the )?best|like (?:the )?best|most popular by rating)\b"
        ),
        "rating",
        max,
    ),
    (
        re.compile(
            r"\b(?:(?:worst|lowest) ?(?:rated|reviewed|rating|reviews|scored)|least liked|least popular)\b"
        ),
        "rating",
        min,
    ),
    (re.compile(r"\b(?:most reviews|most reviewed|most often reviewed)\b"), "reviews", max),
    (re.compile(r"\b(?:fewest|least) reviews\b"), "reviews", min),
)
_OF_SO_MANY: Final = re.compile(
    r"\b(?:of|among) (?:the |all |these |those |all the |your )?(\d|three|four|five|six)\b"
)
_IT: Final = re.compile(r"^\W*it (?:is|was)\b")
_FEWER: Final = re.compile(
    r"\b(?:second|third|next|after|of the two|of those two|besides|apart from|one of the|among the|except|not|n't|other than|under|over|"
    r"below|above|that|in your cart|line|active|open|current|currently|standing|running|live|remaining|uncancelled|still|so far|until|before)\b|n't\b"
)
"""Names another group, or another place in it."""

ARE: Final = re.compile(r"\bare (?:also |both |all |by far )*(?:the |our )?(?:\w+ )?$")
_NUMERAL: Final = rf"\d{{1,2}}|{'|'.join(SMALL)}"
_FOUND: Final = re.compile(
    rf"\b(?:found|came up with|turned up|showed|got) (?:you )?(?P<n>{_NUMERAL}) (?![x×%])(?:\w+ ){{0,4}}[a-z]+s\b(?! (?:ago|each|left))|\ball (?:that )?(?:i|we) (?:could find|found) (?:was|were|is|are) (?P<alone>{_NUMERAL}) (?:\w+ ){{0,3}}[a-z]+s\b|(?<![\w.])(?P<came>{_NUMERAL}) (?!of\b|people\b)(?:\w+ ){{0,3}}[a-z]+s (?:came up|turned up|were found|showed up|popped up)\b|\b(?P<hits>{_NUMERAL}) (?:hits|results|matches)\b"
)
_UNRATED: Final = re.compile(
    r"\b(?:nobody|no one|no customer)\b(?: \w+){0,2} (?:rated|reviewed)\b|\bno (?:customer )?(?:reviews|ratings)\b(?! (?:about|that|of|say|tell|mention|with|below|under|speak))|(?:\bnot|n't|\bnever) (?:yet )?(?:been )?(?:rated|reviewed)\b"
)
_SO_OFTEN: Final = re.compile(
    r"\b(?:dozens|hundreds|thousands|lots|tons|loads) of (?:\w+ )?(?:reviews|ratings|people|customers|reviewers|happy)\b"
)
_MANY_REVIEWS: Final = 20
_TO_CHOOSE: Final = re.compile(
    rf"\b(?:there are|you have|here are) (?P<all>{_NUMERAL}) (?:of them |of these |options |ones |models )?(?:to choose from|in all|altogether)\b"
)
_RESTRICTED: Final = re.compile(
    r"\b(?:under|below|over|above|within|rated|with|that|which|who|best|cheapest|top|cheaper|dearer|lighter|good|suitable|fits?|match\w*|between|for under|at|less|favou?rites?|worth|interesting|promising|nice|first)\b"
)
_WITHIN_LIMITS: Final = re.compile(
    r"\b(?:budget|under|below|less than|up to|over|above|more than|within|between|at most|at least)\b|\b(?:with|for) (?:usd )?[$€£]?\d"
)
_GIVEN: Final = re.compile(r"^(\d) of 5 \| ", re.MULTILINE)
_STARS: Final = re.compile(
    rf"\b(?:full |just |only )?({_NUMERAL}) (?:full )?stars?\b|\b(\d) (?:out )?of (?:5|five)\b"
)
_EVERYONE: Final = re.compile(
    r"\b(?:everyone|everybody|all (?:of them|reviewers?|of the)?|each (?:of (?:the|them)|one|reviewers?|person|buyer|customer)|every reviewer|unanimous\w*)\b|^\W*each\b"
)
_SOMEBODY: Final = re.compile(
    r"\b(?:her|him|his|she|he|reviewers?|customers?|one of|somebody|someone|gave|gives|given by|from [a-z]+\W*$)\b"
)
_NO_STARS: Final = re.compile(
    r"\b(?:not|no|nobody|never|none|or|average|overall|of five or)\b|n't\b"
)
_MORE: Final = re.compile(r"\b(?:more|other|another|left|in stock|also|reviews?|orders?|stars?)\b")
_NO_HITS: Final = re.compile(r"\b(?:0|no) (?:hits|results|products|matches)\b")
_FOUND_NOTHING: Final = re.compile(
    r"\bnothing (?:at all )?(?:came up|turned up|was found|found|matched|matches|showed up)\b|\bno (?:luck|hits|results|matches)\b|"
    r"\bcame (?:up|back) empty\b|\b(?:couldn't|could not|didn't|did not) find (?:a single|any|anything)\b(?! (?:other|more|else|cheaper|under|below))|\bfound nothing\b"
)


@dataclass(frozen=True)
class Row:
    """What was listed beside others."""

    line: str
    price: Decimal
    rating: Decimal | None
    reviews: Decimal | None
    stock: Decimal | None = None


def of_superlatives(clauses: Clauses, about: Sequence[Mentioned], known: Known) -> Iterator[str]:
    """Yield what is so, for each thing that is said to have the most or least of what it has not."""
    for clause in clauses.asserted:
        for words, what, most in MOST:
            found = words.search(clause)
            if found is None or _FEWER.search(clause) or is_open(clause[: found.start()]):
                continue
            named = mentioned(clause, known) or _unless_of_another_sort(clause, about)
            whole = clauses.sentence.text
            if not mentioned(clause, known) and is_of_what_went_before(
                whole, whole.lower().find(found.group()), about
            ):
                continue
            if _IT.match(clause):
                named = [*about][-1:]
            if len({one.name for one in named}) != 1:
                continue
            if ARE.search(clause[: found.start()]) and len(named_in(whole, known)) > 1:
                # Several are: judged as so many.
                continue
            rows = listed_with(named[0], known) or _all_read(clause, known)
            values = [getattr(one, what) for one in rows]
            if len(rows) < 2 or None in values:
                continue
            own = [getattr(one, what) for one in rows if is_of(one, named[0])]
            best = most(values)
            if own and best not in own:
                yield next(one.line for one in rows if getattr(one, what) == best)


def _unless_of_another_sort(clause: str, about: Sequence[Mentioned]) -> list[Mentioned]:
    """Return what was spoken of before a clause, unless that calls goods of another sort by their noun."""
    told = {sort for sort, _, _ in sorts_in(clause)}
    own = frozenset[str]().union(*(sorts_of(one.record.names) for one in about))
    return [*about] if told <= own else []


def of_reviews(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what was rated, where somebody is said to have given stars that nobody gave, or all to."""
    rated = [one for one in known.records if re.search(r"\bof 5 \([1-9]", one.shown)]
    if rated and len(rated) == len([one for one in known.records if one.stock]):
        for clause in clauses.asserted:
            if _UNRATED.search(clause) and not is_open(clause):
                yield rated[0].shown
            if _SO_OFTEN.search(clause) and not is_open(clause):
                counts = [
                    int(one) for row in rated for one in re.findall(r"of 5 \((\d+)\)", row.shown)
                ]
                yield from (rated[0].shown for _ in counts[:1] if max(counts) < _MANY_REVIEWS)
    given = [int(one) for text in known.texts for one in _GIVEN.findall(text)]
    if not given:
        return
    for clause in clauses.asserted:
        found = _STARS.search(clause)
        if found is None or _NO_STARS.search(clause) or is_open(clause):
            continue
        if bound_of(clause[: found.start()]):
            continue
        stars = worth(next(one for one in found.groups() if one))
        if (_EVERYONE.search(clause) and {*given} != {stars}) or (
            _SOMEBODY.search(clause) and stars not in given
        ):
            yield f"Rated: {', '.join(map(str, given))} of 5."


def of_hits(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield the first row of what was found, where nothing is said to be."""
    told = [
        clause
        for clause in clauses.asserted
        if _FOUND.search(clause) or _TO_CHOOSE.search(clause) or _FOUND_NOTHING.search(clause)
    ]
    if not told or any(_NO_HITS.search(text) for text in known.texts):
        return
    for clause in told:
        rows = last_list(known)
        if not rows:
            continue
        so_many = _FOUND.search(clause)
        so_many = so_many or _TO_CHOOSE.search(clause)
        if so_many and _WITHIN_LIMITS.search(clause):
            continue
        many = worth(next(one for one in so_many.groups() if one)) if so_many else 0
        is_told = any(
            re.search(rf"\b{many} hits\b|\bof {many}\b(?! [(|])", text) for text in known.texts
        )
        if (
            _TO_CHOOSE.search(clause) or (many and not _RESTRICTED.search(clause))
        ) and 1 < many < len(rows):
            is_told = False
        elif many < len(rows):
            is_told = True
        if many and many != len(rows) and not is_told and not _MORE.search(clause):
            yield f"{len(rows)} were found."
        if _FOUND_NOTHING.search(clause):
            yield rows[0].line


def named_in(text: str, known: Known) -> list[Mentioned]:
    """Return the things that a text names, each once."""
    return [*{id(one.record): one for one in mentioned(text, known)}.values()]


@lru_cache(maxsize=256)
def _rows_of(text: str) -> tuple[Row, ...]:
    rows = list[Row]()
    for line in text.split("\n"):
        if price := _PRICE.search(line):
            rating = _RATING.search(line)
            stars = (Decimal(rating[1]), Decimal(rating[2])) if rating else (None, None)
            left = _LEFT.search(line)
            stock = Decimal(left[1]) if left else None
            rows.append(Row(" ".join(line.split()), Decimal(price[1]), stars[0], stars[1], stock))
    return tuple(rows)


def last_list(known: Known) -> Sequence[Row]:
    """Return the rows of the last result that lists several, where there is only one such."""
    lists = [rows for text in known.texts if len(rows := _rows_of(text)) > 1]
    return lists[0] if len(lists) == 1 else []


def read_alone(known: Known) -> Sequence[Row]:
    """Return the rows of things that were read one by one, where nothing was listed."""
    texts = [_rows_of(text) for text in known.texts if "\nattributes: " in text]
    rows = {one[0].line: one[0] for one in texts if len(one) == 1}
    is_listed = any(len(_rows_of(text)) > 1 for text in known.texts)
    return [] if is_listed else [*rows.values()]


def _all_read(clause: str, known: Known) -> Sequence[Row]:
    """Return what was read one by one, where a clause counts as many: "of the three"."""
    many, rows = _OF_SO_MANY.search(clause), read_alone(known)
    return rows if many is not None and worth(many[1]) == len(rows) else []


def listed_with(named: Mentioned, known: Known) -> Sequence[Row]:
    """Return the rows of the last result that lists a thing among others."""
    for text in reversed(known.texts):
        rows = _rows_of(text)
        if len(rows) > 1 and any(is_of(one, named) for one in rows):
            return rows
    return []


def named_rows(named: Mentioned, rows: Sequence[Row]) -> list[Row]:
    """Return the rows of what is named."""
    return [one for one in rows if is_of(one, named)]


def worth(numeral: str) -> int:
    """Return what a numeral says."""
    return SMALL.get(numeral) or int(numeral)


def is_of(row: Row, named: Mentioned) -> bool:
    """Tell whether a row is of what is named."""
    line = row.line.casefold().replace("-", " ")
    return any(name in line for name in named.record.names)
