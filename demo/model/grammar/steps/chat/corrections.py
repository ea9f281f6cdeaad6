"""The steps of corrections of the cart: keep one thing alone, or have one in another's place."""

from dataclasses import replace

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.desk import Desk, Do, Say, Step
from daybook.demo.model.grammar.language.intents import (
    Add,
    Doubtful,
    It,
    Keep,
    Mention,
    Remove,
    Sku,
    Swap,
    Times,
)
from daybook.demo.model.grammar.language.words import kind_of_item
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
from daybook.demo.model.grammar.steps.product import details, found_for, which


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
    """Say what so many of a product would cost."""
    meaning: object = on_view(intent.item, desk.scene, more=True)
    if isinstance(meaning, Wanted):
        meaning = found_for(intent, intent.item, desk)
    if isinstance(meaning, Do | Say):
        return meaning
    if isinstance(meaning, Unclear) and meaning.among:
        return which(intent, meaning, desk)
    if not isinstance(meaning, Found):
        return Say("", question="Of what? Name the product, or its number in the list.")
    sku = meaning.skus[0]
    row, line = desk.scene.fresh(sku), desk.scene.in_cart(sku)
    if row is None and line is None:
        call = desk.take("get_product", sku=sku)
        step = desk.ask_for("get_product", sku=sku)
        if call is None or isinstance(step, Say):
            return step
        return Say(wording.passed_on("get_product", call.result))
    each = row.cents if row is not None else cents(f"{line.each} USD") if line else 0
    currency = desk.now.currency
    desk.speak_of(sku)
    name = f"{wording.one_line(desk.scene.name_of(sku))} ({sku})"
    price = f"{wording.money(each, currency)} each"
    total = intent.count * each
    told = f"{name}: {price}, so {intent.count} would be {wording.money(total, currency)}."
    return Say(f"{told}{_with_the_rest(sku, total, desk)} Nothing was changed.")


def _with_the_rest(sku: str, total: int, desk: Desk) -> str:
    """Say what so many would come to with what else is in the cart, "" where nothing is."""
    rest = sum(cents(f"{one.price} USD") for one in desk.scene.cart if one.sku != sku)
    if not rest:
        return ""
    currency = desk.now.currency
    return (
        f" What else is in your cart comes to {wording.money(rest, currency)}, together"
        f" {wording.money(rest + total, currency)}."
    )
