"""Read a message that holds several wishes wish by wish, where the whole was read of half. Pure.

A message is cut where a sentence ends, and before a verb or a question behind a joint. Each piece
is read as if it were said alone; only where every one of them is known do they take the place of
what the whole was read as. A word that turns a meaning leaves the whole as it stands.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.rest import may_alter
from daybook.demo.model.grammar.language.chat.joining.idle import names_nothing
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    ClearCart,
    Doubtful,
    Remove,
    SetQuantity,
    ShowCart,
)
from daybook.demo.model.grammar.language.intents.goods import (
    AskPrice,
    AskProperty,
    Details,
    Mention,
    Reviews,
    Search,
    Times,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import (
    AskPolicy,
    CancelOrder,
    Checkout,
    Mail,
    OrderNews,
    OrderStatus,
    ShowOrders,
)
from daybook.demo.model.grammar.language.intents.past import Forget, Remember
from daybook.demo.model.grammar.language.intents.references import It, Named, Reference, Sku
from daybook.demo.model.grammar.language.intents.talk import Agree, Finished, NotUnderstood, Talk
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.words import kind_of
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.scene import cart_before

Reading = Callable[[str, Prompt], tuple[Intent, ...]]
"""Reads what is said in a conversation."""

_VERB: Final = (
    r"(?:add|put|take|remove|delete|drop|bin|chuck|throw|stick|pop|show|find|search"
    r"|tell (?:me|us)|let (?:me|us) know|give me|whats?|when|where|which"
    r"|how (?:much|many|long|heavy|big|is|are|do)|do (?:you|u|ya)|does|is there|are there"
    r"|can (?:i|you|u|ya)|could (?:i|you)|would you|check ?out|buy|order|pay|cancel|e-?mail"
    r"|send me|remember|note (?:that|down)|make (?:it|that)|empty|clear"
    r"|i ?'?(?:ll|d like)|i (?:will|want|need|would like|also want)|also)"
)
_CUT: Final = re.compile(
    r"(?<=[.!?;])\s+(?=\w)|\n+"
    rf"|(?:,|\s-+|;)?\s+(?:and|n|&|plus|then)\s+(?=(?:(?:also|then|please|pls|now)\s+)*{_VERB}\b)"
    rf"|,\s+(?=(?:(?:also|then|please|pls|now|oh)\s+)*{_VERB}\b)"
    r"|(?:,|\s-+)?\s+(?:and also|plus also|oh and)\s+(?=\w)"
    r"|,\s+(?:also|plus)\s+(?=\w)",
    re.IGNORECASE,
)
_TURNS: Final = re.compile(
    r"\b(?:no|not|nor|never|don'?t|do not|didn'?t|won'?t|without|wait|sorry|actually|instead|rather"
    r"|if|unless|except|scratch|never ?mind|kidding|joking|changed|first|or|but|maybe|perhaps"
    r"|should i|would i|hold on|hang on|stop|only|just|same|other|another|else|either"
    r"|he|she|they|his|her|their|said|says|was|were|had|did|yesterday|last|tomorrow|later|until"
    r"|when i|before|after|once|whether|almost|nearly|nope|nah)\b",
    re.IGNORECASE,
)
"""What may turn the meaning of another piece than its own."""
_ASKS: Final = re.compile(
    r"\?|\b(?:show|tell|find|look|see|what|whats|how|which|compare|reviews?|price|about|info"
    r"|details|search|describe|read|do you|have you|is|are|weigh\w*)\b",
    re.IGNORECASE,
)
_EFFECTS: Final = Add | Remove | SetQuantity | ClearCart | Checkout | CancelOrder | Mail
_WISHES: Final = (
    _EFFECTS
    | AskPolicy
    | AskPrice
    | AskProperty
    | Details
    | OrderNews
    | OrderStatus
    | Reviews
    | Search
    | ShowCart
    | ShowOrders
    | Times
    | Remember
    | Forget
)
_MOST: Final = 5
"""Pieces of a message that are read one by one."""
_SEVERAL: Final = 2


def several(
    whole: tuple[Intent, ...], text: str, prompt: Prompt, read: Reading
) -> tuple[Intent, ...]:
    """Return what the pieces of a message mean, or what the whole was read as."""
    pieces = [piece for cut in _CUT.split(text) if (piece := (cut or "").strip(" ,;"))]
    if not _SEVERAL <= len(pieces) <= _MOST:
        return whole
    # What this turn has done already changes nothing of what was said.
    cart = cart_before(prompt.now.cart, prompt.turn.calls)
    before = replace(prompt, now=replace(prompt.now, cart=cart))
    found: list[Intent] = []
    named: Reference | None = None
    wishing = 0
    for piece in pieces:
        turn = replace(prompt.turn, text=piece, calls=[])
        meant = _wishes_of(piece, read(piece, replace(before, turn=turn)), found)
        if meant is None:
            return whole
        meant = [_of_what_was_named(one, named, piece) for one in meant]
        if any(map(_is_of_it, meant)) and (named is not None or any(map(_is_of_it, found))):
            return whole
        wishing += bool(meant)
        found += meant
        named = next((item for one in meant if (item := _item(one)) is not None), named)
    if whole == (Checkout(),) and all(map(_is_of_it, [x for x in found if x not in whole])):
        # "That will do. Please proceed": the purchase was read with all that stands beside it.
        return whole
    effects = any(isinstance(one, _EFFECTS) for one in found)
    others = [piece for piece in pieces if not _is_of_promises(piece, read, before)]
    if wishing < _SEVERAL or (effects and any(map(_TURNS.search, others))):
        return whole
    return tuple(found) if _says_more(found, whole) else whole


def _wishes_of(piece: str, read: Sequence[Intent], before: Sequence[Intent]) -> list[Intent] | None:
    """Return the wishes of a piece; None where it may mean what was not read."""
    wishes: list[Intent] = []
    for one in read:
        match one:
            case NotUnderstood(hedged=True):
                return None
            case NotUnderstood(text) if may_alter(tokens_of(text)):
                return None
            case NotUnderstood() | Talk() | Agree() | Finished():
                continue
            case Search() | Mention() if names_nothing(one):
                # "Enough dithering": it is no goods that are looked for.
                continue
            case _ if (had := _had_too(one, piece, before)) is not None:
                wishes.append(had)
            case _ if isinstance(one, _WISHES):
                wishes.append(one)
            case _:
                return None
    return wishes


def _had_too(one: Intent, piece: str, before: Sequence[Intent]) -> Add | None:
    """Read goods that are named behind such as are added as a wish to have them too."""
    adds = bool(before) and all(isinstance(other, Add) for other in before)
    if not adds or _ASKS.search(piece):
        return None
    match one:
        case Mention(Named(words) as item, count) if has_model(words):
            return Add(item, count or 1)
        case Details(Named(words) as item) if has_model(words):
            return Add(item)
        case Search(query, max_price=None, min_price=None) if _is_named(query.split()):
            return Add(Named(tuple(query.split())))
        case Doubtful("add", (Named(words) as item,), count) if has_model(words):
            return Add(item, count or 1)
        case _:
            return None


def _is_named(words: Sequence[str]) -> bool:
    return has_model(words) and kind_of(words) is not None


def _item(one: Intent) -> Reference | None:
    item = getattr(one, "item", None)
    return item if isinstance(item, Named) and has_model(item.words) else None


def _of_what_was_named(one: Intent, named: Reference | None, piece: str) -> Intent:
    """Give a question of "it" what the piece before has named."""
    if named is None or has_model([token.text for token in tokens_of(piece)]):
        return one
    match one:
        case AskPrice(It() | Sku()) | AskProperty(It() | Sku()):
            return replace(one, item=named)
        case Reviews(It() | Sku()) | Details(It() | Sku()):
            return replace(one, item=named)
        case _:
            return one


def _is_of_it(one: Intent) -> bool:
    """Tell whether a change is of "it", where a piece before has named what that is."""
    item = getattr(one, "item", None)
    return isinstance(one, Add | Remove | SetQuantity) and isinstance(item, It | Sku)


def _is_of_promises(piece: str, read: Reading, prompt: Prompt) -> bool:
    found = read(piece, replace(prompt, turn=replace(prompt.turn, text=piece, calls=[])))
    return bool(found) and all(isinstance(one, AskPolicy) for one in found)


def _says_more(found: Sequence[Intent], whole: Sequence[Intent]) -> bool:
    """Tell whether the pieces hold a wish that the whole was not read as.

    Searches alone are one wish: what stands in the second narrows the first.
    """
    known = [one for one in whole if isinstance(one, _WISHES)]
    counts = {kind: (_count(found, kind), _count(known, kind)) for kind in map(type, found)}
    lost = [kind for kind, (here, there) in counts.items() if here > there]
    gained = [one for one in known if _count(known, type(one)) > _count(found, type(one))]
    is_looked_for = all(isinstance(one, Search | Details) for one in found)
    only_looks = all(isinstance(one, Search | Details) for one in gained)
    return bool(lost) and only_looks and not is_looked_for


def _count(found: Sequence[Intent], kind: type) -> int:
    return sum(isinstance(one, kind) for one in found)
