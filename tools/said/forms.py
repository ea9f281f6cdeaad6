"""The patterns by which English says of a kind of effect that one was made, or that none was."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from daybook.tools.said.grammar.idioms import DONE, NOT_MEANT, PROMISED, UNDONE
from daybook.tools.said.grammar.kinds import FELL_THROUGH, GONE_THROUGH, LIGHT, WENT_THROUGH
from daybook.tools.said.grammar.saying import COULD_NOT

_ADVERB = (
    r"(?:\s+(?:just|now|already|still|also|successfully|all|been|been successfully|safely|officially|"
    r"indeed|both|finally|so far|fully|fresh(?:ly)?|gone ahead and|went ahead and|then|"
    r"securely|immediately))*"
)
_AGENT = (
    r"(?:i|we|i've|we've|i have|we have|it|the (?:system|shop|store|machine|bank|team)|someone)"
)
_NAMES_ANOTHER = (
    r"(?! (?:fees?|charges?|costs?|polic(?:y|ies)|numbers?|methods?|details|dates?|deadlines?|history|"
    r"confirmations?|address(?:es)?|labels?|limits?|options?|values?|forms?|rules?|terms?|conditions?)\b)"
)
"""Behind a noun that is only the first half of another one: there is no cancellation fee."""

_TO_NO_OTHER = (
    r"(?:(?! (?:the|your|an?|no) (?:orders?|payment|charge|e ?mail|mail|refund|reservation)\b).)"
)
"""Between a noun and what is said of it: no other noun of which it would be said."""

_PERFECT = r"(?:have|has|had|having|'ve|'s|'ve|’ve|’s|got|gotten)"
_WAS = r"(?:was|were|been|got|'s been|’s been)"
_MONEY = r"(?:money|amount|sum|funds?|payment|\d+[.,]\d\d|usd|eur|dollars?)"
_NO_SUBJECT = (
    r"(?:not|no|never|nothing|none|nor|neither|nobody|be|being|to|you|that|what|which|who|as|if|when|once|until|before|"
    r"after|is|are|was|were|has|have|had|will|would|can|could|should|i|we|they|items?|quantity|number|date|total|amount|"
    r"already|earlier|previously|last|just|only|how|than|for|of|with|get|got|did|does|do)\b"
)
"""Words of what goes before a participle where it is more than a thing and what became of it."""
_TAKEN = {
    "charge": r"(?:taken|booked|debited|collected|charged|deducted|withdrawn)(?! back)",
    "refund": r"(?:returned|refunded|(?:sent|given|paid|booked|transferred|rolled|put) back|back|"
    r"credited)",
}
_IS = r"(?:is|are|'s|’s|'re|’re|am)"
_OPENS = r"^\W*(?:(?:great|good|done|all done|ok|okay|perfect|sure|yes|yep|sorry|hi|hello|great news|good news|congratulations|awesome|and|so|all set)[\s!.,:–—-]+)*"


@dataclass(frozen=True)
class Forms:
    """How a clause says what of a kind of effect: done, promised, undone, or nothing of it."""

    done: tuple[re.Pattern[str], ...]
    promised: tuple[re.Pattern[str], ...]
    undone: tuple[re.Pattern[str], ...]
    not_meant: re.Pattern[str]
    fell: re.Pattern[str]
    could_not: re.Pattern[str]
    none: re.Pattern[str]


@lru_cache(maxsize=256)
def forms_of(
    name: str,
    done: tuple[str, ...],
    base: tuple[str, ...],
    nouns: tuple[str, ...],
    is_state: bool,
) -> Forms:
    """Make the patterns of a kind."""
    pp, infinitive = _any(done), _any(base)
    noun = _any(nouns) if nouns else r"(?!)"
    taken, light = _TAKEN.get(name, r"(?!)"), _any(LIGHT)
    through, went, fell = _any(GONE_THROUGH), _any(WENT_THROUGH), _any(FELL_THROUGH)
    has = rf"(?:{_PERFECT}|{_WAS})"
    state = (
        rf"|\b(?:{_IS}|remains?|remained|stays?|stayed|sits?){_ADVERB}\s+(?:{pp})\b"
        if is_state
        else ""
    )
    sent = r"(?:sent|handed|dispatched)" if name == "mail" else r"(?!)"
    nothing = r"(?:nothing|none|no \w+(?: \w+){0,2})"
    return Forms(
        done=tuple(
            re.compile(pattern, re.IGNORECASE)
            for pattern in (
                rf"\b{has}{_ADVERB}\s+(?:not\s+)?(?:{pp})\b{state}",
                rf"\b{_AGENT}{_ADVERB}\s+(?:{pp})\b",
                rf"{_OPENS}(?:all |both )?(?:{pp})\b(?!\s+(?:by|for later|in|for (?:an?|the|your|\w+) (?:\w+ )?(?:days?|weeks?|nights?|trips?|hikes?|tours?|weekend)|small|full|down|away)\b)",
                rf"\b(?:{noun})\b(?: (?!{_IS}\b|will\b)[\w#.,-]+){{0,10}}\s+"
                rf"(?:{_IS}|{has}|{_PERFECT} been){_ADVERB}\s+(?:{through})\b",
                rf"\b(?:{noun})'s{_ADVERB}\s+(?:{through})\b",
                rf"\b(?:{noun})\b(?: [\w#-]+){{0,3}}\s+(?:{went})\b",
                rf"{_OPENS}(?:your |the |an? )?(?:{noun})\b(?: [\w#-]+){{0,2}}\s+"
                rf"(?:{pp}|{through})(?=\W*$|\s+(?:for|at|with|to|and|just|now|today)\b)",
                rf"\b(?:{sent})\b.{{0,40}}\b(?:{noun})\b|\b(?:{noun})\b.{{0,40}}\b(?:{sent})\b",
                rf"\bgone through\b.{{0,20}}\b(?:{noun})\b",
                # A thing and what became of it, and no more: "jacket ordered", "both lamps paid for".
                rf"^\W*(?:(?!{_NO_SUBJECT})[\w'.]+ ){{1,5}}(?:{pp})(?: for you| today| just now| already| too| as well)?\W*$",
                rf"^\W*(?:{noun})(?: (?:is|was|has been))?(?: still| now| already)? (?:running|in force|active|done|yes|made|through|standing)\W*$",
                rf"\byou(?:'ve| have| has)? (?:got|received|have) (?:the |your |an? )?(?:{noun})\b"
                rf"|\b(?:forwarded|went|on its way) to your e ?mail"
                if name == "mail"
                else r"(?!)",
                r"\bleft (?:the|our) warehouse\b|\b(?:ships|arrives) (?:today|tomorrow|on)\b"
                if name == "ship"
                else r"(?!)",
                rf"\bhad to (?:{infinitive})\b",
                rf"\b(?:i|we)(?: \w+ly)? did(?: also| then| still| indeed| go ahead and)* (?:{infinitive})\b(?! (?:if|that|whether)\b)",
                rf"\b(?:did|does|has|have) get (?:{pp})\b",
                rf"(?:\b{_AGENT}|{_OPENS}|\b{_PERFECT}){_ADVERB}\s+(?:{light})\s+"
                rf"(?:\w+ ){{0,2}}(?:{noun})\b",
                rf"\b{_MONEY}\b.{{0,25}}?(?:\s|(?='))(?:{_WAS}|{_PERFECT} been|did get|{_IS})"
                rf"{_ADVERB}\s+(?:{taken})\b",
                rf"\b(?:{_AGENT}|they){_ADVERB}(?:\s+{_PERFECT})?{_ADVERB}\s+(?:{taken})\s+"
                rf"(?:\w+ ){{0,2}}{_MONEY}",
                rf"\b(?:{_AGENT}|they)(?:\s|'ve|{_PERFECT})+(?:sent|given|gave|paid|booked|put|rolled)"
                rf"\b.{{0,30}}\bback\b|\b{_MONEY}(?:'s| is) (?:coming|on its way) back\b"
                if name == "refund"
                else r"(?!)",
                *DONE.get(name, ()),
            )
        ),
        promised=tuple(re.compile(one) for one in PROMISED.get(name, ())),
        undone=tuple(re.compile(one) for one in UNDONE.get(name, ())),
        not_meant=re.compile(NOT_MEANT.get(name, r"(?!)")),
        fell=re.compile(
            rf"\b(?:{noun}{'|card' if name == 'charge' else ''})\b(?: [\w#-]+){{0,4}}\s+"
            rf"(?:(?:{_IS}|{_WAS}|{_PERFECT}|{_PERFECT} been){_ADVERB}\s+)?(?:{fell})\b"
            r"(?! (?:payment|charge|card|checkout|attempt|transaction|purchase|refund|cancellation|order|mail|e ?mail|delivery|try)\b)",
            re.IGNORECASE,
        ),
        could_not=re.compile(
            rf"{COULD_NOT.pattern}(?: \w+ly)?\s+(?:{infinitive}|(?:{pp}))\b|"
            rf"{COULD_NOT.pattern}(?: \w+ly)?\s+(?:{light})\s+(?:\w+ ){{0,2}}(?:{noun})\b|"
            rf"\b(?:{noun})\b{_TO_NO_OTHER}{{0,30}}{COULD_NOT.pattern}\s+(?:be\s+)?(?:{pp}|go through|{through})\b",
            re.IGNORECASE,
        ),
        none=re.compile(
            rf"\b(?:neither|nor) (?:(?:was|were|is|has|have|did) )?(?:\w+ ){{0,3}}(?:{noun}|{pp})\b|"
            rf"\bnot yet (?:\w+ ){{0,3}}(?:{pp})\b|"
            rf"\bthere (?:was|is|were|are|has been) no (?:\w+ ){{0,2}}(?:{noun})\b{_NAMES_ANOTHER}|"
            rf"\b{nothing}{_ADVERB}\s+(?:{_IS}|{has}|{_PERFECT} been){_ADVERB}\s+(?:{pp})\b|"
            rf"\bno (?:\w+ ){{0,2}}(?:{noun})\b{_NAMES_ANOTHER}(?: [\w]+){{0,2}}\s+(?:{_IS}|{has}){_ADVERB}\s+"
            rf"(?:{pp}|{through})\b|"
            rf"\b(?:{noun})\b(?: [\w#.,-]+){{0,11}}\s+(?:{_IS}|{has}){_ADVERB}(?:n't| not)(?: \w+){{0,2}}"
            rf"\s+(?:{pp}|{through})\b|"
            rf"\b(?:was|were|have|has|'s|been|is|are|had)(?:n't| not){_ADVERB}(?: \w+){{0,2}}\s+(?:{pp})\b|"
            rf"\bwithout (?:being )?(?:{pp})\b|\bnever (?:\w+ ){{0,2}}(?:{pp})\b|^\W*no (?:{noun})(?: (?:yet|so far|at all|here))?\W*$|"
            rf"\bnot (?:yet )?(?:been )?(?:{pp})\b|\b(?:nothing|no one|nobody)\b.{{0,20}}\b(?:{pp})\b",
            re.IGNORECASE,
        ),
    )


def _any(words: tuple[str, ...]) -> str:
    return "|".join(
        re.escape(word).replace(r"\ ", r"\s+(?:\w+\s+)?") for word in sorted(words, key=len)[::-1]
    )
