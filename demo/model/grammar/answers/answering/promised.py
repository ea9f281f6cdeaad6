"""What the shop promises, asked of what was spoken of before, or only told."""

import re
from typing import Final

from daybook.demo.model.grammar.answers.held.accounted import CART
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import AskPolicy
from daybook.demo.model.grammar.language.reading import understand
from daybook.demo.model.grammar.seen.prompt import Prompt


def asked_alone(found: tuple[Intent, ...], text: str) -> tuple[Intent, ...]:
    """Leave out a promise that nobody asks for beside a change of the cart: "I send one back"."""
    changes = any(isinstance(one, CART) for one in found)
    if not changes or _ASKS_PROMISE.search(text.lower()):
        return found
    return tuple(one for one in found if not isinstance(one, AskPolicy))


_ASKS_PROMISE: Final = re.compile(
    r"\?|\b(?:what|whats|how|when|where|which|who|can|could|do|does|is|are|will|may|policy|terms"
    r"|tell|know|about|explain)\b(?<!he can)(?<!she can)(?<!they can)"
)


def of_returning(intent: Intent, prompt: Prompt) -> Intent:
    """Take "and who pays the postage on that?" for what was asked of before: sending it back."""
    if not isinstance(intent, AskPolicy) or intent.topic not in ("payment", "shipping"):
        return intent
    before = understand(prompt.past[-1].text) if prompt.past else ()
    is_of_returns = any(one == AskPolicy("returns") for one in before)
    pays = _WHO_PAYS.search(prompt.turn.text.lower()) is not None
    return AskPolicy("returns") if is_of_returns and pays else intent


_WHO_PAYS: Final = re.compile(
    r"\b(?:who pays|who covers|do i (?:have to )?pay|is (?:that|it) free|cost me|postage|label)\b"
)
