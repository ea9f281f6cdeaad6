"""Judge how many of those that were listed are said to lie under or over a figure, or stand first or second."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.judges.goods.beside.compared import Row, last_list, named_rows, read_alone
from daybook.tools.said.known import Known
from daybook.tools.said.numbers import SMALL, numbers_in, worth_of
from daybook.tools.said.spoken_of import mentioned
from daybook.tools.said.text import is_row, plain

_COUNT: Final = rf"(?:\d{{1,2}}|{'|'.join(SMALL)})"
_HOW: Final[Mapping[str, Callable[[Decimal, Decimal], bool]]] = {
    **dict.fromkeys(
        ("under", "below", "less than", "cheaper than", "lower than", "fewer than"), operator.lt
    ),
    **dict.fromkeys(
        ("over", "above", "more than", "higher than", "dearer than", "better than"), operator.gt
    ),
    **dict.fromkeys(("at least",), operator.ge),
    **dict.fromkeys(("at most", "no more than"), operator.le),
}
_HOWS: Final = "|".join(sorted(_HOW, key=len, reverse=True))
_FIGURE: Final = r"(?:usd )?[$€£]?(?P<n>\d+(?:\.\d+)?(?![\d.]*\d)(?! ?(?:g|kg|grams?|kilos?|lit(?:re|er)s?|l|ml|cm|mm|lumens?|mah|degrees|c|hours?|minutes?)\b)|one|two|three|four|five|six|seven|eight|nine|ten)"
_SO_MANY: Final = re.compile(
    rf"(?<![\w.,$€£])(?P<only>only |just |exactly )?(?P<who>all {_COUNT}|all|most|every one|each|both|none|not one|{_COUNT})(?: of (?:the|them|these|those)(?: {_COUNT})?)?"
    rf"(?: (?:(?:ratings?|scores?|averages?|marks?) of|(?!of\b|stars?\b|reviews?\b|usd\b|in\b)[a-z']+)){{0,4}}? (?P<how>{_HOWS}) {_FIGURE}"
)
_OF_SOME: Final = re.compile(
    rf"\b(?:ones?|others?|rest|remaining|cheaper|dearer|latter|former|{'|'.join(SMALL)})\b"
)
_OF_THESE: Final = re.compile(
    r"\bof (?:them|these|those|the (?:two|three|four))\b|^\W*(?:all|both|each|none|neither|they|these|those)\b(?! (?:of )?(?:the )?(?:five|six|seven|eight|nine|ten|\d+)\b)"
)
"""Speaks of those of which the sentence before it spoke."""
_SOME_OF_THEM: Final = re.compile(
    rf"\b(?:{_HOWS}|up to|between|cheap\w+|lightest|best|the (?:first|last|other|top|bottom|remaining)|these|those)\b"
)
"""Sets some of those listed apart."""
_TURNED: Final = re.compile(
    rf"^\W*(under|below|over|above) ((?:usd )?[$€£]?\d+(?:\.\d\d)?),? (?:there are|there's|there is|i found|you'll find|i see|we have|you have|you've got|that leaves(?: you)?|you can choose from|you get) ((?:only |just |exactly )?{_COUNT})\b"
)
"""Tells a bound before how many lie within it: "under $50 there are two"."""
_OR_MORE: Final = re.compile(
    r"\b((?:usd )?[$€£]?\d+(?:\.\d+)?)(?: stars?| usd| of 5)? or (better|more|higher|above|less|lower|below|cheaper)\b"
)
_ONLY_ONE: Final = re.compile(
    rf"\b(?:the|is|was) (?:the )?only (?:one|[a-z]+)(?: [a-z]+)? (?:that (?:is|costs) |rated )?(?P<how>{_HOWS}) {_FIGURE}"
)
_OF_MONEY: Final = re.compile(r"[$€£]|\b(?:usd|dollars|bucks|costs?|price\w*|cheaper|dearer)\b")
_OF_RATING: Final = re.compile(r"\b(?:rated|rating|ratings|stars?|of 5|score\w*)\b")
_OF_REVIEWS: Final = re.compile(r"\breviews?\b|\bpeople\b|\breviewers\b")
_OF_STOCK: Final = re.compile(r"\b(?:in stock|left|pieces)\b")
_LEAST_PRICE: Final = 10
_BOUND: Final = re.compile(
    r"\b(?P<who>none|not one|all|every one|each|every|both)\b(?P<which>[\w ,']{0,40}?)\b(?P<how>under|below|less than|cheaper than|over|above|more than|at least|at most|up to)\s+(?P<n>[\w.,$€£ ]{1,40})"
)
_HOLDS: Final = {
    **dict.fromkeys(("under", "below", "less than", "cheaper than"), operator.lt),
    **dict.fromkeys(("over", "above", "more than"), operator.gt),
    **{"at least": operator.ge, "at most": operator.le, "up to": operator.le},
}
_OF_A_SUM: Final = re.compile(r"[$€£]|\b(?:usd|eur|dollars?|bucks|euros?|pounds?)\b|\bcosts?\b")
_RANK: Final = re.compile(
    r"\b(?P<rank>second|third|fourth) (?P<what>cheapest|dearest|priciest|most expensive|least expensive|best rated|highest rated|lowest rated|worst rated)\b"
)
_RANKS: Final = {"second": 1, "third": 2, "fourth": 3}
_FALLING: Final = frozenset(
    {"dearest", "priciest", "most expensive", "best rated", "highest rated"}
)


def of_quantities(clauses: Clauses, known: Known, before: str = "") -> Iterator[str]:
    """Yield a row that gainsays how many of those listed are said to be so.

    Args:
        before: the sentence before it, which may set some of them apart: "none of them".
    """
    rows = last_list(known) or read_alone(known)
    if len(rows) < 2:
        return
    of_some = _sets_some_apart(before, rows, known)
    for clause in clauses.asserted:
        if of_some and _OF_THESE.search(clause):
            continue
        clause = _OR_MORE.sub(_with_its_bound, clause)
        clause = _TURNED.sub(r"\3 cost \1 \2", clause)
        yield from _of_the_only_one(clause, rows)
        yield from _of_so_many(clause, rows)
        yield from _of_ranks(clause, rows, known)


def of_bounds(clauses: Clauses, known: Known, before: str = "") -> Iterator[str]:
    """Yield a row that gainsays what is said of the prices of all that was listed.

    Args:
        before: the sentence before it, which may set some of them apart.
    """
    for clause in clauses.asserted:
        found = _BOUND.search(clause)
        rows = last_list(known)
        if found is None or len(rows) < 2 or is_open(clause[: found.start()]):
            continue
        if found["who"] == "both" and len(rows) != 2:
            continue
        if _OF_THESE.search(clause) and _sets_some_apart(before, rows, known):
            continue
        numbers = [*numbers_in(found["n"])]
        if len(numbers) != 1 or not _OF_A_SUM.search(clause):
            continue
        holds = _HOLDS[found["how"]]
        is_none = found["who"] in ("none", "not one")
        wrong = [one for one in rows if holds(one.price, numbers[0]) is is_none]
        if wrong:
            yield wrong[0].line


def _sets_some_apart(before: str, rows: Sequence[Row], known: Known) -> bool:
    """Tell whether a sentence speaks of some of those listed, and not of all."""
    if is_row(before):
        return False
    named = {one.name for one in mentioned(before, known)}
    return 0 < len(named) < len(rows) or _SOME_OF_THEM.search(plain(before)) is not None


def _with_its_bound(found: re.Match[str]) -> str:
    """Write "4.0 or better" as "at least 4.0"."""
    is_least = found[2] in ("better", "more", "higher", "above")
    return f"{'at least' if is_least else 'at most'} {found[1]}"


def _of_so_many(clause: str, rows: Sequence[Row]) -> Iterator[str]:
    found = _SO_MANY.search(clause)
    if found is None or is_open(clause[: found.start()]):
        return
    if _OF_SOME.search(clause[: found.start()]):
        # "The three cheaper ones all cost under 40" tells of three.
        return
    such = _such(clause, found, rows)
    if such is None:
        return
    who = found["who"].split()
    if who[0] in ("all", "every", "each", "both"):
        is_so = len(such) == len(rows) or (who[0] == "both" and len(rows) != 2)
    elif who[0] == "most":
        is_so = len(such) * 2 > len(rows)
    elif who[0] in ("none", "not"):
        is_so = not such
    else:
        many = SMALL.get(who[0]) or int(who[0])
        is_so = len(such) == many if found["only"] else len(such) >= many
    if not is_so:
        yield (next((one for one in rows if one not in such), None) or rows[0]).line


def _of_the_only_one(clause: str, rows: Sequence[Row]) -> Iterator[str]:
    found = _ONLY_ONE.search(clause)
    such = _such(clause, found, rows) if found and not is_open(clause[: found.start()]) else None
    if such is not None and len(such) > 1:
        yield such[1].line


def _such(clause: str, found: re.Match[str], rows: Sequence[Row]) -> list[Row] | None:
    """Return the rows of which it is so; None where nobody can tell what the figure is of."""
    number = Decimal(SMALL[found["n"]]) if found["n"] in SMALL else worth_of(found["n"])
    values: list[Decimal | None]
    if _OF_RATING.search(clause):
        values = [one.rating for one in rows]
    elif _OF_REVIEWS.search(clause):
        values = [one.reviews for one in rows]
    elif _OF_STOCK.search(clause):
        values = [one.stock for one in rows]
    elif _OF_MONEY.search(clause) or number >= _LEAST_PRICE:
        values = [one.price for one in rows]
    else:
        return None
    holds = _HOW[found["how"]]
    if None in values:
        return None
    return [
        row
        for row, value in zip(rows, values, strict=True)
        if value is not None and holds(value, number)
    ]


def _of_ranks(clause: str, rows: Sequence[Row], known: Known) -> Iterator[str]:
    """Yield what stands second or third, where another is said to."""
    found = _RANK.search(clause)
    if found is None or is_open(clause[: found.start()]) or len(rows) <= _RANKS[found["rank"]]:
        return
    named = mentioned(clause, known)
    if len({one.name for one in named}) != 1:
        return
    of_rating = "rated" in found["what"]
    values = [one.rating if of_rating else one.price for one in rows]
    if None in values:
        return
    ranked = sorted({one for one in values if one is not None}, reverse=found["what"] in _FALLING)
    own = named_rows(named[0], rows)
    at = _RANKS[found["rank"]]
    if (
        own
        and at < len(ranked)
        and len(ranked) == len(rows)
        and (own[0].rating if of_rating else own[0].price) != ranked[at]
    ):
        yield own[0].line
