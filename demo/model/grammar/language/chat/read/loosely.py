"""Read a clause that no rule of the grammar takes by the words in it that mean something. Pure.

What changes the cart or acts on the world needs its own verb in plain sight, an item that the
grammar knows, and no word of doubt; a look, a question and a search need less.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from daybook.demo.model.grammar.language.chat.read.cart import added, bought, liked, removed
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.read.corrections import corrected
from daybook.demo.model.grammar.language.chat.read.memory import remembered, stated
from daybook.demo.model.grammar.language.chat.read.products import (
    compared,
    picked,
    priced,
    reviewed,
    told_of,
)
from daybook.demo.model.grammar.language.chat.read.questions import asked_of
from daybook.demo.model.grammar.language.chat.read.searches import searched, suggested, wished_for
from daybook.demo.model.grammar.language.chat.read.talk import small_talk
from daybook.demo.model.grammar.language.intents import (
    AskPrice,
    AskProperty,
    Details,
    Intent,
    Mention,
    Search,
)


def loosely(clause: Clause) -> list[Intent] | None:
    """Return what a clause means, None where nothing in it tells."""
    for read in _READERS:
        found = read(clause)
        acts = _TAKES_AWAY.search(clause.text) or _ADDS_IF.search(clause.text)
        if found and not (acts and _only_looks(found)):
            return found
    return None


def _only_looks(found: Sequence[Intent]) -> bool:
    return all(
        isinstance(one, Search | Details | AskProperty | AskPrice | Mention) for one in found
    )


_ADDS_IF: Final = re.compile(
    r"^(?:add|put|buy|order|take)\b.*\b(?:unless|until|if|except|without)\b"
)


_TAKES_AWAY: Final = re.compile(r"\b(?:remove|delete|clear|empty|cancel|check out|take out)\b")


_READERS: Final[tuple[Callable[[Clause], list[Intent] | None], ...]] = (
    bought,
    compared,
    corrected,
    remembered,
    stated,
    liked,
    removed,
    added,
    suggested,
    picked,
    priced,
    reviewed,
    asked_of,
    told_of,
    searched,
    small_talk,
    wished_for,
)
