"""Hold an answer against what is known, sentence by sentence. What cannot be judged passes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import combinations, pairwise
from typing import TypeAlias

from daybook.tools.said.effects import Claim, claims_in
from daybook.tools.said.grammar import KIN, KINDS, SHIPPED, STILL_OPEN, Kind
from daybook.tools.said.known import Effect, Known, Record
from daybook.tools.said.mentions import held_in, mentions_in
from daybook.tools.said.text import (
    SOLD_OUT,
    Amount,
    Sentence,
    amounts_in,
    bounded,
    is_row,
    measures_in,
    plain,
    ratings_in,
    sentences_in,
    stock_in,
)

_MARK_ALONE = re.compile(r"^\s*(?:[-*•–+]|\d+[.)])\s*$")

_JUDGED = 12_000
"""Characters of an answer that are judged: a hostile one must not keep others waiting."""

_MOST_OF_ONE = 20
_FEW = 60
"""Numbers of which every sum and difference of two is reckoned."""

_MOST_RECKONED = 20_000
"""Sums and differences that are reckoned for one amount."""

_LEAST_AMOUNT = 100

_MANY = 512
"""Sums of what effects named of which every difference of two is reckoned."""

_MOST_ADDED = 10
"""Amounts of one answer of which every sum is reckoned."""

_CODE = re.compile(
    r"(?<![\w/.@-])#?[^\W\d_]{1,8}-?(?:[^\W_]+-)*\d{3,}(?:-[^\W_]+)*(?![\w@]|\.\w|-\w)|(?<!\w)#\w*\d{4,}\b",
    re.UNICODE,
)
_NAMED = re.compile(r"(?<![\w/.@-])[a-z]{2,}_(?:[a-z0-9]+_)*\d+\b")
_BETWEEN = re.compile(
    r"^[\s*_`|:(\[\])–—-]{0,4}(?:(?:\w+ ){0,3}(?:id|sku|no|number)[\s:*`#.]{1,4})?[\s(\[#`*]{0,3}$"
)
_REFERS = re.compile(r"\b(?:it|its|it's|that one|this one|they)\b", re.IGNORECASE)
_VAGUE = re.compile(
    r"\d\s?%|(?<!~)~\s?[$€£\d]|\d\+|\b(?:percent|tax|vat|discount|approximately|about|around|roughly|up to|under|"
    r"over|below|above|between|less than|more than|limit|budget)\b",
    re.IGNORECASE,
)
"""In a sentence whose amounts are bounds or estimates."""

_BOUND = re.compile(r"\b(?:up to|under|below|over|above|limit|budget)\b", re.IGNORECASE)
"""In a sentence whose amounts are what a person has named."""

_RECKONED = re.compile(
    r"\b(?:more|less|cheaper|dearer|without|leaves?|differences?|save[sd]?|saving|totals?|together|both|left|sum|in all|"
    r"extra|plus|minus|off|each|refund(?:ed)?|balance|pay|additional|charged?|combined|overall|net|"
    r"remaining|add(?:s|ed)? up|altogether|credit(?:ed)?|amount)\b|[=+]",
    re.IGNORECASE,
)
"""In an answer that may tell what was worked out from what was read."""

_WORKED_OUT = re.compile(
    r"\d (?:\w+ )?(?:more|less|cheaper|dearer)\b|\b(?:differences?|save[sd]?|saving|totals?|together|both|"
    r"left|sum|in all|extra|plus|minus|off|each|refund(?:ed)?|balance|additional|charged?|combined|overall|"
    r"net|remaining|altogether|credit(?:ed)?|adjust\w*|without|leaves?)\b|[=+]",
    re.IGNORECASE,
)
"""In a sentence that tells what was worked out of more than the one thing that it names."""

_WEEKDAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE)

_COUNTED = r"(?:(?:pairs?|pieces?|units?|of|x|×|the|your|more)\s+)*"
_IN_CART = re.compile(
    r"\b(?:cart|basket|added|order(?:ed)?|bought|have now|contains?|holds?|quantity|qty)\b",
    re.IGNORECASE,
)
_WORTH = {
    word: n
    for n, word in enumerate(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ],
        1,
    )
}
_NUMERAL = rf"\d{{1,3}}|{'|'.join(_WORTH)}"
_SO_MANY_ORDERS = re.compile(
    r"\byou(?:'ve| have)?(?: got| placed| made)? (\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten) "
    r"(?:open |active |placed |pending )?orders?\b",
    re.IGNORECASE | re.ASCII,
)

_NO_ORDER = re.compile(
    r"\b(?:no orders?|(?:n't|not|never) (?:yet )?(?:placed|ordered|made) (?:any|an order|anything)|"
    r"nothing (?:was|has been) ordered|never ordered)\b",
    re.IGNORECASE,
)
"""Says that there never was an order."""

_STANDS = frozenset({"placed", "shipped", "delivered", "pending", "processed", "open", "returned"})
"""Statuses of what was ordered, and not cancelled."""

_SPOKEN_OF = re.compile(
    r"\b(?:if|would|could|can|may|want|like|shall|should|instead|or|asked|wanted|requested|only)\b|\?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Untrue:
    """A sentence of an answer that contradicts what is known.

    Attributes:
        start, end: where it stands in the answer.
        so: what is so, in one line.
    """

    text: str
    start: int
    end: int
    so: str


Denial: TypeAlias = Callable[[str, Sequence[frozenset[str]]], str]
"""What a domain itself knows of a sentence, and of the names of all that it mentions.

It returns what is so where the sentence contradicts it, else "".
"""


def untrue_in(
    answer: str, known: Known, denied: Denial = lambda sentence, names: ""
) -> list[Untrue]:
    """Find the sentences of an answer that contradict what is known, in order.

    Args:
        denied: asked about each sentence that contradicts nothing else.

    Example:
        >>> [one.so for one in untrue_in("Your order DB-12345678 is on its way.", Known())]
        ['DB-12345678 stands in nothing that was read or done.']
    """
    answer = bounded(answer, _JUDGED)
    allowed = _Allowed(known, answer)
    found, subject = list[Untrue](), list[_Mentioned]()
    for sentence in sentences_in(answer):
        about = _mentioned(sentence.text, known)
        if sentence.begins and not is_row(sentence.text):
            subject = []
        if not about and _REFERS.search(sentence.text):
            about = subject or _only_one(known)
        subject = about if len({one.name for one in about}) == 1 else []
        so = next(_complaints(sentence, about, known, allowed), "")
        so = so or denied(sentence.text, [one.record.names for one in about])
        if so:
            found.append(Untrue(sentence.text, sentence.start, sentence.end, so))
    return found


def corrected(answer: str, untrue: Sequence[Untrue]) -> str:
    """Return what is so, and behind it the answer without the sentences that contradict it."""
    so, kept, at = list(dict.fromkeys(one.so for one in untrue)), list[str](), 0
    for line in answer.split("\n"):
        end = at + len(line)
        gone = [one for one in untrue if at <= one.start < end]
        left, start = "", at
        for one in gone:
            left += answer[start : one.start]
            start = one.end
        left = (left + answer[start:end]).rstrip()
        # A row whose words are gone goes with its mark.
        if not gone or _MARK_ALONE.sub("", left).strip():
            kept.append(left if gone else line)
        at = end + 1
    rest = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip() if untrue else answer
    return "\n\n".join([*so, *([rest] if rest else [])])


# -- what is mentioned ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Mentioned:
    record: Record
    name: str
    start: int
    end: int


def _only_one(known: Known) -> list[_Mentioned]:
    """Return the one thing with a stock that was read, where there is no other."""
    goods = [record for record in known.records if record.stock]
    return [_Mentioned(goods[0], "", 0, 0)] if len(goods) == 1 else []


def _mentioned(text: str, known: Known) -> list[_Mentioned]:
    """Find the records that a text names, longest names first, in the order of the text."""
    said = plain(text)
    found: list[_Mentioned] = []
    for name in sorted(known.by_name, key=len, reverse=True):
        if name not in said:
            continue
        for place in re.finditer(rf"(?<![\w]){re.escape(name)}(?:e?s)?(?![\w])", said):
            if any(place.start() < one.end and one.start < place.end() for one in found):
                continue
            found += [
                _Mentioned(record, name, place.start(), place.end())
                for record in known.by_name[name]
            ]
    return sorted(found, key=lambda one: one.start)


# -- complaints -----------------------------------------------------------------------------------


def _complaints(
    sentence: Sentence, about: Sequence[_Mentioned], known: Known, allowed: _Allowed
) -> Iterator[str]:
    """Yield what is so, for each thing in a sentence that is not."""
    yield from _of_effects(sentence, known)
    yield from _of_orders(sentence.text, known)
    yield from _of_codes(sentence.text, known)
    yield from _of_pairs(sentence.text, about)
    yield from _of_amounts(sentence.text, about, known, allowed)
    yield from _of_stock(sentence.text, about, known)
    yield from _of_counts(sentence.text, about)
    yield from _of_days(sentence.text, known)


def _of_effects(sentence: Sentence, known: Known) -> Iterator[str]:
    if any(plain(sentence.text).rstrip(".") in line for line in known.lines):
        return
    kinds = known.kinds
    if any(kind.name == "order" for kind in kinds):
        kinds = (*kinds, SHIPPED, *(one for one in KINDS if one.name == "exchange"))
    now = [one for one in known.effects if one.is_now]
    if (
        STILL_OPEN.search(sentence.text)
        and now
        and not any(one.outcome in ("open", "in doubt") for one in now)
    ):
        yield _told(now[-1], now[-1].kind)
    # What is said in no words of a kind is judged last.
    for claim in sorted(claims_in(sentence, kinds), key=lambda one: one.is_vague):
        so = _judged_in_general(claim, known)
        if claim.kind is not None:
            so = _judged(claim, claim.kind, sentence.text, known)
        if so is not None:
            yield so


def _judged_in_general(claim: Claim, known: Known) -> str | None:
    """Say what is so where all that was asked for is said to be done, and was not."""
    now = [one for one in known.effects if one.is_now]
    if claim.is_earlier:
        return None
    if claim.is_vague and not now:
        return _of_no_deal(known) if claim.is_past else None
    if not claim.is_done:
        done = [one for one in now if one.succeeded]
        whole = done and all(one.outcome == "done" for one in now)
        return _told(done[0], done[0].kind) if whole else None
    if now and not any(one.succeeded for one in now):
        return _told(now[0], now[0].kind)
    return None


def _of_no_deal(known: Known) -> str | None:
    """Say that nothing was ordered, where no order is known at all."""
    order = next((kind for kind in known.kinds if kind.name == "order"), None)
    if order is None or any(one.outcome != "open" for one in known.effects):
        return None
    is_told = any(record.statuses for record in known.records) or _is_told_elsewhere(order, known)
    return None if is_told else f"Nothing was {order.undone}."


def _judged(claim: Claim, kind: Kind, text: str, known: Known) -> str | None:
    """Say what is so where a claim of an effect contradicts it."""
    of_kind = KIN.get(kind.name, frozenset({kind.name})) if claim.is_done else {kind.name}
    same = [one for one in known.effects if one.kind.name in of_kind]
    named = _named_ids(text, known)
    if (so := _of_status(claim, kind, text, named, known)) is not None:
        return so or None
    of_it = [one for one in same if named & one.ids]
    now = [one for one in same if one.is_now and one.outcome != "open"] or [
        one for one in same if one.is_now
    ]
    if claim.is_done:
        if any(one.outcome == "done" for one in (of_it or same)) and not _failed_now(now, claim):
            return None
        if of_it:
            return _told(of_it[-1], kind)
        if now and not claim.is_earlier:
            return None if any(one.outcome == "done" for one in now) else _told(now[-1], kind)
        if not claim.is_earlier and same and not _is_told_elsewhere(kind, known):
            return _told(same[-1], kind)
        is_told = _is_told_elsewhere(kind, known)
        if kind.name == "refund" and not now:
            # What was cancelled before is refunded.
            is_told |= any("cancelled" in record.statuses for record in known.records)
        return None if is_told else f"Nothing was {kind.undone}."
    judged = of_it or now
    if not judged and kind.name == "order" and _NO_ORDER.search(text) and not codes_in(text):
        placed = [one for one in known.records if "placed" in one.statuses]
        return _shown(placed) or None
    if judged and any(one.outcome in ("done", "in doubt") for one in judged):
        bad = next(one for one in judged if one.outcome in ("done", "in doubt"))
        if bad.outcome == "in doubt" or all(one.outcome == "done" for one in judged):
            return _told(bad, kind)
    return None


def _of_status(
    claim: Claim, kind: Kind, text: str, named: frozenset[str], known: Known
) -> str | None:
    """Judge a claim by the status of what it names, where no effect here was of that.

    Returns what is so, "" where the claim agrees, and None where that does not tell.
    """
    codes = [code.lower().lstrip("#") for code in _CODE.findall(text)]
    others = [code for code in codes if code not in named]
    records = [one for code in others for one in known.by_name.get(plain(code), ())]
    records = [one for one in records if one.statuses]
    if named or not records:
        return "" if others and not claim.is_done else None
    says = any(set(kind.done) & record.statuses for record in records)
    if kind.name not in ("order", "cancel", "return") or says == claim.is_done:
        return ""
    if kind.name == "order" and any(_STANDS & record.statuses for record in records):
        return ""
    return _shown(records) or f"{codes[0]}: {', '.join(sorted(records[0].statuses))}."


def _failed_now(now: Sequence[Effect], claim: Claim) -> bool:
    """Tell whether what is claimed was tried in this turn, and not done."""
    return bool(now) and not claim.is_earlier and all(one.outcome != "done" for one in now)


def _told(effect: Effect, kind: Kind) -> str:
    why = f": {effect.line}" if effect.line else "."
    match effect.outcome:
        case "done":
            return effect.line or f"It was {kind.undone}."
        case "in doubt":
            return f"It is in doubt whether anything was {kind.undone}{why}"
        case "undone":
            return f"What was {kind.undone} was undone{why}"
        case _:
            return f"Nothing was {kind.undone}{why}"


def _is_told_elsewhere(kind: Kind, known: Known) -> bool:
    """Tell whether something that was read says that such a thing was done."""
    forms = re.compile(rf"\b(?:{'|'.join(map(re.escape, kind.told))})\b", re.IGNORECASE)
    return any(forms.search(text) for text in known.texts)


def codes_in(text: str) -> list[str]:
    """Return the identifiers that a text names by their form."""
    return _CODE.findall(text)


def _named_ids(text: str, known: Known) -> frozenset[str]:
    words = held_in(text).words
    return frozenset(one for effect in known.effects for one in effect.ids if one in words)


def _of_orders(text: str, known: Known) -> Iterator[str]:
    """Find another number of orders than was read."""
    found = _SO_MANY_ORDERS.search(text)
    orders = [record for record in known.records if record.statuses]
    if found is None or not orders:
        return
    said = _WORTH.get(found.group(1).lower()) or int(found.group(1))
    counts = {len(orders), *(sum(one in r.statuses for r in orders) for one in _STANDS)}
    if said not in counts:
        yield (
            "; ".join(record.shown for record in orders if record.shown) or f"{len(orders)} orders."
        )


def _of_codes(text: str, known: Known) -> Iterator[str]:
    for code in (*_CODE.findall(text), *_NAMED.findall(text)):
        small = code.lower().lstrip("#")
        if small not in known.words and not any(small in word for word in known.words):
            yield f"{code} stands in nothing that was read or done."


def _of_pairs(text: str, about: Sequence[_Mentioned]) -> Iterator[str]:
    """Find a name beside an id that is another thing's."""
    said = plain(text)
    for one, other in pairwise(about):
        if one.record is other.record or not (_has_both(one.record) and _has_both(other.record)):
            continue
        if one.end <= other.start and _BETWEEN.match(said[one.end : other.start]):
            is_id = [any(map(str.isdigit, name.name)) for name in (one, other)]
            if is_id[0] != is_id[1]:
                shown = [name.record.shown for name in (one, other) if name.record.shown]
                yield "; ".join(shown) or f"{one.name} and {other.name} are not the same."


def _has_both(record: Record) -> bool:
    """Tell whether a record has a name and an id."""
    return len({any(map(str.isdigit, name)) for name in record.names}) == 2


def _of_amounts(
    text: str, about: Sequence[_Mentioned], known: Known, allowed: _Allowed
) -> Iterator[str]:
    amounts = [*{one.value: one for one in amounts_in(text)}.values()]
    if _VAGUE.search(text):
        amounts = [one for one in amounts if _BOUND.search(text) and not allowed.as_bound(one)]
    records = [one.record for one in about]
    for amount in amounts:
        if not allowed.of(amount.value, records, text):
            yield _price_of(amount, records, known)


def _price_of(amount: Amount, records: Sequence[Record], known: Known) -> str:
    shown = _shown([one for one in records if any(amounts_in(one.shown))])
    return shown or f"{amount.shown} stands in nothing that was read or done."


def _of_stock(text: str, about: Sequence[_Mentioned], known: Known) -> Iterator[str]:
    """Find figures of a thing that were read of none: in stock, of its reviews, of its measures."""
    records = [one.record for one in about]
    figures = frozenset[Decimal]().union(*(one.figures for one in records)) or known.figures
    stock = {one for record in records for one in record.stock}
    if not records and not known.records:
        return
    for number, words in stock_in(text):
        there = {Decimal(one) for one in stock} or figures
        counts = {count for record in records for count in record.counts}
        if number and Decimal(number) not in there and number not in counts:
            yield _shown(records) or f"“{words}” was read nowhere."
    if stock and min(stock) > 0 and SOLD_OUT.search(text) and not _SPOKEN_OF.search(text):
        yield _shown(records) or f"In stock: {min(stock)}."
    for rating, words in ratings_in(text):
        if rating not in figures and (records or rating != rating.to_integral_value()):
            yield _shown(records) or f"“{words}” was read nowhere."
    for measure, words in measures_in(text):
        if not {measure, measure * 1000, measure / 1000, measure * 10} & known.figures and records:
            yield _shown(records) or f"“{words}” was read nowhere."


def _shown(records: Sequence[Record]) -> str:
    return next((one.shown for one in records if one.shown), "")


def _of_counts(text: str, about: Sequence[_Mentioned]) -> Iterator[str]:
    """Find a quantity of something of which the state holds another one."""
    if _SPOKEN_OF.search(text):
        return
    is_of_cart = _IN_CART.search(text) is not None
    said = plain(text)
    for one in about:
        if not one.record.counts:
            continue
        before = re.search(
            rf"(?<![\w.,-])({_NUMERAL})\s*(?:x|×)?\s+{_COUNTED}[\s*(\[]*$", said[: one.start]
        )
        behind = re.match(
            rf"[\s)*\]]*(?:\([^)]*\)\s*)?(?:x|×|quantity:?|qty:?|\(x|\(×|\|(?=\s*\d+\s*\|))\s*({_NUMERAL})\b",
            said[one.end :],
        )
        for found in (before, behind):
            if found is None or not (is_of_cart or found is behind):
                continue
            number = _WORTH.get(found.group(1)) or int(found.group(1))
            if (
                is_row(text)
                and found is before
                and said[: one.start].strip().rstrip(".)").isdigit()
            ):
                continue
            if number not in one.record.counts:
                yield one.record.shown or f"{one.name}: {', '.join(map(str, one.record.counts))}"


def _of_days(text: str, known: Known) -> Iterator[str]:
    held = held_in(text)
    iso = {
        one.text
        for one in mentions_in(re.findall(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)", text))
        if one.sort == "date"
    }
    for date in iso:
        if date not in known.words and (int(date[5:7]), int(date[8:10])) not in known.days:
            yield f"The date {date} stands in nothing that was read or said."
    weekdays = {day.lower() for day in _WEEKDAY.findall(text)}
    if weekdays and not _SPOKEN_OF.search(text) and not weekdays & known.words:
        yield "Nothing that was read tells of such a day."
    if held.days and not held.days & known.days and "/" not in text:
        yield "No such date was read or said."


# -- amounts --------------------------------------------------------------------------------------


class _Allowed:
    """The amounts that follow from what is known: as they stand, reckoned, or added up."""

    def __init__(self, known: Known, answer: str) -> None:
        self._known = known
        self._amounts = [one.value for one in amounts_in(answer)]
        self._told = frozenset(value for value in self._amounts if value in known.figures)
        self._said = frozenset(figure for text in known.said for figure in held_in(text).figures)
        loose = frozenset(one for one in known.loose if not _is_a_count(one))
        self._beside = (self._said | loose) - {Decimal(0)}
        self._reckons = _RECKONED.search(answer) is not None
        self._others = (self._told | self._said | loose) - {Decimal(0)}

    @cached_property
    def _sums(self) -> frozenset[Decimal]:
        """Return what amounts of the answer add up to: each row of it, and their total."""
        few = self._amounts[:_MOST_ADDED]
        return frozenset(
            sum(some, Decimal(0))
            for size in range(2, len(few) + 1)
            for some in combinations(few, size)
        )

    @cached_property
    def _acted_on(self) -> frozenset[Decimal]:
        """Return what the things cost that effects named: each, some of them, and differences."""
        sums = {Decimal(0)}
        for effect in self._known.effects:
            prices = [self._known.prices[one] for one in effect.ids if one in self._known.prices]
            for price in sorted(prices)[:_MOST_ADDED]:
                if len(sums) <= _MANY:
                    sums |= {price + other for other in sums}
        apart = (
            {abs(one - other) for one, other in combinations(sums, 2)}
            if len(sums) <= _MANY
            else set()
        )
        return frozenset(sums | apart) - {Decimal(0)}

    def as_bound(self, amount: Amount) -> bool:
        """Tell whether an amount may be said as a bound: a round one, or one that is known."""
        return amount.value % 5 == 0 or amount.value in self._known.figures

    def of(self, value: Decimal, records: Sequence[Record], text: str) -> bool:
        """Tell whether an amount may be said of these records; of any without one.

        Args:
            text: the sentence that says it.
        """
        own = frozenset[Decimal]().union(*(record.figures for record in records))
        is_worked_out = _WORKED_OUT.search(text) is not None
        if own and value in self._known.figures:
            # Where nothing is worked out, it is another thing's.
            return is_worked_out or value in own or value in self._beside
        own = own or self._known.figures
        if value in own or value in self._beside:
            return True
        if value in self._sums or value in self._acted_on:
            return True
        prices = frozenset(one for one in own if not _is_a_count(one))
        if not (self._reckons if not records else is_worked_out):
            return any(value / count in prices for count in range(2, _MOST_OF_ONE + 1))
        if any(value / count in prices for count in range(2, _MOST_OF_ONE + 1)):
            return True
        others = self._others | (prices if not records and len(prices) <= _FEW else frozenset())
        if len(own) > _FEW:
            own &= others
        if len(own) * len(others) > _MOST_RECKONED:
            own &= self._told
        return any(
            value == one + other or value == abs(one - other)
            for one in own - {Decimal(0), value}
            for other in others - {value}
        )


def _is_a_count(number: Decimal) -> bool:
    """Tell a count, or a place in a list, from what may be an amount."""
    return number < _LEAST_AMOUNT and number == number.to_integral_value()
