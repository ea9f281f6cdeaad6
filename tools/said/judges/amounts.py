"""Judge the amounts of a sentence: read of what it names, or worked out from what was read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from daybook.tools.said.judges.added_up import (
    PRICED,
    is_by_how_much_they_differ,
    is_of_a_thing,
    is_of_all_named,
    things_in,
    what_follows,
)
from daybook.tools.said.judges.allowed import CLAUSE, FEW_OF, WORKED_OUT, Allowed, part_at
from daybook.tools.said.judges.equations import is_reckoned_beside_it
from daybook.tools.said.known import Known
from daybook.tools.said.rows import Record, with_hundredths
from daybook.tools.said.spoken_of import (
    Mentioned,
    heads_in,
    is_of_what_went_before,
    mentioned,
    shown_of,
)
from daybook.tools.said.text import Amount, amounts_in, plain

_VAGUE = re.compile(
    r"\d\s?%|(?<!~)~\s?[$€£\d]|\d\+|\b(?:percent|tax|vat|discount|approximately|not quite|not even|about|around|roughly|nearly|almost|circa|(?:shy|short|north|south|upwards) of|"
    r"close to|closer to|near(?:er)?(?: to)?|in the (?:range|region|area|neighbou?rhood) of|some|give or take|or so|ballpark|up to|under|over|below|above|between|less than|more than|limit|budget)\b",
    re.IGNORECASE,
)
"""In a sentence whose amounts are bounds or estimates."""
_SUM = r"[$€£]?(?<![\d.])\d[\d,]*(?:\.\d\d)?(?: (?:USD|dollars))?"
_FROM_TO = re.compile(
    rf"\bbetween (?:about |around )?{_SUM} and {_SUM}(?![\d.]*\d)|{_SUM}(?:[-–—]| (?:–|to|through|till|up to) ){_SUM}(?![\d.]*\d)",
    re.IGNORECASE,
)
"""From one amount to another: what lies between them is meant, and neither is a price."""
_BOUND = re.compile(
    r"\b(?:up to|under|below|over|above|limit|budget|closer to|near(?:er)?(?: to)?|in the (?:range|region|area|neighbou?rhood) of)\b",
    re.IGNORECASE,
)
"""In a sentence whose amounts are what a person has named."""
_NEAR = 36
"""Characters before an amount in which it may be said to be worked out."""
_ABOUT = re.compile(
    r"\b(?:is|are|was|were|costs?|costing|back|for|at|comes? to|makes?|price(?:d| of)?|be)(?: at)? (?:about|around|roughly|nearly|almost|some|approximately|close to|circa|maybe)[\s*$€£]*$",
    re.IGNORECASE,
)
_NEAR_ROUND, _NEAR_EXACT = Decimal("0.12"), Decimal("0.02")
_TOGETHER = re.compile(r"\b(?:together|combined|in total|altogether)\b", re.IGNORECASE)
_WHOLE = re.compile(r"\b(?:all|everything|whole|total|entire)\b", re.IGNORECASE)
_OFF_IT = re.compile(r"[\d.,]+ ?(?:dollars|bucks|euros|usd)? off\b", re.I)
"""Is taken off a price: what it makes is judged, and whether anybody does so elsewhere."""
_IF_IT_WERE = re.compile(r"\bif\b.*\bwere\b", re.I)
_WERE_IT_OFF = re.compile(
    r"(?:USD |[$€£])?[\d.,]+ ?(?:dollars|bucks|euros|usd)? ?(?:off|cheaper|dearer|less|more)\b",
    re.I,
)
"""What somebody supposes to be taken off a price, or put on it."""
_ONLY_IN_IT = re.compile(r"\([^()]*$")
_DIFFERS = re.compile(
    r"^[\s*]*(?:USD )?(?:more|less|cheaper|dearer|extra|off|difference|refund|total|back|in total|saved|saving|you(?:'d| would|'ll| will)? (?:\w+ )?(?:save|saved|keep|kept)|for (?:both|all|two|the two)|left|to spare)\b",
    re.I,
)
_BESIDE = re.compile(
    r"\b(?:than|versus|vs\.?|compared (?:to|with)|as against|rather than)(?: (?:the|your))?[\s*$€£]*$",
    re.IGNORECASE,
)
"""Stands before an amount with which what is named is compared."""
_WITH = re.compile(r"\bwith[\s*$€£]*$", re.IGNORECASE)
_COULD = re.compile(
    r"^[\s*,]*(?:USD |dollars |bucks )?(?:to spend|you(?:'d| can| could|'ll| will) (?:be able to )?(?:get|buy|afford|have|take|choose))\b",
    re.IGNORECASE,
)
"""Stands before and behind what somebody could spend: "with 100 USD you could get any of these"."""
_FOR = re.compile(r"\bfor[\s*$€£]*$", re.IGNORECASE)
_SIGNED = re.compile(r"(?:^|[\s(|:*,])[+\u2212±][\s*]*[$€£]?(?:USD )?$|(?:^|[\s(|:*])[-–][$€£]$")
"""Before an amount by which something differs: "+$9.40"."""
_CHOOSE = re.compile(
    r"^[\s*,]*(?:USD |dollars )?(?:there are|you have) \w+ (?:\w+ )?to choose\b", re.I
)
_BY = re.compile(r"(?:est|er) by(?: just| only| exactly)?[\s*$€£]*$", re.I)
"""Stands before by how much one of several is the cheapest."""
_IF = re.compile(r"\b(?:if|suppose|supposing|say|were|should)\b", re.IGNORECASE)
_MOVED_BY = re.compile(
    r"\b(?:fell|dropped|rose|went (?:up|down)|increased|decreased|came down|reduced|lowered|raised|cut) by[\s*$€£]*\d",
    re.IGNORECASE,
)
"""Tells by how much a price changes, or is supposed to."""
_SO_MANY = re.compile(r"\b(?:two|three|four|[2-4])\b", re.IGNORECASE)
_FOR_EXAMPLE = re.compile(
    r"\ban? [$€£]?(\d[\d,]*(?:\.\d\d)?)(?: ?(?:USD|dollars?|euros?|bucks))? (?:item|order|product|purchase|article|thing|parcel|basket|cart|budget)\b|"
    r"\b(?:if|say|when|whether) (?:something|anything|an? [a-z]+|one|it|the [a-z]+)(?:'s| costs?| cost| is| was| were)?(?: priced)?(?: at| only| just)? [$€£](\d[\d,]*[05](?:\.00)?)(?![.\d])|"
    r"(?<!is )(?<!'s )(?<!was )\ban? [$€£](\d*[05]) [a-z]+|"
    r"\b(?:could|would|even|if)\b.{0,40}\ban? (?:single )?[$€£](\d*[05]) [a-z]+",
    re.IGNORECASE,
)
"""What something would cost that nobody means: "a $20 item costs $20"."""
_SAVES = re.compile(r"\bsav(?:e|es|ed|ing)(?: you)?[\s*$€£]*(?:USD )?$", re.I)
"""Stands before by how much less one thing costs than another."""
_AVERAGE = re.compile(
    r"\b(?:average|mean|median)(?: (?!is\b|of \d)[\w' ]{1,40}?)?(?: of| is|:| comes (?:out )?(?:to|at)| works out (?:to|at))?[\s*$€£]*$",
    re.IGNORECASE,
)
"""Stands before what several cost on average, which is reckoned of nothing that was read."""


def of_amounts(text: str, about: Sequence[Mentioned], allowed: Allowed) -> Iterator[str]:
    """Yield what is so, for each amount of a sentence that does not follow from what is known."""
    amounts = [*{one.value: one for one in amounts_in(text)}.values()]
    yield from _of_estimates(text, amounts, about, allowed)
    yield from _of_both(text, amounts, about, allowed)
    ranges = [one.span() for one in _FROM_TO.finditer(text)]
    amounts = [
        one
        for one in amounts
        if not (any(start <= one.start < end for start, end in ranges) and allowed.as_bound(one))
    ]
    if _VAGUE.search(text):
        amounts = [one for one in amounts if _BOUND.search(text) and not allowed.as_bound(one)]
    supposed = {
        Decimal(next(filter(None, some)).replace(",", "")) for some in _FOR_EXAMPLE.findall(text)
    }
    amounts = [one for one in amounts if one.value not in supposed]
    records = [one.record for one in about]
    off = _WERE_IT_OFF if _IF_IT_WERE.search(text) else _OFF_IT
    amounts = [one for one in amounts if not off.match(text[one.start :])]
    things = [one for one in about if not one.record.statuses and is_of_a_thing(one)]
    priced = [things[0].record] if len({id(one.record) for one in things}) == 1 else []
    is_told = False
    heads = _called_in(text, allowed.known) if len(amounts) > 1 else []
    for amount in amounts:
        # A second price may be that of a thing that nobody knows.
        if is_of_what_went_before(text, amount.start, about) and (
            amount.value in allowed.known.figures
        ):
            continue
        if _is_of_what_it_is_called(text, amount, records, allowed.known):
            continue
        is_price = bool(priced) and not is_told and _is_a_price(text, amount)
        is_told = is_told or is_price
        holds = allowed.as_price(amount.value, priced[0]) if is_price else True
        if not amount.value or is_reckoned_beside_it(text, amount):
            continue
        if _SIGNED.search(text[: amount.start]) and allowed.is_apart(amount.value):
            continue
        if is_by_how_much_they_differ(text, amount, allowed):
            continue
        if is_of_all_named(text, amount, allowed):
            continue
        if _AVERAGE.search(text[: amount.start]) or _is_to_be_spent(text, amount, allowed):
            continue
        if _BESIDE.search(text[: amount.start]) and amount.value in allowed.known.figures:
            # The other half of a comparison is another thing's.
            continue
        apart = _DIFFERS.match(what_follows(text, amount)) or _BY.search(text[: amount.start])
        apart = apart or _SAVES.search(text[: amount.start])
        if _IF.search(text) and _MOVED_BY.search(text):
            continue
        is_of_several = _SO_MANY.search(text) is not None
        if apart is not None and allowed.is_between(
            amount.value, records, is_of_several=is_of_several
        ):
            continue
        if (
            records
            and not is_price
            and allowed.is_of_another(amount, amounts, records, heads, text)
        ):
            continue
        if not (holds and allowed.of(amount.value, records, text)):
            yield _price_of(amount, priced if is_price else records)


def _is_of_what_it_is_called(
    text: str, amount: Amount, records: Sequence[Record], known: Known
) -> bool:
    """Tell whether an amount is of what a noun calls nearest before it: "poles at 108.90 USD"."""
    part = part_at(text, amount.start)
    if mentioned(part, known):
        return False
    others = [one for one in _called_in(part, known) if all(one is not own for own in records)]
    if any(amount.value == one.value for record in others for one in amounts_in(record.shown)):
        return True
    before = plain(text[: amount.start])
    heads = heads_in(before, known)
    if not heads or len(heads[-1][1]) != 1:
        return False
    place, [nearest] = heads[-1]
    if any(one.start > place.start() for one in mentioned(before, known)):
        return False
    return all(nearest is not own for own in records) and amount.value in _costs_of(nearest, known)


def _costs_of(record: Record, known: Known) -> frozenset[Decimal]:
    """Return what one of a thing costs, and so many as there are of it."""
    ids = {plain(one): price for one, price in known.prices.items()}
    costs = with_hundredths(ids[name] for name in record.names if name in ids)
    costs |= {one.value for one in amounts_in(record.shown)}
    return frozenset(one * many for one in costs for many in (1, *record.counts))


def _called_in(text: str, known: Known) -> list[Record]:
    """Return what may be called by the nouns of a text."""
    return [one for _, some in heads_in(plain(text), known) for one in some]


def _of_estimates(
    text: str, amounts: Sequence[Amount], about: Sequence[Mentioned], allowed: Allowed
) -> Iterator[str]:
    """Yield what a thing costs, where it is said to cost about what is far from it."""
    records = {id(one.record): one.record for one in things_in(text, about, allowed.known)}
    if len(records) != 1:
        return
    [record] = records.values()
    costs = {one.value for one in amounts_in(record.shown)}
    costs |= {cost * many for cost in costs for many in (*record.counts, *range(2, 6))}
    for amount in amounts:
        before = text[: amount.start]
        if _DIFFERS.match(what_follows(text, amount)):
            continue
        if _ABOUT.search(before) and not WORKED_OUT.search(CLAUSE.split(before)[-1]):
            near = _NEAR_ROUND if amount.value == amount.value.to_integral_value() else _NEAR_EXACT
            if costs and not any(abs(cost - amount.value) <= cost * near for cost in costs):
                yield record.shown


def _of_both(
    text: str, amounts: Sequence[Amount], about: Sequence[Mentioned], allowed: Allowed
) -> Iterator[str]:
    """Yield what two things cost, where they are said to cost another sum together."""
    records = [
        *{id(one.record): one.record for one in things_in(text, about, allowed.known)}.values()
    ]
    if len(records) != 2 or len(amounts) != 1 or not _TOGETHER.search(text) or _VAGUE.search(text):
        return
    told = amounts[0].value
    if told in allowed.known.loose and _WHOLE.search(text):
        # The total that was read of all that there is.
        return
    first, second = ({one.value for one in amounts_in(record.shown)} for record in records)
    sums = {a * m + b * n for a in first for b in second for m in FEW_OF for n in FEW_OF}
    if first and second and told not in sums and told == told.quantize(Decimal("0.01")):
        yield "; ".join(record.shown for record in records)


def _is_to_be_spent(text: str, amount: Amount, allowed: Allowed) -> bool:
    """Tell whether an amount is what somebody could spend, and nothing's price."""
    before, behind = text[: amount.start], what_follows(text, amount)
    has_it = (_WITH.search(before) and _COULD.match(behind)) or (
        _FOR.search(before) and _CHOOSE.match(behind)
    )
    return has_it is not None and allowed.as_bound(amount)


def _is_a_price(text: str, amount: Amount) -> bool:
    """Tell whether an amount is said to be a price, whatever else of its sentence is worked out."""
    before, behind = text[: amount.start], what_follows(text, amount)
    if _DIFFERS.match(behind):
        return False
    enclosed = _ONLY_IN_IT.search(before)
    if enclosed is not None and re.match(r"[\s*]*\)", behind):
        return before.count("(") == 1 and WORKED_OUT.search(before) is None
    near = CLAUSE.split(before)[-1][-_NEAR:]
    return PRICED.search(before) is not None and WORKED_OUT.search(near) is None


def _price_of(amount: Amount, records: Sequence[Record]) -> str:
    shown = shown_of([one for one in records if any(amounts_in(one.shown))])
    return shown or f"{amount.shown} stands in nothing that was read or done."
