"""A limit that the answer before told: "cheaper than that", "a stove for that?". Pure."""

import re
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.intents import Intent, Search
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.results import cents
from daybook.demo.model.grammar.seen.scene import scene_of


def below_what_was_told(intent: Intent, prompt: Prompt) -> Intent:
    """Give a search the limit that it names by pointing at a price, or at what is left of money."""
    match intent:
        case Search(max_price=None):
            pass
        case _:
            return intent
    text = prompt.turn.text.lower()
    left = _LEFT.search(prompt.past[-1].answer) if prompt.past else None
    if left is not None and _FOR_THAT.search(text):
        return replace(intent, max_price=cents(left[1]))
    if not _CHEAPER_THAN_THAT.search(text):
        return intent
    scene = scene_of(prompt)
    row = scene.fresh(scene.focus) if scene.focus is not None else None
    said = _SAID_PRICE.search(prompt.past[-1].text) if prompt.past and row is None else None
    told = int(said[1]) * 100 if said is not None else 0 if row is None else row.cents
    return replace(intent, max_price=told - 1) if told else intent


_LEFT: Final = re.compile(r"^(\d+\.\d\d [A-Z]{3}) is left of", re.MULTILINE)
_FOR_THAT: Final = re.compile(
    r"\b(?:for|in|within|with|under|from) (?:that|it|what(?:'?s| is) left|the rest"
    r"|(?:that|this) (?:money|amount|much))\b"
    r"|\b(?:that|it) (?:buys|gets|gets me|would buy|pays for)\b"
)
_SAID_PRICE: Final = re.compile(r"(?<![\w.-])\$?(\d{2,4})(?![\w-]|[.,]\d)")
"""A price as a person says it."""
_CHEAPER_THAN_THAT: Final = re.compile(
    r"\b(?:cheaper than|less than|below|under|less expensive than)"
    r" (?:that|it|this|the one|that one|this one)\b(?! (?:\w+ )?\d)"
)
