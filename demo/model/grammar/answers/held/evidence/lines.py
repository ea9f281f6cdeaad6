"""Whether a line of the cart is changed where another is named, or may be meant."""

import re
from typing import Final

from daybook.demo.model.grammar.answers.held.evidence.said import Said
from daybook.demo.model.grammar.answers.held.evidence.words import BEST, PLACE, TOO
from daybook.demo.model.grammar.language.intents.cart import Add, Remove, SetQuantity, Swap
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Named, Reference
from daybook.demo.model.grammar.language.words import kind_called, kind_of, kind_of_item, stems
from daybook.demo.model.grammar.seen.referents import Found, in_cart

_PAIR: Final = 2
_THE_NEXT: Final = re.compile(r", (?:the|a|an|rather|number|one|two|i (?:will|would)) \w+")
_AND_THE: Final = re.compile(r"\band (?:the|my|that|those|these|also|all)\b")
_STAYS: Final = re.compile(
    r"\b(?:keep|leave|stays?|remains?|fine|ok|okay|good|only|just|but|not|for|with|instead|add|put"
    r"|make|set|in|from|than|like)\b"
)


def is_back_already(one: Add, said: Said) -> bool:
    """Tell whether what shall come back is in the cart: it may have to go back on the shelf."""
    is_there = any(said.scene.in_cart(sku) for sku in said.skus(one.item))
    return is_there and re.search(r"\b(?:put|give|bring) .*\bback\b", said.plain) is not None


def drops_what_may_come(said: Said) -> bool:
    """Tell whether what is named beside what goes was read as going too: "never mind it, the X"."""
    changes = said.changes
    is_more = len(changes) > 1 or _THE_NEXT.search(said.plain) is not None
    return is_more and all(isinstance(one, Remove) for one in changes)


def comes_instead(one: Add, said: Said) -> bool:
    """Tell whether goods may come in the place of some in the cart: "I'd rather have the X"."""
    words = said.plain.split()
    if not said.scene.cart or said.last is None or one.more:
        return False
    if any(call.tool == "remove_from_cart" for call in said.last.calls):
        return False
    if "instead" in words:
        return True
    kinds = {kind_of_item(line.name, line.sku) for line in said.scene.cart}
    skus = said.skus(one.item)
    named = kind_called(one.item.words) if isinstance(one.item, Named) else None
    own = {kind_of_item(said.scene.name_of(sku), sku) for sku in skus} or {named}
    is_there = any(said.scene.in_cart(sku) for sku in skus)
    return "rather" in words and bool(own & kinds - {None}) and not is_there


def names_another_line(one: Intent, said: Said) -> bool:
    """Tell whether one line goes where another is named beside it: "the lamps, the fleece too"."""
    if not isinstance(one, Remove) or not (TOO.search(said.plain) or _AND_THE.search(said.plain)):
        return False
    inside = in_cart(one.item, said.scene, said.prompt.now.currency)
    gone = {*inside.skus} if isinstance(inside, Found) else set()
    own = stems(word for line in said.scene.cart if line.sku in gone for word in _name(line.name))
    others = [stems(_name(line.name)) - own for line in said.scene.cart if line.sku not in gone]
    words = stems(said.plain.split())
    return bool(gone) and any(words & name for name in others) and not _STAYS.search(said.plain)


def _name(name: str) -> list[str]:
    return [word for word in name.lower().split() if len(word) > _PAIR]


def is_one_of_several_lines(one: Intent, said: Said) -> bool:
    """Tell whether one line is changed of several of the kind that is said: "bottles to three"."""
    match one:
        case Swap(gone=gone) if gone is not None and re.search(r"\banother\b", said.plain):
            item: Reference = gone
        case SetQuantity(item) | Remove(item):
            pass
        case _:
            return False
    inside = in_cart(item, said.scene, said.prompt.now.currency)
    if not isinstance(inside, Found) or len(inside.skus) != 1:
        return False
    line = said.scene.in_cart(inside.skus[0])
    assert line is not None
    if isinstance(one, Swap):
        return line.quantity > 1
    kind = kind_of_item(line.name, line.sku)
    others = [
        there.name
        for there in said.scene.cart
        if there.sku != line.sku and kind_of_item(there.name, there.sku) == kind
    ]
    words = said.plain.split()
    own = {*line.name.lower().split()} - {*" ".join(others).lower().split()}
    is_narrowed = bool(own & {*words}) or BEST.search(said.plain) or PLACE.search(said.plain)
    return bool(others) and kind_of(words) == kind and not is_narrowed and not said.names
