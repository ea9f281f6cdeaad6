"""Read what a text is about that nothing else reads, by one word of the shop in it. Pure.

Nothing is changed by it: what the word is of is told.
"""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.read.promises import touched
from daybook.demo.model.grammar.language.intents import Intent, ShowCart, ShowOrders, ShowProfile
from daybook.demo.model.grammar.language.intents_past import AskKnown

_ABOUT: Final[tuple[tuple[re.Pattern[str], Intent], ...]] = (
    (re.compile(r"\b(?:about|of|on) me\b|\b(?:facts|memory)\b|\bmy data\b"), AskKnown(())),
    (re.compile(r"\b(?:cards?|address(?:es)?)\b"), ShowProfile()),
    (re.compile(r"\b(?:orders?|ordered|purchases?|parcels?)\b"), ShowOrders()),
    (re.compile(r"\b(?:cart|basket)\b"), ShowCart()),
)
_ACTS: Final = ACTS - {"order", "pay", "return", "send", "mail", "email"}


def recognised(clause: Clause) -> list[Intent] | None:
    """Return what tells of that which a text touches; None where no word of the shop stands."""
    acts = _ACTS & {token.text for token in clause.tokens}
    for pattern, intent in () if acts else _ABOUT:
        if pattern.search(clause.text):
            return [intent]
    return touched(clause)
