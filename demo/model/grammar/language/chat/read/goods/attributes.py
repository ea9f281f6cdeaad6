"""Read what is asked of goods by a word of an attribute beside them, in any order. Pure.

"Birch hollow shoe wt?", "in ounces how much is it?", "weight of the A against the B": goods and a
word of an attribute are a question of it wherever they stand, where the rest says nothing that may
turn it into another one.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.frames.kinds import Thing
from daybook.demo.model.grammar.language.chat.frames.polite import IDLE
from daybook.demo.model.grammar.language.chat.frames.things import things_in
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.vocabulary import PROPERTIES, SILENT
from daybook.demo.model.grammar.language.intents.goods import AskPrice, AskProperty, Reviews
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import It, Named, Nth, Reference, Sku
from daybook.demo.model.grammar.language.tokens import Kind, Token

_PRICE: Final = frozenset({"price", "prices", "cost", "costs", "priced"})
_RATED: Final = frozenset(
    {"rate", "rates", "rated", "rating", "ratings", "stars", "review", "reviews", "reviewed"}
)
_WEIGHTS: Final = frozenset(
    {"oz", "ounces", "ounce", "grams", "gram", "g", "kg", "kilos", "kilo", "lbs", "lb", "pounds"}
)
_HOW: Final = frozenset(
    {"heavy", "high", "tall", "big", "large", "warm", "cold", "long", "bright", "thick", "wide",
     "light", "roomy"}
)  # fmt: skip
"""What is asked with "how" before it."""
_MORE: Final = frozenset(
    {"unisex", "dimensions", "batteries", "battery", "mass", "lumen", "lumens"}
)
_TURNS: Final = re.compile(
    r"\b(?:not|no|than|if|unless|when|under|over|above|below|cheaper|lighter|heavier|warmer|more"
    r"|less|instead|similar|like|other|others|another|difference|better|best|most|least|which"
    r"|order|cart|basket|deliver\w*|ship\w*|return\w*|refund\w*|show|find|looking|search|want|need"
    r"|have|get|give|buy|take|took|bought|will|would|why|should|said|told|thought|saw|my|too"
    r"|limit|budget|max|least|any|anything|something|all|every|everything|enough|compare\w*"
    r"|people|customers|buyers|say|says|think|make|set|go|going|pick|choose|prefer|grab|double"
    r"|rated (?:to|for|down)|who|where|until|with)\b"
)
_ASKS: Final = re.compile(
    r"^(?:(?:and|so|but|ok|well|then|also|oh|now|please|hey|hi|,|quick question) )*"
    r"(?:how|what|is|are|does|do|tell me|can you tell me|could you tell me|remind me)\b"
    r"|\bhow (?:is|does|do|much|high|heavy|tall|big|long|warm|bright|wide)\b|\bwhat (?:is|are)\b"
)
_JUDGES: Final = re.compile(
    r"\b(?:good|great|nice|fair|ok|fine|right|perfect|excellent|super|lovely|decent|better|love"
    r"|best|bad|awful|poor|high|low|is|are|has)\b"
)
_LEADS: Final = re.compile(r"^(?:(?:ok|right|fine|and|so|,) ?)+")
_ITS: Final = re.compile(r"(?:(?:and|so|ok|but|now|then|also|please|,) )*(?:its|their)\b")
_MEANT_TO: Final = re.compile(
    r"\bi (?:was|am) (?:just |about |nearly |almost )*"
    r"(?:going to|thinking of|about to|looking at|to)"
    r"(?: (?:get|buy|take|have|getting|buying|taking))?\b"
)
_HOW_MUCH: Final = re.compile(r"\bhow much (?:is|are|does|do)\b|\bhow much$")
_OTHER_MUCH: Final = re.compile(r"\b(?:weighs?|weight|holds?|water|gas|fuel|light|left|room)\b")
_MEASURED: Final = re.compile(r"\bhow (?:much|many)\b")
_IN_UNITS: Final = re.compile(
    r"(?:(?:and|so|ok|but|also|then) )*"
    r"(?:in \w+ ,? ?how (?:much|many|heavy)(?: (?:is|are|does|it|weigh))*"
    r"|how (?:much|many|heavy)(?: (?:is|are))?(?: it)? in \w+)"
)
_LONGEST: Final = 20
_MOST: Final = 3
_TOGETHER: Final = frozenset({"together", "altogether", "total", "combined"})


def attributed(sentence: Sequence[Token]) -> tuple[Intent, ...] | None:
    """Return what a sentence asks of the goods that it names; None where it asks nothing so."""
    text = " ".join(token.text for token in sentence).strip(" ?!.,;:-\n")
    texts = {token.text for token in sentence}
    if len(sentence) > _LONGEST or ACTS & texts or price_bounds(text) != (None, None):
        return None
    things, counts = things_in(sentence)
    items = _items(things)
    if not things and not counts and (_IN_UNITS.fullmatch(text) or _ITS.match(text)):
        # "In ounces how much is": said of what was spoken of last, with no word for it.
        items = (It(),)
    count = _count_weighed(things, text)
    many = any(one.quantity for one in things) and count is None
    if counts or not items or len(items) > _MOST or many:
        return None
    inside = {at for one in things if one.sure for at in range(one.start, one.end)}
    outside = [token for at, token in enumerate(sentence) if at not in inside]
    beside = _MEANT_TO.sub("", " ".join(token.text for token in outside))
    if _TURNS.search(beside):
        return None
    if any(token.kind in (Kind.NUMBER, Kind.MONEY, Kind.TIMES) for token in outside):
        return None
    asked = _asked([token.text for token in outside])
    rest = [t.text for t in outside if t.kind is Kind.WORD and not _is_silent(t.text)]
    is_question = sentence[-1].text == "?" or _ASKS.search(text) is not None
    is_question = is_question or _ITS.match(text) is not None
    if not is_question and _JUDGES.search(_LEADS.sub("", beside)):
        # "The lone pine, good price": said for it, and not asked of it.
        return None
    is_named = any(not isinstance(item, It) for item in items)
    if not asked or (rest and not (is_question and is_named)) or not (is_named or is_question):
        return None
    found = tuple(_of(item, words) for item in items for words in asked)
    return tuple(
        replace(one, count=count or 1) if isinstance(one, AskProperty) else one for one in found
    )


def _count_weighed(things: Sequence[Thing], text: str) -> int | None:
    """Return of how many the weight is asked; None where that is not asked."""
    counted = [one.quantity for one in things if one.quantity is not None]
    return counted[0] if len(counted) == 1 and _WEIGH.search(text) else None


_WEIGH: Final = re.compile(r"\b(?:weigh|weighs|weight|heavy)\b")


def _items(things: Sequence[Thing]) -> tuple[Reference, ...]:
    """Return the goods that are pointed at; "it" only where nothing else is."""
    sure = [one.item for one in things if one.sure]
    named = [one for one in sure if isinstance(one, Sku | Nth) or _has_name(one)]
    if named:
        return tuple(dict.fromkeys(named))
    return (It(),) if sure and all(isinstance(one, It) for one in sure) else ()


def _has_name(item: Reference) -> bool:
    return isinstance(item, Named) and has_model(item.words)


def _asked(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the attributes that are asked for, in their order; a unit goes with its own."""
    units = tuple(word for word in words if word in _WEIGHTS)
    text = " ".join(words)
    found: list[tuple[str, ...]] = []
    if _HOW_MUCH.search(text) and not units and not _OTHER_MUCH.search(text):
        found.append(("price",))
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        if word in _PRICE:
            found.append(("price",))
        elif word in _RATED:
            found.append(("rating",))
        elif before == "how" and word in _HOW:
            found.append((word, *units))
        elif word in PROPERTIES | _MORE and not (before == "how" or word in _PLAIN):
            found.append((word, *units, *(one for one in words if one in _TOGETHER)))
    if not found and units and _MEASURED.search(text):
        found.append(("weight", *units))
    if found and ("length",) in found and ("folded",) in found:
        found.remove(("length",))
    return list(dict.fromkeys(found))


_PLAIN: Final = frozenset({"waterproof", "windproof", "rechargeable", "filter", "runs", "heavy"})
"""Words for what goods have: asked for by a question alone, which other readers know better."""


def _is_silent(word: str) -> bool:
    known = SILENT | IDLE | _PRICE | _RATED | _WEIGHTS | PROPERTIES | _MORE | _HOW
    return (
        word in known
        or word in _TOGETHER
        or word in ("+", "vs", "versus", "against", "exact", "exactly", "actual")
    )


def _of(item: Reference, words: tuple[str, ...]) -> Intent:
    if words == ("price",):
        return AskPrice(item)
    return Reviews(item) if words == ("rating",) else AskProperty(item, words)
