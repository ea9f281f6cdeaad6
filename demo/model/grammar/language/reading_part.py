"""What one part of a text means: by the written grammar, by a saying, or loosely."""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.questions import inquired
from daybook.demo.model.grammar.language.chat.frames.reading import framed, heard
from daybook.demo.model.grammar.language.chat.joining.idle import asks_for, names_nothing
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.read.loosely import loosely
from daybook.demo.model.grammar.language.chat.read.topics import recognised
from daybook.demo.model.grammar.language.chat.wording.parts import (
    Part,
    Unread,
    filled,
    loose_first,
    rather,
    said_in,
)
from daybook.demo.model.grammar.language.intents.cart import Add, ShowCart
from daybook.demo.model.grammar.language.intents.goods import AskKinds, Mention, Search
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import CancelOrder, OrderStatus, ShowOrders
from daybook.demo.model.grammar.language.intents.past import AskKnown, AskPast
from daybook.demo.model.grammar.language.intents.references import Nth
from daybook.demo.model.grammar.language.intents.talk import Agree, NotUnderstood
from daybook.demo.model.grammar.language.plain import in_plain_words
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.written.ruled import (
    items_of,
    of_goods,
    read_by_rules,
    with_unread,
)

_PAIR: Final = 2


def by_saying(part: Part, text: str) -> Sequence[Intent]:
    """Return what a saying means; where the rules take all of it as a question, they know more."""
    assert part.intents is not None, "a saying took it"
    ruled = read_by_rules(part.tokens, text)
    if ruled and all(isinstance(one, _KNOWS_MORE) for one in ruled):
        return [one for one in ruled if not isinstance(one, Unread)]
    return part.intents


_KNOWS_MORE: Final = (OrderStatus, ShowOrders, AskPast, CancelOrder, ShowCart, AskKnown, AskKinds)


def by_rules_or_loosely(part: Part, text: str) -> list[Intent]:
    """Read tokens by the grammar, and loosely what is outside it."""
    loose = loose_first(part, items_of)
    if loose is not None:
        return loose
    read = read_by_rules(part.tokens, text)

    def look(tokens: Sequence[Token]) -> Sequence[Intent] | None:
        return _looked(tokens, text)

    if _is_mixed(read) and (framed_anew := framed(part.tokens, look)):
        return framed_anew
    found = with_unread(rather(part, filled(read, part, items_of, look)), text)
    clause = Clause(tuple(part.tokens), items_of)
    if found and all(isinstance(one, Search | Mention) and names_nothing(one) for one in found):
        # A search for words of no goods is what a text is that nothing else reads.
        asks = _ASKS_OF_IT.match(in_plain_words(text)) is not None
        is_named = asks_for(text) or (len(part.tokens) <= _FEW and not asks)
        return recognised(clause) or (list(found) if is_named else _unread(part, text))
    unread = [one for one in found if isinstance(one, NotUnderstood)]
    if unread and all(isinstance(one, NotUnderstood | Agree) for one in found):
        return heard(part.tokens) or recognised(clause) or found
    return found


_FEW: Final = 5
_ASKS_OF_IT: Final = re.compile(
    r"\W*(?:(?:and|so|but|ok)\W+)*(?:which (?:one|of)|how|why|who|is|are|was|does|do they)\b",
    re.IGNORECASE,
)
"""A question of something that was spoken of: its words are nothing to look for."""


def _unread(part: Part, text: str) -> list[Intent]:
    return with_unread([Unread(part.tokens)], text)


def _is_mixed(read: Sequence[Intent | Unread]) -> bool:
    """Tell whether the rules took a part as goods to have, and a part as goods to look at."""
    bare = any(isinstance(one, Mention) or (isinstance(one, Search) and one.bare) for one in read)
    places = [one.item for one in read if isinstance(one, Mention)]
    counts = [one for one in places if isinstance(one, Nth) and not one.counted]
    counted = len(read) == _PAIR and len(counts) == 1
    return bare and (counted or any(isinstance(one, Add) for one in read))


def _looked(tokens: Sequence[Token], text: str) -> Sequence[Intent] | None:
    """Read a clause that changes nothing by the rules, a saying or loosely."""
    read = [one for one in read_by_rules(tokens, text) if not isinstance(one, Unread)]
    if read and len(read) == len(read_by_rules(tokens, text)):
        # It stands beside others: "with hood" is said of the jacket before it.
        beside = [Search("goods")]
        return [one for each in read if not isinstance(one := of_goods(each, beside), Unread)]
    return said_in(tokens) or inquired(tokens) or loosely(Clause(tuple(tokens), items_of))
