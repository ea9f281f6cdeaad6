"""Judge which several of those that were listed are said to be the cheapest, or the best rated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.judges.goods.beside.compared import (
    ARE,
    MOST,
    is_of,
    listed_with,
    named_in,
    worth,
)
from daybook.tools.said.known import Known
from daybook.tools.said.text import plain

_SO_MANY_BEFORE: Final = re.compile(r"\b(two|three|four|five|\d)(?: \w+)? $")
"""Before "cheapest", where several of them are."""
_ANOTHER_GROUP: Final = re.compile(
    r"\b(?:second|third|next|after|besides|apart from|except|other|not|under|over|below|above|that|in your cart|among|remaining|left|with|without|if)\b|n't\b"
)


def of_several_most(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what is so, where others are said to be the two cheapest, or the three best rated."""
    said = plain(clauses.text)
    for words, what, most in MOST:
        found = words.search(said)
        if found is None or not clauses.asserted or _ANOTHER_GROUP.search(said) or is_open(said):
            continue
        named = named_in(said, known)
        many = _SO_MANY_BEFORE.search(said[: found.start()])
        is_of_these = many is not None or ARE.search(said[: found.start()]) is not None
        if len(named) < 2 or not is_of_these or (many and worth(many[1]) != len(named)):
            continue
        rows = listed_with(named[0], known)
        values = sorted(
            (value for one in rows if (value := getattr(one, what)) is not None),
            reverse=most is max,
        )
        own = [[getattr(row, what) for row in rows if is_of(row, one)] for one in named]
        if len(values) != len(rows) or len(rows) <= len(named) or not all(own):
            continue
        least = values[len(named) - 1]
        if any((min(some) > least) if most is min else (max(some) < least) for some in own):
            missing = [one for one in rows if not any(is_of(one, it) for it in named)]
            end = most(getattr(one, what) for one in missing)
            yield next(one.line for one in missing if getattr(one, what) == end)
