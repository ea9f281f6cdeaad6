"""Judge what a sentence says of what an order holds: which goods, and how many of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.grammar.things import SORTS, sorts_in, sorts_of
from daybook.tools.said.known import Known
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.rows import Record
from daybook.tools.said.spoken_of import mentioned, shown_of
from daybook.tools.said.text import plain

_LINE: Final = re.compile(rf"\b({'|'.join(SORTS)}) \d{{2,4}} x ?(\d{{1,3}})\b")
_NOT: Final = re.compile(
    r"\b(?:not|never|neither|nor|no|none|nothing|without|except|unlike|than|instead|like|if|want\w*|would|could|shall|should|looked|look|asked|may|might|can|or|"
    r"between|compare\w*|another|other|rather)\b|n't\b"
)
_OF_AN_ORDER: Final = re.compile(
    r"\b(?:orders?|ordered|purchase\w*|bought|cancel\w*|called off|refund\w*|sent back|returned|shipped|reserved|put aside|set aside|placed|history|on its way|on their way|coming)\b"
)
_EITHER: Final = re.compile(
    r"\b(?:want\w*|would|could|shall|should|if|search\w*|look\w*|find|found|like|can|may|might|or|any|other|another|similar|instead|will|'ll|don't|next)\b|n't\b"
)
_MANY: Final = rf"(?P<n>\d{{1,2}}|a pair of|both|{'|'.join(SMALL)})"
_SO_MANY: Final = re.compile(
    rf"(?<![\w.,$€£-]){_MANY}(?: ?[x×])? (?:pairs? of |of the |of those |of )?(?:(?!the\b|and\b|or\b|in\b|for\b|to\b|person\b|season\b|litre\b|man\b|day\b|year\b|star\b)[a-z']+ ){{0,5}}$"
)
_COMPOUND: Final = re.compile(
    rf"^ (?:[a-z']+ ){{0,2}}?(?:{'|'.join(noun for nouns in SORTS.values() for noun in nouns)})(?:e?s)?\b"
)
"""Goes on with the noun that another noun only describes."""
_TIMES: Final = re.compile(
    r"^(?:s|es)?\W{0,2}(?:[x×] ?(\d{1,2})|\((\d{1,2})\)|, (\d{1,2}) (?:pairs?|pieces?))(?![\d.])"
)
_LEFT_OUT: Final = re.compile(
    r"\bleft (?:the |your |both )?(?:\w+ ){0,3}?(?:out|off|behind)\b|\b(?:had to leave|skipped|omitted|left off)\b|\b(?:is|are|was|were) (?:missing|not in it|not part of it|left out)\b|"
    r"\b(?:wasn't|weren't|was not|were not|couldn't be|could not be) (?:available|in stock|included|ordered|part of it|bought|to be had)\b"
)
_THEM: Final = re.compile(r"\bleft (?:it|them|that|those) (?:out|off|behind)\b")
_NOT_LEFT: Final = re.compile(
    r"\b(?:nothing|none|no|never|not (?:left|skipped))\b|n't (?:leave|skip)"
)
_OF_ORDERED: Final = re.compile(
    r"\b(?:ordered|bought|holds?|contains?|cancelled|refunded|order db)\b|\band one\b|\bone\b.*\band\b"
)
_MOST_LINES: Final = 5
_OF_THE_SHELF: Final = re.compile(r"\b(?:in stock|available|left in|left|remaining|on the shelf)\b")
_OF_PARTS: Final = re.compile(
    rf"\b(?:\d|{'|'.join(SMALL)}) (?:burner|person|man|season|layer|pole|cell|piece|litre|liter|way|pocket|day|night)(?= [a-z])"
)
_OF_ONE: Final = re.compile(r"\b(?:costs?|each|per|weighs?|only|at|for|one of|is|has|apiece)\b")
_WORTH: Final = {**SMALL, "both": 2, "a pair of": 1}


def of_contents(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what an order holds, where a sentence puts other goods into it, or another number."""
    orders = [one for one in known.records if one.statuses]
    text = plain(clauses.text)
    if clauses.is_question or not clauses.asserted:
        return
    if not _NOT.search(text) and (named := _named_alone(text, orders, known)) is not None:
        held, told = sorts_of(named.names), _sorts_told(text)
        if held and told and not held & told:
            yield named.shown or "It holds something else."
    for clause in clauses.asserted:
        if not _NOT.search(clause) and (alone := _named_alone(clause, orders, known)) is not None:
            held, told = sorts_of(alone.names), _sorts_told(clause)
            if held and told and not held & told:
                yield alone.shown or "It holds something else."
    for clause in clauses.asserted:
        if _is_of_what_nobody_holds(clause, known):
            yield "Nothing that was read or done is of that sort."
    bought = [one for one in known.effects if one.is_now and one.kind.name == "order"]
    if bought and all(one.outcome == "done" for one in bought):
        held = frozenset(one[1] for text in known.plain_texts for one in _LINE.finditer(text))
        for clause in clauses.asserted:
            told = _sorts_told(text if _THEM.search(clause) else clause)
            if _LEFT_OUT.search(clause) and told and told <= held and not _NOT_LEFT.search(clause):
                yield shown_of(orders) or bought[0].line
    counts = _counts(known)
    for clause in clauses.asserted:
        if orders and not is_open(clause) and not _NOT.search(clause):
            yield from _other_counts(clause, counts, known)


def _named_alone(text: str, orders: Sequence[Record], known: Known) -> Record | None:
    """Return the order of which a sentence has the id, where it has that of one alone."""
    named = {
        id(one.record): one.record
        for one in mentioned(text, known)
        if any(one.record is order for order in orders) and any(map(str.isdigit, one.name))
    }
    return next(iter(named.values())) if len(named) == 1 else None


def _sorts_told(text: str) -> frozenset[str]:
    return frozenset(sort for sort, _, _ in sorts_in(text))


def _is_of_what_nobody_holds(clause: str, known: Known) -> bool:
    """Tell whether something is said to be ordered or given back of a sort of which nothing was read."""
    told = _sorts_told(clause)
    if not told or told & known.sorts or not _OF_AN_ORDER.search(clause):
        return False
    return bool(known.sorts) and _EITHER.search(clause) is None


def _counts(known: Known) -> Mapping[str, frozenset[int]]:
    """Return how many of each sort the orders hold."""
    return _counts_in(known.plain_texts)


@lru_cache(maxsize=64)
def _counts_in(texts: tuple[str, ...]) -> Mapping[str, frozenset[int]]:
    found = dict[str, list[int]]()
    lines = {one.group(): one for text in texts for one in _LINE.finditer(text)}
    for one in lines.values():
        found.setdefault(one[1], []).append(int(one[2]))
    # Of several lines of one sort any of them may be told together.
    return {
        sort: frozenset(
            sum(alike) for size in range(1, len(some) + 1) for alike in combinations(some, size)
        )
        for sort, some in found.items()
        if len(some) <= _MOST_LINES
    }


def _other_counts(clause: str, counts: Mapping[str, frozenset[int]], known: Known) -> Iterator[str]:
    in_cart = {one for text in known.plain_texts if "cart r" in text for one in _in_cart(text)}
    clause = _without_counts_of_parts(clause)
    for sort, start, end in sorts_in(clause):
        if sort not in counts or sort in in_cart or _OF_THE_SHELF.search(clause):
            continue
        if clause[start:end].startswith("burner"):
            # A part of a stove, and none that is ordered.
            continue
        before, behind = _SO_MANY.search(clause[:start]), _TIMES.match(clause[end:])
        told = _WORTH.get(before["n"], None) if before else None
        if before is not None and told is None:
            told = int(before["n"])
        if behind is not None:
            told = int(next(filter(None, behind.groups())))
        is_one = before is not None and before["n"] == "one"
        is_described = before is not None and sorts_in(before.group()) and clause[end - 1] != "s"
        if before is not None and (_COMPOUND.match(clause[end:]) or is_described):
            # "Two burner stove": it is of its name.
            continue
        if told is None or (is_one and (not _OF_ORDERED.search(clause) or _OF_ONE.search(clause))):
            continue
        if told not in counts[sort]:
            yield f"The order holds {max(counts[sort])} of it."


def _without_counts_of_parts(clause: str) -> str:
    """Blank out what counts a part of a thing in its name: "the two burner stove"."""
    return _OF_PARTS.sub(lambda found: "-" * len(found.group()), clause)


def _in_cart(text: str) -> Iterator[str]:
    yield from (one[1] for one in re.finditer(rf"\b({'|'.join(SORTS)}) \d{{2,4}} x\d+ @", text))
