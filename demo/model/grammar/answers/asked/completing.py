"""Complete what only names a product by the question that it answers. Pure.

The questions are fixed sentences: `ask_which` writes them, and what a name means then is read here.
"""

import re
from typing import Final

from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD
from daybook.demo.model.grammar.language.chat.frames.doubtful import doubtful
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.cart import Add, Remove, SetQuantity
from daybook.demo.model.grammar.language.intents.goods import Details, Mention, Reviews, Search
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import (
    Every,
    Extreme,
    It,
    Named,
    Nth,
    Reference,
    Sku,
)
from daybook.demo.model.grammar.language.words import calls_it_otherwise
from daybook.demo.model.grammar.seen.scene import Scene, matches

ASK_WHICH: Final = re.compile(r"Which one (.+?)(?: \(quantity (\d{1,6})\))?\?")


def ask_which(intent: Intent) -> str:
    """Ask which product an intent is about."""
    match intent:
        case Add(quantity=quantity):
            return f"Which one shall I add{_times(quantity if quantity > 1 else None)}?"
        case Remove(quantity=fewer):
            return f"Which one shall I remove{_times(fewer)}?"
        case SetQuantity(double=True):
            return "Which one shall I double?"
        case SetQuantity(quantity=quantity):
            return f"Which one shall I change{_times(quantity)}?"
        case Reviews():
            return "Which one do you want reviews of?"
        case _:
            return "Which one do you mean?"


def names_another(intent: Intent, question: str, scene: Scene) -> bool:
    """Tell whether goods are named that were neither offered nor put to choose from."""
    match intent:
        case Mention(Named(words)):
            pass
        case Search(bare=True, query=query) if query:
            words = tuple(query.split())
        case _:
            return False
    offered = ASK_ADD.fullmatch(question)
    if offered:
        return not matches(words, scene.name_of(offered[1]), offered[1])
    is_choice = ASK_WHICH.fullmatch(question) is not None and bool(scene.latest)
    return is_choice and not any(
        matches(words, row.name, row.sku) and not calls_it_otherwise(words, row.name)
        for row in scene.latest
    )


def completed(intent: Intent, question: str, scene: Scene, *, lists: bool) -> Intent:
    """Complete an intent that only names a product by the question that it answers."""
    match intent:
        case Search(
            bare=True, min_price=None, max_price=None, measures=(), without=(), query=query
        ) if query:
            item: Mention = Mention(Named(tuple(query.split()), definite=True))
        case Mention():
            item = intent
        case _:
            return intent
    which, added = ASK_WHICH.fullmatch(question), ASK_ADD.fullmatch(question)
    quantity = item.quantity or (int(which[2]) if which and which[2] else None)
    if added and isinstance(intent, Mention) and _is_the_offered(item.item, lists=lists):
        meant = Sku(added[1]) if isinstance(item.item, It) else item.item
        wish = Add(meant, quantity or 1)
        # "One is plenty" of two more, where there is one, may be how many there shall be.
        has_some = any(line.sku == added[1] for line in scene.cart)
        is_other = has_some and item.quantity is not None and added[2] != str(item.quantity)
        return doubtful(wish) if is_other or isinstance(meant, Every) else wish
    match which[1] if which else "":
        case "shall I add":
            return Add(item.item, quantity or 1)
        case "shall I remove":
            return Remove(item.item, quantity)
        case "shall I double":
            return SetQuantity(item.item, double=True)
        case "shall I change":
            return SetQuantity(item.item, quantity or 1)
        case "do you want reviews of":
            return Reviews(item.item)
        case "do you mean":
            return Details(item.item)
        case _:
            # "Two of them" without a question is a wish to have them.
            if item.quantity is None:
                return intent
            # A count alone may be of what is in the cart, and may answer what was asked.
            is_open = item.item == It() or (question.endswith("?") and isinstance(item.item, It))
            wish = Add(item.item, item.quantity)
            return doubtful(wish) if is_open else wish


def _is_the_offered(item: Reference, *, lists: bool) -> bool:
    """Tell whether what is named answers an offer: another product is a wish to see that first."""
    match item:
        case Nth():
            return lists
        case Extreme(words=words):
            return lists and not words
        case Named(words):
            return not has_model(words)
        case _:
            return True


def _times(quantity: int | None) -> str:
    return "" if quantity is None else f" (quantity {quantity})"
