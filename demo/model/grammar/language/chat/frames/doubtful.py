"""Write a change that is not certain as a question about it. Pure."""

from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    ClearCart,
    Doubtful,
    Keep,
    Remove,
    SetQuantity,
    Swap,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import Checkout
from daybook.demo.model.grammar.language.intents.references import It


def doubtful(intent: Intent) -> Intent:
    """Return a change as a question about it; what changes nothing stands."""
    match intent:
        case Add(item, quantity):
            return Doubtful("add", (item,), quantity)
        case Remove(item, quantity):
            return Doubtful("remove", (item,), quantity)
        case SetQuantity(item, quantity):
            return Doubtful("set", (item,), quantity)
        case Keep(item):
            return Doubtful("keep", (item,))
        case ClearCart():
            return Doubtful("clear")
        case Checkout():
            return Doubtful("buy")
        case Swap(item, gone):
            return Doubtful("swap", (item, gone or It()))
        case _:
            return intent
