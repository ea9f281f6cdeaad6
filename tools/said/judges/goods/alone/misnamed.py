"""Judge the names of goods that begin as one that was read and go on as none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.grammar.things import SORTS, sorts_in, sorts_of
from daybook.tools.said.judges.goods.beside.read_alone import things_read
from daybook.tools.said.known import Known, stem_of
from daybook.tools.said.text import plain

_CALLED: Final = re.compile(
    r"(?<![\w-])(?!(?:The|Your|A|An|Our|My|Both|This|That|One|Two|Three|For|With|And|In|Of|If|But|Only|Add|Take|Each)\b)(?P<name>[A-Z][a-z]+ [A-Z][a-z]+)(?P<rest>(?:[ -][A-Z][\w']*(?:-[a-z]+)?){1,6})"
)
_WORD: Final = re.compile(r"[A-Za-z]{3,}")
_NOUNS: Final = frozenset(
    word for nouns in SORTS.values() for noun in nouns for word in noun.split()
)
_MARKS: Final = re.compile(r"[*_`]+")
_ALL_THE_SAME: Final = frozenset(
    [
        "and",
        "for",
        "the",
        "with",
        "one",
        "two",
        "three",
        "four",
        "new",
        "set",
        "pair",
        "pack",
        "size",
        "item",
        "items",
        "men",
        "women",
        "kids",
        "person",
        "man",
        "season",
        "litre",
        "liter",
        "light",
    ]
)


def of_misnamed(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what a thing is called, where a name begins as its own and has a word that was read nowhere of it."""
    if not clauses.asserted:
        return
    text = _MARKS.sub("", clauses.sentence.text)
    said = frozenset(stem_of(word) for one in known.said for word in plain(one).split())
    for found in _CALLED.finditer(text):
        begins = plain(found["name"])
        those = [one for one in known.records if any(_is_so(name, begins) for name in one.names)]
        sorts = sorts_in(plain(found["rest"]))
        if not those or not sorts:
            continue
        rest = plain(found["rest"])[: sorts[-1][2]]
        words = {stem_of(word) for word in _WORD.findall(rest)} - _NOUNS - _ALL_THE_SAME - said
        held = {stem_of(word) for one in those for word in _words_of(one.names, known)}
        held |= {stem_of(word) for one in those for word in _WORD.findall(plain(one.shown))}
        kinds = frozenset[str]().union(*(sorts_of(one.names) for one in those))
        is_another = bool(kinds) and not kinds & {sort for sort, _, _ in sorts}
        if (words and not words <= held) or is_another:
            yield next((one.shown for one in those if one.shown), "It is called something else.")


def _is_so(name: str, begins: str) -> bool:
    return name.startswith(f"{begins} ")


def _words_of(names: frozenset[str], known: Known) -> Iterator[str]:
    """Yield the words of names, and of all that was read of what has them."""
    for name in names:
        yield from _WORD.findall(name)
    for thing in things_read(known.texts):
        if thing.names & names:
            yield from _WORD.findall(thing.text)
