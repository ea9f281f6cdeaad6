"""Settle what the readings of one message come to, where one says only more of another. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.read.goods.lacking import lacked
from daybook.demo.model.grammar.language.chat.vocabulary import GOODS
from daybook.demo.model.grammar.language.intents.cart import Doubtful, SetQuantity
from daybook.demo.model.grammar.language.intents.goods import (
    AskKinds,
    AskPrice,
    AskProperty,
    Details,
    Mention,
    Pick,
    Search,
    Suggest,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import ShowOrders
from daybook.demo.model.grammar.language.intents.references import Extreme, It, Named
from daybook.demo.model.grammar.language.intents.talk import NotUnderstood, Refuse, Talk
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.words import NOUNS, fold, in_shop_words, kind_of


def settled(found: Sequence[Intent], tokens: Sequence[Token]) -> tuple[Intent, ...]:
    """Drop what only asks again for the goods that are looked for; read a story as its need."""
    text = " ".join(token.text for token in tokens)
    found = [_beside_it(_for_the_rest(one, text), text) for one in found]
    if len({one.max_price for one in found if isinstance(one, Search)}) <= 1:
        found = [_of_each(one, text) for one in found]
    found = [_of_those_with(_in_order(one, text), text) for one in found]
    if _NEITHER.fullmatch(text.strip(" .!?")):
        return (Refuse(),)
    if any(isinstance(one, Search) and kind_of(one.query.split()) for one in found):
        return tuple(one for one in found if not _asks_again(one))
    if all(isinstance(one, _STORIES) for one in found) and not any(map(_is_search, found)):
        need = lacked(text)
        return tuple(found) if need is None else (need,)
    return tuple(found)


def _of_each(intent: Intent, text: str) -> Intent:
    """Give a search the limit of each where all that there is to spend was told beside it."""
    match intent:
        case Search(max_price=int() as highest) if each := price_bounds(text)[1]:
            return replace(intent, max_price=min(highest, each))
        case SetQuantity(It(), int() as most) if _ASKS_FOR_SOME.search(text):
            return Search(max_price=most * 100)
        case SetQuantity(Named(words), int() as most) if _AT_MOST.search(text):
            if kind_of(words) is None or most < _FEWEST_DOLLARS:
                return intent
            query, category = in_shop_words(words)
            return Search(" ".join(query), category, most * 100)
        case _:
            return intent


_ASKS_FOR_SOME: Final = re.compile(
    r"^(?:(?:and|or|ok|hm|is there|do you have|have you|got|,) )*(?:anything|something|any|others?"
    r"|similar)\b.*\b(?:up to|under|below|max|until|within|at most)\b"
)
_AT_MOST: Final = re.compile(r"\b(?:max|maximum|tops|at most)\b")
_FEWEST_DOLLARS: Final = 20
_NEITHER: Final = re.compile(
    r"(?:(?:ok|no|nah|well|so|then|,) )*(?:neither|none)(?: of (?:those|these|them|the))?"
    r"(?: (?:two|three|both|ones?|convinces? me|for me|then|please|thanks|really|works?|appeals?"
    r"|,))*"
)


def _in_order(intent: Intent, text: str) -> Intent:
    """Put what is asked for in an order of prices: "socks, cheapest first", "sort by price"."""
    if (found := _ORDER.search(text)) is None:
        return intent
    is_down = re.search(
        r"\b(?:dear|expensive|high|highest)\w*(?: \w+)? (?:first|to|down)", found[0]
    )
    order: Literal["cheapest", "dearest"] = "dearest" if is_down else "cheapest"
    match intent:
        case Search(query):
            left = [word for word in query.split() if word not in _OF_ORDER]
            return replace(intent, query=" ".join(left), cheap=False, first=order)
        case Pick(Extreme(_, words)) if words:
            plain, category = in_shop_words(words)
            return Search(" ".join(plain), category, first=order)
        case AskPrice(Named(words)) if kind_of(words) is not None:
            plain, category = in_shop_words(words)
            return Search(" ".join(plain), category, first=order)
        case AskPrice(It()) | Pick(Extreme()) | Mention(Extreme()) | NotUnderstood():
            return Search(first=order)
        case _:
            return intent


_OF_ORDER: Final = frozenset(
    """
    cheapest cheap first sort sorted order ordered price prices by low high lowest highest from to
    expensive dearest dear ascending descending top rank ranked
    """.split()  # noqa: SIM905
)
_ORDER: Final = re.compile(
    r"\b(?:cheap(?:est|er|y)?|lowest(?: price)?|least expensive|dearest|most expensive"
    r"|highest price)(?: (?:ones?|things?|to))? (?:first|up front|at (?:the )?top|on top"
    r"|to (?:the )?(?:dearest|most expensive))\b"
    r"|\b(?:sort|order|rank|arrange|sorted|ordered|ranked)(?: (?:it|them|these|those|that|the list"
    r"|all|please))* by (?:the )?(?:price|cost)(?:,? (?:high(?:est)?|expensive|dear\w*) (?:first"
    r"|to low))?\b"
    r"|\b(?:from )?(?:low(?:est)? to high(?:est)?|cheap(?:est)? to (?:dear|expensive)\w*"
    r"|high(?:est)? to low(?:est)?)\b"
)


def _of_those_with(intent: Intent, text: str) -> Intent:
    """Read those of a list that have something as a search for such: "the ones with a hood"."""
    match intent:
        case Details(Named(words)) | Mention(Named(words), None) if _THOSE_WITH.search(text):
            said = [word for word in words if word in GOODS or fold(word) in GOODS]
            if has_model(words) or kind_of(words) is not None or not said:
                return intent
            return Search(" ".join(said), narrows=True)
        case AskProperty(It(), words) if _ONES_WITH.search(text):
            said = [word for word in words if word in GOODS or fold(word) in GOODS]
            return Search(" ".join(said), narrows=True) if said else intent
        case Search() if intent == Search() and _DIFFERENT.search(text):
            return Search(more=True)
        case Suggest(()) if _ELSE.search(text):
            return Search(more=True)
        case Search(query) if query and {*query.split()} <= _OTHERS:
            return replace(intent, query="", cheap="cheaper" in query, more="cheaper" not in query)
        case _:
            return intent


_OTHERS: Final = {"others", "other", ",", "ones", "cheaper", "please"}
_ONES_WITH: Final = re.compile(r"^(?:(?:only|just|show|me|the) )*ones (?:that|which|with)\b")
_DIFFERENT: Final = re.compile(r"\b(?:others?|different|else|more|alternatives?)\b")
_THOSE_WITH: Final = re.compile(
    r"\b(?:ones|one|any|some|those|these) (?:that |which )?(?:with|have|having|has|come with)\b"
)
_ELSE: Final = re.compile(r"\b(?:neither|none|not)\b.*\b(?:what|anything|something|who) else\b")
_STORIES: Final = NotUnderstood | Talk | Mention | Search | Doubtful | ShowOrders


def _is_search(intent: Intent) -> bool:
    """Tell whether a reading is more than a story: a search for goods, or an act on the cart."""
    match intent:
        case Search(query):
            return kind_of(query.split()) is not None
        case Doubtful(act):
            return act != "buy"
        case _:
            return False


def _asks_again(intent: Intent) -> bool:
    """Tell whether an intent says no more than the search beside it: "what do you have?"."""
    match intent:
        case AskKinds() | Suggest(()):
            return True
        case Doubtful("add", items):
            # "For ten kids": those who are to have the goods are none.
            return all(isinstance(one, Named) and one.words in _PEOPLE for one in items)
        case _:
            return False


_PEOPLE: Final = (("kids",), ("kid",), ("men",), ("women",), ("children",))


def _beside_it(intent: Intent, text: str) -> Intent:
    """Read what is to go with something as what is looked for: "a bottle to go with it"."""
    match intent:
        case Suggest(words) if words and (found := _GOES_WITH.search(text)):
            wanted = [word for word in found[1].split() if word in words or fold(word) in NOUNS]
            if kind_of(wanted) is None:
                return intent
            query, category = in_shop_words(wanted)
            return Search(" ".join(query), category, price_bounds(text)[1])
        case _:
            return intent


_GOES_WITH: Final = re.compile(
    r"((?:[\w-]+ ){1,6})(?:to go|to match|that goes|that would go|which goes|that go|that fits"
    r"|that matches|going|to pair|to complement|for going)"
    r"(?: (?:well|nicely|along|together))* (?:with|it|that)\b"
)


def _for_the_rest(intent: Intent, text: str) -> Intent:
    """Read what would fit into what money is left as a search for it."""
    match intent:
        case AskProperty(Named(words)) if kind_of(words) is not None and INTO_THE_REST.search(text):
            query, category = in_shop_words([word for word in words if word not in ("fit", "fits")])
            return Search(" ".join(query), category)
        case _:
            return intent


INTO_THE_REST: Final = re.compile(
    r"\b(?:fits?|come|are|is|stay|remain) (?:in|into|inside|within|under|for) (?:the|my|what|our)"
    r" (?:is |still )*(?:remainder|rest|remaining|left|remains|budget that is left)\b"
    r"|\bstill (?:fits?|comes?|stays?|goe?s?)(?: (?:in|into|inside|within|under|with))?"
    r" (?:the|my|our) (?:budget|limit)\b"
    r"|\b(?:that|it|the rest|is left) (?:stretch|run|reach|extend) to\b"
)
