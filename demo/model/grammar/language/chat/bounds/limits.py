"""Find the limits of price that a text names, wherever they stand in it, so that none is lost."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.vocabulary import says_goods
from daybook.demo.model.grammar.language.intents.cart import Add, Doubtful
from daybook.demo.model.grammar.language.intents.goods import (
    AskProperty,
    Details,
    Mention,
    Pick,
    Search,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.past import Remember
from daybook.demo.model.grammar.language.intents.references import Every, Extreme, Named
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.words import NUMBERS, in_shop_words, kind_of

Bounds = tuple[int | None, int | None]
"""Lowest and highest price in cents, None where none is named."""

_MONEY_WORD: Final = r"(?:\$|dollars|usd|bucks|us dollars|euros?|eur|pounds|gbp)"
_AMOUNT: Final = rf"\$? ?(\d+(?:\.\d{{1,2}})?)(?:ish)?(?: ?{_MONEY_WORD})?"
_EACH: Final = (
    r"(?: (?:each|apiece|a ?piece|a (?:pop|pair|go|bottle|bag)|per \w+|the (?:pair|piece)))?"
)
_NO_UNIT: Final = (
    r"(?!\d|\.\d| ?(?:%|persons?|people|litres?|liters?|l\b|g\b|grams?|kg|lumens?|degrees?|c\b"
    r"|lm\b|kilos?|kgs|oz\b|gr\b|ltrs?|mins?\b|metres?|meters?|days?"
    r"|weeks?|months?|years?|nights?|seasons?|km|miles?|cm|mm|hours?|minutes?|lbs?\b|ounces?|pairs?"
    r"|pieces?|of\b|x\b|layer|burner|stars?|reviews?|ml|inches|inch|feet|m\b))"
)
_NOT: Final = r"(?:not|no|never|nothing|none|without|hardly)"
_OVER: Final = (
    r"(?:over|above|more than|beyond|exceed(?:s|ing)?|past|pricier than|dearer than|higher than"
    r"|more expensive than|as high as|northwards? of)"
)
_UNDER: Final = (
    r"(?:under|below|until|less than|lower than|cheaper than|beneath|at most|up to|within"
    r"|max(?:imum)?"
    r"|limit|budget|spend(?:ing)?|pay|afford|<|sub|not more than|ceiling|cap(?:ped)?|top price"
    r"|prices?(?: up)? to|south of|hard stop|fits? (?:in|into|inside|within)"
    r"|(?:stretch|(?:can|could|will|would|to) go)(?: up)? to|(?:wallet|purse|bank) says)"
)
_LEAD: Final = (
    r"(?:(?: ?(?:of|is|are|at|about|around|like|to|limit|price|only|at most|max|a|my|,|:))*)"
)
_FEWEST_DOLLARS: Final = 10
_BETWEEN: Final = (
    re.compile(
        rf"(?:between|from|range of|range) {_AMOUNT} (?:and|to|until|-) {_AMOUNT}{_NO_UNIT}"
    ),
    re.compile(r"(?<![\w-])(\d{2,4})-(\d{2,4})(?![\w-])"),
    re.compile(rf"\b{_AMOUNT} ?(?:-|to) ?(\d+(?:\.\d{{1,2}})?) ?{_MONEY_WORD}"),
)
_MOST: Final = (
    re.compile(rf"\b{_NOT}(?: \w+){{0,5}}? {_OVER} {_AMOUNT}{_NO_UNIT}"),
    re.compile(rf"(?<!\w){_UNDER}{_LEAD} {_AMOUNT}{_NO_UNIT}"),
    re.compile(
        rf"\b{_AMOUNT}{_EACH}{_NO_UNIT},? ?(?:(?:or (?:thereabouts|so),? )?(?:max(?:imum)?|tops)"
        r"|or (?:less|under|below|cheaper|lower|so)|at (?:the )?(?:very |absolute )?most|limit"
        r"|at the outside|all in|budget|ceiling|cap|and (?:under|below|not more)|(?:and )?"
        r"no(?:t a (?:cent|penny))? more"
        r"(?! than)|is (?:(?:my|the|about my) (?:absolute )?(?:limit|max(?:imum)?|budget|ceiling"
        r"|cap|top|most)|as (?:high|much|far) as i|all i (?:have|can|want|will)))\b"
    ),
    re.compile(r"\b(?:i|we) (?:only |just )*(?:have|got|have got) (?:only |just |about |around )?"
               rf"{_AMOUNT}"
               rf"{_NO_UNIT} ?(?:{_MONEY_WORD} )?(?:for|to spend|in total|left|available)"),
    re.compile(r"\b(?:max(?:imum)?|limit|budget|ceiling|cap) for(?: \w+){1,4}"
               rf" (?:is|would be|are|of) {_AMOUNT}{_NO_UNIT}"),
    re.compile(r"\b(?:break the bank|cost (?:the earth|a fortune|too much)|too dear)\b.*\bsay"
               rf" {_AMOUNT}{_NO_UNIT}"),
    re.compile(r"\b(?:in the )?(\d+(?:\.\d{1,2})?) ?(?:dollar|dollars|bucks|usd|\$) range"),
    re.compile(r"^(?:(?!under|over).)*\b(\d+(?:\.\d{1,2})?) ?(?:bucks|dollars|usd)\b"
               r"(?! (?:or more|and up))"),
    re.compile(rf"\b(?:max|under|below) ?(\d{{2,4}})\b{_NO_UNIT}"),
    re.compile(rf"\b(?:around|about|roughly|for) \$? ?(\d+(?:\.\d{{1,2}})?) ?{_MONEY_WORD}"),
)  # fmt: skip
_EACH_ONE: Final = (
    r"(?:each|apiece|a ?piece|per \w+|an? (?!month|week|year|day|night|time|bit|lot)[a-z-]+)\b"
)
_OF_EACH: Final = re.compile(
    rf"\d.*\b(?:max(?:imum)?|at most|up to|under|below|so|about|around|roughly|makes|is) {_AMOUNT}"
    rf" {_EACH_ONE}"
    rf"|\d.*\b(?:budget|spend|have|got) {_AMOUNT} {_EACH_ONE}"
    rf"|(?<![\w.]){_AMOUNT} (?:each|apiece|a ?piece|per \w+) (?:max|tops|at most|maximum)\b"
)
_LEAST: Final = re.compile(
    rf"(?:over|above|more than|at least|starting at|starting from|min(?:imum)?) {_AMOUNT}{_NO_UNIT}"
)


def price_bounds(text: str) -> Bounds:
    """Return the limits that a text names, as the grammar reads it: lower case, one space.

    Nothing costs nothing: a nought bounds no price, whatever it is said of.
    """
    lowest, highest = _bounds_in(_WORTH.sub(" ", _DEGREES.sub(" ", text)))
    return lowest or None, highest or None


_DEGREES: Final = re.compile(
    r"\b(?:comfort|comfortable|comfy|temps?|temperatures?|warm(?:th)?)(?: (?:temps?|temperatures?"
    r"|ratings?|rated|limit|of|is|at|to|down|about|around|until|under|below|max|at most|=|:))*"
    r" (?:minus |- ?)?\d{1,2}(?! ?(?:\$|dollars|usd|bucks|euros?)|[.,]?\d)(?: or \w+)?"
)
"""How cold it may be, which is no price though it says no degrees: "comfort 5 or lower"."""

_WORTH: Final = re.compile(
    r"\bworth (?:(?:the|an?|extra|another|paying|spending|about) )*\$? ?\d[\d.]*(?: \w+)?"
)
"""What something is not worth is no limit either: "10 g less isn't worth 60 dollars"."""


def _bounds_in(text: str) -> Bounds:
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", re.sub(r" [.,:;!?-](?= )", "", f" {text} "))
    plain = _IN_WORDS.sub(lambda found: str(NUMBERS[found[1]]), plain)
    plain = " ".join(plain.split())
    for pattern in _BETWEEN:
        if found := pattern.search(plain):
            lowest, highest = sorted(_cents(group) for group in found.groups())
            return lowest, highest
    if found := _OF_EACH.search(plain):
        # What each may cost is the limit of a search, and not what all may cost together.
        return None, _cents(next(group for group in found.groups() if group))
    for pattern in _MOST:
        if found := pattern.search(plain):
            return None, _cents(found[1])
    if found := _LEAST.search(plain):
        return _cents(found[1]), None
    return None, None


_IN_WORDS: Final = re.compile(
    rf"\b({'|'.join(word for word, n in NUMBERS.items() if n >= _FEWEST_DOLLARS)})\b"
)
"""What is a price more likely than a count, where it is written in words."""


def limited(found: Sequence[Intent], tokens: Sequence[Token]) -> tuple[Intent, ...]:
    """Give the searches of a text the limit that it names, where they have none of their own."""
    if not any(isinstance(one, _MAY_BE_LIMITED) for one in found):
        return tuple(found)
    lowest, highest = price_bounds(" ".join(token.text for token in tokens))
    if lowest is None and highest is None:
        return tuple(found)
    goods = tuple(token.text for token in tokens if says_goods(token.text))
    read = [_within(one, lowest, highest, goods) for one in found]
    if any(isinstance(one, Search) for one in read) and "budget" not in {t.text for t in tokens}:
        # What something that is looked for may cost is not what there is to spend.
        read = [one for one in read if not (isinstance(one, Remember) and one.subject == "budget")]
    # What the limit alone was read as says no more than the search that has it now.
    named = [one for one in read if isinstance(one, Search) and one.query]
    return tuple(
        one
        for one in read
        if not (named and isinstance(one, Search) and not one.query and not one.more)
    )


_MAY_BE_LIMITED: Final = Search | Pick | Mention | Add | Doubtful | AskProperty | Details


def _within(
    intent: Intent, lowest: int | None, highest: int | None, goods: tuple[str, ...]
) -> Intent:
    match intent:
        case Search() if intent.max_price is None and highest is not None:
            return replace(intent, max_price=highest, min_price=lowest)
        case Search() if intent.max_price is None and intent.min_price is None:
            return replace(intent, min_price=lowest)
        case Add(Named(max_price=None) as item):
            return replace(intent, item=replace(item, max_price=highest))
        case Doubtful("add", (Every(None, ()),)) if highest is not None and highest % 100 == 0:
            # "Keep everything below 100": it is said of what is to be looked for.
            return Remember("budget", str(highest // 100), "constraint")
        case Doubtful("add", items):
            within = (
                replace(one, max_price=one.max_price or highest) if isinstance(one, Named) else one
                for one in items
            )
            return replace(intent, items=tuple(within))
        case AskProperty(Named(words)) | Details(Named(words)) if kind_of(words) is not None:
            # What is asked of a kind of goods, beside what it may cost, is a wish for such.
            query, category = in_shop_words(words)
            is_one = has_model(words)
            return intent if is_one else Search(" ".join(query), category, highest, lowest)
        case Pick(Extreme(_, words)) | Mention(Extreme(_, words)) if words:
            query, category = in_shop_words(words)
            return Search(" ".join(query), category, highest, lowest)
        case Pick(Extreme(_, ())) if kind_of(goods) is not None:
            query, category = in_shop_words(goods)
            return Search(" ".join(query), category, highest, lowest)
        case _:
            return intent


def _cents(amount: str) -> int:
    whole, _, part = amount.partition(".")
    return int(whole[:7]) * 100 + int((part + "00")[:2])
