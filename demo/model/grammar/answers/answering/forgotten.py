"""The answer to what shall be forgotten: what is known, the cart, or both."""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.language.intents.cart import ClearCart, ShowCart
from daybook.demo.model.grammar.language.intents.goods import Mention
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.past import AskKnown, Forget, ForgetAll
from daybook.demo.model.grammar.language.intents.references import Every
from daybook.demo.model.grammar.language.intents.talk import NotUnderstood
from daybook.demo.model.grammar.seen.prompt import Prompt

ASK_FORGET: Final = "Shall I forget what I know about you, or empty your cart?"
_KNOWN: Final = re.compile(r"\b(?:about me|(?:you|that) (?:know|remember)|memory|facts)\b")


def has_forgotten(intents: Sequence[Intent], prompt: Prompt) -> bool:
    """Tell whether the answer to what shall be forgotten is being followed.

    With what is forgotten, the question itself may be gone from the prompt.
    """
    asked = any(isinstance(intent, Forget | ForgetAll) for intent in intents)
    return not asked and any(call.tool == "forget" for call in prompt.turn.calls)


def to_forget(intent: Intent, text: str) -> tuple[Intent, ...]:
    """Read what shall be forgotten: what is known, the cart, or both."""
    match intent:
        case ShowCart():
            return (ClearCart(),)
        case Mention(Every()):
            return (ForgetAll(), ClearCart())
        case AskKnown(()) | NotUnderstood() if _KNOWN.search(text.lower()):
            return (ForgetAll(),)
        case _:
            return (intent,)
