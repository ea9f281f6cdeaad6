"""What a person said that matters later: wants, dislikes, limits, sizes, dates. Pure, and bounded.

It is read from their sentences by patterns, English ones, so that nothing depends on whether a
model remembered it by a call. What a later sentence contradicts is kept no more, and neither is
what nobody needs to keep: cards, addresses, secrets.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from daybook.state.people.forgotten import FORGOTTEN
from daybook.state.people.privacy.redaction import lacks_something, redacted

MOST_KEPT = 24
"""Sentences of one thread; the oldest goes first."""

LONGEST = 200
"""Characters of one sentence; a longer one is read and kept in pieces."""

_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
_NUMBER = r"(?:[$\u20ac\u00a3]\s?)?\d[\d.,']*"

_PATTERNS: Mapping[str, str] = {
    "want": (
        r"\b(?:i|we)(?:'d| would| do| really| also| just)* (?:want|need|like|love|prefer|hope"
        r"|wish|favou?r|go for)\b|\b(?:i|we)(?: a|')(?:m|re) (?:looking for|after|into|keen on)\b"
        r"|\b(?:looking for|in search of)\b|\bfavou?rites?\b|\b(?:is|are) my colou?rs?\b"
        r"|\bmust (?:be|have)\b|\b(?:has|have|needs?) to (?:be|have|fit)\b|\bideally\b"
        r"|\b(?:is|are) (?:very |really )?(?:important|a must|essential)\b|\bonly\b.*\bplease\b"
        r"|\bplease\b.*\bonly\b|^\W*only\b|\bit is for\b|\bit's for\b|\bmade of\b.*\bplease\b"
    ),
    "dislike": (
        r"\b(?:hate|dislike|detest|loathe)s?\b|\b(?:do not|don't|does not|doesn't|did not|didn't"
        r"|never) (?:really )?(?:want|like|need|wear|eat|use|buy)\b|\bcan(?:'t|not) (?:stand|bear"
        r"|have|wear|eat|take|use)\b|\ballerg(?:ic|y|ies)\b|\bintoleran(?:t|ce)\b"
        r"|\b(?:vegan|vegetarian)\b|\bavoid\b|\banything but\b|\brather not\b|\bsick of\b"
        r"|^\W*(?:and |but |so )?(?:please )?(?:no|not|nothing|never|without)\b"
        r"|\bplease,? (?:no|not|nothing)\b|\bnot a fan\b"
    ),
    "limit": (
        rf"\b(?:under|below|at most|no more than|not more than|max(?:imum)?|up to|within|less than"
        rf"|cheaper than|lighter than|at least|min(?:imum)?|over|above|beyond) (?:of )?{_NUMBER}"
        rf"|\b(?:budget|spend|limit|afford)\b.*{_NUMBER}|{_NUMBER}.*\b(?:budget|limit|at most|max"
        r"|in all|in total|altogether|tops|or less)\b|\bno limit\b"
    ),
    "size": (
        rf"\bsizes?\b.*(?:{_NUMBER}|\b(?:x{{0,3}}[sl]|m|small|medium|large)\b)"
        rf"|\b(?:i|we|he|she|they|my \w+) (?:wears?|takes?|am|is|are) (?:a |an |usually |in )*"
        rf"(?:eu|us|uk|size)?\s?{_NUMBER}(?!\s*(?:of|pieces|pairs))\b"
        r"|\b(?:eu|us|uk) ?\d{1,2}(?:\.5)?\b|\b\d{2,3} ?(?:cm|centimet(?:re|er)s|kg|kilos?)\b"
        r"|\b(?:wide|narrow|broad) feet\b"
    ),
    "date": (
        rf"\b(?:by|before|until|till|on|for|from|in|this|next|no later than)\s(?:the |early |late "
        rf"|mid |next |this )*(?:{_DAYS}|{_MONTHS}|tomorrow|tonight|today|weekend|week|month"
        rf"|christmas|easter|\d{{1,2}}(?:st|nd|rd|th)\b|\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}})"
        rf"|\b(?:{_DAYS}|tomorrow|tonight)\b|\bdeadline\b|\bbirthday\b"
        rf"|\b(?:first|second|third|\w+th|\d{{1,2}}(?:st|nd|rd|th)?) (?:of )?{_MONTHS}\b"
        r"|\bin (?:a|two|three|\d+) (?:days?|weeks?|months?)\b"
    ),
}
"""What a sentence states, to how it is stated."""

_OF_THE_MOMENT = re.compile(
    r"^\W*(?:ok(?:ay)?,? |yes,? |no,? |good,? |great,? |thanks?,? |then |now |please |so |and "
    r"|could you |can you |would you |let's |i(?:'d| would)? (?:want|need|like)(?: you)? to )*"
    r"(?:add|remove|put|take|delete|drop|check ?out|pay|order|buy|cancel|show|tell|compare|open"
    r"|search|look|find|list|go|make|set|change|give|see|know|forget|ask|help|stop|start|begin|return)\b"
    r"|\b(?:put|take|throw|make) (?:it|them|that|those)\b|\b(?:in|into|from|out of) my \w+\W*$"
    r"|\bthe (?:first|second|third|last|other|cheapest|best) (?:one|two)s?\b|\bafter all\b"
    r"|\b(?:any|some)thing else\b|\bno(?:thing)?,? thanks?\b|^\W*no problem\b"
    r"|\bthat(?:'s| is) all\b"
    r"|^\W*(?:i'd|i would) (?:like|love) (?:that|this|it|one|both)\W*$",
    re.IGNORECASE,
)
"""What is done at once, and then is of no use."""

_RETRACTS = re.compile(
    r"\b(?:never ?mind|scratch|forget|ignore|does not matter|doesn't matter|do not care"
    r"|don't care|no longer|not any ?more|changed my mind|(?:is|are) (?:fine|ok(?:ay)?|all right)"
    r"|no problem|is good after all|any colou?r)\b",
    re.IGNORECASE,
)
"""What takes back what was said of the same thing."""

_ADDRESS = re.compile(
    r"\b(?:my|our|the|delivery|home|office|e-?mail|shipping) (?:\w+ )?address\b"
    r"|\b(?:live|lives|living|deliver\w*|ship|send|post) (?:it |them )?(?:at|to|in) "
    r"|\b\d{1,5}[a-z]?,? (?:\w+ ){1,3}(?:street|st|road|rd|avenue|ave|lane|ln|drive|court|square"
    r"|way|place|boulevard|blvd)\b|\b\w+(?:stra(?:\u00df|ss)e|gasse|weg|platz) \d+"
    r"|\b(?:zip|post(?:al)? ?code|phone|telephone|mobile|password|passcode|pin|iban|cvv|cvc)\b"
    r"|\bp\.? ?o\.? box\b|\S@\S|https?://|\+\d{6,}|\b\d{7,}\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i'd|we|my|our|me|us)\b", re.IGNORECASE)

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_CLAUSE = re.compile(r"(?<=[,:])\s+|\s+(?=(?:and|but|so|also|because)\b)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:[-'\u2019][^\W_]+)*")

_UNITS: Mapping[str, str] = {
    "money": r"[$\u20ac\u00a3]|\b(?:dollars?|usd|eur(?:os?)?|gbp|budget|spend|price|cost|bucks)\b",
    "weight": r"\b(?:kg|kilos?|grams?|g|pounds|lbs)\b",
    "length": r"\b(?:cm|mm|centimet(?:re|er)s|met(?:re|er)s)\b",
    "volume": r"\b(?:lit(?:re|er)s?|l)\b",
}

_FILLING = """
a about above actually after again all also altogether am an and any anyway anything are as at
be because been before below best beyond but by can can't cannot cost could did do does doesn't
don't dollar each eur euro even ever every everything except favourite favorite fan few fine for
friday from gbp get go good had has hate have he her here his hope i i'd i'll i'm i've if in is
it it's its just keep kind least less like limit little long look looking love made make max
maximum may me mind minimum monday more most much must my need needs never new next nice no not
nothing now of ok okay on one only or other our over own please possible prefer price quite
rather really saturday say see she should size so some something spend stand such sunday than
that that's the their them then there these they thing think this those thursday till to today
together tomorrow too total tuesday two under until up us usd use usually very want was way we
wear wednesday week weekend well were what when which who will wish with within without would
yes yet you your budget dislike avoid afford important essential colour color colours date
deadline all right problem matter care longer changed any enough
"""
SAYS_NOTHING = frozenset(_FILLING.split())
"""Words by which two sentences are about nothing in common."""


_OF_ONE_VALUE = frozenset({"limit", "size", "date"})


@dataclass(frozen=True)
class Stated:
    """Hold one thing that a person stated.

    Attributes:
        kinds: what it states, of the names in the patterns.
        about: the stems of the words that say of what.
        unit: of a limit.
        source: the message in which it was said.
    """

    text: str
    kinds: frozenset[str]
    about: frozenset[str]
    unit: str = ""
    source: str = ""

    def is_contradicted_by(self, later: Stated) -> bool:
        """Tell whether a later statement takes this one's place."""
        if self.text.casefold() == later.text.casefold():
            return True
        is_same_thing = self.about == later.about or bool(self.about & later.about)
        if not is_same_thing:
            return False
        if self.kinds & later.kinds & _OF_ONE_VALUE and self.unit == later.unit:
            return True
        turned = {"want", "dislike"}
        is_turned = bool(self.about) and len((self.kinds & turned) | (later.kinds & turned)) > 1
        return is_turned and self.kinds & turned != later.kinds & turned

    def is_on(self, subject: str) -> bool:
        """Tell whether it states a limit, a size or a date of a subject: there is one of each.

        Of colours there may be several that are liked, and several that are not.
        """
        if not self.kinds & _OF_ONE_VALUE:
            return False
        words = {_singular(word.casefold()) for word in _WORD.findall(self.text)}
        return all(_singular(word) in words for word in subject.split())


def stated_in(text: str) -> tuple[Stated, ...]:
    """Return what a message of a person states that matters later, in order.

    Example:
        >>> [one.text for one in stated_in("I hate red, need it by Friday. Show me boots?")]
        ['I hate red', 'need it by Friday']
    """
    return _stated_in(text)


def kept(messages: Iterable[tuple[str, str]]) -> tuple[Stated, ...]:
    """Return what a person's messages state and what no later one contradicts, oldest first.

    Args:
        messages: of the person, each with its id, oldest first.
    """
    found: list[Stated] = []
    for source, message in messages:
        for sentence in _sentences(message):
            if _RETRACTS.search(sentence):
                found = _without(found, sentence)
            for one in _stated_in(sentence):
                left = (known for known in found if not known.is_contradicted_by(one))
                found = [*left, replace(one, source=source)]
    return tuple(found[-MOST_KEPT:])


def _without(found: Sequence[Stated], sentence: str) -> list[Stated]:
    """Leave out what a sentence takes back: all of that thing, or the last where it names none."""
    about = _about(sentence)
    if not about:
        return list(found[:-1])
    return [one for one in found if not one.about & about]


def _sentences(text: str) -> list[str]:
    """Part a message into sentences; one without an end is read in pieces.

    The patterns take the square of a sentence's length, and anybody may write one.
    """
    return [piece for part in _SENTENCE.split(text) for piece in textwrap.wrap(part, LONGEST)]


@lru_cache(maxsize=2_048)
def _stated_in(text: str) -> tuple[Stated, ...]:
    return tuple(
        one
        for sentence in _sentences(text)
        for clause in _clauses(sentence)
        if (one := _stated(clause, is_question=sentence.endswith("?"))) is not None
    )


def _clauses(sentence: str) -> list[str]:
    """Part a sentence before each clause that states something; what states nothing stays by it."""
    parts: list[str] = []
    for clause in _CLAUSE.split(sentence):
        is_cut = bool(parts) and (FORGOTTEN in parts[-1]) != (FORGOTTEN in clause)
        if parts and not is_cut and not (_kinds(clause) and _kinds(parts[-1])):
            parts[-1] = f"{parts[-1]} {clause}"
        else:
            parts.append(clause)
    return parts


def _stated(clause: str, *, is_question: bool) -> Stated | None:
    text = " ".join(clause.split()).strip(" ,;:-")
    kinds = _kinds(text)
    if not kinds or _OF_THE_MOMENT.search(text) or _is_private(text):
        return None
    if is_question and not (kinds & {"dislike", "size"} and _FIRST_PERSON.search(text)):
        return None
    if _RETRACTS.search(text) and kinds <= {"want", "dislike"}:
        return None
    if kinds == {"want"} and not _about(text):
        return None
    unit = next((name for name, pattern in _UNITS.items() if re.search(pattern, text, re.I)), "")
    return Stated(text.rstrip(".!"), kinds, _about(text), unit if "limit" in kinds else "")


def _kinds(text: str) -> frozenset[str]:
    plain = text.replace("\u2019", "'")
    return frozenset(
        kind for kind, pattern in _COMPILED.items() if pattern.search(plain) is not None
    )


_COMPILED = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _PATTERNS.items()}


def _about(text: str) -> frozenset[str]:
    """Return the words that say of what a sentence is, in the singular."""
    words = (word.casefold().replace("\u2019", "'") for word in _WORD.findall(text))
    return frozenset(
        one
        for one in map(_singular, words)
        if len(one) > 2
        and one not in SAYS_NOTHING
        and f"{one}s" not in SAYS_NOTHING
        and not any(sign.isdigit() for sign in one)
    )


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _is_private(text: str) -> bool:
    return redacted(text) != text or lacks_something(text) or _ADDRESS.search(text) is not None
