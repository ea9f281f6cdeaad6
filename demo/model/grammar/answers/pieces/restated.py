"""What a text comes to once its speaker has put it right, and the head of its list is read. Pure.

People change their mind within a breath: "3 pairs no 2 no actually 3", "add it. No wait, add the
other instead". What was said last holds. A list may have a head that says what becomes of it:
"Please add: 3 x ..., 2 x ...".
"""

import re
from itertools import pairwise
from typing import Final

from daybook.demo.model.grammar.language.chat.names import is_model
from daybook.demo.model.grammar.language.chat.vocabulary import names_goods
from daybook.demo.model.grammar.language.words import NUMBERS

_MANY: Final = "|".join(NUMBERS)
_NUMBER: Final = rf"(?:\d{{1,2}}|{_MANY})"
_RIGHTS: Final = (
    r"(?:(?:no|nope|nah|wait|actually|sorry|oh|hm+|oops|scratch that|make (?:it|that)|i mean"
    r"|i meant)\b[\s,.!]*)+"
)
_COUNT_PUT_RIGHT: Final = re.compile(
    rf"\b(?P<first>{_NUMBER})\b(?P<goods>(?:\s+(?!{_NUMBER}\b|us\b|people\b|kids\b|persons\b)[a-z][\w'-]*){{0,6}}?)"
    rf"(?:[\s,.!-]+(?P<rights>{_RIGHTS})(?P<last>{_NUMBER})\b)"
    rf"(?:[\s,.!-]+(?P<again>{_RIGHTS})(?P<very>{_NUMBER})\b)?(?P<end>[\s,.!]*(?:please|then)?\W*)$",
    re.IGNORECASE,
)
_SURE: Final = re.compile(r"\b(?:wait|actually|sorry|scratch|mean|meant)\b", re.IGNORECASE)
_TAKEN_BACK: Final = re.compile(
    r"[\s.,;!-]+(?:(?:hm+|oh|wait|no|nope|nah|actually|sorry|scratch that|hang on|hold on|ah)\b"
    r"[\s,.!]*)*\b(?:no|nope|scratch that)\b[\s,.!]*(?:(?:wait|actually|sorry|hm+|just|only|make it"
    r"|make that|i mean|rather|but)\b[\s,.!]*)*(?=\w)",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(
    r"\b(?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th|other|cheap\w*|lightest)\b"
)
_OTHERWISE: Final = re.compile(
    r"\?|\b(?:what|how|which|who|why|when|where|is there|are there|do|does|did|can|show|find|tell"
    r"|look|see|compare|reviews?|price|weight|if|unless|maybe|perhaps|might|could|should|would"
    r"|think|thinking|remove|delete|drop|out|swap|replace|cancel|forget|not|never|don'?t|said|says"
    r"|told|wait$|was|were|had|bought|order|pay|checkout|buy|remember|each|more|less|clear|empty|keep"
    r"|yesterday|last time|later|tomorrow|nothing|none|one in)\b(?<!do it)",
    re.IGNORECASE,
)
_SAYS_SO: Final = re.compile(
    r"\b(?:add|put|take|have|want|need|get|give|go with|go for|just|only|please|fine|then"
    r"|it is|will do)\b",
    re.IGNORECASE,
)
_HEAD: Final = re.compile(
    r"\s*(?:(?:hi|hello|hey|please|pls|can|could|you|i|we|would|id|i'd|like|want|need|will|i'll"
    r"|take|to|add|put|order|buy|get|have|give|me|us|the|following|these|this|in|into|my|our|cart"
    r"|basket|items?|things|list|shopping|here|is|here's|are|for|and|also|now|ok|okay|so|products?"
    r"|everything|all|of|it|below|today|just)\b[\s,.!]*)+:\s*(?=\S)",
    re.IGNORECASE,
)
_HEAD_ACTS: Final = re.compile(
    r"\b(?:add|put|buy|get|take|want|need|have|like|give|shopping list|cart|basket|order)\b", re.I
)
_LETS_GO: Final = re.compile(r"\bnvm (?:on|about|with)\b", re.IGNORECASE)
_THANKS: Final = re.compile(r"\bthanks you\b", re.IGNORECASE)
_WANTED_FIRST: Final = re.compile(
    r"\s*(?P<lead>(?:(?:ok|okay|yes|good|then|so|and|ah|oh|well)[\s,.!]+)*)"
    r"(?P<what>(?:this|that|these|those)(?: ones?)?|the [a-z][\w' -]{1,40}?)"
    r" (?:i|we) (?:want|take|will take|would like|will have|need)\b(?=\s*(?:[,.!;]|please|$))",
    re.IGNORECASE,
)
_ACT_LAST: Final = re.compile(
    r"\s*(?P<lead>(?:(?:ok|okay|yes|good|then|so|and|ah|oh|well)[\s,.!]+)*)(?:the )?"
    r"(?P<goods>(?!add\b|put\b|get\b)[A-Za-z]+(?:[ -][\w'-]+){1,7}?)"
    r"(?:,? (?:looks?|sounds?|seems?|is) (?:fine|good|great|ok|okay|nice|perfect|alright|right))?"
    r"\s*[,.;:!-]+\s*(?:please )?(?:(?:can|could) you )?(?:i(?: wi|')ll (?:take|have)|add|take"
    rf"|put|get me|give me)(?: (?:it|one|that|a pair|(?P<many>{_NUMBER}(?: pairs?)?)))?"
    r"(?: (?:in|to|into)(?: (?:my|the) (?:cart|basket|bag))?)?(?: please| then| thanks)*[\s.!]*",
    re.IGNORECASE,
)
"""Goods that stand before what becomes of them: "Mill Brook fleece. Add 2"."""
_MORE_OF_IT: Final = re.compile(
    r"\s*(?P<act>(?:i(?:'|\u2019| wi)ll take|i want|i need|i'?d like|add|give me|get me))?\s*"
    rf"(?:(?P<first>{_NUMBER}|a|an)(?: pairs? of)? )?(?:the )?"
    r"(?P<goods>[A-Za-z]+(?: [\w'-]+){1,7}?)(?: please)?"
    r"\s*[.,;!]\s*(?:oh )?(?:and|plus|also)(?: also| then)? "
    rf"(?:(?P<more>{_NUMBER}) more(?: (?:of (?:the same|those|them|it|these)|pair|one))?"
    rf"|(?P<same>{_NUMBER}|another)(?: pairs?)? of (?:the same|those|them|it|these)"
    r"|(?P<one>another|one(?= (?:for|too)\b))(?: one| pair)?)"
    r"(?: for (?:(?:my|his|her|our|the) \w+|her|him|me|us|them))?(?: too| please| as well)*"
    r"(?: (?:so|because|since|cos|cuz|as) [^.?!]*)?[\s.!:;()]*",
    re.IGNORECASE,
)
"""Goods, and so many more of the same: "a Mill Brook fleece. And one more for my wife"."""
_AND_SO_MANY: Final = re.compile(
    rf"\s*[,;.]?\s+(?:and|plus)\s+(?P<goods>{_NUMBER} (?:pairs? of )?(?:the |of the )?"
    r"(?P<name>[A-Za-z]+(?: [\w'-]+){1,7}?))(?: too| as well| also)(?=[\s.!]*$)",
    re.IGNORECASE,
)
_EACH_OF: Final = re.compile(
    rf"\b(?P<n>{_NUMBER})(?: pairs?| pieces?)? each of (?P<goods>[^.;:?!]+?)"
    r"(?P<end> (?:please|too|in|into|to|for)\b[^.;:?!]*)?(?=[.;!?]|$)",
    re.IGNORECASE,
)
_FIRST_AT_END: Final = re.compile(r"\s+first(?=\W*$)", re.IGNORECASE)
_BEFORE_ALL: Final = re.compile(
    r"\b(?:add|put|pop|throw|stick|chuck|get|need|want|remove|take)\b.*"
    r"\b(?:in|out|off|cart|basket|more|another \w+|one) first\W*$",
    re.IGNORECASE,
)
"""What is to be done before the purchase that was spoken of: "put one more in first"."""
_OTHERWISE_FIRST: Final = re.compile(
    r"\?|\b(?:see|check|look|ask|know|compare|think|read|hear|try|measure|show|tell|the first"
    r"|which|what|not|never|don'?t|if)\b",
    re.IGNORECASE,
)
_OWNS: Final = re.compile(r"\W*(?:(?:ok|so|hi|hello|hey|and|now)\W+)*(?:i|we) have\b", re.I)
_BULLET: Final = re.compile(r"(?:^|\n)\s*(?:[-*\u2022]|\d\))\s+")
_ENUMERATES: Final = re.compile(r"(?P<before>^|\s)\s*(?P<n>\d)[.)]\s+(?=[^\W\d])")
_GOODS_OF: Final = re.compile(r"(?:,|;|\n|\band\b|&)\s*")


def restated(text: str) -> str:
    """Return a text as it stands once what was taken back in it is left out."""
    return _last_said(_recounted(_listed(_in_order(_unnumbered(text)))))


def _unnumbered(text: str) -> str:
    """Leave out the numbers of a list: "1) the fleece 2) the lamp" counts neither."""
    found = list(_ENUMERATES.finditer(text))
    numbers = [int(one["n"]) for one in found]
    if len(numbers) < 2 or numbers != list(range(1, len(numbers) + 1)):
        return text
    return _ENUMERATES.sub(lambda one: one["before"] if one["n"] == "1" else "\n", text)


def _in_order(text: str) -> str:
    """Put what is said in another order, or in short, as most say it: "this one I want"."""
    text = _THANKS.sub("thank you", _LETS_GO.sub("never mind about", text))
    if (found := _WANTED_FIRST.match(text)) is not None:
        text = f"{found['lead'] or ''}I want {found['what']}{text[found.end() :]}"
    if (found := _ACT_LAST.fullmatch(text)) and names_goods(found["goods"].lower().split()):
        text = f"{found['lead'] or ''}add {found['many'] or ''} {found['goods']}"
    text = _EACH_OF.sub(_counted_each, _AND_SO_MANY.sub(_added_too, text))
    if (found := _MORE_OF_IT.fullmatch(text)) and names_goods(found["goods"].lower().split()):
        more = found["more"] or found["same"] or found["one"]
        many = _number(found["first"] or "1") + _number(more)
        text = f"{found['act'] or 'add'} {many} {found['goods']} please"
    if _BEFORE_ALL.search(text) and not _OTHERWISE_FIRST.search(text):
        text = _FIRST_AT_END.sub("", text)
    return text


def _number(word: str) -> int:
    plain = word.lower()
    return 1 if plain in ("a", "an", "another", "one") else NUMBERS.get(plain) or int(plain)


def _counted_each(found: re.Match[str]) -> str:
    """Give each of some goods the count that is said once: "three each of the X and the Y"."""
    goods = [one for cut in _GOODS_OF.split(found["goods"]) if (one := cut.strip())]
    names = [re.sub(r"^(?:the|a|an) ", "", one.lower()).split() for one in goods]
    if len(goods) < 2 or not all(map(names_goods, names)):
        return found[0]
    return " and ".join(f"{found['n']} {' '.join(name)}" for name in names) + (found["end"] or "")


def _added_too(found: re.Match[str]) -> str:
    """Give a count of goods that are named behind another wish a verb of its own."""
    return f". Add {found['goods']}" if names_goods(found["name"].lower().split()) else found[0]


def _listed(text: str) -> str:
    """Read the head of a list as its verb: "For my cart: ..."."""
    head = _HEAD.match(text)
    if head is None or "?" in text or not _HEAD_ACTS.search(head.group()):
        return text
    if _OWNS.match(head.group()):
        return text
    rest = _BULLET.sub("\n", text[head.end() :]).strip(" .\n")
    items = [one for cut in _GOODS_OF.split(rest) if (one := cut.strip(" ,;."))]
    if not items or not all(_names(one) for one in items):
        return text
    return "Add " + " and ".join(items)


def _names(text: str) -> bool:
    words = re.findall(r"[a-z]+", text.lower())
    is_named = any(is_model(*pair) for pair in pairwise(words))
    return is_named or re.search(r"\b[A-Z]{2,8}-\d{2,6}\b", text) is not None


def _recounted(text: str) -> str:
    """Let the last count hold: "two no wait three"; "2, no 3" alone may be a place in a list."""
    found = _COUNT_PUT_RIGHT.search(text)
    if found is None or "?" in text or re.search(r"\bnot\b|n't\b", text, re.IGNORECASE):
        return text
    rights = f"{found['rights']} {found['again'] or ''}"
    if not _SURE.search(rights):
        return text
    last = found["very"] or found["last"]
    return f"{text[: found.start()]}{last}{found['goods']}{found['end']}"


def _last_said(text: str) -> str:
    """Let the goods that were named last hold: "the first and the third no just the first"."""
    said = _TAKEN_BACK.split(text)
    if len(said) < 2 or _OTHERWISE.search(text):
        return text
    first, last = said[0].strip(), said[-1].strip(" .!,")
    points = _names(first) or _PLACE.search(first.lower()) or re.search(r"\bit|that one\b", first)
    is_named = _names(last) or _PLACE.search(last.lower())
    if not points or not is_named or re.search(r"\d", last):
        return text
    last = re.sub(r"\s+instead$", "", last)
    is_said = _SAYS_SO.search(last) or _SAYS_SO.search(first) or len(said) > 2
    is_only = re.search(r"\b(?:just|only)\b", text, re.IGNORECASE)
    return f"{last} please" if is_said or is_only else text
