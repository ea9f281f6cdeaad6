"""Tell whether a yes consents to what was asked before, or only nods. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.answers.asked.questions import agreed
from daybook.demo.model.grammar.language.intents.cart import Add, Remove, ShowCart
from daybook.demo.model.grammar.language.intents.goods import (
    AskPrice,
    AskProperty,
    Details,
    Mention,
    Reviews,
    Search,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import AskPolicy, ShowOrders
from daybook.demo.model.grammar.language.intents.references import Sku
from daybook.demo.model.grammar.language.intents.talk import Agree

_NODS: Final = re.compile(
    r"\W*(?:ok(?:ay)?|right|fine|alright|all right|sure|good|great)\b(?!.*\b(?:add|put|yes|buy"
    r"|check)\b)"
    r"|.*\b(?:not|never|do ?n[o']?t|without|no|but)\b"
)
"""Beside something else, a word that only nods, or a no: neither consents to what was asked."""
_REFUSES: Final = re.compile(r"\b(?:not|never|do ?n[o']?t|without|no|but)\b")
_TAKES_NOTE: Final = re.compile(
    r"\W*(?:oh|ah|aha|hm+|huh|uh huh|gotcha|got it|i get it|i see|noted|understood|makes sense)\b"
    r"|.*\b(?:tell|show|explain)\b|[^?]*\?\W*$"
)
"""Alone, a yes that takes note of what was told, asks for more, or asks back: "oh ok", "sure?"."""
_TAKES_OUT: Final = re.compile(r"Shall I (?:take|keep)\b.* out of your cart")
_KEEPS_IN: Final = re.compile(r"\b(?:back|keep|leave|stays?|put|add|in there|want it)\b")
"""Beside a yes, words that say the contrary of what was asked: "yes, put it back"."""

_OF_ONE: Final = re.compile(r"Shall I put [A-Z]{4}-\d{3} into your cart\?")
_FOR_EACH: Final = re.compile(
    r"\b(?:\d{1,2}|one|two|three|four|five|six)\b(?: pairs?)? (?:(?:(?:for|of) )?each|apiece"
    r"|for every(?:one|body)?)\b"
)
"""A count for each of so many people as nobody has told of: "yes, three for each of us"."""


def only_takes_note(intents: Sequence[Intent], text: str) -> bool:
    """Tell whether a yes that stands alone consents to nothing."""
    is_alone = bool(intents) and all(isinstance(one, Agree) for one in intents)
    return is_alone and _TAKES_NOTE.match(text.lower()) is not None


def only_nodded(read: Sequence[Intent], question: str, text: str) -> tuple[Intent, ...]:
    """Leave out what a nod alone consented to, before what is looked at: "fine. Show me lamps"."""
    offered = agreed(question)
    looks = [one for one in read if one not in offered]
    if (
        not offered
        or not looks
        or len(looks) == len(read)
        or _NODS_ALONE.match(text.lower()) is None
    ):
        return tuple(read)
    return tuple(looks) if all(isinstance(one, _LOOKS) for one in looks) else tuple(read)


def also_consented(read: Sequence[Intent], question: str, text: str) -> tuple[Intent, ...]:
    """Add what a yes consents to before what goes for it: "yes, and drop the other"."""
    offered = agreed(question)
    match offered, tuple(read):
        case (Add(Sku(sku)),), (Remove(item, None) as gone,) if item != Sku(sku):
            said = text.lower()
            is_yes = _YES_AND.match(said) is not None and _REFUSES.search(said) is None
            return (*offered, gone) if is_yes else tuple(read)
        case _:
            return tuple(read)


_YES_AND: Final = re.compile(
    r"\W*(?:yes|yeah|yep|yup|sure|ok|okay)(?: please)?\W*(?:,|\.|!| and\b| then\b)"
)
_NODS_ALONE: Final = re.compile(
    r"\W*(?:(?:ok|okay|right|fine|alright|all right|good|great|cool|nice|so|well|then|now|thanks)\b"
    r"\W*)+(?!.*\b(?:yes|yeah|yep|sure|add|put|take|buy|have it|want it|it in|cart"
    r"|one|two|\d|do that|do it"
    r"|please do)\b)"
)
_LOOKS: Final = (
    Search | AskPolicy | Details | Reviews | AskPrice | AskProperty | ShowCart | ShowOrders
)


def counts_for_each(question: str, text: str) -> bool:
    """Tell whether an offer of one thing is answered by so many for each of nobody knows whom."""
    return bool(_OF_ONE.fullmatch(question)) and _FOR_EACH.search(text.lower()) is not None


def consented_to(question: str, intents: Sequence[Intent], text: str) -> str:
    """Return the question that a yes in a text answers, "" where it answers none."""
    said = text.lower()
    names_another = any(isinstance(intent, Mention) for intent in intents)
    is_yes = all(isinstance(one, Agree) for one in intents) and not _REFUSES.search(said)
    nods = len(intents) > 1 and not is_yes and _NODS.match(said) is not None
    turns = _TAKES_OUT.match(question) and _KEEPS_IN.search(said)
    shares = counts_for_each(question, said)
    return "" if names_another or nods or turns or shares else question
