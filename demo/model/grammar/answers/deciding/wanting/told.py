"""A clause that only speaks of goods, or of something else, and turns nothing."""

import re
from typing import Final

from daybook.demo.model.grammar.answers.deciding.wanting.clause import Clause
from daybook.demo.model.grammar.answers.deciding.wanting.turning import (
    BEGINS,
    MOODS,
    SEES,
    STOPS,
    TELLERS,
    TURNS,
)
from daybook.demo.model.grammar.answers.deciding.wanting.wishes import Reading, Wish, is_it
from daybook.demo.model.grammar.language.chat.frames.kinds import Thing
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.cart import ShowCart
from daybook.demo.model.grammar.language.intents.intent import World
from daybook.demo.model.grammar.language.intents.orders import AskPolicy
from daybook.demo.model.grammar.language.intents.past import Forget, Remember
from daybook.demo.model.grammar.language.intents.references import Named
from daybook.demo.model.grammar.language.reading import understand
from daybook.demo.model.grammar.language.words import kind_of

_PRAISED: Final = re.compile(
    r"\b(?:look|looks|looked|sounds?|seems?|is|are|like|love|likes?|loves?|fits?|suits?"
    r"|will do|do)\b"
)
_PREFERRED: Final = re.compile(
    rf"(?:{BEGINS} )*(?:i (?:think|guess|reckon|feel) )?(?:that )?@ (?:one )?"
    r"(?:is|looks|seems|sounds|suits me|will be)"
    r"(?: (?:much|far|a bit|even|the|definitely|clearly))*"
    r"(?: (?:better|nicer|best|nicest|right))(?: one| choice)?"
)


def asks_for_cart(clause: Clause, read: Reading) -> bool:
    """Read a question beside a wish: the cart alone can be asked for in the same breath."""
    asked = understand(" ".join(clause.texts))
    read.shows = read.shows or bool(asked)
    return not clause.things and bool(asked) and all(isinstance(one, ShowCart) for one in asked)


def takes_mention(thing: Thing, clause: Clause, shape: str, read: Reading) -> bool:
    """Read goods that are only spoken of: what is wanted of them may follow."""
    item = thing.item
    if isinstance(item, Named) and not has_model(item.words):
        kind = kind_of(item.words)
        if kind is None or thing.quantity is not None:
            return False
        read.kinds.append(kind)
        return not {*clause.texts} & STOPS
    words = {*clause.texts}
    if _PREFERRED.fullmatch(shape) is not None:
        words -= {"think", "guess", "better"}
    if words & (TURNS - {"price"}) or thing.quantity is not None or clause.counts:
        return False
    praised = _PRAISED.search(shape) is not None
    read.wishes.append(Wish(item, praised=praised))
    return praised


def only_tells(clause: Clause, shape: str, read: Reading) -> bool:
    """Tell whether a clause only tells of something, and turns nothing."""
    words = {*shape.split()}
    if words & STOPS:
        return asks_for_cart(clause, read)
    if "not" in words and (clause.texts[0] in ("i", "we", "not") or any(map(is_it, clause.things))):
        return False
    if MOODS.fullmatch(shape):
        for one in read.wishes[-1:]:
            one.mood = True
        return True
    first = shape.split()[0]
    begins = first in TELLERS | {"there", "so"}
    if SEES.search(shape) or any(is_it(one) and one.quantity for one in clause.things):
        return False
    if clause.joined in ("and", "&", "plus") and not begins and first not in _OF_WHOM:
        return False
    told = understand(" ".join(clause.texts)) if clause.texts else ()
    if any(isinstance(one, Remember | Forget | World | AskPolicy) for one in told):
        return False
    if any(one.value > 1 and not begins for one in clause.counts) or _SHARES.search(shape):
        return False
    read.numbers += [one.value for one in clause.counts if one.value > 1]
    return True


_OF_WHOM: Final = frozenset("my our his her their the then this these those do @".split())  # noqa: SIM905
_SHARES: Final = re.compile(r"^#|# (?:for|of|each)\b")
