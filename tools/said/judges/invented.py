"""Judge what nobody can know who did not read it: discounts, days of arrival, points, terms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.grammar.unknowable import (
    A_DAY,
    ASKED_OR_HYPOTHETICAL,
    DURATION,
    GAINSAID,
    OF_A_TERM,
    OF_LESS,
    SEES_TO_IT,
    TOPICS,
    Topic,
)
from daybook.tools.said.known import Known
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.text import amounts_in, plain
from daybook.tools.said.wording import in_plain_english

_UNTIL_A_DAY: Final = re.compile(
    r"\b(?:until|till) (?=(?:tomorrow|tonight|midnight|noon|next week|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d)\b)"
)
AS_FOR: Final = re.compile(
    r"^\W*(?:as (?:for|to)|regarding|concerning|about|on the (?:subject|question) of|speaking of)\b"
)
_SUPPOSES_A_DAY: Final = re.compile(
    r"\b(?:say|suppose|supposing|assuming|imagine|if|for example|for instance|e\.g\.)\b.*\b(?:order(?:ed|s)?|placed?|buy|bought|leaves?|left|sent|goes out)\b.*\b(?:on|by|this|next|today|tomorrow|tonight)\b|\border(?:ed)? on an? \w+day\b",
    re.IGNORECASE,
)
_IN_TRANSIT: Final = re.compile(r"\b(?:working|business) days?\b")
_COUNTED_FROM: Final = re.compile(
    r"\b(?:from|after|of|since|once|starting|counting|begins?|on) (?:the (?:day|date|moment) )?(?:(?:on which|that|when|of|from|it|the|its|their|your|they|parcel(?:'s)?|order|goods|item|package|delivery) )*(?:arriv\w+|delivery|is delivered|has arrived)\b"
)
"""From when a term counts, and nobody says when that is."""
_DAYS: Final = {"day": 1, "week": 7, "month": 30}
_MONTHS_IN_A_YEAR: Final = 12
_WHERE_IT_IS_BOUGHT: Final = re.compile(
    r"\b(?:if|when|once|as soon as|provided|should) you(?:'re| are)? (?:also |then )*(?:buy|buying|take|taking|order|ordering|add|get|getting|pick|purchase|choose|go for|bundle|combine|grab|spend|reach|return|cancel|send|exchange|pay)\b.*|\bunless you (?:object|say|tell|stop|mind|disagree|write)\b.*"
)
"""A condition that anybody meets who buys, and on which no shop's promise hangs that was not read."""
_OF_THE_LAND: Final = re.compile(
    r"\b(?:hills?|mountains?|peaks?|summits?|trails?|paths?|lakes?|woods?|forests?|snow|winter|summer|spring|autumn|season|sun|weather)\b(?: \w+){0,3} (?:will|'ll)\b[^,;.]*"
)
"""Tells what comes of itself, and nobody delivers."""
_ITS_CONDITION: Final = re.compile(
    r"(?<=\w) (?:if|unless|provided|providing|as long as|so long as|assuming|in case|once|when|after) (?:that )?(?:it|they|you|the|that|this|those|these|what|nothing|everything)\b.*|\b(?:can|may|will) (?=(?:be \w+(?:ed|en|t)|return|send|bring|give|ship|cancel)\b)|\bany(?:thing|where)?\b|\b(?:that|which|what) (?=(?:was|were|is|are|you)\b)"
)
"""Behind a term that somebody set, of whom it holds."""
_HYPOTHETICAL: Final = re.compile(
    rf"(?:{ASKED_OR_HYPOTHETICAL.pattern})|\b(?:usually|often|typically|normally|generally|your bank|banks?|depending)\b"
)
_THERE_IS_NO: Final = re.compile(r"\b[Tt]here (?:is|are) no [^.\n]*")
_COUNTED_BY: Final = re.compile(
    r"(?:\d|\b(?:usd|eur|dollars?|euros?|pounds?|times|once|twice))\W*$"
)
"""Before a span of time by which something is counted: "40 USD an hour"."""

_MOST_COMPARED: Final = 40
"""Things of whose prices every difference is reckoned."""

_ASKED_OTHERS: Final = re.compile(
    r"\b(?:i|we)(?:'ve| have)?(?: also| just| already)? (?:asked|told)\b(?! (?:you|me|for)\b)"
)
_WORTH: Final = {**SMALL, "a": 1, "an": 1}
SAYS_SOMETHING: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|do|does|did|get|gets|offers?|takes?|comes?|we|i|you|it|they|there|but|only)\b|'(?:s|re|ve|ll)\b"
)
_IS_NOT: Final = re.compile(
    r"^[\w' ]{0,40}?\b(?:isn't|aren't|wasn't|weren't|can't|cannot|don't|doesn't|won't|(?:is|are|was|were|do|does|can|will) not)\b"
)
"""Denies what stands at its beginning."""

_FREE: Final = re.compile(r"\bno (?:shipping|delivery|postage)\b")


def of_inventions(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield that nothing tells of it, for each claim of what nobody can know who did not read it."""
    held = (*known.texts, *known.beside)
    if _SUPPOSES_A_DAY.search(clauses.text) and any(map(_IN_TRANSIT.search, held)):
        # It reckons by days that were read when a parcel would come that is ordered some day.
        return
    is_open, asserted = False, frozenset(clauses.asserted)
    for clause in without_what_is_denied_behind(clauses.ruled):
        is_ruled = clause not in asserted
        if AS_FOR.match(clause):
            is_open = True
            continue
        clause = _OF_THE_LAND.sub(" ", _WHERE_IT_IS_BOUGHT.sub(" ", clause))
        said = _ASKED_OTHERS.sub(" ", _UNTIL_A_DAY.sub(" ", clause))
        # What has no verb goes on with the clause before it.
        goes_on = is_open and SAYS_SOMETHING.search(clause) is None
        is_open = goes_on or ASKED_OR_HYPOTHETICAL.search(said) is not None
        if is_open:
            rule = _ITS_CONDITION.sub(" ", clause)
            # So many business days are how long something takes, and no rule.
            if not goes_on and not _HYPOTHETICAL.search(rule) and "business" not in rule:
                yield from _of_terms(rule, held, known)
            continue
        is_gainsaid = GAINSAID.search(_FREE.sub(" ", clause)) is not None
        if _is_a_difference(clause, known) or _is_seen_to(clause, known):
            continue
        for topic in TOPICS:
            if is_ruled and topic.is_of_its_way:
                continue
            if (
                not is_gainsaid
                and topic.claimed.search(_COUNTED_FROM.sub(" ", clause))
                and not _is_told(topic, held)
            ):
                if _is_of_a_term_that_was_read(clause, held, known) or (
                    topic.is_of_days and _is_of_a_day_that_was_named(clause, known)
                ):
                    continue
                yield topic.is_told
        if not (is_ruled and "business" in clause):
            yield from _of_terms(clause, held, known)


def _is_a_difference(clause: str, known: Known) -> bool:
    """Tell whether a clause tells by how much one thing that was read costs less than another."""
    told = {one.value for one in amounts_in(clause)}
    if not told or not OF_LESS.search(clause):
        return False
    goods = [one for one in known.records if one.stock and one.shown][:_MOST_COMPARED]
    prices = {one.value for record in goods for one in amounts_in(record.shown)}
    return told <= prices | {abs(one - other) for one, other in combinations(prices, 2)}


def _is_seen_to(clause: str, known: Known) -> bool:
    """Tell whether somebody is said to look into what is in doubt."""
    is_in_doubt = any(one.outcome == "in doubt" for one in known.effects)
    return is_in_doubt and SEES_TO_IT.search(clause) is not None


def without_what_is_denied_behind(clauses: Sequence[str]) -> Iterator[str]:
    """Leave out the first ones of a list whose verb says no behind the last: "cash and vouchers aren't taken"."""
    for at, clause in enumerate(clauses):
        verb = next(
            (one for one in clauses[at:] if SAYS_SOMETHING.search(one) or _IS_NOT.search(one)), ""
        )
        if verb == clause or not _IS_NOT.search(verb):
            yield clause


def _of_terms(clause: str, held: tuple[str, ...], known: Known) -> Iterator[str]:
    """Yield that no such term was read, where a span of time is told of which nothing tells."""
    if not OF_A_TERM.search(clause):
        return
    for found in DURATION.finditer(clause):
        if found["n"] in ("a", "an") and _COUNTED_BY.search(clause[: found.start()]):
            continue
        if not _terms_of(found) <= _known_terms(held, known) and not GAINSAID.search(
            clause[: found.start()]
        ):
            yield f"Nothing that was read tells of {found.group()}."


def _is_of_a_term_that_was_read(clause: str, held: tuple[str, ...], known: Known) -> bool:
    told = [_terms_of(one) for one in DURATION.finditer(clause)]
    return bool(told) and all(one <= _known_terms(held, known) for one in told)


def _is_of_a_day_that_was_named(clause: str, known: Known) -> bool:
    """Tell whether a clause names a day or a time of day that was read or said."""
    return any(one in known.words for one in A_DAY.findall(clause))


def _known_terms(held: tuple[str, ...], known: Known) -> frozenset[tuple[int, str]]:
    terms = frozenset[tuple[int, str]]().union(*map(_terms_in, (*held, *known.said)))
    # A month may be told of thirty days, and 24 months of two years.
    return terms.union(
        (int(many * days / _DAYS[unit]), unit)
        for many, days in ((many, _DAYS[unit]) for many, unit in terms if unit in _DAYS)
        for unit in _DAYS
        if many * days % _DAYS[unit] == 0
    ) | {(many * _MONTHS_IN_A_YEAR, "month") for many, unit in terms if unit == "year"}


@lru_cache(maxsize=1_024)
def _terms_in(text: str) -> frozenset[tuple[int, str]]:
    """Return the spans of time that a text tells."""
    said = plain(in_plain_english(text))
    return frozenset(one for found in DURATION.finditer(said) for one in _terms_of(found))


def _terms_of(found: re.Match[str]) -> frozenset[tuple[int, str]]:
    article = found["to"] is not None and found["n"] in ("a", "an")
    many = [_number(one) for one in (found["n"] if not article else "", found["to"]) if one]
    return frozenset((one, found["unit"]) for one in many if one is not None)


def _number(numeral: str) -> int | None:
    """Return what a numeral says; None for a few."""
    return int(numeral) if numeral.isdigit() else _WORTH.get(numeral)


def _is_told(topic: Topic, held: tuple[str, ...]) -> bool:
    if topic.is_listed:
        held = tuple(map(_without_what_there_is_not, held))
    return any(topic.read.search(text) for text in held)


@lru_cache(maxsize=256)
def _without_what_there_is_not(text: str) -> str:
    return _THERE_IS_NO.sub(" ", text)
