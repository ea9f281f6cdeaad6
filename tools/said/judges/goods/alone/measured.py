"""Judge what a sentence measures: in grams, litres, lumens, against what was read of the thing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from decimal import Decimal
from functools import lru_cache
from itertools import combinations
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.judges.added_up import IS_APART
from daybook.tools.said.judges.allowed import part_at
from daybook.tools.said.judges.goods.alone.supposed import (
    beside_what_is_supposed as _beside_what_is_supposed,
)
from daybook.tools.said.judges.goods.alone.supposed import is_supposed
from daybook.tools.said.judges.goods.alone.worked_out import follows_in, is_by_the_unit
from daybook.tools.said.judges.goods.beside.read_alone import things_read
from daybook.tools.said.known import Known
from daybook.tools.said.numbers import is_roughly, numbers_in
from daybook.tools.said.rows import Record, record_of_line
from daybook.tools.said.spoken_of import (
    Mentioned,
    heads_in,
    is_of_what_went_before,
    mentioned,
    only_one,
    shown_of,
)
from daybook.tools.said.text import measures_in, plain

_OF_TWO = re.compile(
    r"\b(?:lighter|heavier|less|more|saves?|differences?|extra|additional|further|than|apart|together|both|total|in all|altogether|each|pair|two|three|(?:four|five|six|\d+) of (?:them|these|those))\b",
    re.IGNORECASE,
)
"""In a sentence whose measures may be of more than one thing."""
_BETWEEN_TWO = re.compile(
    r"\b(?:between|over|under|above|below|gap|spread|margin|range|versus|vs|against|ahead|behind|separat\w+|off|short of|beats?|beaten|difference|differ|away|lead)\b",
    re.IGNORECASE,
)
"""In a sentence whose measure may be by how much two things differ."""
_WEIGHT = re.compile(r"\bweight_g=(\d+)")
_ID: Final = re.compile(r"\b[A-Z]{2,6}-\d{2,8}\b")
_REVIEW: Final = re.compile(r"\d of 5 \| ")
_OF_WHAT_IS_CARRIED: Final = re.compile(
    r"\b(?:kg|kilos?|g|grams?|pounds|lbs?|litres?|liters?) of (?:gear|food|water|luggage|stuff|equipment|fuel|gas|load|kit|(?:\w+ )?(?:tea|coffee|soup|drink|rice|snow))\b|\bloads? of\b|\bbody ?weight\b|\byou(?:'d| would|'ll| will| could| might)(?: \w+ly| be| only| still| easily)* (?:carrying|hauling|lugging|packing)\b|\bpacked for\b",
    re.IGNORECASE,
)
"""In a sentence that measures what somebody carries, and no thing."""
_OF_A_TRAIT: Final = re.compile(
    r"\b(?:weighs?|weight|height|capacity|volume|packed size|folded|standing)\b", re.IGNORECASE
)
"""In a clause that measures a thing, though it names none."""
_BY: Final = re.compile(r"\bby (?:just |only |exactly |a mere |some )?$", re.IGNORECASE)
"""Before by how much two things differ: "by 20 grams the lightest"."""
_BY_A_BOUND: Final = re.compile(
    r"\bby (?:(?:just |only |well |a little |a bit )?(?:under|over|less than|more than|at least|at most|about|around|roughly|nearly|almost|some)|(?:a )?(?:good|mere)) $",
    re.IGNORECASE,
)
"""Before about how much one thing weighs more than another."""
_A_DAY: Final = re.compile(
    r"^ (?:of water |of fuel |of gas |each |every )?(?:a|per|each|every|an) (?:day|night|hour|person|head|week|trip|minute|meal)\b",
    re.IGNORECASE,
)
"""Behind what somebody uses up in a time."""
_UNDER_SO_MUCH: Final = re.compile(
    r"^\W*(?:an?|any|most|many) (?:[\w-]+ ){1,5}?(?:under|over|below|above|of|around|about|at)(?: about| around| some)? $",
    re.IGNORECASE,
)
"""Before what all things of a kind are called by: "a tent under 1.5 kg counts as light"."""
_BY_SO_MUCH: Final = re.compile(
    r"\b(?:misses|beats|over|under|above|below|exceeds|undercuts|short|past|off)\b(?: \w+){0,3} by(?: just| only)? $",
    re.IGNORECASE,
)
_UNIT: Final = re.compile(r"[a-z]+$", re.IGNORECASE)
_THOUSANDTH: Final = Decimal("0.001")
_SCALES: Final[tuple[tuple[re.Pattern[str], tuple[Decimal | int, ...]], ...]] = (
    (re.compile(r"kg|kilo|kw", re.IGNORECASE), (1, 1000)),
    (re.compile(r"mm|milli", re.IGNORECASE), (1, Decimal("0.1"), _THOUSANDTH)),
    (re.compile(r"cm|centi", re.IGNORECASE), (1, 10, Decimal("0.01"))),
    (re.compile(r"m$|met", re.IGNORECASE), (1, 100, 1000)),
    (re.compile(r"ml$|g$|gr|w", re.IGNORECASE), (1, _THOUSANDTH)),
    (re.compile(r"l$|li", re.IGNORECASE), (1, 1000)),
    (re.compile(r"lu|denier|fill|mah|oz|oun|lb|pound", re.IGNORECASE), (1,)),
)
"""In which larger and smaller units what is measured in one may have been read."""
_ANY_SCALE: Final = (1, 10, 1000, _THOUSANDTH)
_OF_EACH: Final = re.compile(r"\b(?:per|each|apiece|a piece|one|single)\b", re.IGNORECASE)
_MOST_WEIGHED = 20
_KILOS = re.compile(r"(?:kg|kilos?|kilograms?)$", re.IGNORECASE)


def of_measures(clauses: Clauses, about: Sequence[Mentioned], known: Known) -> Iterator[str]:
    """Find measures of a thing that were read of none, or of another one."""
    text = clauses.sentence.text
    if not about and not known.records:
        return
    read = _figures_read(known)
    records = [one.record for one in about] or _called_in(text, known)
    records = records or [one.record for one in only_one(known)]
    goods = [one for one in known.records if one.stock]
    all_read = 0 < len(goods) == len(things_read(known.texts))
    for measure, words, place in measures_in(text):
        if is_of_what_went_before(text, place, about) and measure in known.figures:
            continue
        if _OF_WHAT_IS_CARRIED.search(text) or is_supposed(text, place, words):
            continue
        if _A_DAY.match(text[place + len(words) :]) or _UNDER_SO_MUCH.match(text[:place]):
            continue
        if _BY_SO_MUCH.search(text[:place]) and units_apart(measure, text, read):
            continue
        if _BY_A_BOUND.search(text[:place]):
            continue
        if IS_APART.search(text[:place]) and measure in _apart(known):
            continue
        if measure in _beside_what_is_supposed(text, read):
            continue
        part = _part_before(text, place)
        alone = _called_in(part, known)
        whole = part if alone else text
        of_two = _OF_TWO.search(whole) is not None
        own = frozenset[Decimal]() if of_two else _own_measures(alone or records, known)
        units = _units_of(measure, words, alone or records, of_two=of_two)
        is_between = of_two or _BETWEEN_TWO.search(text) is not None
        is_between = is_between or _BY.search(text[:place]) is not None
        if _is_near(units, read, before=text[:place], words=words) or (
            is_between and units & _differences(known)
        ):
            continue
        if follows_in(measure, words, text) or is_by_the_unit(measure, text, known):
            continue
        if _is_rounded(measure, words, own or read) or _is_shared(measure, text, own or read):
            continue
        is_of_a_trait = _OF_A_TRAIT.search(whole) is not None and not of_two and all_read
        if ((alone or records) or is_of_a_trait) and not units & read:
            yield shown_of(alone or records) or f"“{words}” was read nowhere."
        elif own and not units & own and not units & _others(alone or records, known):
            yield shown_of(alone or records) or f"“{words}” was read of something else."


def _units_of(
    measure: Decimal, words: str, records: Sequence[Record], *, of_two: bool
) -> frozenset[Decimal]:
    """Return a measure in larger and smaller units, of one of so many."""
    counts = {1, *(count for record in records for count in record.counts)}
    counts |= {*range(2, 11)} if of_two else set()
    of_one = {measure / count for count in counts if count}
    unit = _UNIT.search(words)
    scales = next(
        (some for of, some in _SCALES if unit is not None and of.match(unit.group())), _ANY_SCALE
    )
    return frozenset(one * many for one in of_one for many in scales)


def units_apart(measure: Decimal, text: str, read: Set[Decimal]) -> bool:
    """Tell whether a measure is by how much another one of a text differs from one that was read."""
    others = {one * scale for one, _, _ in measures_in(text) for scale in (1, 1000)}
    return any(abs(one - other) == measure for one in others for other in read)


def _is_near(units: Set[Decimal], read: Set[Decimal], *, before: str, words: str) -> bool:
    """Tell whether a measure is told as about what was read."""
    is_rough = is_roughly(before) or words.startswith("about ")
    return is_rough and any(abs(u - f) <= f / 20 for u in units for f in read)


def _is_shared(measure: Decimal, text: str, read: Set[Decimal]) -> bool:
    """Tell whether a measure is what each has of a pair: "670 g per boot"."""
    return _OF_EACH.search(text) is not None and any(
        one > 1 and abs(measure * many * scale - one) <= one / 100
        for one in read
        for many in (2, 3, 4)
        for scale in (1, 1000)
    )


def _part_before(text: str, place: int) -> str:
    """Return the clause in which a measure stands; of one in brackets what stands before these."""
    opened = text.rfind("(", 0, place)
    if opened > text.rfind(")", 0, place):
        return text[:opened].split(")")[-1] + text[opened + 1 : text.find(")", place)]
    return part_at(text, place)


def _called_in(part: str, known: Known) -> list[Record]:
    """Return the one thing that a clause speaks of by its name or noun, else nothing."""
    named = {id(one.record): one.record for one in mentioned(part, known)}
    if not named:
        heads = heads_in(plain(part), known)
        named = {id(one): one for _, some in heads for one in some}
    return [*named.values()] if len(named) == 1 else []


def _figures_read(known: Known) -> frozenset[Decimal]:
    """Return the numbers that were read or said, but for those in ids."""
    return frozenset[Decimal]().union(
        *map(_numbers_without_ids, (*known.texts, *known.beside, *known.said))
    )


@lru_cache(maxsize=1_024)
def _numbers_without_ids(text: str) -> frozenset[Decimal]:
    return frozenset(numbers_in(_ID.sub(" ", text)))


def _is_rounded(measure: Decimal, words: str, figures: Set[Decimal]) -> bool:
    """Tell whether a measure in kilos is one in grams that was read, rounded to its decimals."""
    exponent = measure.as_tuple().exponent
    if not isinstance(exponent, int) or exponent >= 0 or _KILOS.search(words) is None:
        return False
    half = Decimal(5).scaleb(exponent - 1)
    return any(one >= 100 and abs(one / 1000 - measure) <= half for one in figures)


@lru_cache(maxsize=256)
def _measures_of(text: str) -> tuple[tuple[frozenset[str], frozenset[Decimal]], ...]:
    """Return the numbers of each row of a text of which measures were read, with the names of the row."""
    found, names, numbers = (
        list[tuple[frozenset[str], frozenset[Decimal]]](),
        frozenset[str](),
        set[Decimal](),
    )
    has_traits = False
    for line in text.split("\n"):
        record = record_of_line(line) if " | " in line else None
        if record is not None:
            if has_traits:
                found.append((names, frozenset(numbers)))
            names, numbers, has_traits = record.names, set(), False
        numbers |= _numbers_without_ids(line)
        has_traits |= "weight_g=" in line
    if has_traits:
        found.append((names, frozenset(numbers)))
    return tuple(found)


def _own_measures(records: Sequence[Record], known: Known) -> frozenset[Decimal]:
    """Return what was read of these things where each was read by itself, else nothing."""
    if len({id(one) for one in records}) != 1:
        return frozenset()
    rows = [
        numbers
        for text in known.texts
        for names, numbers in _measures_of(text)
        if names & records[0].names
    ]
    return frozenset[Decimal]().union(*rows)


def _others(records: Sequence[Record], known: Known) -> frozenset[Decimal]:
    """Return the numbers that were said, or read in reviews."""
    reviews = (line for text in known.texts for line in text.split("\n") if _REVIEW.match(line))
    aside = {number for text in (*known.said, *reviews) for number in numbers_in(text)}
    return frozenset(aside | {one for record in records for one in record.figures})


def _apart(known: Known) -> frozenset[Decimal]:
    """Return by how much any two numbers that were read differ, in whatever unit they are."""
    return frozenset(abs(one - other) for one, other in combinations(known.figures, 2))


def _differences(known: Known) -> frozenset[Decimal]:
    """Return by how much the weights that were read lie apart."""
    weights = [Decimal(one) for text in known.texts for one in _WEIGHT.findall(text)][
        :_MOST_WEIGHED
    ]
    return frozenset(abs(one - other) for one, other in combinations(weights, 2))
