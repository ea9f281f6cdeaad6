"""Judge what is said of a thing in the words of another one's description, and of how many parts it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.grammar.things import SORTS, sorts_in, sorts_of
from daybook.tools.said.judges.goods.beside.read_alone import Thing, things_read
from daybook.tools.said.known import Known, stem_of
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.spoken_of import Mentioned, heads_in, mentioned
from daybook.tools.said.text import plain

_ALL: Final = re.compile(
    r"^\W*(?:all(?: (?:of )?(?:the|them|these|those))?(?: (?P<n>three|four|five|six|\d))?|both|each(?! other)|every one|the two(?= (?:are|have|come|can|of them|also|share)\b))\b"
)
_NOT: Final = re.compile(
    r"\b(?:not|never|neither|nor|no|none|nothing|without an?|than|unlike|like|instead|rather|only|other|another|need\w*|want\w*|buy|add|separate\w*|"
    r"extra|would|could|if|should|except|lacks?|similar|whether)\b|n't\b"
)
_WORD: Final = re.compile(r"[a-z]{4,}")
_SMALL_WORDS: Final = frozenset(
    [
        "with",
        "without",
        "that",
        "this",
        "from",
        "have",
        "they",
        "them",
        "their",
        "when",
        "where",
        "which",
        "while",
        "into",
        "over",
        "under",
        "than",
        "then",
        "also",
        "very",
        "each",
        "every",
        "both",
        "more",
        "most",
        "well",
        "some",
        "such",
        "your",
        "ours",
        "only",
        "made",
        "good",
        "great",
        "come",
        "comes",
        "keep",
        "keeps",
        "stay",
        "stays",
        "take",
        "takes",
        "used",
        "using",
        "make",
        "makes",
    ]
)
_LEAST_TELLING, _LEAST_ALONE = 6, 9
_MOST_READ: Final = 6
_BEGINS: Final = 5
"""Words of a clause in which it says of what it speaks."""
_NUMERAL: Final = rf"(?P<n>{'|'.join(SMALL)}|\d{{1,2}})"
_PARTS: Final = re.compile(
    rf"(?<![\w.,$€£-]){_NUMERAL} (?P<gap>(?:[a-z]+ )?)(?P<part>[a-z]{{4,}})\b"
)
_GOODS: Final = frozenset(noun.split()[-1] for nouns in SORTS.values() for noun in nouns) - {
    "burner",
    "pole",
}
_OF_GOODS: Final = re.compile(rf" (?:[a-z]+ )?(?:{'|'.join(sorted(_GOODS))})s?\b")
"""Behind what is one part of it: "a one burner stove"."""
_NO_PARTS: Final = frozenset(
    [
        "night",
        "day",
        "week",
        "month",
        "year",
        "hour",
        "minute",
        "season",
        "person",
        "people",
        "litre",
        "liter",
        "gram",
        "metre",
        "centimetre",
        "review",
        "star",
        "time",
        "pair",
        "piece",
        "item",
        "size",
        "colour",
        "dollar",
        "cent",
        "order",
        "tent",
        "reviewer",
        "customer",
        "hit",
        "thing",
        "option",
        "point",
        "degree",
        "winter",
        "trip",
        "adult",
        "kid",
        "child",
        "camper",
        "percent",
        "lumen",
        "denier",
        "inch",
        "foot",
        "model",
    ]
)


def of_descriptions(clauses: Clauses, about: Sequence[Mentioned], known: Known) -> Iterator[str]:
    """Yield what was read of a thing, where a clause says of it what only another one's description says."""
    things = things_read(known.texts)
    if not things or len(things) > _MOST_READ:
        return
    for clause in clauses.asserted:
        those = _spoken_of(clause, about, things, known)
        if _NOT.search(clause) or is_open(clause):
            continue
        if len(things) > 1:
            words = frozenset(map(stem_of, _WORD.findall(clause))) - _SMALL_WORDS
            yield from (one.line for one in those if _is_told_of_others(one, words, things))
        if len(those) == 1:
            yield from (those[0].line for _ in _other_parts(clause, those[0]))


def _spoken_of(
    clause: str, about: Sequence[Mentioned], things: Sequence[Thing], known: Known
) -> Sequence[Thing]:
    """Return all things of which a clause speaks, or the one that it names; the only one that was read."""
    every = _ALL.match(clause)
    if every is not None and len(things) > 1:
        many = SMALL.get(every["n"] or "", int(every["n"]) if (every["n"] or "").isdigit() else 0)
        is_two = re.match(r"^\W*(?:both|the two)\b", clause) is not None
        is_of_them = all(_is_of_its_sort(clause, one) for one in things)
        return (
            things if is_of_them and len(things) == (2 if is_two else many or len(things)) else []
        )
    called = [some[0].names for _, some in heads_in(clause, known) if len(some) == 1]
    named = [one.record.names for one in mentioned(clause, known)] or called
    named = named or [one.record.names for one in about]
    if not named and len(things) == 1:
        return things if _is_of_its_sort(clause, things[0]) else []
    those = [one for one in things if any(one.names & names for names in named)]
    return those if len(those) == 1 and _is_of_its_sort(clause, those[0]) else []


def _is_of_its_sort(clause: str, thing: Thing) -> bool:
    """Tell whether a clause speaks of no goods of another sort than a thing is."""
    begins = " ".join(clause.split()[:_BEGINS])
    return {sort for sort, _, _ in sorts_in(begins)} <= sorts_of(thing.names)


def _is_told_of_others(thing: Thing, words: frozenset[str], things: Sequence[Thing]) -> bool:
    """Tell whether a clause has words of a sentence that was read of another thing, and of this one not."""
    own = frozenset(map(stem_of, _WORD.findall(thing.text)))
    for other in things:
        for sentence in other.told if other is not thing else ():
            theirs = (frozenset(map(stem_of, _WORD.findall(sentence))) & words) - own
            longest = max(map(len, theirs), default=0)
            if (len(theirs) > 1 and longest >= _LEAST_TELLING) or longest >= _LEAST_ALONE:
                return True
    return False


def _other_parts(clause: str, thing: Thing) -> Iterator[str]:
    """Yield each part of which a clause tells another number than was read of it."""
    read = dict[str, set[int]]()
    told = (*thing.told, *map(plain, thing.traits.values()), *thing.names)
    for found in _PARTS.finditer(" ; ".join(told)):
        read.setdefault(stem_of(found["part"]), set()).add(_worth(found["n"]))
    for found in _PARTS.finditer(clause):
        part = stem_of(found["part"])
        if part in _NO_PARTS or part in _GOODS or part not in read:
            continue
        if _worth(found["n"]) == 1 and not _OF_GOODS.match(clause[found.end() :]):
            continue
        if _worth(found["n"]) not in read[part]:
            yield found.group()


def _worth(numeral: str) -> int:
    return SMALL.get(numeral) or int(numeral)
