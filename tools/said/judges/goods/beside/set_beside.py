"""Judge what is said of one thing beside another: by how much it costs more, and which is dearer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations, product
from typing import Final

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.known import Known, stem_of
from daybook.tools.said.rows import Record, with_hundredths
from daybook.tools.said.spoken_of import heads_in, mentioned, shown_of
from daybook.tools.said.text import amounts_in, plain

_MORE: Final = re.compile(
    r"(?P<rough>\b(?:about|around|roughly|nearly|almost|some|a good|over|under|just|more than|less than|close to|~) ?)?"
    r"(?P<sign>[$€£]|\busd )?(?<![\w.,])(?P<n>\d+(?:\.\d\d)?)(?P<unit> ?(?:usd|dollars|bucks|eur|euros))?"
    r" (?:more|less|cheaper|dearer|pricier)(?: expensive)? than\b"
)
_SEVERAL: Final = re.compile(
    r"\b(?:both|together|altogether|all|each|(?:two|three|four|five|six)(?! (?:litres?|liters?|grams?|kilos?|minutes?|hours?|seasons?|stars?|reviews?|degrees|lumens|centimet\w+|millimet\w+)\b)|"
    r"pairs?|\d+ ?[x×]|[x×] ?\d+|total|in all|would|if)\b"
)
"""Of more than one of a thing."""

_OF_SEVERAL: Final = re.compile(
    r"^\W*(?:and |so |which )?(?:that|this|it|they)(?:'s|'d| is| would be| comes to|\b)"
)
_COSTS: Final = re.compile(
    r"\b(?:costs?|costing|sets? you back)(?: you)?(?: a (?:bit|lot|little))? (?P<cost>more|less) than\b|"
    r"\b(?:a few|some|several|a couple of|\d+) (?:bucks|dollars|usd|cents) (?P<below>under|over|below|above|cheaper than) (?=the\b)|"
    r"\b(?:is|are|was|were|'s|comes out|works out)(?: \w+){0,2}? (?P<how>cheaper|dearer|pricier|costlier|more expensive|less expensive) than\b"
)
_LOWER: Final = re.compile(
    r"\b(?:is|are|was|'s|comes) (?:a bit |a little |much |far |slightly )?(?P<lower>lower|higher) (?:in price|priced) than\b"
)
_WEIGHS: Final = re.compile(
    r"\b(?:is|are|'s|weighs|was) (?:a bit |a little |much |far |slightly |rather )?(?P<weighs>lighter|heavier|less|more) than\b"
)
_BETTER: Final = re.compile(
    r"\b(?:has|have|got) the (better|higher|worse|lower) (?:rating|score|reviews)\b"
)
_DIFFERENCE: Final = re.compile(
    r"\b(?:difference|gap)\b(?: (?:in|of) (?:the )?price)?(?: between .{3,80}?)? (?:is|was|amounts to|comes to|makes)(?: only| just)? (?:usd )?[$€£]?(\d+\.\d\d)\b"
)
_ALONE: Final = re.compile(
    r"\b(?:is|are|'s|was|comes out|works out)(?: \w+){0,2}? (?:the )?(?P<alone>cheaper|dearer|pricier|costlier|more expensive|less expensive|lighter|heavier|better rated|higher rated|worse rated|lower rated)"
    r"(?: one| of the two| of them| choice| option| here| tent| pair)?\W*$"
)
"""Of two things, which is not named."""
_PART: Final = re.compile(
    r"\b(?:costs?|is|are|comes to|for|at)(?: you)? (?:just |only |exactly |precisely |fully |a full )*(?P<part>less than half|under half|half|more than twice|twice|double|more than double|three times|four times|five times)(?: of)?(?: the price of| what| as much as| the cost of|)\b"
)
_RATED: Final = re.compile(
    r"\b(?P<how>better|higher|worse|lower)[ -]rated than\b|\b(?:has|have|got|gets?) (?P<has>better|higher|worse|lower) (?:ratings?|reviews?|scores?|marks) than\b|\brated (?P<than>better|higher|worse|lower) than\b"
)
_RATING: Final = re.compile(r"(?<![\d.])(\d(?:\.\d)?) of 5\b")
_UPWARDS: Final = frozenset(
    {
        "over",
        "above",
        "better rated",
        "higher rated",
        "more",
        "dearer",
        "pricier",
        "costlier",
        "more expensive",
        "better",
        "higher",
        "heavier",
    }
)
_NOT: Final = re.compile(r"\b(?:not|never|neither|nor|no|none)\b|n't\b")
_HOLDS: Final[Mapping[str, Callable[[Decimal], bool]]] = {
    "less than half": lambda part: part < Decimal("0.5"),
    "under half": lambda part: part < Decimal("0.5"),
    "half": lambda part: Decimal("0.45") <= part <= Decimal("0.55"),
    "twice": lambda part: Decimal("1.85") <= part <= Decimal("2.15"),
    "double": lambda part: Decimal("1.85") <= part <= Decimal("2.15"),
    "three times": lambda part: Decimal("2.7") <= part <= Decimal("3.3"),
    "four times": lambda part: Decimal("3.6") <= part <= Decimal("4.4"),
    "five times": lambda part: Decimal("4.5") <= part <= Decimal("5.5"),
    "more than twice": lambda part: part > Decimal(2),
    "more than double": lambda part: part > Decimal(2),
}
_WEIGHED: Final = re.compile(
    r"^(?:\d+\. )?([A-Z]{2,6}-\d{2,5}) \|[^\n]*\n(?:[^\n|]*\n)?attributes: [^\n]*\bweight_g=(\d+)",
    re.MULTILINE,
)
_LEAST: Final = 2
"""Words of a name that may be told by its first one."""
_FEW: Final = 12
"""Amounts that were read, of which any two may be set beside one another."""


def of_differences(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what is so, where something is said to cost so much more than another, and does not."""
    said = plain(clauses.text)
    yield from _of_the_difference(said, clauses, known)
    found = _MORE.search(said)
    if found is None or not clauses.asserted or _SEVERAL.search(said) or is_open(said):
        return
    if not (found["sign"] or found["unit"] or "." in found["n"]):
        return
    before, behind = _things(said, known, found)
    if len(before) == len(behind) == 1 and before != behind:
        one, other = _prices(before[0], known), _prices(behind[0], known)
        apart = {abs(a - b) for a in one for b in other}
        line = shown_of(before) or shown_of(behind)
    else:
        told = {one.value for text in (*known.texts, *known.said) for one in amounts_in(text)}
        told |= {price for one in known.records for price in _prices(one, known)}
        # It may be set beside a sum that only the sentence tells: "44 more than your 200 USD budget".
        told |= {one.value for one in amounts_in(said[found.end() :])}
        if len(told) > _FEW:
            return
        if _OF_SEVERAL.match(said):
            # What the sentence before reckoned of a few of one: "That is 1.90 more than one of the other".
            told |= {one * many for one in told for many in range(2, 6)}
        apart = {abs(a - b) for a, b in combinations(told, 2)}
        line = f"No two prices that were read lie {found['n']} apart."
    if apart and not any(_is_near(Decimal(found["n"]), one, found) for one in apart):
        yield line


def _of_the_difference(said: str, clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield the only two things with a price, where the difference of these is said to be another."""
    found = _DIFFERENCE.search(said)
    if found is None or not clauses.asserted or _SEVERAL.search(said) or is_open(said):
        return
    priced = [one for one in known.records if one.stock and any(amounts_in(one.shown))]
    if len(priced) != 2:
        return
    apart = {abs(a - b) for a in _costs(priced[0], known) for b in _costs(priced[1], known)}
    if Decimal(found[1]) not in apart:
        yield "; ".join(one.shown for one in priced)


def of_comparisons(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what is so, where one of two things is said to cost more, and costs less."""
    ways = ((_COSTS, _costs), (_LOWER, _costs), (_RATED, _ratings), (_WEIGHS, _weights))
    yield from _of_one_of_two(clauses, known)
    yield from _of_parts(clauses, known)
    for said, (pattern, values) in product(clauses.asserted, ways):
        found = pattern.search(said)
        if found is None or _NOT.search(said) or is_open(said[: found.start()]):
            continue
        before, behind = _things(said, known, found)
        if len(before) != 1 or len(behind) != 1 or before == behind:
            continue
        one, other = values(before[0], known), values(behind[0], known)
        if (
            values is _costs
            and len(one) == len(other) == 2
            and all("=" in some[0].shown for some in (before, behind))
        ):
            # Of lines of a cart: by the piece, and in all.
            one, other = ({min(one)}, {min(other)}) if _is_same_way(one, other) else (set(), set())
        word = next(word for word in found.groups() if word)
        if one and other and (max(one) < min(other) if word in _UPWARDS else min(one) > max(other)):
            yield "; ".join(filter(None, (shown_of(before), shown_of(behind))))


def _is_same_way(one: set[Decimal], other: set[Decimal]) -> bool:
    """Tell whether one line costs more than another by the piece as well as in all."""
    return (min(one) < min(other)) == (max(one) < max(other))


def _is_near(said: Decimal, apart: Decimal, found: re.Match[str]) -> bool:
    """Tell whether a difference may be told so: to the cent, or rounded where no cents are told."""
    if found["rough"]:
        return abs(said - apart) <= max(apart / 10, Decimal(2))
    return said == apart or ("." not in found["n"] and abs(said - apart) < 1)


def _things(
    said: str, known: Known, found: re.Match[str]
) -> tuple[Sequence[Record], Sequence[Record]]:
    """Return what is named before a comparison, and what behind it."""
    named = [(one.start, one.record) for one in mentioned(said, known)]
    if len({id(record) for _, record in named}) < 2:
        heads = [(place, _called_by(place.group(), some)) for place, some in heads_in(said, known)]
        named += [(place.start(), some[0]) for place, some in heads if len(some) == 1]
        named += _by_first_word(said, known)
    before = {id(record): record for at, record in named if at < found.start()}
    behind = {id(record): record for at, record in named if at >= found.end()}
    return [*before.values()], [*behind.values()]


def _called_by(noun: str, records: Sequence[Record]) -> Sequence[Record]:
    """Return those of several things whose own name ends in a noun, where there are such."""
    stem = stem_of(noun)
    own = [one for one in records if any(stem_of(name).endswith(f" {stem}") for name in one.names)]
    return own or records


def _by_first_word(said: str, known: Known) -> list[tuple[int, Record]]:
    """Return what is called by the first word of its name alone: "the Kestrel"."""
    goods = [one for one in known.records if one.stock]
    firsts = [
        (name.split()[0], one) for one in goods for name in one.names if len(name.split()) > _LEAST
    ]
    words = [word for word, _ in firsts]
    return [
        (found.start(), one)
        for word, one in firsts
        if words.count(word) == 1
        for found in re.finditer(rf"\bthe {re.escape(word)}\b", said)
    ]


def _prices(record: Record, known: Known) -> set[Decimal]:
    """Return what one of a thing costs, or so many of it as are told."""
    ids = {plain(one): price for one, price in known.prices.items()}
    inside = with_hundredths(ids[name] for name in record.names if name in ids)
    return inside | {one.value for one in amounts_in(record.shown)}


def _costs(record: Record, known: Known) -> set[Decimal]:
    shown = {one.value for one in amounts_in(record.shown)}
    # A line of a cart tells what all of it costs.
    counts = () if "=" in record.shown else record.counts
    return {one * many for one in shown for many in (1, *counts)}


def one_called(said: str, known: Known) -> Record | None:
    """Return the one thing that a text calls by its name, its noun or the first word of its name."""
    named = {id(one.record): one.record for one in mentioned(said, known)}
    if not named:
        called = [_called_by(place.group(), some) for place, some in heads_in(said, known)]
        named = {id(one[0]): one[0] for one in called if len(one) == 1}
        named |= {id(one): one for _, one in _by_first_word(said, known)}
    return next(iter(named.values())) if len(named) == 1 else None


def prices_of(record: Record) -> set[Decimal]:
    """Return what one of a thing costs, as it was shown; of a line of a cart nothing."""
    return set() if "=" in record.shown else {one.value for one in amounts_in(record.shown)}


def weights_of(record: Record, known: Known) -> set[Decimal]:
    """Return what a thing weighs in grams, as it was read."""
    return _weights(record, known)


def _of_one_of_two(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what is so, where one of the only two things is said to be more than the other, and is less."""
    priced = [one for one in known.records if one.stock and any(amounts_in(one.shown))]
    if len(priced) != 2:
        return
    for said in clauses.asserted:
        said = _BETTER.sub(r"is \1 rated", said)
        found = _ALONE.search(said)
        if found is None or _NOT.search(said) or is_open(said[: found.start()]):
            continue
        one = one_called(said[: found.start()], known)
        if one is None or all(one is not other for other in priced):
            continue
        [other] = [record for record in priced if record is not one]
        values = _weights if found["alone"] in ("lighter", "heavier") else _costs
        if found["alone"].endswith(" rated"):
            values = _ratings
        mine, others = values(one, known), values(other, known)
        if (
            mine
            and others
            and (max(mine) < min(others) if found["alone"] in _UPWARDS else min(mine) > max(others))
        ):
            yield "; ".join(filter(None, (one.shown, other.shown)))


def _of_parts(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what is so, where one of two things is said to cost half or twice what the other does."""
    for said in clauses.asserted:
        found = _PART.search(said)
        if found is None or _NOT.search(said) or is_open(said[: found.start()]):
            continue
        before, behind = _things(said, known, found)
        if not before and re.search(r"\bit $", said[: found.start()]):
            # "The A is light, but it costs twice what the B does."
            named = {id(one.record): one.record for one in mentioned(clauses.text, known)}
            before = [one for one in named.values() if one not in behind]
        if len(before) != 1 or len(behind) != 1 or before == behind:
            continue
        parts = [a / b for a in _costs(before[0], known) for b in _costs(behind[0], known) if b]
        if parts and not any(_HOLDS[found["part"]](part) for part in parts):
            yield "; ".join(filter(None, (shown_of(before), shown_of(behind))))


def _weights(record: Record, known: Known) -> set[Decimal]:
    rows = (row for text in known.texts for row in _WEIGHED.findall(text))
    return {Decimal(weight) for id_, weight in rows if plain(id_) in record.names}


def _ratings(record: Record, known: Known) -> set[Decimal]:
    return {Decimal(one) for one in _RATING.findall(record.shown)}
