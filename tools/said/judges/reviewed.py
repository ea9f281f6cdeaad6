"""Judge what reviews are said to tell, against those that were read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.grammar.reviewed import JUDGED, REVIEWER, SPAN
from daybook.tools.said.grammar.unknowable import ASKED_OR_HYPOTHETICAL, GAINSAID
from daybook.tools.said.known import Known, stem_of
from daybook.tools.said.wording import in_plain_english

_GIVEN: Final = re.compile(r"^\d of 5 \| ", re.MULTILINE)
_WORD: Final = re.compile(r"[^\W_]+")
_COLD: Final = re.compile(
    r"(?<![\w.])-(?P<n>\d{1,2})\b(?!\s?(?:%|usd|g\b|[x×]))|(?<![\w.$€£-])(?P<m>\d{1,2})\s?(?:°|degrees|[cC]\b)"
)
_ONLY_HYPHEN: Final = re.compile(r"\w-\d|\d\s?-\s?\d")


def of_reviewers(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield that no review tells of it, for each fault or span of time that reviews are said to tell."""
    yield from _of_degrees(clauses, known)
    reviews = [text for text in known.texts if _GIVEN.search(text)]
    if not reviews:
        return
    is_of_reviews = REVIEWER.search(clauses.text.lower()) is not None
    for clause in clauses.asserted:
        if not is_of_reviews or GAINSAID.search(clause) or ASKED_OR_HYPOTHETICAL.search(clause):
            continue
        for found in (*JUDGED.finditer(clause), *SPAN.finditer(clause)):
            words = {
                stem_of(word)
                for word in _WORD.findall(found.groupdict().get("what") or found.group())
            }
            if not words <= known.stems:
                yield f"No review that was read tells of {found.group()}."


def _of_degrees(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield each temperature that stands in nothing that was read or said, above or below zero."""
    text = clauses.text
    if clauses.is_question or not clauses.asserted or GAINSAID.search(text.lower()):
        return
    told = _degrees(text)
    if not told:
        return
    held = {
        one
        for read in (*known.texts, *known.beside, *known.said)
        for one in _degrees(in_plain_english(read))
    }
    if held and not told <= held:
        yield f"Read: {', '.join(sorted(held))} degrees."


def _degrees(text: str) -> set[str]:
    text = _ONLY_HYPHEN.sub(" ", text)
    return {f"-{one['n']}" if one["n"] else one["m"] for one in _COLD.finditer(text)}
