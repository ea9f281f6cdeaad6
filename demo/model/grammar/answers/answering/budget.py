"""A budget that is told right after a list: it is looked again within it."""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.answers.asked.offered import LISTS
from daybook.demo.model.grammar.answers.looking.told_limits import most_told
from daybook.demo.model.grammar.language.intents.goods import Search
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.past import Remember
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.scene import scene_of


def within_budget(intents: Sequence[Intent], prompt: Prompt) -> Sequence[Intent]:
    """Look again within a budget that is told right after a list: "ok, but my budget is 170"."""
    text = prompt.turn.text.lower()
    lists = bool(prompt.past) and LISTS.search(prompt.past[-1].answer) is not None
    looks = _LOOKS.search(text) is not None and scene_of(prompt).kind is not None
    match tuple(intents):
        # "My budget is 900 dollars" is noted alone: once it is forgotten, nothing tells any more
        # where the limit of a search came from.
        case (Remember("budget", value),) if (
            looks or (lists and (value.isdigit() or "budget" not in text))
        ) and (most := most_told(value)):
            return [*intents, Search(max_price=most)]
        case _:
            return intents


_LOOKS: Final = re.compile(
    r"\b(?:show|find|give|get|let) (?:me|us)\b.*\b(?:some\w*|other|another|one|what)\b"
)
