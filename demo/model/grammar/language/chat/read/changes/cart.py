"""Read what is paid for, praised, or asked of the cart. Pure."""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.frames.polite import IDLE, JOINTS
from daybook.demo.model.grammar.language.chat.frames.rest import may_alter
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.read.goods.pointing import one_item
from daybook.demo.model.grammar.language.intents.cart import Doubtful, ShowCart
from daybook.demo.model.grammar.language.intents.goods import Mention
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import Checkout
from daybook.demo.model.grammar.language.intents.references import Nth, Other, Sku
from daybook.demo.model.grammar.language.tokens import Kind
from daybook.demo.model.grammar.language.words import NOUNS, fold

_BUYS: Final = re.compile(
    r"\b(?:check (?:me |us )?out|pay(?! (?:later|monthly|back|attention))|buy|purchase"
    r"|settle(?: up)?|bill (?:me|it|my card)"
    r"|(?:do|make|take) (?:the |my )?payment|i am (?:now )?paying"
    r"|place (?:the|my|this|that|an) order|order (?:it|them|all|both|everything|this|these|those"
    r"|that|now"
    r"|the lot|my cart|the cart|before)|charge (?:me|it|my card)"
    r"|(?:to|at) (?:the )?(?:till|payment|register|cash desk)"
    r"|(?:complete|finish|finali[sz]e|submit|confirm|initiate) (?:the|my|this|that|it|an?"
    r"|everything|shopping|up)(?: (?:order|purchase|payment))?|proceed|take my money"
    r"|make (?:the|my|this|that|an?|up)(?: my)? (?:order|purchase|payment)"
    r"|(?:ring|wrap) (?:it|me|them|this|everything|that)? ?up|do it|make it happen"
    r"|(?:send|ship) (?:it|them|everything)(?: to me)?$"
    r"|send me (?:the|my|this|all) .*(?:stuff|things|goods|items))\b"
    r"|process (?:it|the|my|this)(?: order| payment)?|go ahead with (?:it|the|my|this)"
    r"(?: order| purchase| payment)?|seal the deal|lock (?:it|that|them) in|^submit$"
    r"|make (?:the|my|a) buying"
    r"|go through with (?:it|this|that|the (?:order|purchase))|sort (?:out )?(?:the |my )?payment"
    r"|(?:all|everything|it|them|that)(?: of (?:it|them))? (?:gets?|(?:can|should|to) be)"
    r" (?:ordered|bought|paid)"
    r"|(?:^|us |me |may |can |now |please )order$"
)
BESIDE_BUYING: Final = (
    IDLE
    | JOINTS
    | frozenset(
        """
    let go ahead ready done shopping check out pay payment buy purchase order orders settle up place
    charge till complete finish finalise finalize submit confirm initiate make proceed money ring
    wrap do happen send ship them these those my your our everything all lot whole stuff things
    goods items cart card file usual default with already today asap time can could may you we are
    shall should believe think guess am register desk cash at approved being late go-ahead at once
    right away thing last finally already only if possible through gets get ordered bought paid sort
    out me of say so process with submit seal deal
    lock
    buying already real kindly paying bill both over thats immediately straight dear
    straightaway
    """.split()  # noqa: SIM905
    )
)


_TOTAL: Final = re.compile(
    r"\b(?:total|subtotal|sum|altogether|all together|in total|all in all|comes? to|coming to"
    r"|all in$|(?:have|got) left|add up to|adds up to|grand total|(?:do|would) i owe"
    r"|my bill|the damage|total up|budget"
    r" (?:is |do i have )?left|left (?:of|in|from) (?:my|the)"
    r"|(?:over|within|above|below) (?:my |the )?(?:budget|limit))\b"
)
_IN_CART: Final = re.compile(
    r"(?:and |so |ok |now |what |whats |is |do i |have i |i |got |have |there |anything "
    r"|still |show "
    r"|me |see )*(?:in (?:there|it|my cart|the cart|the bag|my bag)|what i (?:have"
    r"|got)(?: so far)?)"
    r"(?: (?:now|so far|again|please|left|then|at the moment|right now|anyway))*"
)


_WHAT_TOTAL: Final = re.compile(
    r"\b(?:what|how much) (?:is|are) (?:the|my|our) (?:grand |whole )?(?:totals?|sum|bill)\b"
    r"|\bwhat (?:is|does) (?:it|that|this|everything) (?:all )?(?:total|come to)\b"
)


def totalled(clause: Clause) -> list[Intent] | None:
    """Read a question for what is in the cart, and what it comes to."""
    named = any(fold(token.text) in NOUNS or token.kind is Kind.SKU for token in clause.tokens)
    if named or re.search(r"\b(?:search|under|remember|order)\b", clause.text):
        return None
    if re.search(r"\bbudget\b.*\d", clause.text):
        return None
    if _WHAT_TOTAL.search(clause.text):
        # What there is to spend is told beside it: "what is the total, i only have 100 bucks".
        return [ShowCart()]
    asks = _TOTAL.search(clause.text) or _IN_CART.fullmatch(clause.text)
    return [ShowCart()] if asks and price_bounds(clause.text) == (None, None) else None


def says_to_buy(text: str) -> bool:
    """Tell whether a text has a word of buying."""
    return _BUYS.search(text) is not None


def bought(clause: Clause) -> list[Intent] | None:
    """Read a wish to pay; beside words that say nothing of it, it is asked about."""
    if _BUYS.search(clause.text) is None:
        return None
    asks = _ASKS.match(clause.text) is not None
    left = [token for token in clause.tokens if token.text not in BESIDE_BUYING]
    if not left and not asks:
        return [Checkout()]
    if asks or clause.tokens[-1].text == "?" or may_alter(left) or len(left) > _FEW:
        return None
    last = clause.text.rsplit(" , ", 1)[-1]
    if last != clause.text and _BUYS.search(last) and {*last.split()} <= BESIDE_BUYING:
        # What stands before it only says why: "he says go, order it".
        return [Checkout()]
    return [Doubtful("buy", said=clause.text)]


_ASKS: Final = re.compile(
    r"(?:how|what|which|who|where|when|why|is|are|do|does|did|has|have|will)\b"
)
_FEW: Final = 6


def liked(clause: Clause) -> list[Intent] | None:
    """Read praise of a product as a mention of it: it is shown, and offered."""
    if found := re.fullmatch(r"(.+?) it is(?: then)?", clause.text):
        come = one_item(clause, found[1])
        return [Mention(come)] if come is not None else None
    found = re.match(
        r"(?:i (?:really |quite |rather )?(?:like|love|prefer|fancy)|(?:the|that) looks? (?:good"
        r"|nice))\b (.+)$",
        clause.text,
    )
    come = one_item(clause, found[1]) if found is not None else None
    return [Mention(come)] if isinstance(come, Nth | Sku | Other) else None
