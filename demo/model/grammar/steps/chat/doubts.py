"""The step of a change that is not certain: name what it is about, and ask whether to make it."""

from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.answers.asked.questions import (
    ASK_CLEAR,
    ask_add,
    ask_add_all,
    ask_checkout,
    ask_keep,
    ask_remove,
    ask_set,
    ask_swap,
)
from daybook.demo.model.grammar.desk import Desk, Do, Say, Step
from daybook.demo.model.grammar.language.intents.cart import Add, Doubtful, Remove
from daybook.demo.model.grammar.language.intents.goods import Mention
from daybook.demo.model.grammar.language.intents.references import Reference
from daybook.demo.model.grammar.seen.referents import Found, in_cart, of_its_kind
from daybook.demo.model.grammar.seen.results import cents
from daybook.demo.model.grammar.seen.scene import row_of
from daybook.demo.model.grammar.steps.cart.changing import not_there
from daybook.demo.model.grammar.steps.goods.product import found_for

_MOST: Final = 4


def doubt(intent: Doubtful, desk: Desk) -> Step:
    """Ask about a change of which something is not certain; nothing is changed."""
    match intent.act:
        case "add" | "look":
            return _of_goods(intent, desk)
        case "clear":
            return Say("", question=ASK_CLEAR, cart=True)
        case "buy":
            if not desk.now.cart:
                return Say(f"{wording.EMPTY_CART}: there is nothing to check out.")
            return Say("", question=ask_checkout(wording.echo(intent.said, 80)), cart=True)
        case "swap":
            return _of_swap(intent, desk)
        case "keep":
            return _of_keeping(intent, desk)
        case _:
            return _of_cart(intent, desk)


def _of_goods(intent: Doubtful, desk: Desk) -> Step:
    skus: list[str] = []
    for item in intent.items[:_MOST]:
        meaning = found_for(_as_wish(intent, item), item, desk)
        if isinstance(meaning, Do):
            return meaning
        if not isinstance(meaning, Found):
            question = meaning.question or _WHICH
            return Say(meaning.text, question=question)
        skus += [sku for sku in meaning.skus if sku not in skus]
    return _offered(skus, intent.quantity or 1, desk)


_WHICH: Final = "Which one do you mean, and how many of it?"


def _offered(skus: list[str], quantity: int, desk: Desk) -> Say:
    rows = {sku: desk.scene.fresh(sku) for sku in skus}
    lines = [
        f"- {wording.one_line(desk.scene.name_of(sku))} ({sku})" if row is None
        else f"- {wording.row(row)}"
        for sku, row in rows.items()
    ]  # fmt: skip
    if len(skus) == 1:
        desk.speak_of(skus[0])
        question = ask_add(skus[0], quantity, or_tell=True)
    else:
        question = ask_add_all(skus)
    return Say("\n".join(["You may mean:", *lines]), question=question)


def _as_wish(intent: Doubtful, item: Reference) -> Add | Mention:
    return Add(item, intent.quantity or 1) if intent.act == "add" else Mention(item)


def _of_swap(intent: Doubtful, desk: Desk) -> Step:
    come, gone = intent.items
    there = in_cart(gone, desk.scene, desk.now.currency)
    come = of_its_kind(come, there, desk.scene)
    meaning = found_for(Add(come), come, desk)
    if isinstance(meaning, Do):
        return meaning
    if not isinstance(meaning, Found):
        return Say(meaning.text, question=meaning.question or _WHICH)
    if not isinstance(there, Found):
        return _offered(list(meaning.skus[:1]), 1, desk)
    names = ", ".join(wording.one_line(desk.scene.name_of(sku)) for sku in meaning.skus[:1])
    return Say(f"You may want {names}.", question=ask_swap(meaning.skus[0], there.skus[0]))


def _of_keeping(intent: Doubtful, desk: Desk) -> Step:
    """Ask whether a thing alone shall stay; what is not in the cart may be wanted instead."""
    there = in_cart(intent.items[0], desk.scene, desk.now.currency)
    if not isinstance(there, Found) or len(desk.scene.cart) == 1:
        return _of_goods(intent, desk)
    gone = [line.sku for line in desk.scene.cart if line.sku != there.skus[0]]
    return Say("", question=ask_keep(there.skus[0], gone), cart=True)


def _of_cart(intent: Doubtful, desk: Desk) -> Step:
    item = intent.items[0]
    there = in_cart(item, desk.scene, desk.now.currency)
    if not isinstance(there, Found):
        return not_there(Remove(item), there, desk)
    sku = there.skus[0]
    line = desk.scene.in_cart(sku)
    row = "" if line is None else wording.row(row_of(line, 1, desk.now.currency))
    if intent.act == "set" and intent.quantity is not None:
        return Say(row, question=ask_set(sku, intent.quantity))
    others = [cents(f"{one.price} USD") for one in desk.scene.cart if one.sku != sku]
    if line is not None and intent.quantity is not None and intent.quantity < line.quantity:
        left = sum(others) + (line.quantity - intent.quantity) * cents(f"{line.each} USD")
        sum_left = wording.money(left, desk.now.currency)
        said = f"With {intent.quantity} fewer your cart would come to {sum_left}."
        return Say(f"{row}\n\n{said}", question=ask_remove(sku, intent.quantity))
    told = f"Without it your cart would come to {wording.money(sum(others), desk.now.currency)}."
    is_whole = line is not None and intent.quantity in (None, line.quantity) and others
    return Say(f"{row}\n\n{told}" if is_whole else row, question=ask_remove(sku, intent.quantity))
