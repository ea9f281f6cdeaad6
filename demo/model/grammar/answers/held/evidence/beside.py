"""Whether goods that are put in stand beside others, or may only be asked about."""

import re
from itertools import pairwise
from typing import Final

from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD
from daybook.demo.model.grammar.answers.held.accounted import CART
from daybook.demo.model.grammar.answers.held.evidence.said import TOOLS, Said
from daybook.demo.model.grammar.answers.held.evidence.words import MANY, PLACE
from daybook.demo.model.grammar.language.chat.names import is_model
from daybook.demo.model.grammar.language.chat.vocabulary import says_goods
from daybook.demo.model.grammar.language.intents.orders import Checkout
from daybook.demo.model.grammar.language.words import kind_of
from daybook.demo.model.grammar.seen.prompt import Prompt

_LOOKS_BACK: Final = 4
_PAIR: Final = 2
_JOINT: Final = re.compile(r"\b(?:and(?: also)?|plus|&|as well as|along with|together with)\b")
_POINTS: Final = re.compile(
    r"\b(?:that|this|other|first|second|third|last) (?:one|pair)\b|\b(?:both|those|these|them)\b"
)
_IT: Final = re.compile(r"\b(?:it|that|this)\b")
_WITH_IT: Final = re.compile(r"\bwith (?:it|that|this|those|them)\W*$")
_LOOKS: Final = re.compile(
    r"\b(?:what|which|how|show|tell|is|are|does|compare|reviews?|about|see|look|details|price|note"
    r"|remember|find|search|weighs?)\b"
)
_BUYS: Final = re.compile(r"\b(?:order|buy|pay|check ?out|purchase|finish)\b")
_PUTS: Final = re.compile(r"\b(?:add|put|cart|too|also|both|yes|take)\b")
_ASKS_ON: Final = re.compile(
    r"^(?:(?:no+|ok(?:ay)?|hm+|right|fine|well|yeah|yes|so|great|cool|[.,!]) )*"
    r"(?:and|what about|how about)\b"
)
_ACTS: Final = re.compile(
    r"\b(?:add|put|take|want|need|buy|get|have|give|order|grab|throw|pop|stick|chuck|make|pack|send"
    rf"|cart|basket|please|pls|gimme|too|also|as well|plus|\d+|{MANY}|pairs?)\b"
)


def leaves_one_out(said: Said) -> bool:
    """Tell whether goods are told beside the one that is put in, and only looked at, or unread."""
    others = [one for one in said.intents if not isinstance(one, CART)]
    looks = _LOOKS.search(said.plain) is not None
    if not looks and any(_is_model_in(repr(one).lower()) for one in others):
        return True
    sentences = [one for one in re.split(r" ?[.!;?] ?", said.plain) if _is_model_in(one)]
    return len(sentences) == 1 and _is_joined(sentences[0])


def _is_joined(sentence: str) -> bool:
    """Tell whether a sentence that names one product joins it to "it", or to other goods."""
    if _WITH_IT.search(sentence):
        return True
    sides = _JOINT.split(sentence)
    if len(sides) != _PAIR or sum(map(_is_model_in, sides)) != 1:
        return False
    before, after = sides
    if _is_model_in(before):
        return kind_of(after.split()) is not None or _POINTS.search(after) is not None
    goods = any(says_goods(word) for word in before.split())
    return goods or _POINTS.search(before) is not None or _IT.search(before) is not None


def _is_model_in(text: str) -> bool:
    return any(is_model(*pair) for pair in pairwise(re.findall(r"[a-z]+", text)))


def asks_on(said: Said) -> bool:
    """Tell whether goods without a verb may be a further question: "and the Grey Heron tent"."""
    assert said.last is not None
    if any(call.tool in TOOLS for call in said.last.calls) or PLACE.search(said.plain):
        return False
    return _ASKS_ON.search(said.plain) is not None and _ACTS.search(said.plain) is None


def pays_for_more(said: Said) -> bool:
    """Tell whether words of paying alone took one of several offers, or more than the cart."""
    if said.names or not _BUYS.search(said.plain):
        return False
    if any(isinstance(one, Checkout) for one in said.intents):
        return len(_open_offers(said.prompt)) > 1
    return bool(said.scene.cart) and not _PUTS.search(said.plain)


def _open_offers(prompt: Prompt) -> set[str]:
    """Return what was offered of late and not taken."""
    found: set[str] = set()
    for turn in prompt.past[1 - _LOOKS_BACK :]:
        if any(call.tool in TOOLS for call in turn.calls):
            found.clear()
        found |= {offer[1] for offer in ASK_ADD.finditer(turn.answer)}
    return found
