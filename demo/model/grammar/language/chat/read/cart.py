"""Read what is paid for, praised, or asked of the cart. Pure."""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.limits import price_bounds
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.read.pointing import one_item
from daybook.demo.model.grammar.language.intents import (
    Checkout,
    Intent,
    Mention,
    Nth,
    Other,
    ShowCart,
    Sku,
)
from daybook.demo.model.grammar.language.tokens import Kind
from daybook.demo.model.grammar.language.words import NOUNS, fold

_CHECKOUT: Final = re.compile(
    r"^(?:(?:ok|okay|so|now|and|then|please|great|good|fine|perfect|yes|alright|well|let us|i "
    r"want to"
    r"|i would like to|can we|can you|could you|i am ready to|ready to|go ahead and|just|thanks"
    r"|cool"
    r"|i think i will|i will|we can|time to|lets|let us do (?:this|it)|do (?:this|it)|that is "
    r"all|that is it|that is everything|i am done"
    r"|i am done shopping|done shopping|you can|you may|want to|go|proceed|,) )*"
    r"(?:check out|finish (?:this|it|up|the order|my order|shopping)?|pay|place (?:the|my|this"
    r"|that|an)"
    r" order|buy (?:it|them|all|all of (?:it|them)|everything|this|these|those|that|the lot|my cart"
    r"|the cart|now)|order (?:it|them|all|everything|this|these|those|that|the lot|all of (?:it"
    r"|them)|my"
    r" cart|the cart|now)|purchase (?:it|them|everything|this|all)|complete (?:the|my|this)"
    r" (?:order|purchase)|wrap (?:it|this) up|ring (?:it|me|them|everything|that) up|get (?:it"
    r"|this) done"
    r"|send (?:it|them|everything) to me|make the (?:purchase|order)|submit (?:it|the order|my "
    r"order)"
    r"|finali[sz]e (?:it|this|everything|the order|my order)|wrap up|send me (?:the|my|this|all "
    r"the|all this)"
    r" (?:stuff|things|goods|order|items)|take my money|charge (?:it|me|my card)|ship (?:it|them"
    r"|everything)|do it|make it happen"
    r"|to (?:payment|the payment|checkout|the checkout)|with the (?:order|purchase|payment))"
    r"(?: (?:now|please|then|everything|it|them|all|for it|for them|for everything|for all"
    r"|thanks|today"
    r"|in my cart|in the cart|this|my order|the order|asap|right now|already|with my (?:usual"
    r"|default)"
    r" card|with the (?:usual|default) card|, ))*$"
)


_TOTAL: Final = re.compile(
    r"\b(?:total|subtotal|sum|altogether|all together|in total|all in all|comes? to|coming to"
    r"|all in$|(?:have|got) left|add up to|adds up to|grand total|(?:do|would) i owe"
    r"|my bill|the damage|total up|budget"
    r" (?:is |do i have )?left|left (?:of|in|from) (?:my|the) budget)\b"
)
_IN_CART: Final = re.compile(
    r"(?:and |so |ok |now |what |whats |is |do i |have i |i |got |have |there |anything "
    r"|still |show "
    r"|me |see )*(?:in (?:there|it|my cart|the cart|the bag|my bag)|what i (?:have"
    r"|got)(?: so far)?)"
    r"(?: (?:now|so far|again|please|left|then|at the moment|right now|anyway))*"
)


def totalled(clause: Clause) -> list[Intent] | None:
    """Read a question for what is in the cart, and what it comes to."""
    named = any(fold(token.text) in NOUNS or token.kind is Kind.SKU for token in clause.tokens)
    if named or re.search(r"\b(?:search|under|remember|order)\b", clause.text):
        return None
    if re.search(r"\bbudget\b.*\d", clause.text):
        return None
    asks = _TOTAL.search(clause.text) or _IN_CART.fullmatch(clause.text)
    return [ShowCart()] if asks and price_bounds(clause.text) == (None, None) else None


def bought(clause: Clause) -> list[Intent] | None:
    """Read a wish to pay: the whole clause says nothing else."""
    return [Checkout()] if _CHECKOUT.fullmatch(clause.text) else None


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
