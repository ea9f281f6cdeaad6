"""Read a wish for all of them, right after it was told how many of one product are left. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD
from daybook.demo.model.grammar.answers.deciding.lately import told_last
from daybook.demo.model.grammar.language.intents.cart import Add, Doubtful
from daybook.demo.model.grammar.language.intents.goods import Mention
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Every, Sku
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.scene import scene_of

_TOLD: Final = re.compile(r"^[^\n*]+: (\d{1,4}) in stock\.", re.MULTILINE)
_ROWS: Final = re.compile(r"^\d{1,3}\. \*\*.*, (\d{1,4}) in stock$", re.MULTILINE)
_ASKS: Final = re.compile(r"\b(?:how many|in stock|left)\b")
_MOST: Final = 12
"""More than these may be no wish of anybody's: they are asked about."""


def all_left(read: Sequence[Intent], prompt: Prompt) -> tuple[Intent, ...]:
    """Return what was read, "all of them" as so many of the one product as there are."""
    last = prompt.past[-1] if prompt.past else None
    told = [] if last is None else _TOLD.findall(last.answer)
    if last is not None and not told and _ASKS.search(last.text.lower()):
        told = _ROWS.findall(last.answer)
    if last is None or len(told) != 1:
        return tuple(read)
    offered = ASK_ADD.fullmatch(question_of(last))
    scene = scene_of(prompt)
    sku = offered[1] if offered else told_last(scene, prompt)
    count = int(told[0])
    if sku is None or scene.in_cart(sku) is not None or not count:
        return tuple(read)
    match tuple(read):
        case (Add(Every(most, ()), 1, False, False),) if most in (None, count):
            is_few = count <= _MOST
        case (Doubtful("add", (Every(most, ()),)),) | (Mention(Every(most, ())),) if most in (
            None,
            count,
        ):
            is_few = False
        case _:
            return tuple(read)
    return (Add(Sku(sku), count),) if is_few else (Doubtful("add", (Sku(sku),), count),)
