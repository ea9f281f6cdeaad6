"""Tell whether what was left unread beside a wish may alter it. Pure.

Goods are never guessed: a change of the cart is made where its act, its things and its counts were
read, and nothing is left over that holds a number, a negation, a word of goods, a condition, or a
verb of another act. This is the one place that decides it: `may_alter` for what frames left over,
`leaves_open` for what a pattern passed over.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.frames.things import UNITS, things_in
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    ClearCart,
    Keep,
    Remove,
    SetQuantity,
    Swap,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import CancelOrder, Checkout, Mail
from daybook.demo.model.grammar.language.intents.references import Every, It
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import NOUNS, fold

_TURNS: Final = frozenset(
    """
    not no never none nothing neither nor without except unless until if whether or but only
    instead rather maybe perhaps possibly when once before after later tomorrow should would could
    might why how what which who where does did wait stop hold almost half less fewer extra both
    each either every all other others another except apart besides than actually sorry first
    unsure cheaper bigger smaller same different similar question joke kidding pretend imagine
    suppose again twice double triple he she his her him their who whose already bought had was were
    did used shelf half friend size fit fits fitting match matches matching suits compatible
    """.split()  # noqa: SIM905
)

_CORRECTS: Final = frozenset(
    """
    not no nothing but only instead rather except apart besides than actually sorry wait other
    another again all every everything both less fewer extra same double half stop first
    """.split()  # noqa: SIM905
)
"""Words with which a correction is said: its readers know what they mean."""
_READ_OF: Final = frozenset({"not", "of", "from", "than", "size", "in"})
CHANGES: Final = (
    Add | Remove | SetQuantity | ClearCart | Keep | Swap | Checkout | CancelOrder | Mail
)
"""What changes the cart or acts on the world."""


def leaves_open(tokens: Sequence[Token], found: Sequence[Intent]) -> bool:
    """Tell whether a change read by a pattern leaves a thing, a count or a condition unread."""
    changes = [one for one in found if isinstance(one, CHANGES)]
    items = [getattr(one, name, None) for one in changes for name in ("item", "gone")]
    pointed = [item for item in items if item is not None and not isinstance(item, It)]
    things, _ = things_in(tokens)
    sure = [one for one in things if one.sure and not isinstance(one.item, It | Every)]
    if not changes or len(sure) > max(1, len(pointed)):
        return bool(changes)
    inside = {at for one in things for at in range(one.start, one.end)}
    read = {getattr(one, "quantity", None) for one in changes}
    for at, token in enumerate(tokens):
        before = tokens[at - 1].text if at else ""
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if at in inside:
            continue
        is_count = token.kind in (Kind.NUMBER, Kind.TIMES) and after not in UNITS
        if is_count and token.value not in read and before not in _READ_OF:
            return True
        if token.text in _TURNS - _CORRECTS:
            return True
    return False


def has_uncounted(tokens: Sequence[Token], found: Sequence[Intent]) -> bool:
    """Tell whether a text that changes the cart holds a number that no part of the reading has."""
    if not any(isinstance(one, Add | Remove | SetQuantity | Swap | Keep) for one in found):
        return False
    said = repr(found)
    read = {int(number) for number in re.findall(r"(?<![\w-])\d+", said)}
    read |= {value // 100 for value in read}
    read |= {0} if any(isinstance(one, Remove | ClearCart) for one in found) else set()
    for at, token in enumerate(tokens):
        before = tokens[at - 1].text if at else ""
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        is_count = token.kind in (Kind.NUMBER, Kind.TIMES) and token.text != "one"
        if not is_count or after in UNITS or before in _READ_OF or f"'{token.text}'" in said:
            continue
        if token.value not in read:
            return True
    return False


def may_alter(left: Iterable[Token]) -> bool:
    """Tell whether any of the tokens left over may make the wish another one."""
    tokens = list(left)
    if has_model([token.text for token in tokens]):
        return True
    return any(_alters(token) for token in tokens)


def _alters(token: Token) -> bool:
    if token.kind not in (Kind.WORD, Kind.MARK):
        return True
    return token.text in _TURNS or token.text in ACTS or fold(token.text) in NOUNS
