"""Read a question for the difference of two: "how much heavier is it than the X?". Pure."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.frames.things import things_in
from daybook.demo.model.grammar.language.intents.goods import Differ, Dimension
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Every, Extreme, It, Reference
from daybook.demo.model.grammar.language.tokens import Token

_COMPARED: Final[Mapping[str, Dimension]] = {
    "cheaper": "price", "dearer": "price", "pricier": "price", "costlier": "price",
    "more expensive": "price", "less expensive": "price", "more": "price", "less": "price",
    "lighter": "weight", "heavier": "weight", "warmer": "warmth", "colder": "warmth",
    "cooler": "warmth", "brighter": "brightness", "dimmer": "brightness", "bigger": "size",
    "larger": "size", "roomier": "size", "smaller": "size", "taller": "height",
    "higher": "height", "lower": "height", "longer": "length", "shorter": "length",
    "faster": "time", "quicker": "time", "slower": "time",
}  # fmt: skip
_NAMED: Final[Mapping[str, Dimension]] = {
    "price": "price", "cost": "price", "weight": "weight", "warmth": "warmth",
    "temperature": "warmth", "comfort": "warmth", "brightness": "brightness",
    "lumens": "brightness", "size": "size", "capacity": "size", "volume": "size",
    "height": "height", "length": "length",
}  # fmt: skip
_LEAD: Final = r"(?:(?:and|so|but|ok|oh|well|wait|then|also|now|hm+|,) )*"
_MORE: Final = "|".join(
    sorted((one for one in _COMPARED if one not in ("more", "less")), key=len, reverse=True)
)
_HOW_MUCH: Final = re.compile(rf"{_LEAD}(?:by )?how much ({_MORE}|more|less)\b(?! of\b)")
_DIFFERENCE: Final = re.compile(
    rf"{_LEAD}(?:what is |is there |tell me |and |show me )*(?:the |any |a |much (?:of a )?)*"
    rf"(?:difference (?:in|of) (?:their |the )?({'|'.join(_NAMED)})"
    rf"|({'|'.join(_NAMED)}) difference)\b"
)
_WHETHER: Final = re.compile(
    rf"{_LEAD}(?:is|are|was|would|will) (?!there\b|any)(?:.* )?({_MORE}) than (?!\d|\$|mine|my\b)"
)
_BY_SO_MUCH: Final = re.compile(
    rf"{_LEAD}(?:is|are|was|would|will) (?:.* )?({_MORE}) by (?:\w+ ){{0,3}}\d+ ?\w*"
)
"""Of which other one is left open: "is the X heavier by more than 20 g"."""
_WHICH: Final = re.compile(
    rf"{_LEAD}(?:which|what)(?: one)?(?: of (?:them|the two|these|those|both))?"
    r" (?:is|boils?|gets?|cooks?|heats?)(?: (?:the|water|up|it))* (?:quicker|faster|slower"
    r"|quickest|fastest)"
)
_SOUGHT: Final = re.compile(r"\b(?:anything|something|any|ones|others?|do you have|have you)\b")


def differing(sentence: Sequence[Token]) -> tuple[Intent, ...] | None:
    """Return what a sentence asks of a difference; None where it asks for none."""
    text = " ".join(token.text for token in sentence).strip(" ?!.,;:-\n")
    if _WHICH.fullmatch(text):
        return (Differ("time", which=True),)
    how, named = _HOW_MUCH.match(text), _DIFFERENCE.match(text)
    by_so_much = _BY_SO_MUCH.match(text)
    whether = _WHETHER.match(text) or by_so_much
    is_bounded = price_bounds(text) != (None, None) and not by_so_much
    if is_bounded or not (how or named or whether):
        return None
    if _SOUGHT.search(re.sub(rf"\bany (?={_MORE})", "", text)):
        return None
    # "The quiet valley warmer than": the word that compares is no part of a name.
    things, counts = things_in([token for token in sentence if token.text not in _COMPARED])
    items = tuple(
        one.item
        for one in things
        if one.sure and one.quantity is None and not isinstance(one.item, Extreme | Every)
    )
    if (counts and not by_so_much) or (whether is not None and not items):
        return None
    if how is not None and how[1] in ("more", "less") and not _names_two(items, text):
        return None
    if (compared := how or whether) is not None:
        return (Differ(_COMPARED[compared[1]], _both(items)),)
    assert named is not None, "one of the three is there"
    return (Differ(_NAMED[named[1] or named[2]], _both(items)),)


def _names_two(items: Sequence[Reference], text: str) -> bool:
    """Tell whether "how much more" is asked of goods: "how much more is the X than the Y"."""
    return bool(items) and not all(isinstance(one, It) for one in items) and "than" in text


def _both(items: tuple[Reference, ...]) -> tuple[Reference, ...]:
    """Return the two that are compared: of one alone, the other is what was spoken of."""
    named = tuple(one for one in dict.fromkeys(items) if not isinstance(one, It))
    if len(named) > 1:
        return named
    return (It(), *named) if named else ()
