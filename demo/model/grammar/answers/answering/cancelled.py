"""An order that is to be cancelled, where what is named is not in the cart."""

import re
from typing import Final

from daybook.demo.model.grammar.language.intents.cart import Doubtful, Remove
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import CancelOrder
from daybook.demo.model.grammar.language.intents.references import (
    Extreme,
    It,
    Named,
    Nth,
    Other,
    Sku,
)
from daybook.demo.model.grammar.seen.brief import read_brief
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.scene import cart_before, matches

_CANCELS: Final = re.compile(r"\bcancel\b", re.IGNORECASE)


def of_an_order(intent: Intent, prompt: Prompt) -> Intent:
    """Take "cancel the tent" for an order where nothing like it is, or was, in the cart."""
    said = prompt.turn.text or read_brief(prompt.now.brief).wish
    if not isinstance(intent, Remove | Doubtful):
        return intent
    cancels = _CANCELS.search(said) is not None
    placed = any(order.status == "placed" for order in prompt.now.orders)
    if cancels and placed and not cart_before(prompt.now.cart, prompt.turn.calls):
        item = intent.item if isinstance(intent, Remove) else next(iter(intent.items), It())
        if isinstance(item, Extreme | Nth | Other):
            return CancelOrder(some=True)
    match intent:
        case Remove(Named() | Sku() as named):
            pass
        case Doubtful("add" | "remove", (Named() | Sku() as named,)) if (
            cancels and placed and not _ONLY_ASKS.search(said.lower())
        ):
            pass
        case _:
            return intent
    words = named.words if isinstance(named, Named) else (named.sku,)
    cart = cart_before(prompt.now.cart, prompt.turn.calls)
    inside = any(line.sku in words or matches(words, line.name, line.sku) for line in cart)
    return CancelOrder(goods=words) if cancels and not inside else intent


_ONLY_ASKS: Final = re.compile(
    r"\?|\b(?:only|just|(?:can|could|may|should|shall|must|do) (?:i|we)|how|what|when|if|not"
    r"|never)\b"
)
"""What is asked of cancelling, or of a part of an order: none is cancelled by it."""
