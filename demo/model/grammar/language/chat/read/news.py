"""Read a question about what happened: whether it was ordered, charged, cancelled, mailed, put in.

Nothing is done by it, whatever verbs it holds: it asks in the past, or how things stand.
"""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.things import things_in
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.cart import ShowCart
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import OrderNews
from daybook.demo.model.grammar.language.intents.references import Named, Sku
from daybook.demo.model.grammar.language.tokens import Token

_LEAD: Final = re.compile(
    r"^(?:(?:hang on|hold on|one sec(?:ond)?|wait a (?:sec|second|minute|moment)|omg|omfg|god"
    r"|gosh|wow|whoa|yay|phew|er+|ah+|eek|yikes|sooo?|and|so|but|ok|okay|alright|well|wait|hey"
    r"|hi|hm+|right|now|lol|oh|sorry|please|just"
    r"|then|cool|great|fine|perfect|good|lovely|um|uh|tell me|let me know|(?:can|could|would|will)"
    r" you (?:please |just )?(?:tell me|confirm|check)(?: (?:that|if|whether))?"
    r"|remind me|confirm(?: that)?|(?:are you|i am not) (?:really )?sure(?: (?:that|if|whether))?"
    r"|i (?:just )?(?:wonder|want to know|need to know|am wondering)(?: (?:if|whether))?"
    r"|do you know|hmm?|thanks|(?:i|we) (?:have )?(?:said|say|pressed|clicked|hit|answered|chose"
    r"|put"
    r"|tapped) (?:no|yes|reject|approve|decline|cancel|accept)(?: (?:to|on) (?:it|that|this))?"
    r"|(?:you|u) (?:said|asked)(?: that)?"
    r"(?: if)?|is it (?:true|right|correct) that|what about|,|:|-)\s+)*"
)
_WHAT: Final = r"(?:what|how much|how many|which(?: \w+)?|who|whom|when|where|why)"
_WHO: Final = (
    r"(?:it|that|this|these|those|they|everything|anything|something|all|both|you|u|i|we|she"
    r"|nothing|(?:my|the|your|our|any|that|this|both|each|either|an?) (?:\w+ ){0,3}?\w+"
    r"|(?:one|any|none|either) of \w+)"
)
_ASKS: Final = re.compile(
    rf"^(?:{_WHAT} )?(?:(?:did|have|has|had|was|were)\b(?! you (?:got|any)\b)"
    rf"|(?:is|are|am) {_WHO} (?:(?:\w+ )?(?:now|already|all|really|actually|still|being|been"
    rf"|even|yet"
    r"|not|fully|truly|finally) )*(?=\S+(?: |$)))"
)
_STATES: Final = re.compile(
    rf"^{_WHO} (?:(?:have|has|had|did|was|were|is|are|am)(?: not)?|{_WHO}) (?:\w+ )*\w+"
    rf"|^{_WHO} (?:\w+ed|went|took|put|made|got|left)\b"
)
_INDIRECT: Final = re.compile(
    r"^(?:what|which ones?) (?:you|u) (?:have )?(?:just |really |actually )*"
    r"(?:did|done|added|put in|removed|took out|changed)\b|^what (?:has )?(?:just )?happened$"
)
_WILL_MAIL: Final = re.compile(r"^(?:will|do) (?:i|you)\b|^i (?:will )?get\b")
_TAG: Final = re.compile(
    r"[ ,]+(?:right|correct|yes|no|yeah|or not|or no|is (?:that|it|this) (?:right|correct|so|true)"
    r"|(?:did|have|has|am|is|are|was|were|do)(?: not)? (?:you|i|it|we|that|they|there|he|she)"
    r"(?: not)?|is it not|or what)$"
)
_TRAILS: Final = re.compile(
    r"[ ,]+(?:dear|mate|please|then|yet|so far|now|already|at all|all right|alright|again|to me"
    r"|by now|thanks|really|or|in the end|at the moment|just now|today|properly|ok|okay|correctly)$"
)

_CANCELLED: Final = re.compile(
    r"\b(?:cancel|cancell?ed|refund|refunded|refunds|called off|call off|money back|reversed"
    r"|annulled|withdrawn)\b"
)
_MAILED: Final = re.compile(
    r"\b(?:e ?mail|emailed|mail|mailed|mails|emails|confirmation|receipt"
    r"|(?<!by )(?<!on )(?<!per )(?<!via )invoice)\b"
)
_PAID: Final = re.compile(
    r"\b(?:charge|charged|charges|pay|paid|debit|debited|billed|deduct|deducted|spent|spend"
    r"|payment|(?:take|took|taken) (?:\w+ ){0,2}money|took from|taken from|cost me"
    r"|money (?:\w+ )?(?:gone|left|taken))\b"
)
_ORDERED: Final = re.compile(
    r"\b(?:order|ordered|orders|buy|bought|purchased?|placed|place (?:it|the|my|that|an)"
    r"|check out|checked out"
    r"|go through|gone through|go thru|gone (?:all )?through|go all through|get through"
    r"|got through|work|worked|succeed"
    r"|succeeded|finished|completed|confirmed|finali[sz]ed|processed|take"
    r"|(?:order|payment|purchase) (?:\w+ )*made"
    r"|went through|go in|gone in)\b|\bfinish$|^(?:is|are|has|was) .*\bdone\b"
)
_STANDS: Final = re.compile(
    r"^(?:is|are|does) (?:it|that|(?:the|my|that) (?:\w+ )?(?:order|purchase|one)) (?:still )?(?:on"
    r"|active|valid|there|standing|stand|going ahead|alive|good|coming|open|in place|live|happening"
    r"|exist|running|up)$"
)
_NOTHING_COMES: Final = re.compile(
    r"(?:nothing|no (?:order|parcel|package|delivery|boots?|goods)"
    r"|(?:it|that|the (?:order|parcel|package|lamp|stuff))(?= .*\bnot\b))"
    r"(?: (?:is|will|was|be|gets?|being|going to|not|else|more|anything))*"
    r" (?:coming|come|comes|sent|shipped|delivered|dispatched|arriv(?:e|es|ing)|going out"
    r"|on (?:its|the) way)(?: (?:to me|to us|here|my way|out|any ?more))*"
)
"""Whether an order is off is asked: "so nothing is coming now, right?"."""
_JUST_BOUGHT: Final = re.compile(
    r"^(?:what|which \w+)(?: was it| did| have)? ?(?:did )?(?:i|we) (?:have )?(?:just )?(?:buy"
    r"|bought"
    r"|order|ordered|purchased?|paid for|pay for)\b.*\b(?:just|now|before|earlier|first|ago"
    r"|already)\b|^what did (?:i|we) just (?:buy|order|purchase|pay for)\b"
)
_SENT: Final = re.compile(
    r"\bdid\b.*\bsend\b|\b(?:sent|forwarded|gone (?:out|off)|went (?:out|off)|go out)\b"
)
_OF_PARCELS: Final = re.compile(
    r"\b(?:orders?|parcels?|package|stuff|things|goods|items|boots?|back|address|home|work)\b"
)
_DONE: Final = re.compile(r"\b(?:do|did|done|change|changed|happen|happened|going on)\b")
_CARTED: Final = re.compile(
    r"\b(?:add|added|put|remove|removed|take out|took out|taken out|take off|delete|deleted|in$"
    r"|out$"
    r"|gone|swap|swapped|exchanged|changed|replaced|pick|picked|choose|chose|chosen|select"
    r"|selected|drop"
    r"|dropped|throw|threw|thrown|get rid|included|clear|cleared|emptied)\b"
)
_CART: Final = re.compile(r"\b(?:cart|in there|in it)\b")
_OF_GOODS: Final = re.compile(
    r"\b(?:reviews?|reviewers?|people|customers?|buyers|stars?|rated|made (?:of|from|out|in|with)"
    r"|sizes?|colou?rs?|stock|available|sold out|waterproof|cost(?! me)|price|cheaper|find|found"
    r"|show|shown|say|said|tell|told|mention|mentioned|remember|note|noted|search|look|looking|with"
    r"|without|if|unless|when i|return|returned|break|broken|arrive|arrived|ship|shipped|deliver"
    r"|delivered|come|size|address|card|left in stock|last time|yesterday|last (?:week|month|year)"
    r"|this (?:week|month|year)|before|ever|first time|compare|budget|limit|parcel|package"
    r"|delivery|back in|number|\w+day|from (?:\w+ )?\w+day)\b(?<!today)"
)
_WISHES: Final = re.compile(
    r"[,;:.?!] (?:and |then |so |please |just )*(?:add|put|remove|take|buy|order|delete|give|get"
    r"|show|find|help|(?:can|could|would|will) (?:you|we) (?!tell|confirm|check))\b"
)
"""What is to be done, behind what is asked."""
_OF_THE_PAST: Final = re.compile(
    r"^(?:what|how much|how many|how often|which|when|where)\b.*\b(?:did|have|had) i\b|\bspen[dt]\b"
    r"|\blast\b|\bso far this\b|^where\b|\bdb-\d"
)
"""What a person did themselves is asked of all their past, and not of this conversation."""
_LONGEST: Final = 14
_HOW_MUCH: Final = re.compile(r"^(?:what|how much|how many|which|why|when|where)\b")
_TWICE: Final = re.compile(r"\b(?:twice|double|two times|more than once|again)\b")


def happened(sentence: Sequence[Token]) -> tuple[Intent, ...] | None:
    """Return what a sentence asks of what was done; None where it asks nothing of it."""
    said = " ".join(token.text for token in sentence).strip(" ?!.,;:-\n")
    text = _LEAD.sub("", said)
    bare = _without_tags(text)
    leads = said[: len(said) - len(text)]
    is_asked = sentence[-1].text == "?" or _SURE.search(leads) is not None
    is_asked = is_asked or _TAG.sub("", text) != text or _TAG.sub("", bare) != bare
    if _STANDS.match(bare):
        return (OrderNews("placed"),)
    if is_asked and _NOTHING_COMES.fullmatch(bare):
        return (OrderNews("cancelled"),)
    if _JUST_BOUGHT.match(text):
        return (OrderNews("which"),)
    if len(bare.split()) > _LONGEST or _WISHES.search(bare) or _OF_THE_PAST.search(bare):
        return None
    if _INDIRECT.match(bare):
        return (OrderNews("done"),)
    asks = _ASKS.match(bare) is not None
    is_mail = _MAILED.search(bare) is not None and _WILL_MAIL.match(bare) is not None
    if not asks and not (is_asked and (is_mail or _STATES.match(bare))):
        return None
    if _OF_GOODS.search(bare.replace("my card", "me")):
        return None
    if _names_goods(sentence):
        return (ShowCart(),) if _YOUR_DOING.search(bare) else None
    if _CANCELLED.search(bare):
        return (OrderNews("cancelled"),)
    if _MAILED.search(bare) or (_SENT.search(bare) and not _OF_PARCELS.search(bare)):
        return (OrderNews("mailed"),)
    if _CART.search(bare) and not _PAID.search(bare):
        return (ShowCart(),)
    if _PAID.search(bare) or _ORDERED.search(bare):
        is_open = _HOW_MUCH.match(bare) or _TWICE.search(text)
        return (OrderNews("which" if is_open else "placed"),)
    if _WHAT_DONE.match(bare) and (_DONE.search(bare) or _CARTED.search(bare)):
        return (OrderNews("done"),)
    return (ShowCart(),) if _CARTED.search(bare) else None


def _without_tags(text: str) -> str:
    """Return a question without "did you" and "so far" behind it."""
    while (short := _TRAILS.sub("", _TAG.sub("", text))) != text:
        text = short
    return text


_SURE: Final = re.compile(r"\b(?:sure|tell me|confirm|check|true|wonder|so|know)\b")
_WHAT_DONE: Final = re.compile(r"^what (?:did|have|had) (?:you|u)\b")
_YOUR_DOING: Final = re.compile(
    r"^(?:(?:did|have) (?:you|i|we)|(?:you|i|we) (?:did|have)) .*\b(?:add|added|put|remove|removed"
    r"|take out|took out|taken out|delete|deleted|swap|swapped)\b"
)


def _names_goods(sentence: Sequence[Token]) -> bool:
    """Tell whether a product is named: what is asked is asked of that one."""
    things, _ = things_in(sentence)
    return any(
        isinstance(one.item, Sku) or (isinstance(one.item, Named) and has_model(one.item.words))
        for one in things
    )
