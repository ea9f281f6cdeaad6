"""Judge what is said of how much is left, in words: sold out, the last one, plenty."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.known import Known
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.spoken_of import Mentioned, heads_in, only_one, shown_of
from daybook.tools.said.text import SOLD_OUT

_LAST: Final = rf"one|pair|piece|few|couple|{'|'.join(SMALL)}|\d+"
_OF_STOCK: Final = re.compile(
    r"\b(?:sold out|out of stock|in stock|run out|ran out|none left|no (?:more )?stock)\b"
)
_SCARCE: Final = re.compile(
    r"\b(?:nearly|almost|all but) (?:gone|sold out|out of stock)\b|\babout to (?:sell|run) out\b|\brunning (?:low|out)\b|\bselling (?:fast|out|quickly)\b|"
    r"\b(?:very |just a |only a )?few (?:are |is )?(?:left|remaining|remain)\b|\blow (?:in|on) stock\b|\b(?:stock|supplies) (?:is|are) (?:\w+ )?(?:low|tight|limited|short)\b|"
    rf"\b(?:down to|get|got|take|took|grab|snag|have|only) (?:the|its|their|our) (?:very )?last (?:{_LAST})\b|\b(?:its|their|our) (?:very )?last (?:{_LAST})\b|"
    rf"\bthe (?:very )?last (?:{_LAST}) (?:left|in stock|available)\b|\b(?:it's|this is|that's|it is) the (?:very )?last (?:one|pair|piece)\b(?! of)|"
    r"\bonly a handful\b|\bhardly any left\b"
)
_PLENTY: Final = re.compile(
    r"\b(?:plenty|lots|loads|heaps|dozens|hundreds) (?:of (?:them|it) )?(?:are |is )?(?:left|in stock|available)\b"
)
_NOT: Final = re.compile(
    r"\b(?:not|n't|never|no|none|neither|whether|if|any|unknown|would|could|may|might|until|before)\b|n't\b"
)
_NOT_BEFORE: Final = re.compile(
    r"\b(?:not|none|nothing|no|never|neither|nor|whether|if|would|could|may|might|until|before|unless|no longer)\b|n't\b"
)
_GONE: Final = re.compile(
    r"\b(?:is|are|was|were|'s|'re|has been|have been|has|have) (?:now |all |already |meanwhile |just )*(?:gone|sold|snapped up|taken by)\b(?! (?:out of|from) (?:your|the) (?:cart|basket))(?! back)"
)
_ABOUT_TO: Final = re.compile(r"\babout to\b")
_TELLS_OUT: Final = re.compile(
    r"out.of.stock|sold out|\b0 (?:in stock|of|are|is|left|available)\b|\bonly \d+\b|left in stock"
    r"|\b(?:un|not )available\b|\bno stock\b|\bnone (?:is|are|left)\b|\bavailable:? 0\b",
    re.IGNORECASE,
)
"""What was read, or what a refusal says, where nothing or little is left."""
_FEW: Final = 10
_OF_OTHERS: Final = re.compile(r"\bmail|\bserver|\bapproval|\btime\b|\bcard\b")


def of_scarcity(clauses: Clauses, about: Sequence[Mentioned], known: Known) -> Iterator[str]:
    """Yield what was read of the stock, where a clause says in words what that is not."""
    if clauses.is_question or not any(one.name == "order" for one in known.kinds):
        return
    is_told_out = any(
        _TELLS_OUT.search(text) for text in (*known.texts, *(one.line for one in known.effects))
    )
    has_goods = any(one.stock or one.counts for one in known.records) or bool(known.effects)
    for clause in clauses.asserted:
        if is_open(_ABOUT_TO.sub(" ", clause)) or _OF_OTHERS.search(clause):
            continue
        stock = _stock(clause, about, known)
        found = SOLD_OUT.search(clause)
        if (
            found is not None
            and not stock
            and has_goods
            and not is_told_out
            and _OF_STOCK.search(clause)
            and not _NOT_BEFORE.search(clause[: found.start()])
        ):
            yield "Nothing that was read tells that it was sold out."
        is_of_buying = any(
            one.is_now and one.kind.name == "order" and one.outcome != "done"
            for one in known.effects
        )
        if (
            is_of_buying
            and stock
            and min(stock) > 0
            and _GONE.search(clause)
            and not _NOT.search(clause)
        ):
            yield shown_of([one.record for one in about]) or f"In stock: {min(stock)}."
        if not _SCARCE.search(clause) or _NOT.search(clause):
            if _PLENTY.search(clause) and not _NOT.search(clause) and stock and max(stock) < _FEW:
                yield f"In stock: {max(stock)}."
            continue
        if stock and min(stock) > _FEW:
            yield shown_of([one.record for one in about]) or f"In stock: {min(stock)}."
        elif (
            not stock
            and not is_told_out
            and not any(one.stock for one in known.records)
            and has_goods
        ):
            yield "Nothing that was read tells of the stock."


def _stock(clause: str, about: Sequence[Mentioned], known: Known) -> frozenset[int]:
    """Return how many are there of what a clause speaks of."""
    records = [one.record for one in about] or [
        one for _, some in heads_in(clause, known) for one in some
    ]
    records = records or [one.record for one in only_one(known)]
    return frozenset[int]().union(*(one.stock for one in records))
