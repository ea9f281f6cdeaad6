"""Judge what an order is said to come to: another one's total is not its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.judges.added_up import is_a_few_of_those_named
from daybook.tools.said.known import Known
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.rows import Record
from daybook.tools.said.spoken_of import heads_in, mentioned
from daybook.tools.said.text import amounts_in, plain

_NUMERAL: Final = rf"(?:{'|'.join(SMALL)}|\d{{1,2}})"
_A_LINE: Final = re.compile(rf"(?:\b(?P<n>{_NUMERAL}) (?:pairs? of )?)?(?:[a-z]+ ){{0,2}}?$")
_AT: Final = re.compile(
    r"^\w* (?:together |now |each |alone )?(?:(?:come|comes|came) to|are|is|was|were|costs?|makes?|for|at) (?:just |only )?(?:usd )?[$€£]?(?P<x>\d[\d,]*\.\d\d)(?: usd)?(?P<each> (?:each|apiece|a piece|a pair|per (?:pair|piece|bottle)))?(?:\W*$|\W* (?:together|in all|altogether|for)\b)"
)
_OF_ITS_KIND: Final = r"(?:burner|person|man|season|lit(?:re|er)|layer|way|piece|pole|door|room|part|pocket|inch|pound|kilo|gram|minute|hour|day|year|star|denier)\b"
"""Behind a number that is a part of what a thing is called: "the two-burner stove"."""
_FOR_SO_MANY: Final = re.compile(
    rf"(?:usd )?[$€£]?(?P<x>\d[\d,]*\.\d\d)(?: usd)? for (?:the |all |your |both )?(?:of the )?(?P<n>{_NUMERAL}|both)(?! {_OF_ITS_KIND})(?: pairs? of)?(?: (?!pairs?\b)[a-z]+){{0,4}}? $"
)
_EACH: Final = re.compile(r"^[\w ]{0,12}?\b(?:each|apiece|a piece|per)\b")
_SEVERAL: Final = re.compile(
    r"\w,? (?:and|plus|with) (?:an?|the|\d|two|three|four|five|six|some|your)\b"
)
_UNIT: Final = re.compile(r"@ (\d+\.\d\d) =|\| (\d+\.\d\d) [A-Z]{3} \| \d\.\d of 5")
_YOUR_TOTAL: Final = re.compile(
    r"^\W*(?:and |so |that makes |now )?your (?:new |current |cart )?total(?: now)?(?:'s| is| comes to| stands at| stays at| remains(?: at)?| of|:)+(?: now| still| just)* (?:usd )?[$€£]?(\d[\d,]*\.\d\d)(?: usd)?\W*$"
)
_TOTAL: Final = re.compile(r"^total: (\d+\.\d\d) ", re.MULTILINE)
_OF_MORE: Final = re.compile(
    r"\b(?:both|together|difference|more|less|cheaper|dearer|than|other|another|instead|left|plus|minus|combined|not|n't|if|would|half|quarter|third|double|twice|average)\b|[+=]",
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


def of_lines(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what a thing costs that a noun calls, where so many of it, or each, are said to cost something else."""
    shown = [one.shown for one in known.records if one.statuses]
    shown += [one.line for one in known.effects if one.is_now]
    wholes = {one.value for line in shown for one in amounts_in(line)}
    wholes |= {Decimal(one) for text in known.texts for one in _TOTAL.findall(text)}
    if _SEVERAL.search(plain(clauses.text)) is None:
        wholes = set()
    for clause in clauses.asserted:
        heads = heads_in(clause, known)
        yield from filter(
            None, (_told_for_so_many(clause, head, some, known) for head, some in heads)
        )
        if _OF_MORE.search(clause):
            continue
        for head, records in heads:
            at, line = _AT.match(clause[head.end() :]), _A_LINE.search(clause[: head.start()])
            units = _units_of(records[0], known) if len(records) == 1 else frozenset()
            if at is None or line is None or not units or records[0].statuses:
                continue
            if not at["each"] and Decimal(at["x"].replace(",", "")) in wholes:
                # What all comes to that was named before it.
                continue
            told, many = Decimal(at["x"].replace(",", "")), records[0].counts | {1}
            if line["n"]:
                many = frozenset({SMALL.get(line["n"]) or int(line["n"]), 1})
            if at["each"]:
                many = frozenset({1})
            if is_a_few_of_those_named(clauses.text, told, known):
                continue
            if not any(told == unit * n for unit in units for n in many):
                yield records[0].shown or f"{', '.join(map(str, units))} each."


def _told_for_so_many(
    clause: str, head: re.Match[str], records: Sequence[Record], known: Known
) -> str:
    """Return what a thing costs where several of it are said to cost what one does: "35.90 for the two flasks"."""
    found = _FOR_SO_MANY.search(clause[: head.start()])
    if re.match(_OF_ITS_KIND, head.group()):
        return ""
    if found is None or len(records) != 1 or _EACH.match(clause[head.end() :]):
        return ""
    many = 2 if found["n"] == "both" else SMALL.get(found["n"]) or int(found["n"])
    units = _units_of(records[0], known)
    is_of_one = many > 1 and Decimal(found["x"].replace(",", "")) in units
    return (records[0].shown or "It costs another sum.") if is_of_one else ""


def _units_of(record: Record, known: Known) -> frozenset[Decimal]:
    """Return what one of a thing costs, as it was read."""
    lines = (line for text in known.texts for line in text.split("\n"))
    return frozenset(
        Decimal(one or other)
        for line in lines
        for one, other in _UNIT.findall(line)
        if any(name in plain(line) for name in record.names)
    )
