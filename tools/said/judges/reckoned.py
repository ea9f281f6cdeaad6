"""What an answer reckons out before the reader's eyes: each amount that follows from others of it that are known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import combinations, permutations, product
from typing import Final

from daybook.tools.said.judges.goods.beside.compared import last_list, read_alone
from daybook.tools.said.judges.goods.beside.read_alone import things_read
from daybook.tools.said.known import Known
from daybook.tools.said.spoken_of import heads_in, mentioned
from daybook.tools.said.text import amounts_in, plain

REASONED: Final = re.compile(
    r"[÷×≈=*/]|\d ?x ?[$€£\d]|\b(?:per|a piece|apiece|each|times|hence|so|spread|range|gap|difference|differ\w*|works? out|worked out|breaks? down|"
    r"add(?:s|ed|ing)?|land|makes?|making|comes?|line|subtotal|half|double|twice|triple|split|share|divided|multipl\w+|add up|sum|total|together|average|"
    r"all in|(?:you|it|that|we|this)'d (?:be|have been|come|have|pay|get|make)|for (?:both|all|two|three|four|five|six|\d+)|would|more|less|cheaper|dearer|extra|over|below|under|beneath|above|short|shy|separat\w*|apart|between|left|plus|minus|saves?|saving)\b",
    re.IGNORECASE,
)
"""In a sentence that may tell what was reckoned out."""

_BY_MEASURE: Final = re.compile(
    r"[÷≈/]|\bper\b|\bdivided\b|\ba (?:litre|liter|gram|kilo|person|head|night|season)\b", re.I
)
_NUMBER: Final = re.compile(r"(?<![\w.,$€£])\d+(?:[.,]\d+)?")
_SUPPOSED: Final = re.compile(
    r"\b(?:budget(?: of| is)?|limit of|(?:less|more|lower|higher|cheaper|no more) than|below|over|above|up to|(?:you |you've |you'd )(?:have|got|had|spend)|to spend|for|with|under|within)[\s*]*[$€£]?(\d[\d,]*[05](?:\.00)?)(?![\d.,]*\d)(?! ?(?:%|g\b|kg|ml|l\b|litres?|cm|m\b|mm))",
    re.IGNORECASE,
)
"""Before a round sum that somebody supposes to be there."""
_LIMIT: Final = re.compile(
    r"[$€£]?(\d[\d,]*[05](?:\.00)?)(?: (?:USD|dollars))? (?:budget|limit|mark|line|gift card)\b"
)
_TOTAL: Final = re.compile(r"^total: (\d+\.\d\d) ", re.MULTILINE)
_MEASURES: Final = ("capacity_litre", "weight_g", "lumen", "persons")
_COUNTS: Final = re.compile(r" x ?(\d{1,2})\b")
_MOST_AMOUNTS: Final = 12
_MOST_LINES: Final = 3
_MOST_ORDERS: Final = 6
"""Orders of which every sum is reckoned."""
_MANY: Final = range(2, 21)
_FEW: Final = range(2, 7)
_MOST_COMBINED, _MOST_OF_EACH = 4, 3
"""Things of which a few of each are added up, and how many of each."""
_CENT: Final = Decimal("0.01")
_HALF_A_CENT, _HALF_A_UNIT = Decimal("0.005"), Decimal("0.5")
_LEAST_ROUNDED: Final = 10
_SCALES: Final = (1, 10, 100, 1000, Decimal("0.1"), Decimal("0.01"))
"""A price per litre, per 100 ml, per gram in cents."""
_MOST_ROUNDS: Final = 4


OF_A_WHOLE: Final = re.compile(
    r"\b(?:cart|basket|totals?|totalling|altogether|in all|order|bill)\b", re.IGNORECASE
)
"""In a sentence that may tell what all comes to that is in a cart or an order."""


def reckoned_in(
    answer: str, known: Known, is_known: Callable[[Decimal], bool], *, is_of_a_whole: bool
) -> frozenset[Decimal]:
    """Return the amounts of an answer that follow from those of it that are known.

    Args:
        is_known: whether an amount stands in what was read or said.
        is_of_a_whole: of amounts that the answer tells alone, and of no others that were read.
    """
    told = [*dict.fromkeys(one.value for one in amounts_in(answer))][:_MOST_AMOUNTS]
    prices = {one.value for record in known.records for one in amounts_in(record.shown)}
    found = {one for one in told if one and is_known(one)} | _lines_in(told, known)
    found |= {one for one in told if any(one / many in prices for many in _MANY)}
    supposed = {
        Decimal(one.replace(",", ""))
        for pattern in (_SUPPOSED, _LIMIT)
        for one in pattern.findall(answer)
    }
    measures = _measures_in(answer, known) if _BY_MEASURE.search(answer) else ()
    if not is_of_a_whole:
        found |= {one for one in told if one in _several_of(answer, known)}
        found |= _costs_in(answer, known)
        found |= {Decimal(one) for text in known.texts for one in _TOTAL.findall(text)}
        found |= _totals_of(known)
    if measures and not is_of_a_whole:
        found |= {one.price for one in read_alone(known)[:_MOST_COMBINED]}
    for _ in range(_MOST_ROUNDS):
        from_ = found | supposed
        new = {one for one in told if one not in from_ and _follows(one, from_, measures)}
        if not new:
            break
        found |= new
    return frozenset(found)


def _totals_of(known: Known) -> set[Decimal]:
    """Return what the orders come to that were read, and what was done in this turn came to."""
    shown = [record.shown for record in known.records if record.statuses]
    shown += [one.line for one in known.effects if one.is_now]
    totals = [one.value for line in shown[:_MOST_AMOUNTS] for one in amounts_in(line)]
    few = [*dict.fromkeys(totals)]
    if len(few) > _MOST_ORDERS:
        return {*few}
    return {
        sum(some, Decimal(0)) for size in range(1, len(few) + 1) for some in combinations(few, size)
    }


def _costs_in(answer: str, known: Known) -> set[Decimal]:
    """Return what the things cost that an answer names."""
    named = {id(one.record): one.record for one in mentioned(answer, known)}
    goods = [one for one in known.records if one.stock or "@" in one.shown]
    called = [some[0] for _, some in heads_in(plain(answer), known) if len(some) == 1]
    named |= {id(one): one for one in called if "@" in one.shown}
    some = [one for one in goods if id(one) in named] or goods[: _MOST_COMBINED + 1]
    some = some if len(some) <= _MOST_COMBINED or named else []
    return {one.value for record in some for one in amounts_in(record.shown)}


def _several_of(answer: str, known: Known) -> set[Decimal]:
    """Return what a few of each thing cost that an answer names, all that were listed, and all but one."""
    rows = last_list(known) or read_alone(known)
    prices = [one.price for one in rows][:_MOST_AMOUNTS]
    whole = sum(prices, Decimal(0))
    found = {whole, *(whole - one for one in prices)}
    if prices:
        found.add((whole / len(prices)).quantize(_CENT, ROUND_HALF_UP))
    named = sorted(_costs_in(answer, known))
    both = sorted({*named, *_costs_of_lines(known)})
    named = both if len(both) <= _MOST_COMBINED else named
    if len(named) <= _MOST_COMBINED:
        for counts in product(range(_MOST_OF_EACH + 1), repeat=len(named)):
            found.add(sum((one * n for one, n in zip(named, counts, strict=True)), Decimal(0)))
    return found - {Decimal(0)}


def _costs_of_lines(known: Known) -> set[Decimal]:
    """Return what one costs of each thing of a document that lists a few."""
    prices = {*known.prices.values()}
    inside = {one / 100 for one in prices if one == one.to_integral_value()} or prices
    return inside if len(inside) <= _MOST_COMBINED else set()


def _follows(value: Decimal, from_: Iterable[Decimal], measures: Sequence[Decimal]) -> bool:
    """Tell whether an amount is several of one, one of several, or two of them together or apart."""
    some = [*from_]
    return any(_is_told_as(value, one) for one in _made_of(some)) or any(
        _is_nearly(value, one / by * scale) for one in some for by in measures for scale in _SCALES
    )


def _made_of(some: Sequence[Decimal]) -> Iterator[Decimal]:
    for at, one in enumerate(some):
        yield from (one * many for many in _MANY)
        yield from (one / many for many in _FEW)
        for other in some[at + 1 :]:
            yield one + other
            yield abs(one - other)


def _is_told_as(value: Decimal, reckoned: Decimal) -> bool:
    """Tell whether what was reckoned may be told so: to the cent, or without cents where it has none."""
    is_rounded = value.as_tuple().exponent == 0 and value >= _LEAST_ROUNDED
    return value > 0 and abs(value - reckoned) < (_HALF_A_UNIT if is_rounded else _HALF_A_CENT)


def _is_nearly(value: Decimal, reckoned: Decimal) -> bool:
    """Tell whether an amount per litre or gram may be told so: to its last digit."""
    exponent = value.as_tuple().exponent
    half = Decimal(5).scaleb(exponent - 1) if isinstance(exponent, int) else Decimal(0)
    return abs(value - reckoned) <= max(half, _CENT)


def _measures_in(answer: str, known: Known) -> tuple[Decimal, ...]:
    """Return the numbers of an answer, no amounts, by which an amount may be divided."""
    numbers = {Decimal(one.replace(",", ".")) for one in _NUMBER.findall(answer)}
    read = {
        one.figures[name]
        for one in things_read(known.texts)
        for name in _MEASURES
        if one.figures.get(name)
    }
    told = {one for one in numbers if one > 0 and one in known.figures}
    return tuple(sorted(told | read))[:_MOST_AMOUNTS]


def _lines_in(told: Sequence[Decimal], known: Known) -> set[Decimal]:
    """Return amounts that make up, each so often as its line says, the total of an order that was read."""
    found = set[Decimal]()
    for record in known.records:
        counts = next((some for name in record.names if (some := _COUNTS.findall(name))), ())
        totals = {one.value for one in amounts_in(record.shown)} if record.statuses else set()
        if not totals or not 1 < len(counts) <= _MOST_LINES:
            continue
        many = [*map(int, counts)]
        for prices in permutations(told, len(many)):
            whole = sum((one * n for one, n in zip(prices, many, strict=True)), Decimal(0))
            if whole in totals:
                found |= {*prices, *(one * n for one, n in zip(prices, many, strict=True))}
    return found
