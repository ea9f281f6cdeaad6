"""Read a need that is told as a story: "we don't have a tent", "my headlamp died". Pure."""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.vocabulary import says_goods
from daybook.demo.model.grammar.language.intents.goods import Search
from daybook.demo.model.grammar.language.words import NOUNS, fold, in_shop_words

_WHAT: Final = r"(?P<what>(?:[\w-]+ ){0,3}?[\w-]+)"
_END: Final = (
    r"(?=$| ?[,.!;:-]| (?:and|but|so|because|since|as|last|on|in|at|yet|for|when|while|to|between"
    r"|of|with|this|any|now|either|then|myself|anymore|ourselves|yesterday|today|somewhere|after"
    r"|during|finally)\b)"
)
_NO_OWN: Final = (
    r"(?:do not|does not|did not|never|have not|has not)(?: (?:actually|even|really|yet|ever))*"
    r" (?:have|has|got|own|owned|had|possess|bring)(?: got)?"
)
_LACKS: Final = (
    re.compile(rf"\b{_NO_OWN}(?: (?:a|an|any|our|my|own|one))* {_WHAT}{_END}"),
    re.compile(rf"\b(?:have|has|having|got|with|and) (?:got )?no {_WHAT}{_END}"),
    re.compile(rf"\bwithout (?:a|an|any) {_WHAT}{_END}"),
    re.compile(
        r"\b(?:nobody|no ?one|no shop|nowhere|none of (?:them|the shops))"
        r"(?: (?:else|really|here|ever))* (?:has|have|had|sells?|sold|stocks?|stocked|does"
        rf"|seems? to (?:have|sell|stock))(?: any)? {_WHAT}{_END}"
    ),
    re.compile(
        r"\b(?:lost|left|outgrew|broke|ruined|wore out|tore|ripped|burnt|burned|melted|snapped"
        rf"|left behind|sold|gave away) (?:(?:my|our|his|her|the)(?: old)?) {_WHAT}{_END}"
    ),
    re.compile(
        rf"\b(?:my|our|his|her)(?: old| last| only| trusty)? {_WHAT} (?:(?:has|have|is|are|was|were"
        r"|just|finally|all|got|had|both|been|completely|totally|sadly) )*(?:broke|broken|died|dead"
        r"|fell apart|fallen apart|falling apart|gave up|given up|gone|stolen|worn out|wore out"
        r"|lost|worn|ripped|torn|snapped|finished|packed (?:it )?(?:up|in)|kaput|knackered|leaks?"
        r"|leaking|had it|done for|rusted|ruined|burnt|burned|melted|destroyed|too small)\b"
    ),
)
_OF_AN_ORDER: Final = re.compile(
    r"\b(?:return\w*|refund\w*|warranty|guarantee|replace\w*|repair\w*|complain\w*|order(?:ed|s)?"
    r"|bought|you sold|cart|basket|deliver\w*|parcel|cancel|exchange|add|put|remove|buy|take"
    r"|pay|cheaper|there"
    r"|listed|does it|they do)\b"
)


def lacked(text: str) -> Search | None:
    """Return a search for the goods that a person tells to be without; None where of none."""
    if "?" in text or _OF_AN_ORDER.search(text):
        return None
    for pattern in _LACKS:
        for found in pattern.finditer(text):
            words = [word for word in found["what"].split() if says_goods(word) or _is_noun(word)]
            if words and _is_noun(words[-1]) and words[-1] == found["what"].split()[-1]:
                query, category = in_shop_words(words)
                return Search(" ".join(query), category)
    return None


def _is_noun(word: str) -> bool:
    return fold(word) in NOUNS
