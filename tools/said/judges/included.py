"""Judge what a price is said not to hold, against the rules that were read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.known import Known
from daybook.tools.said.text import plain

_READ: Final = (
    (
        "tax",
        re.compile(r"\b(?:sales tax|tax|vat)(?: is| are)? included\b|\bincludes? (?:sales )?tax\b"),
    ),
    ("shipping", re.compile(r"\bshipping is (?:free|included)\b|\bincludes? shipping\b")),
)
"""What every price holds, as rules tell it."""
_NAMES: Final = {
    "tax": r"(?:(?:sales )?tax(?:es)?|vat)",
    "shipping": r"(?:shipping|delivery|postage)(?: costs?| fees?)?",
}
_DENIED: Final = (
    r"\b(?:doesn't|does not|don't|do not|didn't|did not) (?:yet |already )?(?:include|cover|contain) (?:the |any )?{what}\b|"
    r"\b{what} (?:is|are|gets?|will be|'ll be|comes?|is then|may be)(?: \w+)?(?: added| charged| calculated| on top| extra| applied| due| not included)\b|"
    r"\b{what} (?:isn't|aren't|is not|are not) included\b|\b(?:plus|excluding|without|before|exclusive of) (?:the |any )?{what}\b|\b(?:excludes?|net of) (?:the )?{what}\b"
)
_IS_DENIED: Final = {one: re.compile(_DENIED.format(what=what)) for one, what in _NAMES.items()}
_NO: Final = re.compile(
    r"\b(?:no|never|nothing|without any)\b|\b(?:is|are|will)(?:n't| not) (?:be )?(?:added|charged)"
)


def of_what_is_included(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield the rule by which a price holds something, where that is said to come on top."""
    for name, read in _READ:
        rule = next(
            (line for text in known.texts for line in text.split("\n") if read.search(plain(line))),
            "",
        )
        if not rule:
            continue
        for clause in clauses.asserted:
            if _IS_DENIED[name].search(clause) and not _NO.search(clause):
                yield rule
