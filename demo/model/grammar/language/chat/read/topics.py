"""Read what a text is about that nothing else reads, by the words of the shop in it. Pure.

Nothing is changed by it: what the words are of is told, or asked.
"""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.read.changes.cart import bought
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.read.goods.promises import touched
from daybook.demo.model.grammar.language.intents.cart import Doubtful, ShowCart
from daybook.demo.model.grammar.language.intents.goods import AskKinds
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import (
    AskPolicy,
    OrderNews,
    ShowOrders,
    ShowProfile,
)
from daybook.demo.model.grammar.language.intents.past import AskKnown
from daybook.demo.model.grammar.language.intents.talk import Talk

_ABOUT: Final[tuple[tuple[re.Pattern[str], Intent], ...]] = (
    (
        re.compile(
            r"\b(?:about|of|on) me\b|\b(?:facts|memory)\b|\bmy data\b|\bdo you (?:still )?(?:know"
            r"|remember)\b|\bwhat (?:do|did) you (?:know|remember|note)\b|\bdid i (?:say|tell"
            r"|mention)"
            r"|\bi (?:told|said|mentioned)\b.*\byou\b|\bmy (?:\w+ )?size\b"
        ),
        AskKnown(()),
    ),
    (
        re.compile(
            r"\bdid (?:it|that|you)\b.*\b(?:go through|cancel|order|charge)"
            r"|\bis it (?:still )?(?:on"
            r"|placed|ordered)\b|\bwhat did i just (?:buy|order)\b"
        ),
        OrderNews(),
    ),
    (
        re.compile(
            r"\b(?:orders?|ordered|bought|purchases?|purchased|parcels?|package|tracking"
            r"|my delivery)\b"
        ),
        ShowOrders(),
    ),
    (
        re.compile(
            r"\b(?:send|ship|deliver|post)(?: (?:it|them|this|these|that|everything|all)\b.*)? to\b"
        ),
        AskPolicy("shipping"),
    ),
    (re.compile(r"\b(?:cards?|address(?:es)?|on file|my account|my profile)\b"), ShowProfile()),
    (
        re.compile(
            r"\b(?:cart|total|totals|subtotal|sum|overall|altogether|in all|i owe|spending|so far"
            r"|remains|remaining|in there)\b"
        ),
        ShowCart(),
    ),
    (
        re.compile(r"\b(?:what|which) (?:do|kinds?|sorts?|stuff)\b.*\b(?:sell|have|offer)\b"),
        AskKinds(),
    ),
    (re.compile(r"\b(?:farewell|so long|take care|good ?bye|see you|cheerio|ciao)\b"), Talk("bye")),
)
_ACTS: Final = ACTS - {"order", "pay", "return", "send", "mail", "email", "buy", "checkout"}


def recognised(clause: Clause) -> list[Intent] | None:
    """Return what tells of that which a text touches; None where no word of the shop stands."""
    acts = _ACTS & {token.text for token in clause.tokens}
    if acts and not _ASKS.match(clause.text):
        return None
    if (wish := bought(clause)) is not None:
        return wish
    promise = touched(clause)
    for pattern, intent in _ABOUT:
        if pattern.search(clause.text):
            is_promise = promise is not None and isinstance(intent, ShowCart | ShowProfile)
            return promise if is_promise else [intent]
    if promise is None and _PAYS.search(clause.text):
        return [Doubtful("buy", said=clause.text)]
    return promise


_ASKS: Final = re.compile(r"(?:how|what|which|where|when|why|do|does|is|are|can|could|will)\b")
_PAYS: Final = re.compile(r"\b(?:buy|check ?out|purchase|settle|till)\b")
