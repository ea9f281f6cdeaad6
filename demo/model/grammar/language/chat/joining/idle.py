"""Words that name no goods, and are not asked for. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.names import MODEL_WORDS
from daybook.demo.model.grammar.language.chat.vocabulary import SILENT, says_goods
from daybook.demo.model.grammar.language.intents.cart import Add, Doubtful, Swap
from daybook.demo.model.grammar.language.intents.goods import Mention, Search
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.past import NoMatter
from daybook.demo.model.grammar.language.intents.references import Named
from daybook.demo.model.grammar.language.intents.talk import Agree, NotUnderstood, Refuse
from daybook.demo.model.grammar.language.words import CARD_WORDS, kind_of


def heeded(found: Sequence[Intent], text: str) -> Sequence[Intent]:
    """Drop searches for words that name no goods and are not asked for: "just wondered, add it"."""
    adds = any(isinstance(one, Add | Doubtful) for one in found)
    names = any(isinstance(one, Search) and kind_of(one.query.split()) is not None for one in found)
    others = [one for one in found if not (_is_idle(one, text) or _is_beside(one, adds, names))]
    says = [one for one in others if not isinstance(one, NotUnderstood | NoMatter | Agree | Refuse)]
    return others if says else found


def _is_beside(intent: Intent, adds: bool, names: bool) -> bool:
    """Tell whether an intent is of what is only told beside goods that are added, or looked for."""
    match intent:
        case Mention():
            # "The weird one. Add it": what is added is that.
            return not adds and names_nothing(intent)
        case Search(narrows=True):
            return names
        case Swap(Named() as item):
            # "Not that it matters with the car".
            return names_nothing(Mention(item))
        case Add(Named(words)):
            # "Two pairs, for me and my brother".
            return all(word in SILENT for word in words)
        case _:
            return False


def names_nothing(intent: Search | Mention) -> bool:
    """Tell whether the words of a search name no goods, and nothing that goods may have."""
    match intent:
        case Mention(Named(said), None) if not CARD_WORDS & {*said}:
            words, plain = list(said), True
        case Search(query):
            words = query.split()
            plain = intent.category is None and not (intent.cheap or intent.more or intent.my_size)
        case _:
            return False
    return (
        bool(words)
        and plain
        and not any(
            says_goods(word) or word in MODEL_WORDS or _SKU.fullmatch(word) for word in words
        )
    )


_SKU: Final = re.compile(r"[a-z]{2,8}-\d{2,6}")


def asks_for(text: str) -> bool:
    """Tell whether a text says that something is wanted or looked for."""
    return re.search(_ASKED_FOR, text.lower()) is not None


def _is_idle(intent: Intent, text: str) -> bool:
    match intent:
        case Search(query=query, category=None, cheap=False, more=False) if query:
            words = query.split()
            names = any(says_goods(word) or word in MODEL_WORDS for word in words)
            asks = re.search(rf"{_ASKED_FOR}\b[^.,?!]*\b{re.escape(words[0])}", text.lower())
            return not names and asks is None and not ACTS & {*words}
        case _:
            return False


_ASKED_FOR: Final = (
    r"\b(?:sell|have|stock|carry|got|need|want|like|looking for|after|find|show|see|search|any"
    r"|is there"
    r"|are there|what about|how about|some|buy|get)"
)
