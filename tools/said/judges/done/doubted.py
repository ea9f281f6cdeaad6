"""Judge what is said to be in doubt, of which it is known what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.judges.done.told import told_of
from daybook.tools.said.known import Effect, Known
from daybook.tools.said.text import plain

_DOUBTS: Final = re.compile(
    r"\b(?:(?:is|was|'s) no (?:telling|way (?:to|of) (?:tell|know|say|telling|knowing|saying))|(?:can't|cannot|can not|couldn't|could not|unable to|not able to) (?:\w+ )?(?:tell|say|confirm|know|see)|"
    r"(?:don't|do not|doesn't|does not) know|(?:not|isn't|'s|is|remains|stays) (?:yet |still )?(?:known|unknown|clear|unclear|certain|uncertain|sure|unsure|open))(?: \w+ly| yet| you| for sure)*,? (?:whether|if) "
    r"(?:or not )?(?:the|your|that|this|any|an?) (?P<what>[^,;.]*?)\b(?:was|were|has been|have been|has|have|did|got|is) (?:actually |really |ever |already |been )*"
    r"(?P<done>sent|mailed|placed|charged|taken|refunded|cancelled|reserved|gone out|gone through|go out|go through|made)\b"
)
_BY_OTHERS: Final = re.compile(r"\b(?:bank|statement|inbox|spam|read|opened|reach\w*|arriv\w*)\b")
"""What nobody here can know, whatever was done."""


def of_doubts(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what came of an effect of this turn, where nobody is said to know, and it is known."""
    text = plain(clauses.text)
    found = _DOUBTS.search(text)
    if found is None or clauses.is_question or _BY_OTHERS.search(found.group()):
        return
    for kind in known.kinds:
        if not any(re.search(rf"\b{re.escape(noun)}\b", found["what"]) for noun in kind.nouns):
            continue
        now: list[Effect] = [one for one in known.effects if one.kind == kind and one.is_now]
        if now and all(one.outcome in ("done", "not done", "undone") for one in now):
            yield told_of(now[-1], kind)
        return
