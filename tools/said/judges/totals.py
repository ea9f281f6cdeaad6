"""Judge what an order is said to come to: another one's total is not its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.known import Known
from daybook.tools.said.spoken_of import mentioned
from daybook.tools.said.text import amounts_in

_YOUR_TOTAL: Final = re.compile(
    r"^\W*(?:and |so |that makes |now )?your (?:new |current |cart )?total(?: now)?(?:'s| is| comes to| stands at| stays at| remains(?: at)?| of|:)+(?: now| still| just)* (?:usd )?[$€£]?(\d[\d,]*\.\d\d)(?: usd)?\W*$"
)
_TOTAL: Final = re.compile(r"^total: (\d+\.\d\d) ", re.MULTILINE)
_OF_MORE: Final = re.compile(
    r"\b(?:both|together|difference|more|less|cheaper|dearer|than|other|another|instead|left|plus|minus|combined|not|n't|if|would)\b|[+=]",
    re.IGNORECASE,
)


def of_totals(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield the order that a sentence names alone, where it tells the total of another one."""
    text = clauses.sentence.text
    told = {one.value for one in amounts_in(text)}
    if not clauses.asserted or len(told) != 1 or _OF_MORE.search(text):
        return
    orders = [one for one in known.records if one.statuses and one.shown]
    named = {id(one.record): one.record for one in mentioned(text, known)}
    those = [one for one in orders if id(one) in named]
    if len(those) != 1 or len(named) != 1 or told & those[0].figures:
        return
    others = (one for one in orders if one is not those[0])
    if any(told & {amount.value for amount in amounts_in(one.shown)} for one in others):
        yield those[0].shown


def of_cart_totals(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield the total of the cart, where "your total" is said to be another one."""
    totals = {Decimal(one) for text in known.texts for one in _TOTAL.findall(text)}
    if len(totals) != 1 or any(one.statuses for one in known.records):
        return
    for clause in clauses.asserted:
        told = _YOUR_TOTAL.match(clause)
        if told is not None and Decimal(told[1].replace(",", "")) not in totals:
            yield f"Total: {next(iter(totals))}."
