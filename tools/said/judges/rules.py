"""Judge a sentence against the rules that were read: what there is none of, what is taken, what can be done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.grammar.unknowable import GAINSAID
from daybook.tools.said.judges.invented import AS_FOR, SAYS_SOMETHING, without_what_is_denied_behind
from daybook.tools.said.judges.left_out import of_what_is_left_out
from daybook.tools.said.known import Known
from daybook.tools.said.text import plain

_WORN: Final = re.compile(
    r"\b(?:used?|using|worn|wear|wore|opened|dirty|broken|washed|damaged|unused|trip|outdoors|tried|after (?:that|(?:the |those )?\d+ \w+|the \w+ (?:is|are)))\b"
)
_TAKEN_NOT: Final = re.compile(
    r"\b(?P<what>[a-z]+(?: express)?)(?: cards?)? (?:isn't|is not|aren't|are not|won't be|can't be|cannot be|doesn't|does not|don't|do not) (?:\w+ )?(?:accepted|taken|possible|used|work)\b"
)
_IF_BEHIND: Final = re.compile(
    r"(?<=\w) (?:if|unless) you\b.*|(?:^|(?<=\w) )(?:provided|providing|as long as|so long as|assuming|on condition)(?: that)? (?:it|they|you|the|that|this|nothing)\b.*"
)
"""A condition that says nothing of whether there is what stands before it."""

_ASKED_FOR: Final = re.compile(
    r"\b(?:asked|want\w*|wish\w*|requested|hoped|would like|prefer\w*)\b|'d like\b"
)
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
_BY_MEANS: Final = re.compile(
    r"\b(?:we(?: \w+)? (?:take|accept)|you can(?: \w+)? pay|paying|pay) .*?\b(?P<means>bank transfer|klarna|bitcoin|crypto\w*|cheque|discover|diners|maestro|venmo|afterpay|direct debit|invoice|cash|debit card)"
)
_CODE: Final = re.compile(r"\b(?:[Cc]ode|[Vv]oucher|[Cc]oupon) ['\"]?([A-Z]{3,}[0-9]{0,4})\b")
_CAN: Final = re.compile(r"\b(?P<what>[a-z]+)\b(?: [a-z]+){0,4} can be (?P<done>[a-z]+ed)\b")
_REACHES: Final = (
    r"(?:deliver\w*|ship(?:s|ped|ping)?|send\w*|sent|arriv\w+|couriers?|parcels?|post(?:ed|ing)?|dispatch\w*|with you|at your door|"
    r"(?:get|have|receive) (?:it|them|the \w+|your \w+)|(?:we|i) (?:can |could |also |do )*(?:do|offer|have)|possible|available)"
)
"""Says that something reaches somebody."""
_SAME: Final = {
    "exchange": r"\b(?:exchanged?|exchanges|swap(?:s|ped)?|trades? it in|replaces? it|replacement)\b",
    "gift wrapping": r"\b(?:wrap(?:s|ped)?|gift wrap\w*)\b",
    "express delivery": r"\b(?<!american )express\b|"
    r"\b(?:overnight|(?:next|same) day) (?:delivery|shipping|courier|service|dispatch|option|parcel|express|arrival|shipment|post)\b|"
    rf"\b{_REACHES}\b.{{0,40}}?\b(?:overnight|(?:next|same) day)\b|\b(?:overnight|(?:next|same) day)\b.{{0,25}}?\b{_REACHES}\b",
    "pick up": r"\b(?:pick(?:s|ed)?(?: \w+){0,2} up|collect (?:it|them)|store pick ?up)\b",
}
"""How else people call what a rule says that there is none of."""

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


_FREE_OF_IT: Final = re.compile(
    r"\b(?:at|for|with) no (?:extra |additional |further )?(?:costs?|charge|fee)\b|\bno (?:questions asked|problem)\b|\bwithout (?:any )?(?:extra |additional )?(?:costs?|charge|fees?|problems?|fuss|questions)\b"
)
"""Says no, and denies nothing but a price."""
_PAYS: Final = re.compile(
    r"\b(?:can|could|may)(?: \w+)? (?:pay|use)\b|\bwe(?: \w+)? (?:take|accept)\b|\bpay(?:ing|ment|able)? (?:is possible )?(?:by|with|via)\b|\b(?:accepted|cards) (?:are|is)?"
)
"""Begins a list of means by which somebody can pay."""
_IS_A_TITLE: Final = re.compile(
    r"^\W*(?:\d+[.)]\W*)?(?:(?:about|on|regarding|as for) )?(?:delivery|shipping|delivering|sending)\b[\w /&-]*\W*$",
    re.IGNORECASE,
)
"""Only says what is spoken of: "Shipping to Canada"."""
_ELSEWHERE_NOT: Final = re.compile(
    r"\b(?:only|solely|exclusively|impossible|unavailable|excluded|asked|wanted|question|ruled out)\b|❌|✗|✘|🚫",
    re.IGNORECASE,
)


def of_rules(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what a rule says that was read, where a sentence says the opposite of it."""
    yield from _of_what_comes_with_it(clauses, known)
    yield from _of_what_is_taken(clauses, known)
    yield from of_what_is_left_out(clauses, known)
    rules = [rule for text in known.texts for rule in _rules_in(text)]
    allowed = [one for text in known.texts for one in _allowed_in(text)]
    if not rules and not allowed:
        return
    for found in _ELSEWHERE.finditer(clauses.text):
        if rules and not GAINSAID.search(plain(clauses.text)):
            places = re.split(r",| and | or ", found[1])
            if _IS_A_TITLE.match(clauses.text) or _ELSEWHERE_NOT.search(clauses.text):
                continue
            if not any(one.strip().lower() in known.words for one in places):
                yield f"Nothing that was read tells of {found[1]}."
    said = tuple(without_what_is_denied_behind(clauses.ruled))
    if GAINSAID.search(plain(clauses.sentence.heading)):
        # Rows under "What we do not take:".
        return
    if not said and not clauses.is_question and not clauses.is_unreal:
        # A rule is told with a condition: "if it does not fit, we exchange it".
        said = (plain(clauses.text),)
    is_of_none = is_asked = False
    for clause in _with_how_it_is_paid(said):
        clause = _FREE_OF_IT.sub(" ", clause)
        is_of_it = AS_FOR.match(clause) or _ASKED_FOR.search(clause)
        is_asked = is_of_it is not None or (is_asked and not SAYS_SOMETHING.search(clause))
        if is_asked:
            # What follows in a list of what somebody asked for: "two things, Klarna and 10% off".
            continue
        is_of_none = GAINSAID.search(_IF_BEHIND.sub(" ", clause)) is not None or (
            is_of_none and not SAYS_SOMETHING.search(clause)
        )
        is_gainsaid = GAINSAID.search(_IF_BEHIND.sub(" ", clause)) is not None
        if is_of_none and not is_gainsaid:
            # What follows in a list of what there is not: "no cash, gift cards".
            continue
        if re.search(r"\b(?:if i|instead of|rather than|asked|want\w*|whether)\b", clause):
            continue
        if not is_gainsaid and not _GOES_ROUND.search(plain(clauses.text)):
            yield from (line for words, line in rules if words.search(clause))
        if not _WORN.search(plain(f"{clauses.sentence.heading} {clauses.text}")):
            yield from (line for words, line in allowed if words.search(clause))


def _with_how_it_is_paid(clauses: Sequence[str]) -> Iterator[str]:
    """Yield clauses, each of a list of means by which somebody can pay as one that says so."""
    is_list = False
    for clause in clauses:
        if _PAYS.search(clause):
            is_list = GAINSAID.search(clause) is None
        elif SAYS_SOMETHING.search(clause) or GAINSAID.search(clause):
            is_list = False
        elif is_list:
            clause = f"you can pay by {clause}"
        yield clause


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
        if (means := _BY_MEANS.search(clause)) and not GAINSAID.search(clause):
            read = "\n".join(map(plain, (*known.texts, *known.beside, *known.said)))
            if any(_TAKES.search(plain(line)) for line in lines) and means["means"] not in read:
                yield f"Nothing that was read tells of {means['means']}."
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
            if within and _is_sold_apart(within[1] or within[2], clause):
                yield line
            if within and is_gainsaid and _lacks(within[1] or within[2], clause):
                yield line
            if (
                can
                and (cannot := _CANNOT_DO.search(clause))
                and re.search(rf"\b{cannot[1]}\b", said)
            ):
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


def _is_sold_apart(what: str, clause: str) -> bool:
    noun = what.split()[-1]
    return (
        GAINSAID.search(clause) is None
        and re.search(
            rf"\b{noun}\b(?: \w+){{0,2}} (?:is|are|has to be|must be|needs to be)(?: \w+){{0,2}} (?:sold|bought|available|ordered|purchased)? ?(?:separately|apart|on its own|an extra)\b",
            clause,
        )
        is not None
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
