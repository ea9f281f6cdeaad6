"""Read goods that a message joins, each in its own right: "the second and the one I asked about".

Pure. A message is taken apart where it is nothing but a wish and goods, each of them named or
pointed at. Where each is found on its own they are what is added, one by one. Where one is not,
none is added: which one was meant is asked.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.answers.accounted import CART
from daybook.demo.model.grammar.language.chat.frames.doubtful import doubtful
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.vocabulary import says_goods
from daybook.demo.model.grammar.language.intents import Add, Intent, Sku
from daybook.demo.model.grammar.language.reading import tokens_of
from daybook.demo.model.grammar.language.words import NUMBERS
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.referents import Found, Wanted, on_view
from daybook.demo.model.grammar.seen.scene import cart_before, scene_of

Reading = Callable[[str, Prompt], tuple[Intent, ...]]
"""Reads what is said in a conversation."""

_MOST: Final = 4
"""Goods that are joined in one message."""
_SEVERAL: Final = 2
_NUMBER: Final = rf"(?:\d{{1,2}}|{'|'.join(NUMBERS)})"
_IDLE: Final = (
    r"(?:(?:ok(?:ay)?|so|well|great|good|perfect|nice|cool|fine|right|then|now|please|pls|yes|yeah"
    r"|yep|sure|hm+|oh|ah|alright|thanks|sold|just|also|and|hi|hello|lovely|in that case|but"
    r"|[,.!-]) )*"
)
_WISH: Final = (
    r"(?:(?:(?:can|could|may|might|would|will) (?:you|i|we|u)|i|we|you|let us|lets|let me|id|ill)"
    r"(?: (?:will|would|am|are|wanna|want to|need to|have to|think|gonna|going to|please|like to"
    r"|just|also|maybe not|love to))* )?"
    r"(?:please )?(?:add|put|take|have|get|want|need|buy|order|give me|like|grab|throw in|pop in"
    r"|love|reserve|pack|bag|send me|go (?:with|for)|going (?:with|for)|do|choose|pick)(?: me| us)?"
    r"(?: to (?:the|my) (?:cart|basket))?(?: both| please|:)?"
)
_END: Final = (
    r"(?:,? ?(?:please|pls|then|too|also|as well|thanks|thank you|thx|now|today|for (?:me|us)"
    r"|(?:in|into|to) (?:my|the|our) (?:cart|basket|bag|order)|in there|in|are what (?:i|we) want"
    r"|both|for (?:my|our|the) (?:trip|trek|hike|weekend|holiday|tour)|that is (?:it|all)|it is))*"
)
_MESSAGE: Final = re.compile(rf"{_IDLE}(?P<wish>{_WISH} )?(?P<goods>.+?)(?P<end>{_END})[ .!?]*")
_JOINT: Final = re.compile(
    r"(?: ?[,;.])? (?:and also|and then|and|plus|&|as well as|along with|together with|with|also"
    r"|in addition to|then)(?: also| then)? | ?[,;.] (?:plus |also |then )?"
)
_WORDS_OF_JOINTS: Final = re.compile(r"\b(?:and|plus|with|as well as|also|then|in addition)\b|&|;")
_WITH_IT: Final = re.compile(r"(?<=.) (?:along |together )with (?:it|that|them|this)$")
_PRONOUN: Final = re.compile(r"(?:it|this|that|these|those|them)(?: one)?")
_COUNTED: Final = re.compile(rf"{_NUMBER}\b(?! (?:one|pair)\b)")
_TOOLS: Final = frozenset({"add_to_cart", "set_quantity", "remove_from_cart"})
_WHO: Final = (
    r"(?: (?:too|as well|also)| for (?:me|us|him|her|them|(?:my|our|the) \w+)"
    r"| (?:from|on|of|in) (?:the|your|this|that) list| of (?:them|these|those))*"
)
_COUNT: Final = rf"(?:(?:{_NUMBER}|a|an)(?: pairs?| pieces?| pcs)?(?: of)? |(?:just|only) )?"
_PLACE: Final = (
    r"(?:first|second|third|fourth|fifth|last|top|bottom|middle|next|previous|other|same|\d(?:st|nd"
    r"|rd|th)|cheap\w*|light\w*|warm\w*|heav\w*|bigg?\w*|large\w*|small\w*|dear\w*|bright\w*|best"
    r"|former|latter)"
)
_POINTS: Final = re.compile(
    rf"{_COUNT}(?:it|this|that|these|those|them"
    r"|(?:this|that|these|those|the) (?:very )?(?:ones?|pair)"
    rf"|(?:the |that |this )?(?:\w+ )?{_PLACE}(?: (?:ones?|pair|\w+))?"
    rf"|(?:number|no|nr|option|#) ?\d{{1,2}}|#\d{{1,2}}|[a-z]{{2,8}}-\d{{2,6}}"
    r"|(?:the |that )?(?:\w+ )?(?:one|pair|thing) (?:in the middle|before(?: it| that)?"
    r"|above(?: it)?|below(?: it)?|(?:next to|after|behind|under|beside) (?:it|that)"
    r"|you \w+(?: \w+)?|i (?:just )?\w+(?: \w+){0,3})"
    rf"|what i (?:just )?\w+(?: about| before)?){_WHO}"
)
_DETERMINED: Final = re.compile(
    rf"(?:the|this|that|these|those) {_COUNT}(?P<kind>\w+(?: \w+)?){_WHO}"
)
_NAMED: Final = re.compile(
    rf"(?:(?:the|this|that|my|some|another) )?{_COUNT}(?P<name>.+?)(?: ones?)?{_WHO}"
)


def joined(
    found: tuple[Intent, ...], text: str, prompt: Prompt, read: Reading
) -> tuple[Intent, ...]:
    """Return the goods of a message as they were read one by one, or what the whole was read as."""
    plain = " ".join(token.text for token in tokens_of(text))
    message = _MESSAGE.fullmatch(plain)
    sides = _sides(message["goods"]) if message is not None else []
    if message is None or len(sides) < _SEVERAL:
        return found
    changes = [one for one in found if isinstance(one, CART)]
    # What this turn has done already changes nothing of what was said.
    cart = cart_before(prompt.now.cart, prompt.turn.calls)
    before = replace(prompt, now=replace(prompt.now, cart=cart))
    adds = [_added(side, before, read) for side in sides]
    known = {one.item: one for one in adds if one is not None}
    # "That burner, the Amber Hollow": a comma may say one thing twice.
    is_apposed = _WORDS_OF_JOINTS.search(message["goods"]) is None and any(map(_points_at, sides))
    if None not in adds:
        if len(known) < len(sides):
            # "The cheaper one and two of it" counts what it names, and joins nothing to it.
            return found
        if not is_apposed and (message["wish"] or message["end"] or changes):
            return tuple(known.values())
    elif is_apposed and not any(map(_COUNTED.match, sides)):
        return found
    if len(changes) in (0, len(sides)) or any(call.tool in _TOOLS for call in prompt.turn.calls):
        return found
    return tuple(doubtful(one) if isinstance(one, CART) else one for one in found)


def _sides(goods: str) -> list[str]:
    """Return the goods that a text joins, and nothing but goods; none where it may join nothing."""
    sides = [side for side in _JOINT.split(_WITH_IT.sub("", goods)) if side]
    return sides if len(sides) <= _MOST and all(map(_is_goods, sides)) else []


def _points_at(side: str) -> bool:
    return bool(_DETERMINED.fullmatch(side) or _PRONOUN.fullmatch(side))


def _is_goods(side: str) -> bool:
    """Tell whether a piece is goods that are named or pointed at, and nothing else."""
    if _POINTS.fullmatch(side):
        return True
    if (kind := _DETERMINED.fullmatch(side)) and all(map(says_goods, kind["kind"].split())):
        return True
    named = _NAMED.fullmatch(side)
    words = named["name"].split() if named else []
    return has_model(words) and all(
        says_goods(word) or has_model(words[max(0, at - 1) : at + 2])
        for at, word in enumerate(words)
    )


def _added(side: str, prompt: Prompt, read: Reading) -> Add | None:
    """Return what one side says to add, as the one product that it is; None where it is unclear."""
    said = f"add {side}"
    meant = read(said, replace(prompt, turn=replace(prompt.turn, text=said, calls=[])))
    match meant:
        case (Add(item) as one,):
            on = on_view(item, scene_of(prompt))
            if isinstance(on, Found) and len(on.skus) == 1:
                return replace(one, item=Sku(on.skus[0]))
            return one if isinstance(on, Wanted) else None
        case _:
            return None
