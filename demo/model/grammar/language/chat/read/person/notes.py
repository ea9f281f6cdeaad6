"""Read what a person says of themselves in passing, asks back of it, or wants struck. Pure.

It is heard before anything else: "i'm 6 foot 4 so i need a long bag" tells a height, and wants a
bag. Only what no other reading may mean is read here; the rest is left to the rules.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from daybook.demo.model.grammar.language.chat.read.person.barred import barred
from daybook.demo.model.grammar.language.chat.read.person.forgetting import forgotten
from daybook.demo.model.grammar.language.chat.read.person.known import asked_of_oneself
from daybook.demo.model.grammar.language.chat.read.person.sizes import Noted, sized
from daybook.demo.model.grammar.language.chat.read.person.wishes import (
    END,
    LEAD,
    WANTED,
    said_by,
    wish_behind,
)
from daybook.demo.model.grammar.language.chat.vocabulary import BRANDS
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.past import Remember
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.words import NOUNS, fold

Told = tuple[tuple[Intent, ...], Sequence[Token]]

_DIET: Final = re.compile(
    rf"{LEAD}{WANTED}?(?:(?:i|we) (?:am|are|have gone|went|went fully|have been|always|only|just"
    rf"|do"
    r"|try to|will|strictly|am a|are all|exclusively|buy|purchase|wear|use|shop|stick to|keep)"
    rf"(?: (?:only|just|strictly|exclusively|a|buy|purchase|wear|use|want|to))* (?P<diet>vegan"
    r"|vegetarian)(?: (?:stuff|things|gear|products?|goods|clothes|clothing|here|myself|friendly"
    rf"|materials))*){END}"
)
_TALL: Final = re.compile(
    rf"{LEAD}{WANTED}?i am (?P<tall>\d (?:foot|feet|ft)(?: ?\d{{1,2}})?(?: ?inches)?|\d'\d{{1,2}}"
    r"|1\.\d\d ?(?:m|meters?|metres?)?|[12]\d\d ?cm|(?:very|really|quite|pretty|rather) (?:tall"
    rf"|short)|tall|short)(?: tall)?{END}"
)
_LIMIT: Final = re.compile(
    rf"{LEAD}{WANTED}?(?:(?:my|our|the) )?(?:total |whole |overall |absolute )?(?:budget|limit"
    rf"|maximum"
    r"|cap|ceiling)(?:'s| is| would be| will be|:| for (?:this|it all|everything|all of it|the lot)"
    r"(?: is)?)(?: (?:at most|about|around|up to|only|like|roughly|strictly|now))*"
    r" (?P<most>[$]?\d+(?:\.\d\d)?(?: (?:dollars|usd|bucks))?)"
    r"(?: (?:in total|all in|altogether|in all|max|tops|overall|a pair|each|per (?:item|pair|piece)"
    rf"|for (?:everything|all of it|the lot)))*{END}"
)


def told_of_oneself(sentence: Sequence[Token]) -> Told | None:
    """Return what a sentence tells, asks or takes back of a person, and the wish behind it."""
    if _IN_MIND.fullmatch(said_by(sentence)):
        return (), ()
    struck = forgotten(sentence)
    if struck is not None:
        return struck
    text = said_by(sentence)
    if (asked := asked_of_oneself(text)) is not None:
        return (asked,), ()
    if (asks := _KEEP_IT.search(text)) is not None and sentence[-1].text == "?":
        # "And my sister wears 41, can you keep that too?" tells, and asks for nothing else.
        said = sentence[: len(text[: asks.start()].split())]
        return told_of_oneself(said) if said else None
    if sentence[-1].text == "?":
        return None
    if (bars := barred(sentence)) is not None:
        more = told_of_oneself(bars[1]) if bars[1] else None
        return bars if more is None else ((*bars[0], *more[0]), more[1])
    text = _AND_WEARS.sub(r"\1 , i \2", _CALLED.sub("", text))
    if (brand := _disliked_brand(text)) is not None:
        return (brand,), ()
    for read in _NOTES:
        found = read(text)
        if found is not None:
            facts, rest = found
            return facts, wish_behind(rest, sentence, tells=True)
    return None


_IN_MIND: Final = re.compile(
    rf"{LEAD}(?:keep|bear|have) (?:this|that|it|these|those) in mind(?: (?:please|for|in|during"
    r"|when|while|at|as|throughout|through|later|always|now|all|from)\b.*)?"
)
"""Said of what was told right before."""
_CALLED: Final = re.compile(rf"^{LEAD}(?:please )?call me \w+(?: ,| and|, and)+ (?=i |my )")


_KEEP_IT: Final = re.compile(
    r"[ ,]+(?:and )?(?:can|could|will|would) you (?:please |also |just )*(?:keep|note|remember"
    r"|save|store|write|put)(?: (?:that|it|this|them|these|down|in mind|too|also|as well|please"
    r"|for me|for later))*$"
)
_AND_WEARS: Final = re.compile(r"^(i am [^,]{1,20}?)(?: ,)? and (wear|take)\b")
_DISLIKES: Final = re.compile(
    r"\b(?:bad (?:luck|experiences?|time)|not (?:a )?(?:big )?fan|never again|avoid|hate|dislike"
    r"|do not (?:like|trust|want)|can not stand|rubbish|let me down|disappointed|stay away from)\b"
)


def _disliked_brand(text: str) -> Remember | None:
    """Read that the goods of a maker are not liked: "i had bad luck with Ironbark"."""
    named = [word for word in text.split() if word in BRANDS]
    if len(named) != 1 or not _DISLIKES.search(text) or _LOOKS.search(text):
        return None
    return Remember(f"brand {named[0]}", "disliked", "preference")


def _diet(text: str) -> Noted | None:
    found = _DIET.match(text)
    if found is None:
        return None
    return (Remember("diet", found["diet"]),), text[found.end() :]


def _plainly(text: str) -> Noted | None:
    """Read a height or a limit."""
    if found := _TALL.match(text):
        return (Remember("height", found["tall"]),), text[found.end() :]
    if (capped := _capped(text)) is not None:
        return capped
    found = _LIMIT.match(text)
    if found is None or any(fold(word) in NOUNS for word in text.split()):
        return None
    return (Remember("budget", found["most"], "constraint"),), text[found.end() :]


def _capped(text: str) -> Noted | None:
    """Read a limit that holds for everything: said with weight, of no goods and of no search."""
    found = _CAP.search(text)
    if found is None or not _WEIGHTY.search(text) or _LOOKS.search(text):
        return None
    if any(fold(word) in NOUNS for word in text.split()):
        return None
    words = [found["deny"], found["above"]] if found["deny"] else [found["most"]]
    value = " ".join(part for part in (*words, found["one"] or found["two"]) if part)
    return (Remember("budget", value, "constraint"),), text[found.end() :]


_LOOKS: Final = re.compile(
    r"\b(?:find|look|looking|search|need|recommend|suggest|show me (?!any|nothing)|show us|how|what"
    r"|which|would you|could you|can you)\b"
)
_CAP: Final = re.compile(
    r"\b(?P<deny>nothing|never|not|no) (?:\w+ ){0,4}?(?P<above>above|over|more than"
    r"|beyond|dearer than|past) (?P<one>[$]?\d+(?:\.\d\d)?(?: (?:dollars|usd|bucks))?)\b"
    r"(?! (?:g|grams|kg|litres|lumens?|people"
    r"|nights?|days?|times|years?|stars?)\b)"
    r"|\b(?P<most>max|maximum|at most|up to|no more than|under|below|within|less than)"
    r" (?P<two>[$]?\d+(?:\.\d\d)?(?: (?:dollars|usd|bucks))?) (?:per (?:piece|item|thing|pair"
    r"|product)"
    r"|each|a (?:piece|pop|pair|go)|apiece|for (?:everything|anything)|in total|altogether|all"
    r" in)\b"
)
_WEIGHTY: Final = re.compile(
    r"\b(?:just so you know|for the record|fyi|in mind|remember|hard limit|strict|strictly|broke"
    r"|skint"
    r"|never|absolutely|ever|my limit|tight|always|student)\b"
)


def _kept(text: str) -> Noted | None:
    """Read what is to be kept under no name: "store this preference: only packs under 1100 g"."""
    found = _KEEP.match(text)
    if found is None:
        return None
    what = re.sub(r"^(?:i am|i have|i|we are|we|my) ", "", found["what"])[:_LONGEST].strip()
    return (Remember(what, "yes", "preference"),), ""


_LONGEST: Final = 60
_KEEP: Final = re.compile(
    rf"{LEAD}(?:(?:can|could|would|will) you |please )*(?:store|save|record|keep|note|remember|add"
    r"|write down)(?: (?:down|this|that|the following|as|a|an|my|our|another|in))*"
    r" (?:preference|rule|fact|requirement|constraint|wish|memory|mind|down(?= ?:))s?"
    r"(?: (?:for me|please|for later|of mine))*(?: ?[:,-])* (?:that )?(?P<what>\w+ .{3,})$"
)

_NOTES: Final[tuple[Callable[[str], Noted | None], ...]] = (
    _diet, sized, _plainly, _kept,
)  # fmt: skip
