"""Read what a sentence claims of effects: that one was done, or that it was not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.forms import Forms, forms_of
from daybook.tools.said.grammar.kinds import Kind
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
    NO_SECOND_ONE,
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
_APPROVED = re.compile(
    r"\b(?:you|you'd|you've)(?: had| have)?(?: just| already| even| also)? (?:approved|confirmed|agreed to|okayed|signed off(?: on)?|said yes to)\b(?: (?:it|that|this|the|sending|going ahead)\b)?"
)
"""Tells what a person agreed to, and not what came of it."""
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

_TAKEN_AS = re.compile(
    r"\b(?:took|taken|take) (?:[\w']+ ){1,4}(?:to mean|to be|as (?!requested|asked|planned|agreed|promised|usual|always|before|you\b|i\b|we\b|well\b|soon\b|it\b))"
    r"|\b(?:i|we|you|they) (?:nearly|almost) (?:sent|bought|ordered|returned|paid|took|gave|put)\b"
)
"""Tells how something was understood, or what was not quite done."""

_OF_A_TRIP = re.compile(
    r"\b(?:trip|plans?|holidays?|vacation|weekend|hike|tour|trek|journey|outing|wedding|festival|camping|weather|rain|snow)\b(?: (?:has|have|had|was|were|is|are|got|just|all|then))*(?:n't| not)? (?:fell through|fallen through|didn't work out|did not work out|work(?:ed)? out|called off|cancelled|canceled|came to nothing|over|off)\b"
)
"""Tells what became of somebody's plans, and of no order."""


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
        said = _APPROVED.sub(" ", _BY_WHICH.sub(lambda one: one[1] or one[2], said))
        said = _TAKEN_AS.sub(" ", said)
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
    forms = forms_of(kind.name, kind.done, kind.base, kind.nouns, kind.is_state)
    if NO_SECOND_ONE.search(clause):
        return None
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


def _says_undone(clause: str, forms: Forms) -> bool:
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
