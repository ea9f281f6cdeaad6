"""Read a question about things that are pointed at, however it is put. Pure.

What is asked is what the words beside the things say: a price, reviews, the stock, or else whatever
their pages answer.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACT_WORDS
from daybook.demo.model.grammar.language.chat.frames.kinds import Thing
from daybook.demo.model.grammar.language.chat.frames.things import things_in
from daybook.demo.model.grammar.language.chat.names import has_model, is_model
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.vocabulary import PROPERTIES, SILENT
from daybook.demo.model.grammar.language.intents.cart import ShowCart
from daybook.demo.model.grammar.language.intents.goods import (
    AskPrice,
    AskProperty,
    CompareReviews,
    Details,
    Mention,
    Pick,
    Reviews,
    Times,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import (
    Every,
    Extreme,
    It,
    Named,
    Reference,
)
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import NOUNS, fold

_PRICE: Final = re.compile(
    r"\b(?:cheaper|dearer|pricier|cheapest|dearest|prices?|cost|costs|how much|expensive|pricey"
    r"|priced|set me back|rate of)\b"
)
_AND_COSTS: Final = re.compile(r"\bcosts? and (?:weighs?|weight)\b|\bweighs? and costs?\b")
_NAMES_PRICE: Final = re.compile(r"\bprices?\b")
_SUM: Final = re.compile(
    r"\bhow much\b(?! (?:does|do) .* (?:weigh|hold))|\bwhat (?:would|do|does|will|is)\b.*"
    r"\b(?:cost|costs|come to|total|be in total|price|set me back)\b"
    r"|\b(?:what|how much) would\b.*\bbe\b|\bwhat is (?:that|it|the total)\b"
    r"|\bwhat would (?:i|we) (?:pay|owe)\b"
)
_COMES_TO: Final = re.compile(r"\b(?:costs?|be|come to|pay|set me back|makes?|price|total)\b")
_MEASURE: Final = re.compile(
    r"\b(?:weigh|weighs|weight|heavy|kilos?|kg|grams?|lbs|litres?|liters?|hold|holds|water|room|space"
    r"|gas|fuel)\b"
)
SAID_BY_OTHERS: Final = (
    r"they (?:say|think)(?! (?:i|we|it|that|he|she|you)\b)"
    r"|(?:people|customers|others|buyers|users|owners|folks|hikers|reviewers"
    r"|anyone|anybody|the web)(?: (?:have|has|had|do|all|really|who \w+ \w+))*"
    r" (?:say|says|said|saying|think|thinks|thought|like|likes|liked|write|wrote|written|report)"
)
_OWN_PEOPLE: Final = (
    "he she i we husband wife mum mom mother dad father son daughter brother sister boyfriend"
    " girlfriend partner friend kid kids boy girl boss grandma grandpa does will always just keeps"
)
COMPLAINED: Final = "".join(rf"(?<!\b{who} )" for who in _OWN_PEOPLE.split()) + r"complain\w*"
"""What he complains of is none of the goods."""
_REVIEWS: Final = re.compile(
    r"\b(?:reviews?|reviewers?|reviewed|rated(?! (?:to|for|down)\b)|ratings?|stars?|opinions?"
    r"|feedback|complaints?|others|buyers|customers|any good"
    rf"|{SAID_BY_OTHERS}|{COMPLAINED}"
    r"|happy with|recommended?|popular)\b"
)
_STOCK: Final = re.compile(
    r"\b(?:in stock|stock|left|available(?! in)|availability|sold out|still have|how many (?:of"
    r"|units|pieces)"
    r"|supply)\b"
)
_ASKS: Final = re.compile(
    r"(?:^|[,.!?:;-] )(?:(?:and|so|but|ok|well|then|also|now|please|oh|ah|or|hi|hey|hello|actually"
    r"|quick question|question) )*(?:how|what|which|who|where|when|is|are|was|does|do|did|has|have"
    r"|any|can|could|will|would|tell|remind)\b|\?|\bhow (?:much|many|heavy|big|long)\W*$"
)
_OF_THE_SHOP: Final = re.compile(
    r"\b(?:order|orders|cart|deliver|delivery|ship|shipping|pay|paying|return|refund"
    r"|you (?:have|got"
    r"|sell|recommend|suggest)|checkout|other|others|else|similar|instead|like (?:it|that|this)"
    r"|than|show|find|address|card|warranty|guarantee|broken|breaks?|exchange|send|back|gift|present"
    r"|wrapped)\b"
)
_COMPARED: Final = {
    "lighter": "weight", "heavier": "weight", "lightest": "weight", "heaviest": "weight",
    "warmer": "comfort", "warmest": "comfort", "brighter": "lumen", "brightest": "lumen",
    "bigger": "capacity", "biggest": "capacity", "larger": "capacity", "roomier": "capacity",
    "taller": "height", "higher": "height", "longer": "length", "shorter": "folded",
    "smaller": "folded",
}  # fmt: skip
_LONGEST: Final = 32
_MOST: Final = 3
_PAIR: Final = 2
_BESIDE: Final = frozenset(
    {"difference", "differ", "compare", "versus", "vs", "better", "differences"}
)


def inquired(tokens: Sequence[Token]) -> list[Intent] | None:
    """Return what a text asks of the things in it; None where it asks nothing of such."""
    text = " ".join(token.text for token in tokens)
    texts = {token.text for token in tokens}
    things, counts = things_in(tokens)
    if _IN_THE_CART.search(text) and not ACT_WORDS & texts:
        return [ShowCart()]
    is_supposed = _SUPPOSES.search(text) is not None and bool(things)
    acts = ACT_WORDS - (_SUPPOSED if is_supposed else set())
    acts -= {"put"} if "put up" in text else set()
    acts -= {"hold", "take", "fit"} if _HOLDS.search(text) else set()
    acts -= _GETS if _HOW_MANY.search(text) else set()
    if len(tokens) > _LONGEST or acts & texts or price_bounds(text) != (None, None):
        return None
    extremes = [one.item for one in things if isinstance(one.item, Extreme)]
    if len(extremes) == 1 and len(things) == 1 and not counts and _asks(text, tokens):
        # Which one is the cheapest stands in the list; of what is measured, it is found out first.
        holds = extremes[0].by == "cheapest" and _HOLDS.search(text)
        return _holding(extremes[0], text) if holds else [Pick(extremes[0])]
    meant = [one for one in things if one.sure and not isinstance(one.item, It)] or things
    if len(meant) == 1 and not counts and _SUM.search(text):
        many = meant[0].quantity or _count_before(tokens, meant[0])
        if is_supposed or (many is not None and _asks_before(tokens, meant[0])):
            return [Times(many or 1, meant[0].item)]
    if (
        not things
        and len(counts) == 1
        and counts[0].value > 1
        and _SUM.search(text)
        and _COMES_TO.search(text)
    ):
        return [Times(counts[0].value)]
    pointed = [one for one in things if one.sure and not isinstance(one.item, It | Every)]
    pointed = [one for one in pointed if one.quantity is None and not isinstance(one.item, Extreme)]
    asks = _asks(text, tokens)
    named = [one for one in pointed if not _is_kind_alone(one)]
    if len(named) == 1 and _HOW_MANY.search(text):
        return [AskProperty(named[0].item, ("stock",))]
    if len(named) == 1 and _HOLDS.search(text):
        return _holding(named[0].item, text)
    if len(named) == 1 and asks and (_GOOD_TO.search(text) or _HOW_COLD.search(text)):
        return _with_more(named[0].item, "comfort", text)
    if not pointed or len(pointed) > _MOST or counts or (not asks and len(named) < 1):
        return None
    if len(named) < len(pointed) and named:
        pointed = named
    words = _words(tokens, things)
    properties = tuple(word for word in words if word in PROPERTIES)
    # "How many litres does the filter last": the unit alone says nothing of what is asked.
    properties = tuple(w for w in properties if w not in _UNITS) or properties
    if properties and (len(words) > len(properties) + 1 or _UNITS & {*words}):
        # The rest is told beside it.
        words = properties
    if len(pointed) == 1 and (several := _several(pointed[0], text, words)):
        return several
    if len(pointed) == 1 and (asked := _ASKED_HOW.search(text)) is not None and _tells(asked[1]):
        return [AskProperty(pointed[0].item, (asked[1],))]
    if len(pointed) == 1 and _MADE_OF.search(text):
        return [AskProperty(pointed[0].item, ("material",))]
    if _REVIEWS.search(text):
        items = tuple(one.item for one in pointed)
        return [CompareReviews(items)] if len(items) > 1 else [Reviews(items[0])]
    if _PRICE.search(text) and not _MEASURE.search(text):
        return [AskPrice(one.item) for one in pointed]
    if _STOCK.search(text) and (asks or "still have" not in text):
        return [AskProperty(one.item, ("stock",)) for one in pointed]
    if _BESIDE & texts and not (set(words) - _BESIDE):
        return [Details(one.item) for one in pointed]
    if not words and len(pointed) == 1:
        pointed[0], words = _without_property(pointed[0])
    if not asks or not words or (_OF_THE_SHOP.search(text) and not texts & set(_COMPARED)):
        return None
    return [AskProperty(one.item, words) for one in pointed]


_WISE: Final = re.compile(r"\b(\w+?)(?:[ -]wise|wise)\b")
_CALLED: Final = {
    "warmth": "comfort",
    "temperature": "comfort",
    "brightness": "lumen",
    "size": "size",
}


def in_that_respect(found: Sequence[Intent], tokens: Sequence[Token]) -> Sequence[Intent]:
    """Ask for the property beside what is said of it: "how is the X rated, warmth wise?"."""
    said = _WISE.search(" ".join(token.text for token in tokens))
    word = "" if said is None else _CALLED.get(said[1], said[1] if said[1] in PROPERTIES else "")
    match tuple(found):
        case (Reviews(item) | Mention(item, None) | Details(item),) if word:
            asked = AskProperty(item, (word,))
            return [asked, *found] if isinstance(found[0], Reviews) else [asked]
        case (AskProperty(item, (one,)),) if word and one.endswith("wise"):
            return [AskProperty(item, (word,))]
        case _:
            return found


_IN_THE_CART: Final = re.compile(r"\bhow many\b.* in (?:my|the|our) (?:cart|basket)\b")
_HOLDS: Final = re.compile(
    r"\bhow (?:much|many lit(?:re|er)s|big)\b(?: \w+)* (?:holds?|carry|carries|fits?(?: in)?"
    r"|takes?|store)\b"
    r"|\bwhat (?:does|do|will|can)\b(?: \w+)* (?:hold|carry)\b"
)
_HOW_MANY: Final = re.compile(
    r"\bhow many\b(?: \w+)* (?:can|could|may|am|are) (?:i|we)(?: \w+){0,2}"
    r" (?:get|buy|order|have|take|grab)\b(?! .*\b(?:for|with|from|under|below|if)\b)"
    r"|\bhow many\b(?: \w+)* (?:do|have) (?:you|they) (?:still |currently )?(?:have|got|stock"
    r"|keep|carry)\b"
    r"|\bhow many\b(?: \w+)* (?:are|is) (?:there|left|still there|in stock|available)\b"
)
"""A question for what is there to be had, though it has a verb of having."""
_GETS: Final = frozenset({"get", "buy", "order", "have", "take", "grab", "stock", "keep"})


def _holding(item: Reference, text: str) -> list[Intent]:
    """Return what something holds, and what else is asked of it in the same breath."""
    return _with_more(item, "capacity", text)


def _with_more(item: Reference, asked_first: str, text: str) -> list[Intent]:
    """Return a property, and the stock, weight or price that is asked in the same breath."""
    asked: list[Intent] = [AskProperty(item, (asked_first,))]
    asked += [AskProperty(item, ("stock",))] if _STOCK.search(text) else []
    asked += [AskProperty(item, ("weight",))] if _WEIGHS.search(text) else []
    return asked + ([AskPrice(item)] if _NAMES_PRICE.search(text) or "cost" in text else [])


_WEIGHS: Final = re.compile(r"\bweigh(?:s|t)?\b|\bhow (?:heavy|light)\b")


_SUPPOSED: Final = frozenset({"took", "take", "buy", "order", "add"})
_SUPPOSES: Final = re.compile(
    r"\b(?:if|suppose|supposing|assuming|say) (?:i|we) (?!\w+ (?:out|off)\b)\w+"
)
_ASKED_HOW: Final = re.compile(r"\bhow (\w+) (?:is|are) (?:it|that|this|they|those)\b")
_GOOD_TO: Final = re.compile(
    r"\brated (?:to|for|down to)\b"
    r"|\b(?:good|warm enough|ok|fine) (?:to|down to|until|for|at|below) (?:zero|freezing|minus|-\d)"
)
_HOW_COLD: Final = re.compile(
    r"\bhow (?:cold|low|warm|chilly)\b|\b(?:what|which|lowest|coldest|minimum) (?:\w+ )?"
    r"(?:temperatures?|temps?)\b"
)
_MADE_OF: Final = re.compile(r"\bmade (?:of|from|out)\b")


def _asks_before(tokens: Sequence[Token], thing: Thing) -> bool:
    """Tell whether a sum is asked of a thing, and not behind it: "two of X, and the total?"."""
    asked = next((at for at, t in enumerate(tokens) if t.text in ("how", "what")), len(tokens))
    return asked < thing.start or (tokens[-1].text == "?" and "and" not in {t.text for t in tokens})


def _count_before(tokens: Sequence[Token], thing: Thing) -> int | None:
    """Return the number that stands before a thing: "for six pairs of the X socks"."""
    for one in reversed(tokens[: thing.start + 1]):
        if one.kind is Kind.NUMBER:
            return one.value
        if one.text not in _BETWEEN:
            break
    return None


_BETWEEN: Final = frozenset({"of", "the", "those", "these", "pair", "pairs", "pieces", "x"})


_UNITS: Final = frozenset({"litres", "liters", "lumen", "lumens"})


def _several(thing: Thing, text: str, words: Sequence[str]) -> list[Intent] | None:
    """Return all that is asked of one thing, where it is several: stock, price, weight, reviews."""
    properties = tuple(word for word in words if word in PROPERTIES)
    asked: list[Intent] = []
    if _STOCK.search(text):
        asked.append(AskProperty(thing.item, ("stock",)))
    if (
        _NAMES_PRICE.search(text)
        or _AND_COSTS.search(text)
        or (_PRICE.search(text) and not _MEASURE.search(text))
    ):
        asked.append(AskPrice(thing.item))
    asked += [AskProperty(thing.item, (word,)) for word in properties]
    if _REVIEWS.search(text) and "recommend" not in text:
        asked.append(Reviews(thing.item))
    return asked if len(asked) > 1 else None


def _asks(text: str, tokens: Sequence[Token]) -> bool:
    ends = "?" if tokens and tokens[-1].text == "?" else ""
    return _ASKS.search(f"{text} {ends}") is not None


def _without_property(thing: Thing) -> tuple[Thing, tuple[str, ...]]:
    """Part a thing from the property behind it: "is the copper creek softshell waterproof"."""
    item = thing.item
    if not isinstance(item, Named) or len(item.words) < _PAIR or fold(item.words[-1]) in NOUNS:
        return thing, ()
    if is_model(item.words[-2], item.words[-1]):
        return thing, ()
    return replace(thing, item=replace(item, words=item.words[:-1])), item.words[-1:]


def _is_kind_alone(thing: Thing) -> bool:
    """Tell whether a thing is a kind of goods with no name: "the tent"."""
    item = thing.item
    return isinstance(item, Named) and not has_model(item.words)


def _words(tokens: Sequence[Token], things: Sequence[Thing]) -> tuple[str, ...]:
    """Return the words beside the things that say what is asked."""
    inside = {at for one in things if one.sure for at in range(one.start, one.end)}
    said = [
        token.text
        for at, token in enumerate(tokens)
        if at not in inside and token.kind in (Kind.WORD, Kind.NUMBER) and _tells(token.text)
    ]
    return tuple(dict.fromkeys(_COMPARED.get(word, word) for word in said))


def _tells(word: str) -> bool:
    return word not in SILENT or word in _ASKED


_ASKED: Final = frozenset({"size", "sizes", "long", "big", "large", "small", "people", "person"})


def mentioned(clause: Clause) -> list[Intent] | None:
    """Read models that are named, with nothing asked of them, as a wish to see them."""
    if ACT_WORDS & {token.text for token in clause.tokens}:
        return None
    things, _ = things_in(clause.tokens)
    named = [
        one.item for one in things if isinstance(one.item, Named) and has_model(one.item.words)
    ]
    return [Mention(item) for item in named[:_MOST]] or None
