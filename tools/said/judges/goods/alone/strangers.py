"""Judge the names of goods: one that stands in nothing that was read or said was invented."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.grammar.things import SORTS, sorts_in
from daybook.tools.said.known import Known
from daybook.tools.said.text import plain

_NOUNS: Final = "|".join(
    sorted((noun.split()[-1] for nouns in SORTS.values() for noun in nouns), key=len, reverse=True)
)
_NAMED: Final = re.compile(
    rf"\b(?P<name>(?:[A-Z][a-z]{{2,}}[ -]){{1,6}}[A-Z]?[a-z]{{2,}})(?: [a-z]+){{0,2}}? (?:(?i:{_NOUNS})(?:e?s)?)\b|"
    rf"\b(?P<called>(?:[A-Z][a-z]{{2,}} ){{2,6}})(?:(?i:{_NOUNS})(?:e?s)?)\b"
)
_NOT: Final = re.compile(r"\b(?:no|not|never|nothing|none|without)\b|n't\b")


def of_strangers(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield each name of goods of which two words that follow one another stand nowhere."""
    if not clauses.asserted or not known.records or _NOT.search(plain(clauses.text)):
        return
    held, unnamed = known.plain_words, known.unnamed_sorts
    for found in _NAMED.finditer(clauses.sentence.text):
        name = found["name"] or found["called"]
        sorts = {sort for sort, _, _ in sorts_in(plain(found.group()))}
        if not sorts or unnamed & sorts:
            continue
        words = re.findall(r"[A-Z][a-z]{2,}", name)
        unknown = [word.lower() not in held for word in words]
        # The first word may only begin its sentence.
        is_first = clauses.sentence.text[: found.start()].strip(" *_-•\"'") == ""
        if any(unknown[at] and unknown[at + 1] for at in range(int(is_first), len(words) - 1)):
            yield f"Nothing that was read is called {' '.join(words)}."
