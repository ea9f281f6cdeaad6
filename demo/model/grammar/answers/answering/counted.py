"""A count that is said alone, or behind what is chosen: how many, or which place."""

import re
from typing import Final

from daybook.demo.model.grammar.answers.asked.completing import ASK_WHICH
from daybook.demo.model.grammar.language.intents.cart import Add, Doubtful, SetQuantity
from daybook.demo.model.grammar.language.intents.goods import Mention
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Every, It, Nth
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.scene import scene_of


def counted_once(intents: list[Intent], question: str) -> list[Intent]:
    """Read a count behind the one that is chosen as its own: "the first, just one"."""
    which = ASK_WHICH.fullmatch(question)
    match intents:
        case [
            Mention(item, None),
            SetQuantity(It(), int() as n, False) | Add(It(), int() as n, False, False),
        ] if which and n > 0:
            return [Mention(item, n)]
        case [Mention(Every(most=int()) as item, None)] if which and which[2]:
            return [Doubtful("add" if which[1] == "shall I add" else "look", (item,))]
        case _:
            return intents


def counted_again(intent: Intent, prompt: Prompt, question: str) -> Intent:
    """Take "three of them" for a correction right after that product was added.

    To the question which one is meant, a number is a place in the list, even after "no wait".
    """
    which = ASK_WHICH.fullmatch(question)
    match intent:
        case SetQuantity(It(), int() as n) if which and which[2] and n > 0:
            return Add(It(), n)
        case SetQuantity(It(), n) if which:
            return Mention(Nth(n))
        case Mention(It(many=False), int() as n) if (
            which and n <= len(scene_of(prompt).latest) and not _PAIRS.search(prompt.turn.text)
        ):
            return Mention(Nth(n))
        case Mention(It(), int() as n) | Add(It(), n, False, False) if _counts(n, prompt, question):
            added = [call for call in prompt.past[-1].calls if call.tool == "add_to_cart"]
            return SetQuantity(intent.item, n) if len(added) == 1 else intent
        case _:
            return intent


_PAIRS: Final = re.compile(r"\b(?:pairs?|pieces?|pcs?)\b", re.IGNORECASE)
"""So many pairs are a count, and no place in a list."""


def _counts(n: int, prompt: Prompt, question: str) -> bool:
    """Tell whether so many of "them" may be those that the last turn added."""
    adds = re.search(r"\b(?:add|more|another|extra|plus|also|too)\b", prompt.turn.text.lower())
    return n > 1 and bool(prompt.past) and not question.endswith("?") and adds is None
