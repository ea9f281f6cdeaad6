"""The steps of corrections of the cart: keep one thing alone, or have one in another's place."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.desk import Desk, Do, Say, Step
from daybook.demo.model.grammar.language.intents.cart import Add, Doubtful, Keep, Remove, Swap
from daybook.demo.model.grammar.language.intents.goods import Mention, Times
from daybook.demo.model.grammar.language.intents.references import Every, It, Reference, Sku
from daybook.demo.model.grammar.language.words import kind_of_item
from daybook.demo.model.grammar.seen.facts import budget, facts_now
from daybook.demo.model.grammar.seen.referents import (
    Found,
    Unclear,
    Wanted,
    in_cart,
    of_its_kind,
    on_view,
)
from daybook.demo.model.grammar.seen.results import cents
from daybook.demo.model.grammar.steps.cart.changing import (
    Changes,
    add,
    added,
    changed,
    less,
    not_there,
)
from daybook.demo.model.grammar.steps.chat.doubts import doubt
from daybook.demo.model.grammar.steps.chat.talk import unsure
from daybook.demo.model.grammar.steps.goods.product import details, found_for, which


def keep(intent: Keep, desk: Desk) -> Step:
    """Take out everything but what is meant."""
    meaning = in_cart(intent.item, desk.scene, desk.now.currency)
    if not isinstance(meaning, Found):
        return not_there(Remove(intent.item), meaning, desk)
    changes: Changes = [
        ("remove_from_cart", line.sku, 0)
        for line in desk.scene.cart
        if line.sku not in meaning.skus
    ]
    if intent.quantity is not None:
        changes += [("set_quantity", sku, intent.quantity) for sku in meaning.skus]
    if not changes:
        return Say("There is nothing else in your cart.", cart=True)
    step = changed(changes, desk)
    desk.speak_of(meaning.skus[0])
    return step


def swap(intent: Swap, desk: Desk) -> Step:
    """Put one product into the cart, and take out the one in whose place it comes."""
    gone = in_cart(intent.gone or It(), desk.scene, desk.now.currency)
    has_focus = desk.scene.focus is not None and desk.scene.in_cart(desk.scene.focus) is not None
    if intent.gone is None and not has_focus and len(desk.scene.cart) != 1:
        # There is nothing whose place it could take.
        return add(Add(intent.item), desk) if intent.wish else details(Mention(intent.item), desk)
    if intent == Swap(It(), wish=True) and len(desk.scene.cart) == 1:
        # "Take that instead": what is looked at comes, and the only line goes.
        gone = Found((desk.scene.cart[0].sku,))
    if not isinstance(gone, Found) and desk.scene.cart:
        return doubt(Doubtful("swap", (intent.item, intent.gone or It())), desk)
    if not isinstance(gone, Found):
        return not_there(Remove(intent.gone or It()), gone, desk)
    if intent.gone is None and _looks_at_others(gone.skus[0], desk):
        return doubt(Doubtful("swap", (intent.item, Sku(gone.skus[0]))), desk)
    line = desk.scene.in_cart(gone.skus[0])
    item = of_its_kind(intent.item, gone, desk.scene)
    count = intent.quantity or (line.quantity if line else 1)
    come = added(Add(item, count), desk)
    if isinstance(come, Unclear):
        return which(Add(intent.item), come, desk)
    if not isinstance(come, Found):
        return come
    if set(come.skus) & set(gone.skus):
        return Say("That is what is in your cart already.", cart=True)
    if any(desk.scene.in_cart(sku) for sku in come.skus):
        # Whether one more of it is meant, or only that the other goes, is not said.
        return unsure("")
    comes = changed([("add_to_cart", sku, count) for sku in come.skus], desk)
    if not isinstance(comes, Say) or not comes.changed:
        # What cannot come takes no place.
        return comes
    goes = changed(
        [less(line, intent.quantity)] if line else [("remove_from_cart", gone.skus[0], 0)], desk
    )
    desk.speak_of(come.skus[0])
    return replace(goes, text=f"{goes.text}\n{comes.text}") if isinstance(goes, Say) else goes


def _looks_at_others(sku: str, desk: Desk) -> bool:
    """Tell whether goods of another kind were listed since: it is not said whose place is meant."""
    return desk.scene.choosing and desk.scene.kind != kind_of_item(desk.scene.name_of(sku), sku)


def times(intent: Times, desk: Desk) -> Step:
    """Say what so many of each product would cost, and what they would come to with the cart."""
    if isinstance(intent.item, Every) and intent.count == 1 and desk.now.cart and not intent.also:
        # "Both together" of what is in the cart is its total.
        return Say(_shared(cents(desk.now.total), intent, desk), cart=True)
    priced: list[tuple[str, int, int]] = []
    for count, item in ((intent.count, intent.item), *intent.also):
        found = _each_price(intent, item, desk)
        if isinstance(found, Do | Say):
            return found
        priced += [(sku, count, each) for sku, each in found]
    currency = desk.now.currency
    for sku, _, _ in priced[:1] if len(priced) == 1 else ():
        desk.speak_of(sku)
    told = [
        f"{wording.one_line(desk.scene.name_of(sku))} ({sku}): {wording.money(each, currency)} "
        f"each, so {count} would be {wording.money(count * each, currency)}."
        for sku, count, each in priced
    ]
    total = sum(count * each for _, count, each in priced)
    if len(priced) > 1:
        told.append(f"Together that would be {wording.money(total, currency)}.")
    rest = _with_the_rest([sku for sku, _, _ in priced], total, desk)
    more = "" if intent.sets else _with_the_cart(priced, desk)
    shared = _shared(total, intent, desk)
    if shared:
        return Say(f"{' '.join(told)} {shared} Nothing was changed.")
    left = _left_of_budget([sku for sku, _, _ in priced], total, desk)
    return Say(f"{' '.join(told)}{rest}{more}{left} Nothing was changed.")


def _shared(total: int, intent: Times, desk: Desk) -> str:
    """Say what each of several pays, who share a sum: no cent may be missing in the end."""
    if intent.among <= 1:
        return ""
    each = wording.money(-(-total // intent.among), desk.now.currency)
    return f"Split by {intent.among}, that is {each} each."


def _each_price(intent: Times, item: Reference, desk: Desk) -> Sequence[tuple[str, int]] | Step:
    """Return each product that is meant with what one of it costs, or the step that finds out."""
    meaning: object = on_view(item, desk.scene, more=True)
    if isinstance(meaning, Wanted):
        meaning = found_for(intent, item, desk)
    if isinstance(meaning, Do | Say):
        return meaning
    if isinstance(meaning, Unclear) and isinstance(item, It) and len(desk.scene.cart) == 1:
        meaning = Found((desk.scene.cart[0].sku,))
    if isinstance(meaning, Unclear) and meaning.among:
        return which(intent, meaning, desk)
    if not isinstance(meaning, Found):
        return Say("", question="Of what? Name the product, or its number in the list.")
    found: list[tuple[str, int]] = []
    for sku in meaning.skus:
        row, line = desk.scene.fresh(sku), desk.scene.in_cart(sku)
        if row is None and line is None:
            call = desk.take("get_product", sku=sku)
            step = desk.ask_for("get_product", sku=sku)
            if call is None or isinstance(step, Say):
                return step
            return Say(wording.passed_on("get_product", call.result))
        found.append(
            (sku, row.cents if row is not None else cents(f"{line.each} USD") if line else 0)
        )
    return found


def _with_the_rest(skus: Sequence[str], total: int, desk: Desk) -> str:
    """Say what so many would come to with what else is in the cart, "" where nothing is."""
    rest = sum(cents(f"{one.price} USD") for one in desk.scene.cart if one.sku not in skus)
    if not rest:
        return ""
    currency = desk.now.currency
    return (
        f" What else is in your cart comes to {wording.money(rest, currency)}, together"
        f" {wording.money(rest + total, currency)}."
    )


def _left_of_budget(skus: Sequence[str], total: int, desk: Desk) -> str:
    """Say what would be left of the money that there is, "" where that is not asked."""
    most = budget(facts_now(desk.prompt))
    if most is None or not _ASKS_LEFT.search(desk.prompt.turn.text.lower()):
        return ""
    rest = sum(cents(f"{one.price} USD") for one in desk.scene.cart if one.sku not in skus)
    left = most - rest - total
    far = wording.money(abs(left), desk.now.currency)
    of_all = f"your budget of {wording.money(most, desk.now.currency)}"
    return f" {far} would be left of {of_all}." if left >= 0 else f" That is {far} above {of_all}."


_ASKS_LEFT: Final = re.compile(
    r"\b(?:left|leaves?|remain\w*|spare|budget|afford|within|over|under|enough)\b"
)


def _with_the_cart(priced: Sequence[tuple[str, int, int]], desk: Desk) -> str:
    """Say what the cart would come to with so many more of what is in it already, "" otherwise."""
    if not any(desk.scene.in_cart(sku) is not None for sku, _, _ in priced):
        return ""
    there = sum(cents(f"{one.price} USD") for one in desk.scene.cart)
    total = there + sum(count * each for _, count, each in priced)
    return (
        f" On top of what is in your cart that would be {wording.money(total, desk.now.currency)}."
    )
