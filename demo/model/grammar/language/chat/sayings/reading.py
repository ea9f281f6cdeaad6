"""Read whole sentences that mean the same whatever stands around them. Pure.

A sentence is compared as the grammar reads it: in lower case, short forms written out, without its
last mark. The first pattern that fits counts. What acts on cart or world is not in here.
"""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.sayings.doubt import DOUBT
from daybook.demo.model.grammar.language.chat.sayings.languages import speaks_otherwise
from daybook.demo.model.grammar.language.chat.sayings.orders import ORDERS
from daybook.demo.model.grammar.language.chat.sayings.payment import PAYMENT
from daybook.demo.model.grammar.language.chat.sayings.promises import PROMISES
from daybook.demo.model.grammar.language.chat.sayings.returns import RETURNS
from daybook.demo.model.grammar.language.chat.sayings.shipping import ASKED, SHIPPING
from daybook.demo.model.grammar.language.chat.sayings.talk import TALK
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.talk import Talk

_COMPILED: Final = tuple(
    (re.compile(pattern), intents)
    for table in (ASKED, PROMISES, SHIPPING, RETURNS, PAYMENT, TALK, DOUBT, ORDERS)
    for pattern, intents in table
)


def said(sentence: str) -> tuple[Intent, ...] | None:
    """Return what a whole sentence means by one of the patterns, None where none fits."""
    if speaks_otherwise(sentence):
        return (Talk("language"),)
    for pattern, intents in _COMPILED:
        if pattern.fullmatch(sentence):
            return intents
    return None
