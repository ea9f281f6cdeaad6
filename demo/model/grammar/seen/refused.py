"""Products that the person has turned down in the conversation, for when others are asked for."""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.names import MODELS
from daybook.demo.model.grammar.seen.prompt import Prompt, Turn
from daybook.demo.model.grammar.seen.results import Row

_OTHERS: Final = re.compile(
    r"\b(?:else|others?|another|different|the rest|alternatives?|anything but|besides)\b"
)
_NEITHER: Final = re.compile(
    r"\b(?:neither|not either|none) of (?:them|those|these|the two)(?: (?:two|three))?\b"
    r"|^\W*(?:(?:ok|no|nah|hm+|well|so)\W+)*neither\b"
)
_NOT: Final = r"\b(?:not|no|nah|except|but|without|skip|don'?t (?:like|want)) (?:the |that |this )?"
_NOT_THOSE: Final = re.compile(
    r"\b(?:do ?n[o']?t|do not|never) (?:want|like|need|trust|show me) (?:it|that|those|these"
    r"|them|this|that one)\b"
    r"|\b(?:take|strike|cross|leave) (?:it|that|those|these|them|this) (?:off|out)\b"
    r"|\b(?:skip|forget|ignore|drop|hate) (?:it|that|those|these|them|this)\b"
)
"""What turns down the one that the same words name: "the X ones leak, I don't want those"."""
_LOOKED_AT: Final = ("get_product", "get_reviews", "compare_reviews")
_TWO: Final = 2


def asks_for_others(text: str) -> bool:
    """Tell whether a text asks for other products than those that were spoken of."""
    return _OTHERS.search(text.casefold()) is not None


def is_refused(row: Row, prompt: Prompt) -> bool:
    """Tell whether a product was turned down, by its name or as one of two that were looked at."""
    inside = {line.sku for line in prompt.now.cart}
    name = row.name.casefold()
    if row.sku in inside:
        return False
    for at, turn in enumerate(prompt.past):
        text = turn.text.casefold()
        named = (m for m in MODELS if name.startswith(f"{m} ") and m in text)
        said = list(named)
        if any(re.search(f"{_NOT}{model}", text) for model in said):
            return True
        if said and _NOT_THOSE.search(text) and sum(model in text for model in MODELS) == 1:
            return True
        if _NEITHER.search(text) and row.sku in _looked_at(prompt.past[:at]):
            return True
    return False


def _looked_at(past: tuple[Turn, ...] | list[Turn]) -> list[str]:
    """Return the two products that were looked at last."""
    found = [
        str(call.args.get("sku"))
        for turn in reversed(past)
        for call in turn.calls
        if call.tool in _LOOKED_AT and call.args.get("sku")
    ]
    return list(dict.fromkeys(found))[:_TWO]
