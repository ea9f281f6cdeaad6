"""What is asked before goods go into the cart: whether more, again, or in that size."""

import re
from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.answers.asked.questions import ask_add, ask_add_all, ask_set
from daybook.demo.model.grammar.desk import Desk, Say, Step
from daybook.demo.model.grammar.language.intents.cart import Add
from daybook.demo.model.grammar.language.intents.references import (
    Extreme,
    It,
    Named,
    Nth,
    Other,
    Reference,
    Sku,
)
from daybook.demo.model.grammar.seen.prompt import question_of
from daybook.demo.model.grammar.seen.referents import Found
from daybook.demo.model.grammar.steps.cart.sizing import in_no_such_size

_MOST_SHOWN: Final = 5


def hesitation(intent: Add, meaning: Found, desk: Desk) -> Step | None:
    """Return what is to be asked or read before a product is added; None where nothing is."""
    asked = (
        _again(intent, meaning, desk)
        or _there_already(intent, meaning, desk)
        or too_many(meaning, intent.quantity, desk)
    )
    if asked is not None or len(meaning.skus) > 1:
        return asked
    return in_no_such_size(meaning.skus[0], intent.quantity, desk)


def may_be_cut_off(item: Reference, desk: Desk) -> bool:
    """Tell whether a superlative may mean more than a list shows, and not "the best of these"."""
    rows = desk.scene.group or desk.scene.latest
    is_full = not desk.scene.group and len(rows) >= _MOST_SHOWN
    # A comparison is of two: of more, "the cheaper one" may leave some of them out.
    compares = len(rows) > _PAIR and _COMPARES.search(desk.prompt.turn.text.lower()) is not None
    if not (isinstance(item, Extreme) and (is_full or compares)):
        return False
    asked = desk.prompt.past and question_of(desk.prompt.past[-1]).startswith("Which one")
    done = any(call.tool == "add_to_cart" for call in desk.prompt.turn.calls)
    return not asked and not done and not _OF_THOSE.search(desk.prompt.turn.text.lower())


_PAIR: Final = 2
_COMPARES: Final = re.compile(
    r"\b(?:cheaper|dearer|pricier|lighter|heavier|brighter|warmer|bigger|larger|roomier|smaller"
    r"|taller|better|(?:more|less) (?:expensive|heavy|light|costly))\b"
)
_OF_THOSE: Final = re.compile(
    r"\b(?:of|from|in) (?:the )?(?:these|those|them|that|this|list|\d|two|three|four|five|lot)\b"
    r"|\b(?:these|those|shown|listed|there)\b"
)


def _again(intent: Add, meaning: Found, desk: Desk) -> Say | None:
    """Ask before what the same text has put in goes in again, or what of several is in there."""
    if intent.more or isinstance(intent.item, Sku):
        return None
    twice = [sku for sku in meaning.skus if sku in desk.changed]
    there = [sku for sku in meaning.skus if desk.scene.in_cart(sku) is not None]
    if twice:
        desk.speak_of(twice[0])
        return Say("", question=ask_add(twice[0], intent.quantity))
    if len(meaning.skus) > 1 and there:
        names = ", ".join(wording.one_line(desk.scene.name_of(sku)) for sku in there)
        left = [sku for sku in meaning.skus if sku not in there]
        question = (
            ask_add_all(left or there) if len(left or there) > 1 else ask_add((left or there)[0])
        )
        return Say(f"In your cart already: {names}.", question=question)
    return None


def _there_already(intent: Add, meaning: Found, desk: Desk) -> Say | None:
    """Ask before one more is added of what is in the cart and was only pointed at: "add it".

    "Another one" of what is not in it may as well be a wish to see another one.
    """
    item = intent.item
    if intent.more and isinstance(item, It) and len(meaning.skus) == 1:
        is_new = desk.scene.in_cart(meaning.skus[0]) is None
        return Say("", question=ask_add(meaning.skus[0], intent.quantity)) if is_new else None
    points = isinstance(item, It | Nth | Extreme | Other) or (
        isinstance(item, Named) and item.definite
    )
    line = desk.scene.in_cart(meaning.skus[0]) if len(meaning.skus) == 1 else None
    if not points or line is None or intent.quantity > 1 or intent.more:
        return None
    question = ask_add(line.sku)
    if desk.prompt.past and question_of(desk.prompt.past[-1]) == question:
        return None
    name = wording.one_line(line.name)
    return Say(f"{name} is in your cart already ({line.quantity} x).", question=question)


def too_many(meaning: Found, wanted: int, desk: Desk, *, in_all: bool = False) -> Say | None:
    """Say so where more is wanted than the shop is known to have; nothing is changed then."""
    for sku in meaning.skus:
        row, line = desk.scene.known.get(sku), desk.scene.in_cart(sku)
        stock = _STOCK.match(row.stock) if row is not None else None
        there = line.quantity if line is not None else 0
        if row is None or stock is None or (wanted if in_all else there + wanted) <= int(stock[1]):
            continue
        has_call = any(call.args.get("sku") == sku for call in desk.prompt.turn.calls)
        if has_call:
            continue
        left = int(stock[1])
        name = wording.one_line(row.name)
        if not left:
            return Say(f"{name} ({sku}) is sold out: 0 in stock. I have changed nothing.")
        told = f"Only {left} of {name} are in stock, so I have changed nothing."
        more = left > there
        question = (ask_set(sku, left) if there else ask_add(sku, left)) if more else ""
        return Say(told, question=question, cart=bool(there))
    return None


_STOCK: Final = re.compile(r"(\d+) in stock")
