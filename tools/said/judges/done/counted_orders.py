"""Judge how many of the orders that were read are said to stand so or so: "3 placed, 1 cancelled"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.judges.done.orders import ALL_BUT, STANDS
from daybook.tools.said.known import Known
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.rows import Record
from daybook.tools.said.text import plain

_HOW: Final = (
    r"(?P<how>placed|cancelled|canceled|delivered|shipped|returned|open|active|pending|refunded)"
)
_WHICH: Final = r"(?:orders? |of (?:them|these|those|your (?:\w+ )?orders|the (?:\w+ )?(?:orders)?) ?|of the (?:two|three|four|five|six|\d+) )"
COUNTED: Final = re.compile(
    rf"(?:^|[^\w.,$€£#-])(?P<n>\d{{1,2}}|{'|'.join(SMALL)}|all|both|none|the rest|the others?|each)(?: other)?(?: \d{{1,2}}| (?:{'|'.join(SMALL)}))? {_WHICH}?"
    rf"(?:(?:that|which|is|are|was|were|has been|have been|been|stands?|still|already|now|currently|listed as|marked as|as) )*{_HOW}\b"
    r"(?=\W*(?:$|orders?\b|ones?\b|so far\b|in total\b|already\b|earlier\b|now\b|at the moment\b|and\b|with\b|\())"
)
"""How many of several orders stand so."""

_NOT: Final = re.compile(r"\b(?:not|never|neither|nor)\b|n't\b")
_OF_ORDERS: Final = re.compile(r"\borders?\b")


def of_counted_orders(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield the orders, for each clause that counts those of a status otherwise than they were read."""
    orders = [one for one in known.records if one.statuses]
    whole = plain(f"{clauses.sentence.heading} {clauses.text}")
    if len(orders) < 2 or not _OF_ORDERS.search(whole) or ALL_BUT.search(whole):
        return
    for clause in clauses.asserted:
        for found in COUNTED.finditer(clause):
            told = _counts(found, len(orders))
            if told is None or is_open(clause[: found.start()]) or _NOT.search(clause):
                continue
            if told != sum(_stands(one, found["how"]) for one in orders):
                yield "; ".join(one.shown for one in orders if one.shown)


def _counts(found: re.Match[str], orders: int) -> int | None:
    """Return how many are told; None where that is told of no number."""
    if found["n"] in ("all", "both") and "other" not in found.group():
        return orders if found["n"] == "all" or orders == 2 else None
    if found["n"] == "none":
        return 0
    if found["n"].isdigit():
        return int(found["n"])
    return SMALL.get(found["n"])


def _stands(order: Record, how: str) -> bool:
    """Tell whether an order has a status; one that is open was not cancelled."""
    if how in ("open", "active", "pending"):
        return bool(STANDS & order.statuses)
    if how == "refunded":
        return bool({"refunded", "cancelled"} & order.statuses)
    return how.replace("canceled", "cancelled") in order.statuses
