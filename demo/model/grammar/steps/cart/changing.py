"""The steps of intents that change the cart."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.answers.asked.questions import ask_add, ask_remove, ask_set
from daybook.demo.model.grammar.desk import Desk, Do, Say, Step, Wish, refused
from daybook.demo.model.grammar.language.chat.vocabulary import is_a_name
from daybook.demo.model.grammar.language.intents.cart import Add, ClearCart, Remove, SetQuantity
from daybook.demo.model.grammar.language.intents.references import (
    Every,
    Extreme,
    It,
    Named,
    Nth,
    Reference,
)
from daybook.demo.model.grammar.language.words import calls_it_otherwise
from daybook.demo.model.grammar.seen.prompt import Call, Line
from daybook.demo.model.grammar.seen.referents import (
    MEASURED,
    Found,
    Unclear,
    Wanted,
    in_cart,
    met_alike,
    on_view,
    pick,
)
from daybook.demo.model.grammar.seen.results import Row, cart_event
from daybook.demo.model.grammar.seen.scene import matches, row_of
from daybook.demo.model.grammar.steps.cart.hesitating import hesitation, may_be_cut_off, too_many
from daybook.demo.model.grammar.steps.goods.narrowing import pages_of
from daybook.demo.model.grammar.steps.goods.product import picked, which
from daybook.demo.model.grammar.steps.goods.search import (
    MOST_HITS,
    cheapest_of,
    named_among,
    searched,
)
from daybook.demo.model.grammar.steps.goods.such import meant_among, narrowed_by_what_is_said

_MOST_SHOWN: Final = 5
Changes = list[tuple[str, str, int]]
"""Calls to be made: tool, sku, quantity."""

_CHANGES: Final = ("remove_from_cart", "set_quantity")


def add(intent: Add, desk: Desk) -> Step:
    """Add what is meant; what is not on view is searched for, and the best hit is added."""
    if intent.quantity < 1:
        return Say("Tell me how many to add: one or more.")
    returning = _returning(intent, desk)
    if returning:
        return changed([("add_to_cart", sku, intent.quantity) for sku in returning], desk)
    if isinstance(intent.item, It) and not intent.item.many and desk.scene.together:
        # "One more", after several were put in at once.
        inside = in_cart(intent.item, desk.scene, desk.now.currency)
        return not_there(intent, inside, desk)
    narrowed = narrowed_by_what_is_said(intent.item, desk)
    if isinstance(narrowed, Do):
        return narrowed
    if isinstance(narrowed, Extreme) and narrowed != intent.item:
        # None of those on view is so: what else there is has not been seen yet, and is offered.
        return picked(intent, narrowed, desk)
    meaning = added(intent, desk)
    if isinstance(intent.item, It) and isinstance(meaning, Found) and len(meaning.skus) == 1:
        (sku,) = meaning.skus
        is_gone = sku in desk.now.removed and not _BACK.search(desk.prompt.turn.text.lower())
        if (desk.scene.faded or is_gone) and sku not in desk.changed:
            return Say("", question=ask_add(sku, intent.quantity))
    if isinstance(meaning, Unclear):
        return which(intent, meaning, desk)
    if not isinstance(meaning, Found):
        return meaning
    is_overtaken = desk.scene.overtaken and _is_of_a_list(intent.item)
    if is_overtaken or _is_unseen(meaning, intent, desk):
        return _asked_which(meaning.skus, intent, desk)
    if may_be_cut_off(intent.item, desk):
        (best,) = meaning.skus
        name = wording.one_line(desk.scene.name_of(best))
        told = f"Of those that I have shown, that is {name}; there may be more."
        return Say(told, question=ask_add(best, intent.quantity))
    if isinstance(intent.item, It) and len(meaning.skus) > 1:
        has_line = any(desk.scene.in_cart(sku) is not None for sku in meaning.skus)
        if has_line or intent.quantity > 1:
            return _asked_which(meaning.skus, intent, desk)
    if (asked := hesitation(intent, meaning, desk)) is not None:
        return asked
    return changed([("add_to_cart", sku, intent.quantity) for sku in meaning.skus], desk)


def _is_unseen(meaning: Found, intent: Add, desk: Desk) -> bool:
    """Tell whether what is meant was not named, and the prompt tells no more how it was shown."""
    (sku, *others) = meaning.skus
    is_it = not others and desk.scene.unseen and sku == desk.scene.focus
    named = sku in desk.prompt.turn.text.upper() or isinstance(intent.item, Named)
    return is_it and not named and sku not in desk.changed


def _is_of_a_list(item: Reference) -> bool:
    """Tell whether an item is pointed at by its place in a list alone: "the first", "all three"."""
    return isinstance(item, Nth | Every | Extreme) and not item.words


def _asked_which(skus: Sequence[str], intent: Add, desk: Desk) -> Say:
    """Ask which of some is to be added, or whether the one is."""
    if len(skus) == 1:
        return Say("", question=ask_add(skus[0], intent.quantity))
    seen = [row for sku in skus if (row := desk.scene.known.get(sku)) is not None]
    among = tuple(replace(row, number=n) for n, row in enumerate(seen, 1))
    return which(intent, Unclear("which", among=among), desk)


_BACK: Final = re.compile(r"\b(?:back|again|after all|undo|do need|do want|yes)\b")


def added(intent: Add, desk: Desk) -> Found | Unclear | Step:
    """Return the products that shall be added, or the step that finds out."""
    removed = desk.now.removed
    meaning = _added(intent, desk) or on_view(
        intent.item, desk.scene, intent.more, removed, sole=True
    )
    if not isinstance(meaning, Wanted):
        return meaning
    words = intent.item.words if isinstance(intent.item, Named) else ()
    return meant_among(meaning, words, desk) or _exact(meaning, intent, desk)


def remove(intent: Remove, desk: Desk) -> Step:
    """Take out what is meant, or so many of it."""
    meaning = in_cart(intent.item, desk.scene, desk.now.currency)
    if isinstance(intent.item, Extreme) and isinstance(meaning, Unclear) and meaning.among:
        unread = pages_of(meaning.among, desk) if intent.item.by in MEASURED else None
        if unread is not None:
            return unread
    is_them = isinstance(intent.item, It) and intent.item.many and intent.quantity is None
    if is_them and desk.scene.together:
        meaning = Found(desk.scene.together)
    is_one_of_them = isinstance(intent.item, It) and intent.item.many and intent.quantity == 1
    if is_one_of_them and len(desk.scene.cart) > 1 and _is_last_of(meaning, desk):
        # "Remove one of them": of several, and not one of so many of one.
        lines_on_view = enumerate(desk.scene.cart, 1)
        among = tuple(row_of(line, n, desk.now.currency) for n, line in lines_on_view)
        meaning = Unclear("which", among=among)
    if isinstance(meaning, Found):
        fewer = intent.quantity
        lines = [line for sku in meaning.skus if (line := desk.scene.in_cart(sku))]
        if fewer is not None and all(line.quantity < fewer for line in lines) and len(lines) == 1:
            name = wording.one_line(lines[0].name)
            told = f"There is no more than {lines[0].quantity} of {name} in your cart."
            return Say(told, question=ask_remove(lines[0].sku, None))
        return changed([less(line, fewer) for line in lines], desk)
    return not_there(intent, meaning, desk)


def _is_last_of(meaning: object, desk: Desk) -> bool:
    """Tell whether no more than one is in the cart of what is meant."""
    skus = meaning.skus if isinstance(meaning, Found) else ()
    return all(line.quantity == 1 for sku in skus if (line := desk.scene.in_cart(sku)))


def set_quantity(intent: SetQuantity, desk: Desk) -> Step:
    """Set the quantity of what is meant; right after a list of several, "it" is not clear."""
    meaning = in_cart(intent.item, desk.scene, desk.now.currency)
    if isinstance(intent.item, It) and desk.scene.choosing and desk.scene.cart:
        lines = enumerate(desk.scene.cart, 1)
        rows = tuple(row_of(line, n, desk.now.currency) for n, line in lines)
        meaning = Unclear("which", among=rows)
    focus = desk.scene.focus
    is_new = focus is not None and focus in desk.scene.known
    if focus and is_new and isinstance(intent.item, It) and not isinstance(meaning, Found):
        row = desk.scene.known[focus]
        if desk.scene.in_cart(focus) is None and not desk.scene.choosing:
            name = wording.one_line(row.name)
            few = too_many(Found((focus,)), intent.quantity, desk)
            question = ask_add(focus, max(1, intent.quantity))
            return few or Say(f"{name} is not in your cart yet.", question=question)
    if isinstance(meaning, Found):
        few = None if intent.double else too_many(meaning, intent.quantity, desk, in_all=True)
        few = few or _the_other_way(intent, meaning, desk)
        if few is not None:
            return few
        changes = []
        for sku in meaning.skus:
            line = desk.scene.in_cart(sku)
            there = line.quantity if line else 1
            changes.append(("set_quantity", sku, there * 2 if intent.double else intent.quantity))
        return changed(changes, desk)
    return not_there(intent, meaning, desk)


def _the_other_way(intent: SetQuantity, meaning: Found, desk: Desk) -> Say | None:
    """Ask where "lower it to 80" would be more: a limit of money may be meant."""
    lines = [line for sku in meaning.skus if (line := desk.scene.in_cart(sku)) is not None]
    text = desk.prompt.turn.text.lower()
    done = any(call.tool == "set_quantity" for call in desk.prompt.turn.calls)
    if len(lines) != 1 or done or intent.double:
        return None
    (line,) = lines
    rises = intent.quantity > line.quantity
    turns = _LOWERS.search(text) if rises else _RAISES.search(text)
    return None if turns is None else Say("", question=ask_set(line.sku, intent.quantity))


_LOWERS: Final = re.compile(
    r"\b(?:lower|reduce|decrease|cut|drop|bring (?:it|them) down)\b[^.,;]* to\b"
)
_RAISES: Final = re.compile(r"\b(?:raise|increase|bump)\b")


def clear(intent: ClearCart, desk: Desk) -> Step:
    """Take out every line."""
    if not desk.scene.cart:
        return Say(f"{wording.EMPTY_CART} already.")
    return changed([("remove_from_cart", line.sku, 0) for line in desk.scene.cart], desk)


def less(line: Line, fewer: int | None) -> tuple[str, str, int]:
    """Return the change that takes so many of a line out; None for all of it."""
    if fewer is None or fewer >= line.quantity:
        return "remove_from_cart", line.sku, 0
    return "set_quantity", line.sku, line.quantity - fewer


def changed(changes: Sequence[tuple[str, str, int]], desk: Desk) -> Step:
    """Make the changes that have no result yet; with all results, say what came of them."""
    wishes: list[Wish] = []
    said: list[str] = []
    calls: list[Call] = []
    for tool, sku, quantity in changes:
        call = _take(tool, sku, desk)
        desk.speak_of(sku)
        desk.changed.add(sku)
        if call is not None:
            calls.append(call)
            said.append(change_told(call))
            for line in desk.now.cart if tool == "add_to_cart" else ():
                if line.sku == sku:
                    desk.scene = desk.scene.with_line(line)
            continue
        args: dict[str, Any] = {} if tool == "remove_from_cart" else {"quantity": quantity}
        step = desk.ask_for(tool, sku=sku, **args)
        if isinstance(step, Do):
            wishes += step.wishes
        else:
            said.append(step.text)
    if wishes:
        return Do(tuple(wishes))
    events = [cart_event(call.result) for call in calls]
    changed = len(events) == len(changes) and all(events)
    return Say("\n".join(dict.fromkeys(said)), cart=any(events), changed=changed)


def _take(tool: str, sku: str, desk: Desk) -> Call | None:
    """Take the result of a change.

    How many were in the cart before this turn is not always known afterwards, so "remove one" may
    have become either of two tools.
    """
    if tool == "add_to_cart":
        return desk.take(tool, sku=sku)
    return next((call for name in _CHANGES if (call := desk.take(name, sku=sku))), None)


def change_told(call: Call) -> str:
    """Say what a change of the cart came to."""
    sentence = refused(call)
    if sentence:
        return wording.passed_on(call.tool, sentence)
    event = cart_event(call.result)
    if event is None:
        return f"{call.tool} said: {wording.one_line(call.result)}"
    sign, _, quantity, name = event
    words = {"+": f"Added: {quantity} x", "-": "Removed:", "=": f"Changed to {quantity} x"}
    return f"{words[sign]} {wording.one_line(name)}."


def _returning(intent: Add, desk: Desk) -> list[str]:
    """Return what was removed before and is wanted again ("add the socks back")."""
    if isinstance(intent.item, It) and intent.item.many and _PUTS_BACK.search(_said(desk)):
        return _gone_last(desk)
    says = intent.again or _PUTS_BACK.search(_said(desk)) is not None
    if not isinstance(intent.item, Named) or not says:
        return []
    # What came back in this turn is no longer among the removed, and is still what was meant.
    events = [cart_event(call.result) for call in desk.prompt.turn.calls]
    back = {event[1]: event[3] for event in events if event and event[0] == "+"}
    gone = {**desk.now.removed, **back}
    found = [sku for sku, name in gone.items() if matches(intent.item.words, name, sku)]
    return found[-1:] if intent.again or len(found) == 1 else []


def _said(desk: Desk) -> str:
    return desk.prompt.turn.text.lower()


def _gone_last(desk: Desk) -> list[str]:
    """Return what the last turn took out, where it was several: "put them back"."""
    calls = desk.prompt.past[-1].calls if desk.prompt.past else ()
    gone = [str(c.args.get("sku")).upper() for c in calls if c.tool == "remove_from_cart"]
    return list(dict.fromkeys(gone)) if len({*gone}) > 1 else []


_PUTS_BACK: Final = re.compile(r"\b(?:put|add|bring|take|get|want|have)\b.* back(?: in)?\b")


def _added(intent: Add, desk: Desk) -> Found | None:
    """Return what this turn added already for words that mean the cart's own ("two more socks").

    The cart may have been bought since, and would no longer tell.
    """
    if not isinstance(intent.item, Named) or not (intent.more or intent.item.definite):
        return None
    events = [cart_event(call.result) for call in desk.prompt.turn.calls]
    added = ((event[1], event[3]) for event in events if event and event[0] == "+")
    found = [sku for sku, name in added if matches(intent.item.words, name, sku)]
    return Found((found[0],)) if found else None


def _exact(meaning: Wanted, intent: Add, desk: Desk) -> Found | Unclear | Step:
    """Search what is to be added: goods are never guessed, so several hits are put to choose from.

    What has the words of a name in its own is meant, and so is the only hit there is.
    """
    found = searched(meaning.search, desk, MOST_HITS)
    if isinstance(found, Do | Say):
        return found
    if not found:
        what = wording.asked(meaning.search, desk.now.currency)
        return Say(f"I found nothing for {what}, so I added nothing for it.")
    rows = [row for row in found if row.sku not in desk.now.removed] or found
    if meaning.by != "first":
        return _most(meaning, rows, intent, desk, is_full=len(found) >= MOST_HITS)
    words = intent.item.words if isinstance(intent.item, Named) else ()
    named = [row for row in found if matches(words, row.name, row.sku)]
    if len(named) == 1 and any(map(is_a_name, words)):
        if calls_it_otherwise(words, named[0].name):
            # "The X daypack", where X is a running pack: of that kind, and still another thing.
            question = ask_add(named[0].sku, intent.quantity)
            return Say(f"There is {wording.row(named[0])}.", question=question)
        return Found((named[0].sku,))
    alike = named_among(found, words, desk)
    if len(alike) == 1 < len(named):
        # Several have that name; what was looked at is of the kind of one of them.
        question = ask_add(alike[0].sku, intent.quantity)
        return Say(f"You may mean {wording.row(alike[0])}.", question=question)
    if len(found) == 1 and matches(words, found[0].name, found[0].sku):
        return Found((found[0].sku,))
    fitting = [row for row in rows if row in named] or rows
    numbered = tuple(replace(row, number=n) for n, row in enumerate(fitting[:_MOST_SHOWN], 1))
    return Unclear("which", words, numbered)


def _most(
    meaning: Wanted, rows: Sequence[Row], intent: Add, desk: Desk, *, is_full: bool
) -> Found | Unclear | Step:
    """Pick what is the cheapest, lightest ... of what a search gave; it was never shown.

    It is added where all was looked at and a verb asks for it, and else asked about.
    """
    if meaning.by == "cheapest" and is_full:
        words = intent.item.words if isinstance(intent.item, Extreme) else ()
        cheapest = cheapest_of(rows, meaning.search, words, desk)
        if not isinstance(cheapest, Row):
            return cheapest
        rows, is_full = [cheapest], False
    best = pick(rows, meaning.by, desk.scene.pages)
    unread = pages_of(rows, desk) if best is None and meaning.by in MEASURED else None
    if unread is not None:
        return unread
    if best is None:
        return Unclear("which", (), tuple(rows[:_MOST_SHOWN]))
    tied = met_alike(rows, best, meaning.by, desk.scene.pages)[:_MOST_SHOWN]
    if len(tied) > 1:
        among = tuple(replace(row, number=n) for n, row in enumerate(tied, 1))
        return Unclear("which", (), among)
    if meaning.by in _BY_PRICE and not is_full and _ADDS.search(desk.prompt.turn.text.lower()):
        return Found((best.sku,))
    question = ask_add(best.sku, intent.quantity)
    if meaning.by == "best":
        # What is best for somebody no rating tells.
        return Say(f"The best rated is {wording.row(best)}.", question=question)
    told = f"Of the {len(rows)} that I looked at, the {meaning.by} is {wording.row(best)}."
    return Say(told, question=question)


_BY_PRICE: Final = ("cheapest", "dearest")
_ADDS: Final = re.compile(
    r"\b(?:add|put|throw|chuck|pop|stick|toss|take|get|give|gimme|buy|order|grab|want|need|have)\b"
)


def not_there(intent: Add | Remove | SetQuantity, meaning: Any, desk: Desk) -> Say:
    """Ask which line of the cart is meant, or say that none is."""
    if isinstance(meaning, Unclear) and meaning.reason == "which" and meaning.among:
        return which(intent, meaning, desk)
    if not desk.scene.cart:
        return Say(f"{wording.EMPTY_CART}: there is nothing to change in it.")
    words = " ".join(meaning.words) if isinstance(meaning, Unclear) else ""
    what = f"nothing like “{wording.one_line(words)}”" if words else "nothing of the kind"
    return Say(f"There is {what} in your cart.", cart=True)
