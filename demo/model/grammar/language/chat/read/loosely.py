"""Read a clause that no rule of the grammar takes by the words in it that mean something. Pure.

What changes the cart or acts on the world needs its own verb in plain sight, an item that the
grammar knows, and no word of doubt; a look, a question and a search need less.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.doubtful import doubtful
from daybook.demo.model.grammar.language.chat.frames.polite import without_polite_words
from daybook.demo.model.grammar.language.chat.frames.questions import mentioned
from daybook.demo.model.grammar.language.chat.frames.rest import leaves_open
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.read.changes.cart import bought, liked, totalled
from daybook.demo.model.grammar.language.chat.read.changes.corrections import corrected
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.read.goods.products import (
    compared,
    picked,
    priced,
    reviewed,
    told_of,
)
from daybook.demo.model.grammar.language.chat.read.goods.promises import promised
from daybook.demo.model.grammar.language.chat.read.goods.questions import asked_of
from daybook.demo.model.grammar.language.chat.read.goods.searches import (
    searched,
    suggested,
    wished_for,
)
from daybook.demo.model.grammar.language.chat.read.mails import mailed
from daybook.demo.model.grammar.language.chat.read.person.memory import remembered, stated
from daybook.demo.model.grammar.language.chat.read.talk import small_talk
from daybook.demo.model.grammar.language.intents.goods import (
    AskPrice,
    AskProperty,
    Details,
    Mention,
    Reviews,
    Search,
)
from daybook.demo.model.grammar.language.intents.intent import Intent


def loosely(clause: Clause) -> list[Intent] | None:
    """Return what a clause means, None where nothing in it tells."""
    named = has_model([token.text for token in clause.tokens])
    for read in _READERS:
        if named and read in (asked_of, told_of, searched) and not _ASKS_OF.match(clause.text):
            # A name with nothing asked of it is shown, and offered.
            continue
        found = read(clause)
        acts = _TAKES_AWAY.search(clause.text) or _ADDS_IF.search(clause.text)
        if found and not (acts and _only_looks(found)):
            # Whether a wish to pay leaves anything unread, `bought` has seen to.
            rest = without_polite_words(clause.tokens)
            is_open = read is not bought and leaves_open(rest, found)
            return [doubtful(one) for one in found] if is_open else found
    return None


def _only_looks(found: Sequence[Intent]) -> bool:
    return all(
        isinstance(one, Search | Details | AskProperty | AskPrice | Mention | Reviews)
        for one in found
    )


_ASKS_OF: Final = re.compile(
    r"(?:\w+ ){0,3}?(?:weight|height|capacity|volume|length|colou?r|material"
    r"|brightness|battery|size|rating|time) of\b"
)
"""A property of what is named: "exact weight of the ... in grams"."""


_ADDS_IF: Final = re.compile(
    r"^(?:add|put|buy|order|take)\b.*\b(?:unless|until|if|except|without)\b"
)


_TAKES_AWAY: Final = re.compile(
    r"\b(?:remove|delete|clear|empty|cancel|check out|take out|swap|replace"
    r"|keep (?:only|just)|(?:only|just) keep|instead of)\b"
)


_READERS: Final[tuple[Callable[[Clause], list[Intent] | None], ...]] = (
    mailed,
    bought,
    compared,
    corrected,
    totalled,
    picked,
    promised,
    remembered,
    stated,
    liked,
    suggested,
    priced,
    reviewed,
    asked_of,
    told_of,
    searched,
    mentioned,
    small_talk,
    wished_for,
)
