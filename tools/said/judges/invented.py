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
_AS_FOR: Final = re.compile(
    r"^\W*(?:as (?:for|to)|regarding|concerning|about|on the (?:subject|question) of|speaking of)\b"
)
_COUNTED_BY: Final = re.compile(
    r"(?:\d|\b(?:usd|eur|dollars?|euros?|pounds?|times|once|twice))\W*$"
)
"""Before a span of time by which something is counted: "40 USD an hour"."""

_WORN: Final = re.compile(r"\b(?:used|worn|opened|dirty|broken|washed|damaged)\b")
_TAKEN_NOT: Final = re.compile(
    r"\b(?P<what>[a-z]+(?: express)?)(?: cards?)? (?:isn't|is not|aren't|are not|won't be|can't be|cannot be|doesn't|does not|don't|do not) (?:\w+ )?(?:accepted|taken|possible|used|work)\b"
)
_MOST_COMPARED: Final = 40
"""Things of whose prices every difference is reckoned."""

_IF_BEHIND: Final = re.compile(r"(?<=\w) (?:if|unless) you\b.*")
"""A condition that says nothing of whether there is what stands before it."""

_ASKED_FOR: Final = re.compile(
    r"\b(?:asked|want\w*|wish\w*|requested|hoped|would like|prefer\w*)\b|'d like\b"
)
_ASKED_OTHERS: Final = re.compile(
    r"\b(?:i|we)(?:'ve| have)?(?: also| just| already)? (?:asked|told)\b(?! (?:you|me|for)\b)"
)
_WORTH: Final = {**SMALL, "a": 1, "an": 1}
_SAYS_SOMETHING: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|do|does|did|get|gets|offers?|takes?|comes?|we|i|you|it|they|there|but|only)\b|'(?:s|re|ve|ll)\b"
)
_IS_NOT: Final = re.compile(
    r"^[\w' ]{0,40}?\b(?:isn't|aren't|wasn't|weren't|can't|cannot|don't|doesn't|won't|(?:is|are|was|were|do|does|can|will) not)\b"
)
"""Denies what stands at its beginning."""

_FREE: Final = re.compile(r"\bno (?:shipping|delivery|postage)\b")
_NO: Final = re.compile(
    r"\bthere(?: is|'s| are) no (?P<one>[a-z]+(?: [a-z]+)?)(?: and no (?P<other>[a-z]+(?: [a-z]+)?))?\s*(?=[.;:,]|$)"
)
_NONE_OF_THESE: Final = re.compile(
    r"\bthere (?:is|are) no (?P<list>[a-z]+(?: [a-z]+)?(?:, [a-z]+(?: [a-z]+)?)+(?:,? (?:or|and) (?:no )?[a-z]+(?: [a-z]+)?)?)\s*(?=[.;:]|$)"
)
_TAKES: Final = re.compile(r"^we (?:take|accept)\b(?!.*\b(?:not|no)\b)")
_TAKES_NO: Final = re.compile(
    r"\bwe (?:don't|do not|can't|cannot|can not|no longer) (?:take|accept) (?P<what>[a-z]+(?: express)?)\b"
)
_CODE: Final = re.compile(r"\b(?:[Cc]ode|[Vv]oucher|[Cc]oupon) ['\"]?([A-Z]{3,}[0-9]{0,4})\b")
_CAN: Final = re.compile(r"\b(?P<what>[a-z]+)\b(?: [a-z]+){0,4} can be (?P<done>[a-z]+ed)\b")
_SAME: Final = {
    "exchange": r"\b(?:exchanged?|exchanges|swap(?:s|ped)?|trades? it in|replaces? it|replacement)\b",
    "gift wrapping": r"\b(?:wrap(?:s|ped)?|gift wrap\w*)\b",
    "express delivery": r"\b(?:(?<!american )express|overnight|next day|same day)\b",
    "pick up": r"\b(?:pick(?:s|ed)?(?: \w+){0,2} up|collect (?:it|them)|store pick ?up)\b",
}
"""How else people call what a rule says that there is none of."""

_IS_NOT_DONE: Final = re.compile(
    r"\b(?P<what>[a-z]+(?:(?:,| and| or) [a-z]+)*) (?:is|are) not (?P<done>[a-z]+?)(?:ed|en|d)\b"
)
_IS_FREE: Final = re.compile(r"\b(?:the )?(?P<what>[a-z]+(?: [a-z]+)?) is free\b")
_PAYS: Final = r"\b(?:pay|pays|paid|cost|costs|charged?|fee|expense|own cost)\b"
_UNUSED: Final = re.compile(
    r"\bwhat (?:was|is|has) not (?:been )?(?P<used>[a-z]+) can be (?P<done>[a-z]+)\b"
)
_INCLUDED: Final = re.compile(r"\b([a-z]{3,}) (?:is |are )?included\b")
_CHARGED_WHEN: Final = re.compile(r"\bcard is charged when the order is placed\b")
_CHARGED_ELSE: Final = re.compile(
    r"\bcharged (?:only )?(?:when|once|after|as soon as|before)\b(?!.*\b(?:order|placed|order it|checkout|check out)\b)"
)

_CANNOT: Final = r"\b(?:can't|cannot|can not|can no longer|couldn't|could not|isn't|is not|not be|never be)\b(?: \w+){{0,3}} {done}\b"
_GOES_ROUND: Final = re.compile(
    r"\b(?:return|send)\b.*\b(?:back|return)?.*\b(?:then |and |or )?(?:order|buy) (?:the|a|an)(?:other)?\b|\b(?:order|buy) (?:the |an)?other\b.*\b(?:return|send)\b"
)
"""Tells to return the one and to order the other."""

_APART: Final = re.compile(r"\b(\w+) (?:is|are) sold (?:apart|separately)\b")
_WITHIN: Final = re.compile(r"\b(\w+ \w+) (?:comes?|is sold) with it\b|\bsold with an? (\w+)\b")
_CAN_BE: Final = re.compile(r"\b(?:can be|can|takes?|works?)\b")
_CANNOT_DO: Final = re.compile(
    r"\b(?:it|they|this|that one|this one)(?:'s| is| does| do)? ?(?:can't|cannot|can not|won't|doesn't|does not|not able to|unable to) ([a-z]{5,})\b"
)
_ELSEWHERE: Final = re.compile(
    r"\b(?:[Dd]eliver|[Ss]hip|[Ss]hipping|[Dd]elivery|[Ss]end|[Dd]elivering)(?:s|ed)?(?: \w+){0,2} to ((?:[A-Z][a-z]{3,})(?:(?:,| and| or) (?:[A-Z][a-z]{3,}))*)"
)


def of_inventions(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield that nothing tells of it, for each claim of what nobody can know who did not read it."""
    held = (*known.texts, *known.beside)
    is_open = False
    for clause in _without_what_is_denied_behind(clauses.told):
        if _AS_FOR.match(clause):
            is_open = True
            continue
        said = _ASKED_OTHERS.sub(" ", _UNTIL_A_DAY.sub(" ", clause))
        # What has no verb goes on with the clause before it.
        goes_on = is_open and _SAYS_SOMETHING.search(clause) is None
        is_open = goes_on or ASKED_OR_HYPOTHETICAL.search(said) is not None
        if is_open:
            continue
        is_gainsaid = GAINSAID.search(_FREE.sub(" ", clause)) is not None
        if _is_a_difference(clause, known) or _is_seen_to(clause, known):
            continue
        for topic in TOPICS:
            if not is_gainsaid and topic.claimed.search(clause) and not _is_told(topic, held):
                if _is_of_a_term_that_was_read(clause, held, known) or (
                    topic.is_of_days and _is_of_a_day_that_was_named(clause, known)
                ):
                    continue
                yield topic.is_told
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


def _without_what_is_denied_behind(clauses: Sequence[str]) -> Iterator[str]:
    """Leave out the first ones of a list whose verb says no behind the last: "cash and vouchers aren't taken"."""
    for at, clause in enumerate(clauses):
        verb = next(
            (one for one in clauses[at:] if _SAYS_SOMETHING.search(one) or _IS_NOT.search(one)), ""
        )
        if verb == clause or not _IS_NOT.search(verb):
            yield clause


def of_rules(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what a rule says that was read, where a sentence says the opposite of it."""
    yield from _of_what_comes_with_it(clauses, known)
    yield from _of_what_is_taken(clauses, known)
    yield from _of_what_is_so_only(clauses, known)
    rules = [rule for text in known.texts for rule in _rules_in(text)]
    allowed = [one for text in known.texts for one in _allowed_in(text)]
    if not rules and not allowed:
        return
    for found in _ELSEWHERE.finditer(clauses.text):
        if rules and not GAINSAID.search(plain(clauses.text)):
            places = re.split(r",| and | or ", found[1])
            if not any(one.strip().lower() in known.words for one in places):
                yield f"Nothing that was read tells of {found[1]}."
    said = tuple(_without_what_is_denied_behind(clauses.told))
    if GAINSAID.search(plain(clauses.sentence.heading)):
        # Rows under "What we do not take:".
        return
    if not said and not clauses.is_question:
        # A rule is told with a condition: "if it does not fit, we exchange it".
        said = (plain(clauses.text),)
    is_of_none = is_asked = False
    for clause in said:
        is_of_it = _AS_FOR.match(clause) or _ASKED_FOR.search(clause)
        is_asked = is_of_it is not None or (is_asked and not _SAYS_SOMETHING.search(clause))
        if is_asked:
            # What follows in a list of what somebody asked for: "two things, Klarna and 10% off".
            continue
        is_of_none = GAINSAID.search(_IF_BEHIND.sub(" ", clause)) is not None or (
            is_of_none and not _SAYS_SOMETHING.search(clause)
        )
        is_gainsaid = GAINSAID.search(_IF_BEHIND.sub(" ", clause)) is not None
        if is_of_none and not is_gainsaid:
            # What follows in a list of what there is not: "no cash, gift cards".
            continue
        if re.search(r"\b(?:if i|instead of|rather than|asked|want\w*|whether)\b", clause):
            continue
        if not is_gainsaid and not _GOES_ROUND.search(plain(clauses.text)):
            yield from (line for words, line in rules if words.search(clause))
        if not _WORN.search(clause):
            yield from (line for words, line in allowed if words.search(clause))


def _of_what_is_taken(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what is taken in payment, where it is denied; and each code to be typed in that nobody read."""
    lines = [line for text in known.texts for line in re.split(r"(?<=[.;])\s|\n", text)]
    for clause in clauses.told:
        if denied := _TAKES_NO.search(clause) or _TAKEN_NOT.search(clause):
            yield from (
                line
                for line in lines
                if _TAKES.search(plain(line)) and re.search(rf"\b{denied['what']}\b", plain(line))
            )
    for code in _CODE.findall(clauses.sentence.text):
        held = (*known.texts, *known.beside, *known.said)
        if not any(code.lower() in text.lower() for text in held) and not clauses.is_question:
            yield f"{code} stands in nothing that was read or done."


def _of_what_comes_with_it(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what was read of what comes with a thing and what it can do, where a clause denies it."""
    read = [
        line for text in known.texts if "\nattributes: " in text for line in text.split("\n")[2:3]
    ]
    for line in (one for text in read for one in re.split(r"(?<=[.;]) ", text)):
        said = plain(line)
        apart, within = _APART.search(said), _WITHIN.search(said)
        can = _CAN_BE.search(said)
        for clause in clauses.told:
            is_gainsaid = GAINSAID.search(clause) is not None
            if apart and not is_gainsaid and _comes_with(apart[1], clause):
                yield line
            if within and is_gainsaid and _lacks(within[1] or within[2], clause):
                yield line
            if (
                can
                and (cannot := _CANNOT_DO.search(clause))
                and re.search(rf"\b{cannot[1]}\b", said)
            ):
                yield line


def _of_what_is_so_only(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield a rule that was read, where a clause says that what it leaves out is covered, free or allowed."""
    lines = [
        line
        for text in known.texts
        if "get_policy" in text
        for line in re.split(r"(?<=[.;]) |\n", text)
    ]
    said = clauses.told or ((plain(clauses.text),) if not clauses.is_question else ())
    for line in lines:
        rule = plain(line)
        for clause in said:
            if GAINSAID.search(clause):
                continue
            if (no := _IS_NOT_DONE.search(rule)) and re.search(rf"\b{no['done']}", clause):
                things = re.split(r",| and | or ", no["what"])
                if any(
                    re.search(rf"\b{one.strip().rstrip('s')}", clause)
                    for one in things
                    if one.strip()
                ):
                    yield line
            if (
                (free := _IS_FREE.search(rule))
                and re.search(_PAYS, clause)
                and free["what"].split()[-1] in re.findall(r"[a-z]+", clause)
            ):
                yield line
            if (unused := _UNUSED.search(rule)) and re.search(
                rf"\b{unused['used']}\b.*\b{unused['done']}\b|\bback\b.*\b{unused['used']} or un{unused['used']}\b",
                clause,
            ):
                yield line
            if (included := _INCLUDED.search(rule)) and re.search(
                rf"\b{included[1]} (?:is|are|gets|comes|will be|'ll be) (?:\w+ )?(?:added|extra|on top|due|charged)\b|\bplus (?:\w+ )?{included[1]}\b",
                clause,
            ):
                yield line
            if _CHARGED_WHEN.search(rule) and _CHARGED_ELSE.search(clause):
                yield line


def _comes_with(what: str, clause: str) -> bool:
    return (
        re.search(
            rf"\b(?:comes?|came|supplied|delivered|sold|brings?|includes?|including|with)\b.*\b{what}\b|\b{what}\b.*\b(?:included|in the box|comes? along|for free|on top|comes with|inside the box|is with it|thrown in)\b",
            clause,
        )
        is not None
        and re.search(r"\b(?:buy|need\w*|burns?|runs on|separate\w*|apart|extra)\b", clause) is None
    )


def _lacks(what: str, clause: str) -> bool:
    return (
        re.search(
            rf"\b{what}\b(?: \w+){{0,2}} (?:not|isn't|aren't|never)\b|\b(?:no|without an?|without|not come with an?|lacks an?) (?:\w+ )?{what}\b",
            clause,
        )
        is not None
    )


@lru_cache(maxsize=256)
def _rules_in(text: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return what a text says there is none of: by which words it is said to be, and the line."""
    found = list[tuple[re.Pattern[str], str]]()
    for line in re.split(r"(?<=[.;]) ", text):
        for no in _NO.finditer(plain(line)):
            for what in filter(None, (no["one"], no["other"])):
                found.append((_by_its_words(what), " ".join(line.split())))
        for none in _NONE_OF_THESE.finditer(plain(line)):
            for what in re.split(r",? (?:or|and) (?:no )?|, ", none["list"]):
                found.append((_all_of(what), " ".join(line.split())))
    return tuple(found)


def _all_of(what: str) -> re.Pattern[str]:
    """Make what finds one of several things that there are not, said to be there."""
    one = rf"\b{what.rstrip('s')}s?\b"
    says = r"\b(?:can|works?|is|are|takes?|accepts?|offers?|pay|by|with|via|through|in|use|adds?|have|go|goes|possible|fine)\b"
    return re.compile(rf"{says}.*{one}|{one}.*{says}")


def _by_its_words(what: str) -> re.Pattern[str]:
    """Make what finds "express delivery" by its first word, and "pick up" in "pick it up"."""
    if what in _SAME:
        return re.compile(_SAME[what])
    first, _, second = what.partition(" ")
    if len(second) <= 3 and second:
        return re.compile(rf"\b{first}(?:s|ed)?\b(?: \w+){{0,2}} {second}\b")
    return re.compile(rf"\b{first}(?:s|d|ed)?\b")


@lru_cache(maxsize=256)
def _allowed_in(text: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return what a text says can be done with a thing: by which words it is denied, and the line."""
    found = list[tuple[re.Pattern[str], str]]()
    for line in re.split(r"(?<=[.;]) ", text):
        for can in _CAN.finditer(plain(line)):
            denied = re.compile(_CANNOT.format(done=can["done"]))
            found.append((denied, " ".join(line.split())))
    return tuple(found)


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
    return frozenset[tuple[int, str]]().union(*map(_terms_in, (*held, *known.said)))


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
    return any(topic.read.search(text) for text in held)
