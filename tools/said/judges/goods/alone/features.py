"""Judge what a thing is said to bring, to be praised for or to last: invented where nothing that was read tells of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.grammar.features import FEATURES
from daybook.tools.said.grammar.unknowable import ASKED_OR_HYPOTHETICAL, GAINSAID
from daybook.tools.said.known import Known, stem_of

_SMALL_WORDS: Final = frozenset(
    [
        "a",
        "an",
        "the",
        "for",
        "of",
        "and",
        "in",
        "to",
        "hour",
        "day",
        "week",
        "night",
        "year",
        "made",
        "best",
        "top",
    ]
)
_LEAST_ROOT: Final = 4
_WORD: Final = re.compile(r"[^\W_]+")


def of_features(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield that nothing tells of it, for each part, origin, praise or span of a thing that was read of none."""
    if not known.records:
        return
    for clause in clauses.asserted:
        if GAINSAID.search(clause) or ASKED_OR_HYPOTHETICAL.search(clause):
            continue
        for pattern in FEATURES:
            found = pattern.search(clause)
            if found is not None and not _is_read(found["what"], known):
                yield f"Nothing that was read tells of {found['what']}."


def _is_read(what: str, known: Known) -> bool:
    """Tell whether the words of it stand in what was read or said."""
    words = {stem_of(word) for word in _WORD.findall(what)} - _SMALL_WORDS
    return all(word in known.stems or _is_of_a_root(word, known) for word in words)


def _is_of_a_root(word: str, known: Known) -> bool:
    """Tell whether a word only says that what was read can be done: "washable" of "wash at 40 degrees"."""
    root = word.removesuffix("able").removesuffix("ant")
    alike = (root, f"{root}ance", f"{root}ing")
    return root != word and len(root) >= _LEAST_ROOT and any(one in known.stems for one in alike)
