"""Read what goes into the cart and out of it, and what is praised or paid for. Pure.

It needs its own verb in plain sight, an item that the grammar knows, and no word of doubt.
"""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.read.pointing import (
    definite,
    items_in,
    one_item,
    tail_of,
)
from daybook.demo.model.grammar.language.chat.read.questions import _QUESTION
from daybook.demo.model.grammar.language.chat.vocabulary import is_a_name
from daybook.demo.model.grammar.language.intents import (
    Add,
    Checkout,
    Intent,
    Mention,
    Named,
    Nth,
    Other,
    Remove,
    Sku,
)
from daybook.demo.model.grammar.language.references import Counted

_DOUBT: Final = re.compile(
    r"\b(?:not|never|if|unless|until|maybe|perhaps|later|tomorrow|without|why|should|might"
    r"|would have|instead of|rather than|what would|happen|except|but)\b"
)


_ADD: Final = re.compile(
    r"\b(?:add|put|throw|stick|chuck|pop|place|toss|drop|include|give me|get me|grab(?: me)?"
    r"|order me"
    r"|i will (?:take|have|go (?:with|for)|get|grab|buy)|i (?:take|choose|pick|buy)|i am taking"
    r"|let me have|let us (?:take|get|go (?:with|for)|have)|we (?:will )?take|gimme|i (?:would "
    r"like|want)"
    r" to (?:add|buy|take|have)|go (?:with|for)|i want|i need|i would like|buy|order|take|get)\b"
)


_INTO: Final = re.compile(
    r"\b(?:(?:in|into|to|on|inside) (?:my|the|our)? ?(?:shopping )?(?:cart|bag)|goes in|in there"
    r"|in it"
    r"|goes into)\b"
)


_REMOVE: Final = re.compile(
    r"\b(?:remove|delete|drop|ditch|discard|erase|get rid of|kick out|throw out|chuck out|lose"
    r"|scrap"
    r"|take (?:out|off|away)|take|i do not (?:want|need)|i no longer (?:want|need)|forget(?: "
    r"about)?"
    r"|leave out|cut|no more|scratch|cancel|i will not (?:need|take|want)|we do not (?:need|want)"
    r"|i (?:did not|never) (?:want|ask for|order|need)|not)\b"
)


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


_ONLY_ASKS: Final = re.compile(
    r"(?:(?:and|so|but|ok|well) )*(?:should|shall|do|does|did|is|are|was|what|how|when|if|would "
    r"it|would i"
    r"|could i|can i|may i|must i|which|where|who)\b(?! not (?:want|need))"
)


def added(clause: Clause) -> list[Intent] | None:
    """Read a wish to have something: its verb, then items that the grammar knows."""
    text = clause.text
    if _QUESTION.match(text) and not re.match(r"(?:can|could|will|would) (?:you|i|we) ", text):
        return None
    found, into = _ADD.search(text), _INTO.search(text)
    if found is None and into is None:
        return None
    if _DOUBT.search(text[: found.start() if found else len(text)]):
        return None
    rest = text[found.end() :] if found else text
    if found and found.group() in (
        "i want",
        "i need",
        "i would like",
        "get",
        "take",
        "order",
        "buy",
    ):
        needs_sure = into is None
    else:
        needs_sure = False
    if into is not None and into.start() >= (found.end() if found else 0):
        before = rest[: into.start() - (found.end() if found else 0)]
        rest = f"{before} {text[into.end() :]}"
    if _DOUBT.search(rest):
        return None
    items = items_in(tail_of(clause.tokens, rest), clause)
    if not items or (needs_sure and not all(map(_is_sure, items))):
        return None
    return [Add(i.item, 1 if i.quantity is None else i.quantity, i.more) for i in items]


def _is_sure(counted: Counted) -> bool:
    """Tell whether an item is one that can be had: a count of it, or one that is pointed at."""
    if counted.quantity is not None:
        return True
    return isinstance(counted.item, Sku | Nth) or (
        isinstance(counted.item, Named) and any(map(is_a_name, counted.item.words))
    )


def removed(clause: Clause) -> list[Intent] | None:
    """Read a wish to be rid of something: its verb, then items that the grammar knows."""
    text = clause.text
    if found := re.fullmatch(
        r"(?:and |ok |so )*(.+?) (?:can|may|must|has to|should) go(?: now| please| again)*", text
    ):
        gone = one_item(clause, found[1])
        return [Remove(definite(gone))] if gone is not None else None
    if _ONLY_ASKS.match(text):
        return None
    founds = list(_REMOVE.finditer(text))
    for found in reversed(founds):
        verb, rest = found.group(), text[found.end() :]
        takes_out = re.search(r"\b(?:out|off|away|from (?:my|the) cart)\b", rest)
        if verb == "not" or (verb == "take" and takes_out is None):
            continue
        if re.search(r"\b(?:do not|never|if|should|how|not)\s*$", text[: found.start()]):
            return None
        rest = re.split(
            r"\b(?:it is|they are|that is|because|since|as it|too (?:big|small|expensive|heavy"
            r"|pricey)"
            r"|from (?:my|the) cart|again|please|anymore|any more|after all|out|off|away)\b",
            rest,
        )[0]
        items = items_in(tail_of(clause.tokens, rest), clause)
        if items and verb == "i do not want" and not all(map(_is_pointed, items)):
            return None
        if items:
            return [Remove(definite(one.item), one.quantity) for one in items]
    return None


def _is_pointed(counted: Counted) -> bool:
    item = counted.item
    return not isinstance(item, Named) or item.definite


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
