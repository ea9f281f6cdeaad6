"""Tell where a text takes back, or makes depend on something, what it asks for. Pure.

What would be done is not guessed then: the reading asks.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.doubtful import doubtful
from daybook.demo.model.grammar.language.chat.frames.rest import has_uncounted
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.wording.parts import EFFECTS
from daybook.demo.model.grammar.language.intents.cart import Add, ClearCart, Doubtful, Keep, Remove
from daybook.demo.model.grammar.language.intents.goods import AskProperty, Mention, Search
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import Checkout
from daybook.demo.model.grammar.language.intents.references import (
    Extreme,
    It,
    Named,
    Nth,
    Reference,
    Sku,
)
from daybook.demo.model.grammar.language.intents.talk import NotUnderstood, Talk
from daybook.demo.model.grammar.language.tokens import Token
from daybook.demo.model.grammar.language.words import kind_called, kind_of_item

Reading = Callable[[str], tuple[Intent, ...]]
"""Reads a text; that it takes itself back is not looked at."""

_BACK: Final = re.compile(
    r"(?<=[,.!?;:-]) (?:(?:oh|or|but|well|and|ok|sorry|please|actually|hm+|ah|ugh|,) )*"
    r"(?:(?:no|nope|nah)\b(?! (?:problem|rush|hurry|worries|more|matter|need|idea|other|extra"
    r"|longer|stress|pressure|doubt|one|size)\b)|wait\b)"
    r"|(?<=[,.!?;:-]) (?:oh |oops |ah )?sorry\b(?= (?:, )?\w)"
    r"(?! (?:, )?(?:for|about|to|if|that|i am|but|my)\b)"
    r"|(?<= )(?:actually|on second thoughts?|or|but) (?:,? ?)"
    r"(?:no|do not|leave|rather not|better not)\b"
    r"|(?<= )(?:no ,? ?wait|wait ,? ?no|oh wait|no ,? ?sorry|no ,? ?actually|on second thoughts?"
    r"|(?:just |only )?(?:kidding|joking|jk)|a joke|scratch that|never ?mind|not sure"
    r"|i changed my mind|do not know)\b"
)
"""Where what was said before is taken back."""
_IF: Final = re.compile(
    r"\b(?:maybe|perhaps|possibly|unless|in case|provided|assuming|depending|pretend|imagine"
    r"|suppose|hypothetically|but first|tell me first|first tell"
    r"|before (?:i|we) (?:buy|pay|order|check))\b"
    r"|\bif (?!possible\b|you (?:can|could|please|may|would|will|do not mind|like|have)\b"
    r"|i (?:may|can|could)\b"
    r"|(?:that|it|this) is (?:ok|okay|fine|possible|all right|alright)\b)"
    r"|\bdo not (?:need|want) (?:both|all|everything|every one)\b"
    r"|\b(?:who|nobody|no ?one|anybody|any ?one) (?:would|will|should|could)\b"
    r"|\b(?:or|but) (?:only |just )?(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)"
    r"(?= ?(?:$|[,.?!]|of them|pairs?|instead))"
    r"|\b(?:only|just) one of (?:them|these|those)\b"
    r"|\b(?:it|they|that|this|these|those) (?:has|have|need|needs|must|should|got)(?: to)?(?: not)?"
    r" (?:be|weigh|have|come|fit|cost)\b"
)
"""Words on which hangs whether, and which of it, anything is meant at all."""
_ASKED: Final = re.compile(
    r"[?] (?!(?:yes|yeah|yep|sure|please|thanks|thank|and|also|ok)\b)(?=.*\w)"
)
_POLITE: Final = re.compile(
    r"(?:.*[.!?,] )?(?:(?:hi|hey|hello|ok|so|and|please|then|also|,) )*"
    r"(?:can|could|would|will|may) (?:you|i|we|u)\b"
)
_BUT: Final = re.compile(r"\b(?:but|except|apart from|other than|besides|keep|leave|not)\b")
_IF_YES: Final = re.compile(
    r"\bif (?:yes|so|it is|they are|it does|they do)\b.*\b(?:add|put|take|want|have|get|buy|order"
    r"|grab|please|one|two|three|pairs?|\d{1,2})\b"
)
_BEGINS_AGAIN: Final = re.compile(r"\b(?:start|begin)\b")
_ONE_OF_THEM: Final = re.compile(r"\bone of (?:them|these|those)\b")


def sure(found: tuple[Intent, ...], tokens: Sequence[Token], read: Reading) -> tuple[Intent, ...]:
    """Return what was read, or a question in its place where the text is in doubt of itself."""
    text = " ".join(token.text for token in tokens)
    found = without_echo(found)
    if any(isinstance(one, Add) and _is_of_each(one) for one in found):
        return _ask(text)
    if found == (ClearCart(),) and (len(tokens) == 1 or _BEGINS_AGAIN.search(text)):
        # "Clear" may say as well that something was understood, "start over" that it was not.
        return (Doubtful("clear"),)
    if _is_a_pair(found, text):
        items = [one.item for one in found if isinstance(one, Add | Mention)]
        return tuple(Doubtful("add", (item,), 2) for item in items)
    condition = _IF.search(text)
    changes = any(isinstance(one, EFFECTS | Doubtful) for one in found) or _TAKES.search(text)
    is_if = condition is not None and _DEPENDS.match(condition.group()) is not None
    if (
        condition is not None
        and is_if
        and changes
        and (hangs := _conditional(text, condition, read))
    ):
        return hangs
    if has_uncounted(tokens, found):
        return tuple(map(doubtful, found))
    asked_of = {one.item for one in found if isinstance(one, AskProperty)}
    if len(asked_of) == 1 and len(found) == 1 and _IF_YES.search(text):
        return (*found, Doubtful("add", tuple(asked_of), 1))
    held = any(isinstance(one, NotUnderstood) and one.hedged for one in found)
    if held or not any(isinstance(one, EFFECTS | Mention) for one in found):
        return found
    if _acts(found) and (condition is not None or _keeps_several(found, text)):
        return _ask(text)
    for back in reversed(list(_BACK.finditer(text))):
        before = read(text[: back.start()])
        after = read(text[back.end() :])
        if instead := _instead(before, after, text[back.start() :]):
            return instead
        if _acts(before):
            return _ask(text)
        if before and after and all(isinstance(one, Mention) for one in (*before, *after)):
            return after
    for asked in _ASKED.finditer(text):
        question = text[: asked.start()]
        if not _POLITE.match(question) and _acts(read(question)):
            return _ask(text)
    if mixed := _either(found):
        return mixed
    return tuple(map(_one_alone, found)) if _ONE_OF_THEM.search(text) else found


_TAKES: Final = re.compile(r"\bif (?:i|we) (?:drop|remove|leave out|take out|lose|skip|delete)\b")
_DEPENDS: Final = re.compile(
    r"(?:if|unless|provided|in case|assuming|(?:it|they|that|this|these|those) (?:has|have|needs?"
    r"|must|should|got))\b"
)


def _conditional(text: str, condition: re.Match[str], read: Reading) -> tuple[Intent, ...] | None:
    """Ask about the one change that hangs on a condition, where it is certain which one."""
    before = re.sub(r"(?:[ ,]|\b(?:but|only|and|just|then|or)\b)+$", "", text[: condition.start()])
    behind = re.split(r"[,;:]|\bthen\b", text[condition.end() :], maxsplit=1)
    for part in (before, behind[-1] if len(behind) > 1 else ""):
        changes = read(part) if part.strip() else ()
        match changes:
            case (Add(item),) if _is_sure(item):
                return (doubtful(changes[0]),)
            case (Remove(Named()),):
                return (doubtful(changes[0]),)
            case (Checkout(),):
                return (Doubtful("buy", said=text),)
    return None


def _is_a_pair(found: Sequence[Intent], text: str) -> bool:
    """Tell whether a pair is wanted of what is not sold by the pair: one, or two of it."""
    added = [one.item for one in found if isinstance(one, Add | Mention) and one.quantity == 1]
    return any(_is_single(item) and _is_behind_a_pair(item, text) for item in added)


def _is_behind_a_pair(item: Reference, text: str) -> bool:
    """Tell whether what is counted in pairs is this, and nothing that is named beside it."""
    said = item.sku.lower() if isinstance(item, Sku) else " ".join(getattr(item, "words", ()))
    return re.search(rf"\bpair of (?:the |these |those |my )?{re.escape(said)}\b", text) is not None


def _is_single(item: Reference) -> bool:
    match item:
        case Sku(sku):
            kind = kind_of_item("", sku)
        case Named(words):
            kind = kind_called(words)
        case _:
            return False
    return kind is not None and kind not in _BY_THE_PAIR


_BY_THE_PAIR: Final = frozenset({"hiking-boots", "socks", "trekking-poles"})


def without_echo(found: Sequence[Intent]) -> tuple[Intent, ...]:
    """Drop "it" where it only says again what is added by its name: "the X shoe, put it in"."""
    named = [one for one in found if isinstance(one, Add) and not isinstance(one.item, It)]
    if not named or (found.index(named[0]) > 0 and isinstance(found[0], Add)):
        return tuple(found)
    return tuple(one for one in found if not (isinstance(one, Add) and one == Add(It())))


def _instead(
    before: Sequence[Intent], after: Sequence[Intent], text: str
) -> tuple[Intent, ...] | None:
    """Read one product that is named in the place of another at once: "add X, no sorry, Y"."""
    # So many of something, with no verb, is a wish too.
    before = [
        Add(one.item, one.quantity) if isinstance(one, Mention) and one.quantity else one
        for one in before
    ]
    match tuple(before), tuple(after):
        case (Add(gone, count, False), *_) as adds, (Mention(item, None) | Add(item, 1, False),):
            pass
        case (Add(gone, count, False), *_) as adds, (Search(query, bare=True, max_price=None),):
            item = Named(tuple(query.split()), definite=True)
        case _:
            return None
    is_one = len(adds) == 1 and _SLIP.match(text) is not None
    return (Add(item, count),) if is_one and _is_sure(item) and _is_sure(gone) else None


def _is_sure(item: Reference) -> bool:
    return isinstance(item, Sku | Nth) or (isinstance(item, Named) and has_model(item.words))


_SLIP: Final = re.compile(
    r"[ ,]*(?:(?:no|oh|wait|ah|oops)[ ,]+)*(?:sorry|wait|actually|i mean|i meant|oops|rather)\b"
)


def _is_of_each(intent: Add) -> bool:
    """Tell whether one of each of several is meant: "the cheapest of each"."""
    return isinstance(intent.item, Named) and intent.item.words[-2:] == ("of", "each")


def _either(found: Sequence[Intent]) -> tuple[Intent, ...] | None:
    """Ask about goods that are named beside those that are added: "A or B, add that one"."""
    named = [one.item for one in found if isinstance(one, Mention) and _is_goods(one.item)]
    added = [one.item for one in found if isinstance(one, Add)]
    if not named or not added:
        return None
    others = [one for one in found if not isinstance(one, Add | Mention)]
    looks = [one for one in others if not (isinstance(one, Search) and not one.query)]
    return (Doubtful("add", (*named, *added)), *map(doubtful, looks))


def _is_goods(item: Reference) -> bool:
    return isinstance(item, Named | Sku | Nth | Extreme)


def _acts(found: Sequence[Intent]) -> bool:
    return any(isinstance(one, EFFECTS) for one in found)


def _keeps_several(found: Sequence[Intent], text: str) -> bool:
    """Tell whether more is to be kept than was read: "all but the lamp and the socks"."""
    if any(isinstance(one, ClearCart) for one in found):
        return _BUT.search(text) is not None
    return len(found) > 1 and any(isinstance(one, Keep) for one in found)


def _ask(text: str) -> tuple[Intent, ...]:
    return (Talk("unsure", text),)


def _one_alone(intent: Intent) -> Intent:
    """Read "one of them" as one that is still to be named, and not as one of each."""
    match intent:
        case Add(It(many=True), 1):
            return replace(intent, item=It())
        case _:
            return intent
