"""A no that names nothing: it takes back what was just done, asked or said."""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.language.intents.cart import Add, Doubtful
from daybook.demo.model.grammar.language.intents.intent import Intent, World
from daybook.demo.model.grammar.language.intents.orders import CancelOrder
from daybook.demo.model.grammar.language.intents.references import It
from daybook.demo.model.grammar.language.intents.talk import NotUnderstood, Refuse
from daybook.demo.model.grammar.seen.prompt import Prompt


def regretted(intent: Intent, prompt: Prompt, question: str) -> Intent:
    """Read a no that names nothing, "wait no", as one to the question, or to what was just added.

    Whether that shall go again is asked.
    """
    changed = bool(prompt.past) and any(
        call.tool in ("add_to_cart", "set_quantity") for call in prompt.past[-1].calls
    )
    removed = bool(prompt.past) and any(
        call.tool == "remove_from_cart" for call in prompt.past[-1].calls
    )
    undoes = _UNDOES.match(prompt.turn.text.lower()) is not None
    match intent:
        case CancelOrder(vague=True) | Add(It(), again=True) if undoes and changed:
            return Doubtful("remove", (It(),))
        case Refuse() if changed and _CANCELS_ALONE.fullmatch(prompt.turn.text.lower()):
            return Doubtful("remove", (It(),))
        case CancelOrder(vague=True) if undoes and removed:
            return Doubtful("add", (It(),))
        case Add(It(), again=True) if undoes and not removed:
            return Refuse()
        case NotUnderstood(text) if changed and _NO.fullmatch(text.lower()):
            return Doubtful("remove", (It(),))
        case NotUnderstood(text) if question.endswith("?") and _NO.fullmatch(text.lower()):
            return Refuse()
        case _:
            return intent


_CANCELS_ALONE: Final = re.compile(r"\W*(?:(?:no|oh|please|sorry|wait|actually)\W+)*cancel\W*")
_UNDOES: Final = re.compile(
    r"\W*(?:(?:no|oh|oops|ok|please|can you|sorry|wait|actually)\W+)*undo\b"
)
_NO: Final = re.compile(
    r"\W*(?:(?:wait|no|oh|oops|hang on|hold on|stop|sorry|nope|actually|hm+|undo|that|was"
    r"|wrong|a|mistake)\b\W*)+"
)


def taken_back(intents: Sequence[Intent]) -> list[Intent]:
    """Read a no after a wish that acts on the world as doubt about it: "check out. No"."""
    read: list[Intent] = []
    for intent in intents:
        doubt = isinstance(intent, Refuse) and any(isinstance(i, World) for i in read)
        read.append(NotUnderstood("no", hedged=True) if doubt else intent)
    return read
