"""Judge how many of a thing a sentence tells: in the cart, in an order, or left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.judges.changed import changed_by
from daybook.tools.said.known import Known
from daybook.tools.said.numbers import SMALL, bound_of
from daybook.tools.said.rows import Record
from daybook.tools.said.spoken_of import heads_in, mentioned, only_one
from daybook.tools.said.text import is_choice, plain

_WORTH: Final = {
    **SMALL,
    "both": 2,
    "half a dozen": 6,
    "a dozen": 12,
    "a couple of": 2,
    "a single": 1,
}
_NUMERAL: Final = rf"\d{{1,3}}|{'|'.join(_WORTH)}"
_OF_IT: Final = re.compile(
    r"(?:person|man|men|season|layer|burner|litre|liter|minute|star|day|hour|inch|mm|cm|g|kg|way|times?|percent|%|usd|"
    r"dollars?|customers?|reviews?|reviewers?|people|persons|buyers?|folks|hikers?|owners?|users?|gave|give|gives|rated?|rates|love|loved|like|liked|praised?|mention(?:ed|s)?|say|said|found|find|call(?:ed)?|lines?|items?|pieces|things|rows?|products?|entries|for|at|in|is|are|was|of the two|and|or|plus|than|by|with|from|to|the other)\b"
)
"""Between a number and a thing: it counts something else."""

_BEFORE: Final = re.compile(
    rf"(?<![\w.,$€£+−±~-])({_NUMERAL})\s*(?:x |× ?)?(?P<gap>(?:\s?[a-z']+){{0,6}})\s*$"
)
_BEHIND: Final = re.compile(
    rf"^[\w ]{{0,30}}?(?:(?:\s[x×]\s?|\s[x×])(?P<x>\d{{1,3}})\b(?! ?[x×]|[.,]\d)|, (?:all )?(?P<n>{_NUMERAL}) (?:pairs?|pieces?|of them)\b|"
    rf" (?:has been |have been |was |were |is |are |now )*(?:lowered|reduced|raised|set|changed|bumped(?: up)?|dropped|cut|brought (?:up|down)) to (?P<to>{_NUMERAL})\b|^ (?P<end>\d{{1,2}})(?=\W*$|\. ))"
)
_LINES: Final = re.compile(r" x\d+, ")
_SET: Final = re.compile(
    r"\b(?:i|we)(?:'ve| have)? (?:just |now |also )*(?:set|raised|changed|increased|lowered|reduced|cut|bumped|put|brought|updated)\b[^;.]{0,40}$|^\W*(?:set|raised|changed|increased|lowered|reduced|updated)\b[^;.]{0,40}$"
)
_TO: Final = re.compile(
    rf"^(?: up| down| quantity)? (?:from (?:{_NUMERAL}) )?to ({_NUMERAL})\b(?! ?(?:usd|dollars))"
)
_COUNTS_ANOTHER: Final = re.compile(
    r"\b(?:on|about|regarding|concerning|under|over|between|behind|against|around|into)\b|"
    r"\b(?!pairs?\b|pieces?\b|units?\b)[a-z]{3,} of (?:the|your|these|those|this)\b"
)
"""Between a number and a thing: it counts what stands before the preposition, "one remark on the socks"."""

_FROM: Final = re.compile(r"\bfrom(?: just| only)?\W*$")
_TO_SO_MANY: Final = re.compile(
    rf"^(?: [a-z']+){{0,2}}? to (?:now )?({_NUMERAL})\b(?! ?(?:usd|dollars))"
)
"""Around how many there were, before how many there are: "from one pair of socks to four"."""

_OF_ONE: Final = re.compile(
    r"e?s? (?:carries|holds|weighs|costs|takes|is(?! (?:now |still |already )?in (?:your|the) (?:cart|basket))|has|comes|alone|fits)\b"
)
"""Behind one of several: "one bottle holds"."""

_PRICE_OF_ONE: Final = re.compile(
    r"^(?!.*\b(?:cart|basket|in there|ordered|order|bought|paid|charged|added|in all)\b).*\d[.,]\d\d(?!\d)"
    r"|^ (?:alone )?(?:weighs|holds|measures|would|could|takes|(?:is|comes to) (?:about |around |roughly |just )?\d[\d.,]* ?(?:g|kg|grams|ml|litres?|l|cm))\b"
)
"""Behind one of several of which a price is told: "a single bottle at 11.90"."""

_A_SHARE: Final = re.compile(r"^[^,;.]{0,20}?\b\d{1,3}(?:\.\d)? ?(?:%|percent)")
"""Behind a thing of which so many in a hundred are told."""

_LEFT: Final = re.compile(
    r"\b(?:left(?! (?:in|over|out|where|as|it|that|for the cart|the cart))|remain(?:s|ing)?(?! in)|in stock|available|on the shelf)\b"
)
_HEADED_LEFT: Final = re.compile(
    r"^\W*(?:(?:current|present|our|what is) )?(?:stock|in stock|availability|available|left)\b[\w ]{0,24}:"
)
"""Begins a sentence that tells of the stock alone: "Stock right now: lamps 0, bottles 57"."""

_OF_WHAT_IS_OWNED: Final = re.compile(
    r"\b(?:cart|basket|in there|order\w*|bought|added|have|has|reserved|paid|charged|put)\b|'ve\b"
)
_THE_SHOP_HAS: Final = re.compile(
    r"\b(?:we|i|they|shop|store|warehouse|shelf|there)(?:'ve| have| has| had| see| saw| count\w*)+\b"
)
_OF_THE_STOCK: Final = re.compile(
    r"\b(?:in stock|left|available|on the shelf|stock)\b|\bwhen i (?:looked|checked)\b"
)
_OF_NAMED: Final = re.compile(
    r"(?<![\w.,$€£-])(\d{1,3})(?: (?:pairs?|pieces?|units?))?(?: of)?(?: (?:the|these|those))? $"
)
_PART_OF_IT: Final = re.compile(
    r"\b(?:it|its|they|both|each|this|that|one|(?:tent|pack|backpack|stove|lamp|jacket|bag|bottle|flask|[a-z]+)) (?:also |even )*(?:has|have|with|features?|uses|comes with|includes|brings)\s+$"
)
_OF_SOMEBODY: Final = re.compile(
    r"\b(?:you|your|we|i|our|my|cart|basket|orders?|ordered|shop|store)\b"
)
"""Of whom it is told what is theirs, and of no thing what its parts are."""

_OF_A_CHOICE: Final = re.compile(
    r"^\W*(?:\d\W+)?(?:option|choice|variant|alternative|plan|possibility|scenario) (?:[a-d]|\d|one|two|three)\b"
)
"""Begins a sentence that tells what somebody may do: "Option A: four pairs"."""

_TELLS_TO: Final = re.compile(
    r"^\W*(?:\d{1,2}[.)]\W*)?(?:option \w+\W+)?(?:buy|take|get|order|choose|pick|go for|look for|find|search for|try|add|keep|reduce|lower|raise|change|set|split|wait|swap|replace)\b(?! (?:the last|now))"
)
"""Tells somebody what to do, or what may be done."""
_OF_PAIRS: Final = re.compile(r"\bpairs?\b")
"""In a sentence that may count the pieces of each pair."""

_SO_MANY_LEFT: Final = re.compile(
    rf"(?<![\w.,$-])({_NUMERAL})(?: (?!usd\b|of 5\b|out\b|stars?\b|reviews?\b|litres?\b|person\b)[a-z']+){{0,8}}? (?:are |is |were |was )?(?:left in stock\b|left\b(?! in)|remain\b|remains\b|remaining\b|in stock\b|available\b)"
    rf"|\bonly ({_NUMERAL}) (?:more |left )?in (?:the )?(?:shop|store)\b"
)
_BARE: Final = re.compile(
    rf"^\W*(?:(?:only|just|and|but|still|there|we|have|are|hurry|exactly|about|so)\W+)*(?:{_NUMERAL}) (?:of (?:them|these|those) |pairs? |pieces? |units? )?(?:are |is |still )*(?:left|in stock|remaining|available|remain)\W*$"
)
_THERE: Final = re.compile(r"^\W*there(?:'s| is| are| was| were)\b")
_SPOKEN_OF: Final = re.compile(
    r"\b(?:short|too few|too many|missing|the one|fewest|least|if|would|could|want(?:ed)?|like|shall|should|instead|asked|requested|each|apiece|per|fewer|less|similar|alike|matching|comparable|different|every|more|other|another|"
    r"extra|first|compare|between|versus|or|up to|at least|without|limit|maximum|can|may|might)\b"
)


def of_counted(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what is so, for each number of a thing that is another one than is known."""
    whole = plain(clauses.sentence.text)
    if _OF_A_CHOICE.match(whole) or is_choice(clauses.sentence) or _TELLS_TO.match(whole):
        return
    is_of_left = _HEADED_LEFT.match(clauses.text.lower()) is not None
    for said in clauses.asserted:
        clause = _without_ids(said, known)
        if _SPOKEN_OF.search(clause):
            continue
        yield from _of_left(said, clause, whole, known)
        yield from _of_named(said, whole, known)
        for head, records in heads_in(clause, known):
            number = _number(clause, head)
            if number is None or len(records) != 1:
                continue
            record = records[0]
            if record.statuses and any(_LINES.search(name) for name in record.names):
                # Of an order of several lines each is judged by what it holds.
                continue
            if number in record.stock and _is_of_the_shelf(clause, whole):
                continue
            if _is_of_its_parts(clause, head):
                continue
            allowed = _allowed(record, is_of_left=is_of_left or _LEFT.search(clause) is not None)
            if _OF_PAIRS.search(whole) and not _OF_PAIRS.search(clause[: head.start()]):
                allowed |= {one * 2 for one in allowed}
            if allowed and number not in allowed | changed_by(whole, record, known):
                yield record.shown or f"So many: {', '.join(map(str, sorted(allowed)))}."


def _is_of_the_shelf(clause: str, whole: str) -> bool:
    """Tell whether a clause may tell what the shop has of a thing, and not what somebody else has."""
    owned = _OF_WHAT_IS_OWNED.search(_THE_SHOP_HAS.sub(" ", clause))
    return owned is None or (_LEFT.search(whole) is not None and _LEFT.search(clause) is None)


def _is_of_its_parts(clause: str, head: re.Match[str]) -> bool:
    """Tell whether a noun is what a thing has, and no thing: "a tent with two poles"."""
    before = _BEFORE.sub("", clause[: head.start()]) + " "
    return head.group().startswith("burner") or (
        _PART_OF_IT.search(before) is not None and _OF_SOMEBODY.search(clause) is None
    )


def _without_ids(said: str, known: Known) -> str:
    """Blank out ids: the number of one counts nothing."""
    for one in mentioned(said, known):
        if any(map(str.isdigit, one.name)):
            said = said[: one.start] + "-" * (one.end - one.start) + said[one.end :]
    return said


def _of_left(said: str, clause: str, whole: str, known: Known) -> Iterator[str]:
    """Yield what is so, where another number of one named thing is said to be left."""
    named = {id(one.record): one.record for one in mentioned(said, known) if one.record.stock}
    is_all = not named and (_THERE.match(said) or _BARE.match(said)) is not None
    if is_all:
        named = {id(one.record): one.record for one in only_one(known)}
    left = _SO_MANY_LEFT.search(clause)
    if left is not None and (
        bound_of(whole[: whole.find(left.group())]) or left.group().split()[1] == "odd"
    ):
        # How much at least, or at most, is judged beside the stock itself.
        return
    if not named:
        heads = [some[0] for _, some in heads_in(clause, known) if len(some) == 1]
        named = {id(one): one for one in heads if one.stock}
    if left is not None and not named and _THERE.match(said):
        stock = frozenset[int]().union(*(one.stock for one in known.records))
        counts = frozenset[int]().union(*(one.counts for one in known.records))
        if stock and _worth(left[1] or left[2]) not in stock | counts:
            yield f"In stock: {', '.join(map(str, sorted(stock)))}."
    if left is None or len(named) != 1:
        return
    [record] = named.values()
    is_of_the_shop = is_all or record.stock == {0} or left.group().endswith("in stock")
    if _worth(left[1] or left[2]) not in record.stock | (
        frozenset() if is_of_the_shop else record.counts
    ):
        yield record.shown or f"In stock: {min(record.stock)}."


def _of_named(said: str, whole: str, known: Known) -> Iterator[str]:
    """Yield what is so, where another number of what is named is told to be in stock: "37 of the Cairn Hill"."""
    if (
        not _OF_THE_STOCK.search(whole)
        or bound_of(whole)
        or _OF_WHAT_IS_OWNED.search(_THE_SHOP_HAS.sub(" ", said))
    ):
        return
    without_ids = _without_ids(said, known)
    for one in mentioned(said, known):
        # "TENT-001 Badger Moor ...": the number of an id counts nothing.
        found = _OF_NAMED.search(without_ids[: one.start])
        record = one.record
        if found is None or not record.stock or record.statuses:
            continue
        if int(found[1]) not in record.stock | record.counts:
            yield record.shown or f"In stock: {min(record.stock)}."


def _allowed(record: Record, *, is_of_left: bool) -> frozenset[int]:
    """Return the numbers that may be said of a thing, nothing where none is known."""
    if is_of_left:
        return record.stock | record.counts if record.stock else frozenset()
    return record.counts


def _number(clause: str, head: re.Match[str]) -> int | None:
    """Return how many a clause tells of what stands at a place in it."""
    if _A_SHARE.match(clause[head.end() :]):
        return None
    behind = _BEHIND.match(clause[head.end() :])
    if _SET.search(clause[: head.start()]) and (to := _TO.match(clause[head.end() :])):
        return _worth(to[1])
    if behind is not None:
        return _worth(behind["x"] or behind["n"] or behind["to"] or behind["end"])
    before = _BEFORE.search(clause[: head.start()])
    if before is None or (before.group(1) in ("one", "1") and "only" in clause):
        return None
    if before.group(1) in ("one", "a single") and _PRICE_OF_ONE.search(clause[head.end() :]):
        return None
    if before.group(1) == "one" and _OF_ONE.match(clause[head.end() :]):
        return None
    # "You've two: the boots" counts no boots.
    if before["gap"].split()[:1] == ["the"] or any(map(_OF_IT.fullmatch, before["gap"].split())):
        return None
    if _COUNTS_ANOTHER.search(before["gap"]):
        return None
    if _FROM.search(clause[: before.start()]):
        so_many = _TO_SO_MANY.match(clause[head.end() :])
        return _worth(so_many[1]) if so_many else None
    return _worth(before.group(1))


def _worth(numeral: str) -> int:
    return _WORTH[numeral] if numeral in _WORTH else int(numeral)
