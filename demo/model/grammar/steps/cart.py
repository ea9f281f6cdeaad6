"""The steps of intents that change the cart."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.answers.questions import ask_add, ask_add_all, ask_remove, ask_set
from daybook.demo.model.grammar.desk import Desk, Do, Say, Step, Wish, refused
from daybook.demo.model.grammar.language.chat.limits import price_bounds
from daybook.demo.model.grammar.language.chat.vocabulary import is_a_name
from daybook.demo.model.grammar.language.intents import (
    Add,
    ClearCart,
    Extreme,
    It,
    Named,
    Nth,
    Reference,
    Remove,
    SetQuantity,
    Sku,
)
from daybook.demo.model.grammar.language.words import stems
from daybook.demo.model.grammar.seen.facts import budget, facts_now
from daybook.demo.model.grammar.seen.prompt import Call, Line, question_of
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
from daybook.demo.model.grammar.seen.results import cart_event, cents
from daybook.demo.model.grammar.seen.scene import matches, row_of
from daybook.demo.model.grammar.steps.product import which
from daybook.demo.model.grammar.steps.search import (
    MOST_HITS,
    named_among,
    narrowed_by_colour,
    pages_of,
    searched,
)
from daybook.demo.model.grammar.steps.sizing import in_no_such_size

_MOST_SHOWN: Final = 5
Changes = list[tuple[str, str, int]]
"""Calls to be made: tool, sku, quantity."""

_CHANGES: Final = ("remove_from_cart", "set_quantity")


def show(desk: Desk) -> Say:
    """Show the cart; of a budget that is asked for, say what is left of it."""
    text = desk.prompt.turn.text.lower()
    most = budget(facts_now(desk.prompt))
    if most is None and _LEFT.search(text):
        most = _said_to_spend(desk)
    if most is None or not _OF_BUDGET.search(text):
        return Say("", cart=True)
    left = most - cents(desk.now.total or f"0.00 {desk.now.currency}")
    far = wording.money(abs(left), desk.now.currency)
    said = f"{far} is left of" if left >= 0 else f"Your cart is {far} above"
    return Say(f"{said} your budget of {wording.money(most, desk.now.currency)}.", cart=True)


def _said_to_spend(desk: Desk) -> int | None:
    """Return the money that was said to be there, now or before: "what is left of my 100"."""
    text = desk.prompt.turn.text.lower()
    if (named := _OUT_OF.search(text)) is not None:
        return 10_000 if named[1] == "hundred" else int(named[1]) * 100
    said = (turn.text.lower() for turn in reversed(desk.prompt.past))
    limits = (price_bounds(one)[1] for one in said if _TO_SPEND.search(one))
    return next((most for most in limits if most is not None), None)


_LEFT: Final = re.compile(r"\b(?:left|remain\w*)\b")
_OUT_OF: Final = re.compile(r"\b(?:of|from|out of) (?:my |the |our |those )?\$?(\d{1,6}|hundred)\b")
_TO_SPEND: Final = re.compile(
    r"\b(?:spend|budget|money|in total|altogether|all together|in all|for (?:everything|all|both"
    r"|the lot)|(?:i|we) have|(?:i|we)'?ve(?: got)?)\b"
)
_OF_BUDGET: Final = re.compile(r"\b(?:left|remain\w*|budget|limit|afford|within|over|spend)\b")


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
    if (unread := narrowed_by_colour(intent.item, desk)) is not None:
        return unread
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
    if _may_be_cut_off(intent.item, desk):
        (best,) = meaning.skus
        name = wording.one_line(desk.scene.name_of(best))
        told = f"Of those that I have shown, that is {name}; there may be more."
        return Say(told, question=ask_add(best, intent.quantity))
    if isinstance(intent.item, It) and len(meaning.skus) > 1:
        has_line = any(desk.scene.in_cart(sku) is not None for sku in meaning.skus)
        if has_line or intent.quantity > 1:
            seen = [row for sku in meaning.skus if (row := desk.scene.known.get(sku)) is not None]
            among = tuple(replace(row, number=n) for n, row in enumerate(seen, 1))
            return which(intent, Unclear("which", among=among), desk)
    there = (
        _again(intent, meaning, desk)
        or _there_already(intent, meaning, desk)
        or _too_many(meaning, intent.quantity, desk)
        or (in_no_such_size(meaning.skus[0], intent.quantity, desk) if _is_one(meaning) else None)
    )
    if there is not None:
        return there
    return changed([("add_to_cart", sku, intent.quantity) for sku in meaning.skus], desk)


def _is_one(meaning: Found) -> bool:
    return len(meaning.skus) == 1


def _may_be_cut_off(item: Reference, desk: Desk) -> bool:
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
_BACK: Final = re.compile(r"\b(?:back|again|after all|undo|do need|do want|yes)\b")


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
    points = isinstance(item, It | Nth | Extreme) or (isinstance(item, Named) and item.definite)
    line = desk.scene.in_cart(meaning.skus[0]) if len(meaning.skus) == 1 else None
    if not points or line is None or intent.quantity > 1 or intent.more:
        return None
    question = ask_add(line.sku)
    if desk.prompt.past and question_of(desk.prompt.past[-1]) == question:
        return None
    name = wording.one_line(line.name)
    return Say(f"{name} is in your cart already ({line.quantity} x).", question=question)


def _too_many(meaning: Found, wanted: int, desk: Desk, *, in_all: bool = False) -> Say | None:
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


def added(intent: Add, desk: Desk) -> Found | Unclear | Step:
    """Return the products that shall be added, or the step that finds out."""
    removed = desk.now.removed
    meaning = _added(intent, desk) or on_view(
        intent.item, desk.scene, intent.more, removed, sole=True
    )
    return _exact(meaning, intent, desk) if isinstance(meaning, Wanted) else meaning


def remove(intent: Remove, desk: Desk) -> Step:
    """Take out what is meant, or so many of it."""
    meaning = in_cart(intent.item, desk.scene, desk.now.currency)
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
        return changed([_less(line, fewer) for line in lines], desk)
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
            few = _too_many(Found((focus,)), intent.quantity, desk)
            question = ask_add(focus, max(1, intent.quantity))
            return few or Say(f"{name} is not in your cart yet.", question=question)
    if isinstance(meaning, Found):
        few = None if intent.double else _too_many(meaning, intent.quantity, desk, in_all=True)
        if few is not None:
            return few
        changes = []
        for sku in meaning.skus:
            line = desk.scene.in_cart(sku)
            there = line.quantity if line else 1
            changes.append(("set_quantity", sku, there * 2 if intent.double else intent.quantity))
        return changed(changes, desk)
    return not_there(intent, meaning, desk)


def clear(intent: ClearCart, desk: Desk) -> Step:
    """Take out every line."""
    if not desk.scene.cart:
        return Say(f"{wording.EMPTY_CART} already.")
    return changed([("remove_from_cart", line.sku, 0) for line in desk.scene.cart], desk)


def _less(line: Line, fewer: int | None) -> tuple[str, str, int]:
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
    if not isinstance(intent.item, Named) or not intent.again:
        return []
    # What came back in this turn is no longer among the removed, and is still what was meant.
    events = [cart_event(call.result) for call in desk.prompt.turn.calls]
    back = {event[1]: event[3] for event in events if event and event[0] == "+"}
    gone = {**desk.now.removed, **back}
    found = [sku for sku, name in gone.items() if matches(intent.item.words, name, sku)]
    return found[-1:]


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
        if meaning.by != "best" and len(found) >= MOST_HITS:
            # There may be more of them than a search gives.
            told = (
                f"Of the first {len(found)} that I find, the {meaning.by} is {wording.row(best)}."
            )
            return Say(told, question=ask_add(best.sku, intent.quantity))
        if meaning.by != "best":
            return Found((best.sku,))
        # It was never shown, and what is best for somebody no rating tells.
        question = ask_add(best.sku, intent.quantity)
        return Say(f"The best rated is {wording.row(best)}.", question=question)
    words = intent.item.words if isinstance(intent.item, Named) else ()
    named = [row for row in found if matches(words, row.name, row.sku)]
    if len(named) == 1 and any(map(is_a_name, words)):
        if stems(words) & _OF_THEIR_OWN - stems(named[0].name.split()):
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


_OF_THEIR_OWN: Final = frozenset(
    {"daypack", "quilt", "flask", "parka", "shell", "liner", "burner", "shoe", "vest"}
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
