"""Judge which of a few things that were read by themselves is said to be the lightest, the brightest, the dearest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Final

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.judges.goods.beside.read_alone import Thing, things_read
from daybook.tools.said.known import Known
from daybook.tools.said.spoken_of import Mentioned, mentioned
from daybook.tools.said.text import plain

_MOST: Final[tuple[tuple[str, re.Pattern[str], Callable[..., Decimal]], ...]] = (
    ("weight_g", re.compile(r"\blightest\b|\bweighs (?:the )?least\b"), min),
    ("weight_g", re.compile(r"\bheaviest\b|\bweighs (?:the )?most\b"), max),
    ("price", re.compile(r"\b(?:cheapest|least expensive|most affordable|lowest price)\b"), min),
    (
        "price",
        re.compile(r"\b(?:dearest|priciest|most expensive|costliest|highest price)\b"),
        max,
    ),
    ("rating", re.compile(r"\b(?:best|highest|top) (?:rated|rating)\b"), max),
    ("rating", re.compile(r"\b(?:worst|lowest) (?:rated|rating)\b"), min),
    ("reviews", re.compile(r"\bmost reviews\b"), max),
    ("reviews", re.compile(r"\bfewest reviews\b"), min),
    ("lumen", re.compile(r"\bbrightest\b"), max),
    ("lumen", re.compile(r"\b(?:dimmest|weakest)\b"), min),
    ("comfort", re.compile(r"\bwarmest\b"), min),
    ("boil_minutes", re.compile(r"\b(?:fastest|quickest)\b"), min),
    ("boil_minutes", re.compile(r"\bslowest\b"), max),
    ("capacity_litre", re.compile(r"\b(?:roomiest|largest|biggest|holds the most)\b"), max),
    ("capacity_litre", re.compile(r"\b(?:smallest|holds the least)\b"), min),
)
_ANOTHER_PLACE: Final = re.compile(
    r"\b(?:second|third|fourth|next|after|besides|apart from|one of the|among|except|not|neither|nor|other than|followed|"
    r"than|unless|but for|if|would|could|per|for its|relative|everything|ever|would be|whether|difference|compared|from the|versus|against|beside|next to|unlike|alongside)\b|n't\b"
)
"""Names another place in the order, or another group."""
_BEGINS_ANOTHER: Final = re.compile(
    r"^\W*(?:and |but |while |whereas |so )*(?!(?:it|that one|this one)\b)(?:the|an?|your|my|our|they|there|you|i|we|if|for|with|on|in)\b"
)
"""Begins a clause that does not go on with what the one before it named."""
_BESIDE: Final = re.compile(r"\b(?:than|unlike|compared|against|versus|vs|over|beside)\b")
_MOST_READ: Final = 6
_OF_ANOTHER: Final = re.compile(
    r"\b(?:it|this|that|they|these|which|than|compared|beside|next to|unlike|other|another|while|whereas)\b"
)
"""In what stands before a clause that may go on with another thing than it names."""
_GOES_ON: Final = re.compile(
    r"^\W*(?:and |but |also |still |even |at once )*(?:the )?[a-z]+(?: rated| expensive)?(?: one)?(?: of (?:the |all |these |those |them ?)*(?:two|three|four|five|six)?(?: packs| tents)?)?(?: as well| too| here| also| at once| by far)*\W*$"
)
"""Says of what a clause before it names that it is the most of something, and names nothing itself."""


def of_most(clauses: Clauses, about: Sequence[Mentioned], known: Known) -> Iterator[str]:
    """Yield what was read of a thing that is said to have the most or least of what it has not."""
    things = things_read(known.texts)
    if not 1 < len(things) <= _MOST_READ:
        return
    said = plain(clauses.sentence.text)
    # What the sentence before it spoke of; not what this one names elsewhere.
    before = [one for one in about if not (one.name and said.startswith(one.name, one.start))]
    for clause in clauses.asserted:
        if here := mentioned(clause, known):
            # What something is only set beside is not what the next clause goes on with.
            before = before if _BESIDE.search(clause) else here
        elif _BEGINS_ANOTHER.search(clause):
            before = []
        for name, words, most in _MOST:
            found = words.search(clause)
            if found is None or _ANOTHER_PLACE.search(clause) or is_open(clause[: found.start()]):
                continue
            named = mentioned(clause, known) or before or _named_before(clause, said, known)
            those = [one for one in things if any(one.names & it.record.names for it in named)]
            values = [one.figures[name] for one in things if name in one.figures]
            if (
                len(those) == 1
                and len(values) == len(things)
                and len({it.name for it in named}) == 1
            ):
                yield from _unless_it_has(those[0], name, most(values), things)


def _named_before(clause: str, said: str, known: Known) -> Sequence[Mentioned]:
    """Return the only thing that a sentence names before a clause, where a clause of it goes on with that."""
    before = said.partition(clause)[0]
    if _OF_ANOTHER.search(before):
        return []
    named = mentioned(before, known)
    is_one = len({id(one.record) for one in named}) == 1
    return named if is_one and _GOES_ON.match(clause) else []


def _unless_it_has(
    thing: Thing, name: str, most: Decimal, things: Sequence[Thing]
) -> Iterator[str]:
    if thing.figures[name] != most:
        yield next(one.line for one in things if one.figures[name] == most)
