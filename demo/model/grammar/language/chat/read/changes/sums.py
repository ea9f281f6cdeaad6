"""Read a question for a sum, a price or a count that names the number itself. Pure.

"Still under 60?", "isn't that 15 dollars?", "so two pairs, right?": what holds is told, and the
number is no limit of a search.
"""

import re
from collections.abc import Sequence
from typing import Final, Literal

from daybook.demo.model.grammar.language.chat.read.changes.counts import NUMBER, amount_of
from daybook.demo.model.grammar.language.intents.cart import Doubtful, ShowCart
from daybook.demo.model.grammar.language.intents.goods import AskPrice, Times
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import It, Named
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.words import NOUNS, fold

_LEAD: Final = (
    r"(?:(?:and|so|but|ok|well|wait|now|then|even better|yes|no|right|kindly|please|ah|check|again"
    r"|(?:can|could|would) you|just|,) )*"
)
_MONEY: Final = r"\$?\d+(?:\.\d\d?)?(?: ?(?:\$|dollars|bucks|usd))?"
_BOUND: Final = r"(?:under|below|within|inside|in|over|above|less than|more than|at most|beyond)"
_SPELT: Final = (
    r"(?:(?:a|one|two|three|four|five|six) hundred|twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety)(?:[ -](?:and )?\w+)?(?: (?:dollars|bucks|usd))"
)
_THE_LIMIT: Final = rf"(?:my |the |our )?(?:{_MONEY}|{_SPELT}|budget|limit)"
_TAG: Final = (
    r"(?: (?:altogether|in total|together|overall|all in))?"
    r"(?: ?,? (?:right|correct|yes|no|yeah|is it not|is that right|not \w+))*"
)
_PIECES: Final = r"(?: (?:pairs?|pieces?|things|items|of (?:them|it|those|these)|in there))*"
_SUMMED: Final = re.compile(
    _LEAD
    + "(?:"
    + "|".join(
        (
            # Whether all of it stays within a sum, or comes to one.
            r"(?:(?:am|are|is|do|did|have|will) (?:i|we|everything|it all|all of it"
            r"|the (?:total|cart|lot))|still)\b"
            r"(?: (?:still|all|really|now|stay|staying|stayed|keep|kept|keeping|come|be|been|get"
            r"|got|gone|managed|to|in|total))*"
            rf" {_BOUND} {_THE_LIMIT}{_TAG}",
            r"(?:(?:that|this|it|the total|total|the sum|everything) )"
            r"(?:is|makes|comes to"
            r"|(?:must|should|will|would|ought to) (?:now )?(?:be|come to|make))"
            rf"(?: (?:now|at|all|together|about|around))* {_MONEY}(?: (?:now|then|in total"
            rf"|altogether))*{_TAG}",
            rf"(?:that|it|this|the total|everything|all that) (?:is|comes to|goes|makes)"
            rf"(?: (?:all|still|now|already))* {_BOUND} (?:{_THE_LIMIT}|[a-z]+ty"
            r"|(?:a|one|two|three|four|five|six) hundred)(?: (?:now|then|already|altogether))*"
            r" ?,? (?:is it not|is not it|right|correct|yes|no|yeah|is it|is that right)",
            r"(?:is|are|was) (?:that|it|this|they|we|those)(?: all)?(?: (?:still|now|then|really))*"
            rf" {_BOUND} (?:my |the |our )?(?:budget|limit){_TAG}",
            # What there is, what it comes to, and what is left.
            r"(?:confirm|tell me|say|give me|repeat) (?:the |my )?(?:total )?(?:amount|sum)",
            r"(?:what|how much) (?:will|would|does|do) (?:that|it|this|all of it|they)(?: all)?"
            r" set me back",
            r"(?:show|read|tell|list|give)(?: me)?(?: back| again)? what i (?:have|got|have got)"
            r"(?: so far| now| in there)*",
            r"how many and how much",
            r"(?:how much|what) (?:(?:do|will|would|must|should) )?(?:i|we)"
            r"(?: (?:have to|need to|must|will|would))* (?:pay|owe)(?: you)?"
            r" for (?:it|that|this|all|both|everything|the (?:lot|two)|it all|them(?: all)?"
            rf"|all of (?:it|that|this|them)|all (?:the )?{NUMBER})(?: (?:now|then|together))*",
            r"(?:what|where) (?:are|am) (?:we|i) (?:at|up to)(?: now| so far)*",
            r"how much (?:(?:is|are|was) (?:that|it|this|all(?: of)? (?:that|it|this)"
            r"|everything) )?(?:now|so far|all together|together|altogether|in total)"
            r"(?: now| so far| then)*",
            r"(?:what|how much) (?:does|do|would|will|is) (?:(?:it|that|this) all"
            r"|all(?: of)? (?:that|it|this|those|these|them)|everything|the lot|the whole lot)"
            r"(?: (?:cost|come to|make|be|together|altogether))*(?: now| so far| then)*",
            r"(?:how much|what) (?:of|from|out of) (?:my |the |our |those )?"
            rf"(?:{_MONEY}|budget|money|limit) (?:is|do (?:i|we) have|have (?:i|we) got)"
            r"(?: still)? left(?: now| then)*",
            r"(?:how much|what) (?:remains|is remaining|is there left|will remain)"
            rf"(?: (?:of|from|out of) (?:my |the |our |those )?(?:{_MONEY}|budget|money|limit))",
            r"(?:how much|what) is left for (?:the|a|my|our|his|her|some) \w+(?: \w+)?",
            rf"(?:does|do|will|would) (?:that|this|all of it|all of that|the total|everything)"
            rf" (?:still )?(?:all )?(?:stay|keep|come|be|fit|get) (?:still )?(?:in )?{_BOUND}"
            rf" (?:my |the )?(?:{_MONEY}|budget|limit){_TAG}",
            rf"{_BOUND} {_MONEY} (?:for|with) (?:all|both|the (?:lot|{NUMBER})|everything"
            rf"|all of (?:it|them)) ?,? (?:right|correct|yes|no|yeah|is it not|is that right)",
            r"(?:how much|what) (?:would be|will be|is|do (?:i|we) have|have (?:i|we) got)"
            r"(?: still)? left (?:of|from|out of) (?:my |the |our )?(?:\d+|budget|money|limit)",
            r"(?:tell me |show me )?what is (?:now |still |all )?in (?:my|the) cart"
            r"(?: (?:before|now|please|so far).*)?",
            # Whether it is in there.
            r"(?:(?:is|are|was|were) (?:it|that|they|those|this|everything|all of it|both) )?"
            r"(?:still |already |now |really )*(?:in|inside) (?:my |the )?cart(?: (?:now|already"
            r"|yet|still|or not|right))*",
            r"still (?:in )?there",
            # How many of it there are.
            rf"why (?:are|is|do|have) (?:there|i|we)(?: have| got)? (?:{NUMBER}|so many)"
            r"(?: \w+){0,4}",
            r"(?:is|are|was)(?: not)? (?:that|it|this|there|they|those)(?: not)?"
            rf"(?: (?:just|only|now|really|still))* {NUMBER}(?: or {NUMBER})?{_PIECES}{_TAG}",
            rf"{NUMBER}{_PIECES} ?,? (?:right|correct|yes){_TAG}(?: \? not \w+)?",
        )
    )
    + ")"
)
_PRICED: Final = re.compile(
    rf"{_LEAD}(?:is|was|are|does)(?: not)? (?:that|it|this|they)(?: not)?"
    rf"(?: (?:really|only|just|still|cost|costs|be|at|priced))* (?:{_BOUND} )?{_MONEY}"
    rf"(?: (?:each|a pair|apiece))?{_TAG}"
)
_SUPPOSED: Final = (
    r"(?:if|when|suppose|supposing|say) (?:i|we)"
    r"(?: (?:only|just|also|maybe|were to|would|had|did))*"
    r" (?:took|take|bought|buy|got|get|ordered|order|had|have|wanted|want|added|add|went for|go for"
    r"|made it|make it)"
)
_TIMES: Final = tuple(
    re.compile(_LEAD + pattern)
    for pattern in (
        rf"(?:would|will|are|is|do) {NUMBER}{_PIECES}(?: (?:still|be|come|stay|cost|to))*"
        rf" {_BOUND} {_MONEY}{_TAG}",
        rf"(?:(?:what|how much)(?: about)? )?{_SUPPOSED} {NUMBER}{_PIECES}(?: instead)?"
        r"(?:(?: ,)? (?:what|how much) .*)?",
        rf"(?:what|how much) (?:would|will|does|do|is) (?:it|that|this|they|the total|everything)"
        rf"(?: all)?(?: (?:be|cost|come to|make|come out at))*"
        rf" (?:(?:with|for|times)|{_SUPPOSED}) {NUMBER}{_PIECES}",
        # Said alone, after one sum was told of already.
        rf"(?:and |what about |how about )+with {NUMBER}{_PIECES}",
        rf"(?:what|how much) (?:would|will|do|are|for)(?: the| another| all)? {NUMBER}{_PIECES}"
        r"(?: (?:be|cost|me|us|come to|make|then|together|set|back))*",
        rf"(?:the )?(?:price|cost|costs|total|sum) (?:of|for) {NUMBER}{_PIECES}",
        rf"{NUMBER}{_PIECES} (?:would|will) (?:be|cost|make|come to)(?: (?:what|how much|me))*",
    )
)
_WITHOUT: Final = re.compile(
    rf"{_LEAD}(?:(?:how much|what) (?:would|will|does|is) (?:it|that|the total|everything"
    r"|all of it|the cart|the rest)(?: all)?(?: (?:be|come to|cost|make))*|(?:the )?total) without"
    r" (?:(?:the|that|this|my) )?(\w+(?: \w+)?)"
)
_ONE_PIECE: Final = r"(?:(?:per|for (?:one|a single)) (?:\w+)|each|apiece|a piece)"
_EACH_AND_ALL: Final = re.compile(
    rf"{_LEAD}(?:(?:what|how much) (?:is|are) (?:that|it|they) )?{_ONE_PIECE} ?(?:,|and)+"
    r" (?:the |in |a )?(?:total|all together|altogether|all|sum)"
    rf"|{_LEAD}(?:in total|total|altogether|all together) and {_ONE_PIECE}"
)
_HOW_MANY: Final = re.compile(
    _LEAD + r"(?:remind me )?(?:how many (?:(\w+) )?(?:is|are|was) (?:that|it|those|there|in there"
    r"|in (?:my|the) cart)|how many (?:(?:\w+ ){0,6}?(\w+) )?(?:do|have|did) (?:i|we) (?:have"
    r"|got|take|add|put in"
    r"|order|buy|ask for))(?: (?:got|now|then|in total|altogether|so far|in there|all together"
    r"|in (?:my|the) cart))*"
)
_ONLY: Final = re.compile(rf"{_LEAD}(?:only|just) {NUMBER} (\w+)")
_COUNTED: Final = frozenset({"things", "items", "pieces", "pairs", "of", "lines", "products"})
_WITH: Final = re.compile(
    rf"{_LEAD}(?:hm+ )*(?:what|how much) (?:would|will|does|is|if) (?:it|that|the total|everything"
    rf"|all of it|the cart|i|we)(?: all)?(?: (?:be|come to|cost|make|take|took|had|have|bought))*"
    rf"(?: with)? {NUMBER} (less|fewer|more|extra)(?: of (?:it|them|those|these))?"
)
_MORE: Final = ("more", "extra")
_LEAST_MONEY: Final = 10


def summed(sentence: Sequence[Token]) -> tuple[Intent, ...] | None:
    """Return what a sentence asks of a sum, a price or a count; None where it asks none."""
    text = " ".join(token.text for token in sentence).strip(" ?!.,;:-\n")
    if found := _WITHOUT.fullmatch(text):
        gone = It() if found[1] in ("it", "that", "them") else Named(tuple(found[1].split()), True)
        return (Doubtful("remove", (gone,)),)
    if _EACH_AND_ALL.fullmatch(text):
        return (AskPrice(It()), ShowCart())
    if (found := _HOW_MANY.fullmatch(text)) is not None and _is_kind(found[1] or found[2]):
        return (ShowCart(),)
    asks = bool(sentence) and sentence[-1].text == "?"
    if asks and (found := _ONLY.fullmatch(text)) is not None and _is_kind(found[2]):
        return (ShowCart(),)
    if found := _WITH.fullmatch(text):
        act: Literal["add", "remove"] = "add" if found[2] in _MORE else "remove"
        return (Doubtful(act, (It(),), amount_of(found[1])),)
    if (found := next((m for one in _TIMES if (m := one.fullmatch(text))), None)) is not None:
        return (Times(amount_of(found[1]), It()),)
    if _SUMMED.fullmatch(text):
        return (ShowCart(),)
    amounts = [int(number) for number in re.findall(r"\d+", text)]
    is_money = bool(amounts) and amounts[0] >= _LEAST_MONEY
    return (AskPrice(It()),) if is_money and _PRICED.fullmatch(text) else None


def _is_kind(word: str | None) -> bool:
    """Tell whether what is counted are goods, and neither litres nor stars."""
    return word is None or word in _COUNTED or fold(word) in NOUNS
