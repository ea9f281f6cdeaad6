"""Read what a sentence claims of effects: that one was done, or that it was not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.grammar.idioms import DONE, NOT_MEANT, PROMISED, UNDONE
from daybook.tools.said.grammar.kinds import (
    FELL_THROUGH,
    GONE_THROUGH,
    LIGHT,
    WENT_THROUGH,
    Kind,
)
from daybook.tools.said.grammar.saying import (
    ASSERTED,
    CONDITION_BEHIND,
    COULD_NOT,
    EARLIER,
    FAILED,
    GAINSAID,
    IN_DOUBT,
    IN_GENERAL,
    IN_GENERAL_NOT,
    NOTHING_AMISS,
    NOTHING_ELSE,
    OF_A_DEAL,
    OF_A_RULE,
    OF_ITSELF,
    OF_NOTHING,
    OF_NOW,
    ONLY_SPOKEN_OF,
    STATED,
)
from daybook.tools.said.text import Sentence, is_row

_ADVERB = (
    r"(?:\s+(?:just|now|already|still|also|successfully|all|been|been successfully|safely|officially|"
    r"indeed|both|finally|so far|fully|fresh(?:ly)?|gone ahead and|went ahead and|then|"
    r"securely|immediately))*"
)
_AGENT = (
    r"(?:i|we|i've|we've|i have|we have|it|the (?:system|shop|store|machine|bank|team)|someone)"
)
_WHETHER = re.compile(r"\b(?:whether|if)\b", re.IGNORECASE)
_OF_WHICH = re.compile(r"\b(?:that|which) (?:was|were|has been) \w+")
_OF_ANYBODY = re.compile(
    r"\byou (?:get|will|can|may|have to|need|then)\b|\b(?:your|the) (?:card|money)\b|\byour\b"
)
_OF_ANY = re.compile(
    r"^\W*(?:and |but )?(?:an?|any|every|each|whatever|what|all) (?:\w+ )?(?:that|which|what)?(?:'s|'ve| is| was| has| were| have)?(?:n't| not)?(?: been)? \w+(?: over| for)?(?= )"
)
"""Names things by what was done to them, in a clause that tells how things go with all of that sort."""

_HOW_IT_GOES = re.compile(
    r"\b(?:can|may|must|takes?|goes?|gets?|is|are)\b(?! (?:on|in) (?:its|their|the) way)"
)
_BY_WHICH = re.compile(
    r"\b(cards?|account|order) (?:that|which|it) (?:was|were|is|'s|has been|'s been) (?:charged|placed)\b|"
    r"\b(cards?|account|address|method) (?:that |which )?you(?:'ve| have)? (?:paid|ordered|bought|used|pay|order|buy)(?: (?:with|by|from|to))?\b"
)
_INSTRUCTS = re.compile(
    r"(?:^|[,:;(\d)–—-]|\band|\bthen|\bor)\W*(?:just |simply |please |then |first |you (?:just |simply |then )?)?(?:send|return|ship|bring|keep|put|swap|order|buy|pack) (?:it|them|the|that|this|those|these|your|what|whatever|sizes|anything) ",
    re.IGNORECASE,
)
"""Tells somebody what to do, and what follows then."""

_BY_SOMEBODY = re.compile(
    r"\b(?:was|were|been|i|we|has|had|already|just now)\b|\b(?:you|i|we)(?:'ve| have)\b|^\W*(?:and )?(?:refunded|cancelled|canceled)\b"
)
_OF_WHAT_IS_TO_DO = frozenset({"refund", "order", "return", "exchange", "cancel", "ship"})
_OF_ITS_OWN = re.compile(r"\b(?:has|have|had) (?:its|their|an?) own\b")
_HAS_SOME = re.compile(
    r"\b(?:you|we|i|they)(?:'ve| have)(?: got)? (?=(?:until|up to|the (?:right|option|choice)|plenty|about|around|at least|\d+|an?|one|two|three|four|five|six)\b)"
)
"""Tells what somebody has, and not what was done: "you've 30 days"."""

_HOW_SOON = re.compile(
    r"\b(?:within|in under|in less than) (?:an?|\w+(?: to \w+)?) (?:business |working )?(?:hour|day|week)s?\b"
)
"""In a clause of the present that tells how soon something is done, whoever it is done for."""

_OF_WHAT_IS_TO_COME = re.compile(
    r"\b(?:will|would|could|can|shall|should|to be|confirm|proposed?|proposal|options?|if you|want|planned|plan|before|next)\b|'ll\b|'d\b",
    re.IGNORECASE,
)
"""In a line above rows of which nothing was done yet."""

_FAILED_WHOLLY = re.compile(
    r"\b(?:was|were|has been|have been|got|is) (?:then |thus |therefore |just |all )*(?:abandoned|aborted|stopped|halted|given up|called off|dropped|discontinued|not completed|unsuccessful)\b"
)
"""Says of what was asked for that it did not come about."""

_STILL_YOURS = re.compile(
    r"\b((?:usd|dollars|money|amount|sum|cash|\d+\.\d\d)\b(?: usd| dollars)?(?: \w+){0,3}?) (?:all )?yours\b"
)

_BY_OTHERS = re.compile(
    r"\b(?:(?:somebody|someone|everybody|everyone|people|others)(?: else)?|(?:other|another|more|one|an?|many|two|some|several) (?:customers?|reviewers?|shoppers?|buyers?|people|persons?|hikers?))"
    r"(?: (?:just|has|have|had|already|must have|probably|quickly|then))* (?:snapped up|bought|grabbed|nabbed|snagged|got|purchased|ordered|took|taken|scored)\b"
    r"|\b(?:was|were|got|been) (?:all |already |quickly )*snapped up (?:by (?!me\b|us\b)|before|quickly|fast|first|already|early)"
)
"""Tells what other people bought."""

_OF_A_TRIP = re.compile(
    r"\b(?:trip|plans?|holidays?|vacation|weekend|hike|tour|trek|journey|outing|wedding|festival|camping|weather|rain|snow)\b(?: (?:has|have|had|was|were|is|are|got|just|all|then))*(?:n't| not)? (?:fell through|fallen through|didn't work out|did not work out|work(?:ed)? out|called off|cancelled|canceled|came to nothing|over|off)\b"
)
"""Tells what became of somebody's plans, and of no order."""

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
class Claim:
    """What is claimed of a kind of effect.

    Attributes:
        kind: None where it is said of all that was asked for.
        is_vague: it speaks of buying, paying or sending, in no words of a kind.
        is_past: it tells of what was, and not how things stand.
        is_done: that it was done; else that it was not.
        is_earlier: it speaks of what was done before.
        clause: in which it is claimed, as `plain` writes it.
        text: the sentence of which it is, in plain English.
    """

    kind: Kind | None
    is_done: bool
    is_earlier: bool = False
    is_vague: bool = False
    is_past: bool = True
    clause: str = ""
    text: str = ""


def claims_in(sentence: Sentence, kinds: tuple[Kind, ...]) -> Iterator[Claim]:
    """Yield what a sentence claims of effects of these kinds; of a question nothing."""
    clauses = Clauses(sentence)
    if is_row(sentence.text) and _OF_WHAT_IS_TO_COME.search(sentence.heading):
        return
    text = clauses.text
    is_earlier = EARLIER.search(text) is not None
    is_rule = OF_A_RULE.search(text) is not None
    instructs = _INSTRUCTS.search(text) is not None
    for said in clauses.asserted:
        said = _BY_WHICH.sub(lambda one: one[1] or one[2], said)
        said = _OF_A_TRIP.sub(" trip ", _BY_OTHERS.sub(" ", _STILL_YOURS.sub(r"\1 here", said)))
        if (named := _OF_ANY.match(said)) and _HOW_IT_GOES.search(said[named.end() :]):
            said = said[named.end() :]
        if instructs and not _BY_SOMEBODY.search(said) and not OF_NOTHING.search(said):
            kinds_here = tuple(one for one in kinds if one.name not in _OF_WHAT_IS_TO_DO)
        else:
            kinds_here = kinds
        if is_rule and not OF_NOW.search(_OF_WHICH.sub(" ", _OF_ANYBODY.sub(" ", said))):
            continue
        if _HOW_SOON.search(said) and not OF_NOW.search(said):
            continue
        is_general = IN_GENERAL.search(said) is not None
        if is_general and not _is_open(said, is_of_nothing=False) and not OF_NOTHING.search(said):
            yield Claim(None, is_done=True, is_earlier=is_earlier, clause=said, text=text)
        elif IN_GENERAL_NOT.search(said) and not _is_open(said, is_of_nothing=True):
            yield Claim(None, is_done=False, is_earlier=is_earlier, clause=said, text=text)
        elif FAILED.search(said) and not _is_open(FAILED.sub(" ", said), is_of_nothing=True):
            yield Claim(None, False, is_earlier, is_vague=True, clause=said, text=text)
        if _is_of_a_deal(said) and kinds_here == kinds and not _FAILED_WHOLLY.search(said):
            is_past = ASSERTED.search(said) is not None
            yield Claim(None, True, is_earlier, True, is_past, said, text)
        for kind in kinds_here:
            found = _claimed(said, kind)
            if kind.name == "change" and OF_ITSELF.search(text):
                continue
            if found is not None:
                yield Claim(kind, found, is_earlier, clause=said, text=text)


def _is_of_a_deal(clause: str) -> bool:
    """Tell whether a clause says, in whatever words, that something was bought, paid or sent."""
    if (
        not OF_A_DEAL.search(clause)
        or IN_DOUBT.search(clause)
        or GAINSAID.search(clause)
        or OF_ITSELF.search(clause)
    ):
        return False
    tells = _HAS_SOME.sub("there is ", _OF_ITS_OWN.sub(" ", clause))
    if not (ASSERTED.search(tells) or STATED.search(tells)):
        return False
    return not _is_open(clause, is_of_nothing=False)


def _claimed(clause: str, kind: Kind) -> bool | None:
    """Tell what a clause claims of a kind of effect; None for nothing."""
    forms = _forms(kind.name, kind.done, kind.base, kind.nouns, kind.is_state)
    if _says_undone(clause, forms):
        return False
    if any(one.search(clause) for one in forms.promised) and not CONDITION_BEHIND.search(clause):
        return None if OF_NOTHING.search(clause) else True
    if IN_DOUBT.search(clause) or NOTHING_ELSE.search(clause):
        return None
    clause = forms.not_meant.sub(" ", clause)
    is_of_nothing = OF_NOTHING.search(NOTHING_AMISS.sub(" ", clause)) is not None
    none = forms.could_not.search(clause) or forms.none.search(clause)
    if is_of_nothing and none:
        return None if _is_open(clause[: none.end()], is_of_nothing=True) else False
    found = next((match for one in forms.done if (match := one.search(clause))), None)
    if found is None:
        return None
    if _is_open(clause[: found.end()], is_of_nothing=is_of_nothing):
        return None
    if CONDITION_BEHIND.search(clause[found.end() :]):
        return None
    if is_of_nothing and "no longer" in found.group():
        # It is of the phrase itself: "no longer active".
        around = f"{clause[: found.start()]} {clause[found.end() :]}"
        is_of_nothing = OF_NOTHING.search(around) is not None
    return not is_of_nothing


def _says_undone(clause: str, forms: _Forms) -> bool:
    """Tell whether a clause says in a turn of phrase that it was not done."""
    fell = forms.fell.search(clause)
    if fell is not None and _WHETHER.search(clause[: fell.end()]) is None:
        return True
    found = next((match for one in forms.undone if (match := one.search(clause))), None)
    return found is not None and not _is_open(clause[: found.start()], is_of_nothing=True)


def _is_open(clause: str, *, is_of_nothing: bool) -> bool:
    """Tell whether a clause only speaks of something: in a condition, of the future."""
    if is_of_nothing:
        clause = COULD_NOT.sub(" ", clause)
    return ONLY_SPOKEN_OF.search(clause) is not None


@dataclass(frozen=True)
class _Forms:
    done: tuple[re.Pattern[str], ...]
    promised: tuple[re.Pattern[str], ...]
    undone: tuple[re.Pattern[str], ...]
    not_meant: re.Pattern[str]
    fell: re.Pattern[str]
    could_not: re.Pattern[str]
    none: re.Pattern[str]


@lru_cache(maxsize=256)
def _forms(
    name: str,
    done: tuple[str, ...],
    base: tuple[str, ...],
    nouns: tuple[str, ...],
    is_state: bool,
) -> _Forms:
    """Make the patterns of a kind."""
    pp, infinitive = _any(done), _any(base)
    noun = _any(nouns) if nouns else r"(?!)"
    taken, light = _TAKEN.get(name, r"(?!)"), _any(LIGHT)
    through, went, fell = _any(GONE_THROUGH), _any(WENT_THROUGH), _any(FELL_THROUGH)
    has = rf"(?:{_PERFECT}|{_WAS})"
    state = rf"|\b{_IS}{_ADVERB}\s+(?:{pp})\b" if is_state else ""
    sent = r"(?:sent|handed|dispatched)" if name == "mail" else r"(?!)"
    nothing = r"(?:nothing|none|no \w+(?: \w+){0,2})"
    return _Forms(
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
            rf"\b(?:{noun})\b(?: [\w#.,-]+){{0,7}}\s+(?:{_IS}|{has}){_ADVERB}(?:n't| not)(?: \w+){{0,2}}"
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
