"""Decide: which calls a turn needs next, or what its answer is. Pure: prompt in, reply out."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final

from daybook.demo.model.grammar.desk import Wish
from daybook.demo.model.grammar.dialogue import Reply
from daybook.demo.model.grammar.seen.prompt import Call, Prompt, Turn, read_prompt
from daybook.demo.model.merchants import saying
from daybook.demo.model.merchants.naming import is_it, is_place, meant
from daybook.demo.model.merchants.seen import (
    Cart,
    Hit,
    Now,
    choices_of,
    hits_of,
    listed,
    read_now,
    shops,
    silent_of,
    there_is,
)
from daybook.demo.model.merchants.words import Act, Wanted, wanted
from daybook.demo.model.wire import Message

BUYS: Final = "search_catalog"
"""The tool by which this domain is told from the shop."""

_PLANS: Final = ("open_checkout", "place_order", "cancel_checkout")


def decide(messages: Sequence[Message], offered: Collection[str]) -> Reply:
    """Take the next decision of the turn; only tools that are offered are called."""
    prompt, now = _reopened(read_prompt(messages)), read_now(messages)
    chosen = _chosen(prompt)
    wish = _meant(wanted(prompt.turn.text), prompt, now)
    reply = chosen or _list_again(wish, prompt) or _step(wish, prompt, now)
    if any(one.tool not in offered for one in reply.wishes):
        return Reply(saying.BUSY)
    return reply


def _step(wish: Wanted, prompt: Prompt, now: Now) -> Reply:
    calls = prompt.turn.calls
    if calls and calls[-1].tool in _PLANS:
        # Whatever was said: the plan is what it came to, and its words may stand here no more.
        return _bought(calls, now)
    match wish.act:
        case Act.SEARCH:
            return _search(wish, prompt, now)
        case Act.CHEAPER:
            return _cheaper(wish, prompt, now)
        case Act.ADD:
            return _add(wish, prompt, now)
        case Act.REMOVE | Act.SET:
            return _change(wish, prompt, now)
        case Act.CARTS:
            return Reply(saying.carts(now))
        case Act.BUY:
            return _buy(wish, calls, now)
        case Act.CANCEL:
            return _cancel(wish, calls, now)
        case Act.STOP:
            return _stop(wish, calls, now)
        case Act.REFRESH:
            return _refresh(wish, calls, now)
        case Act.WALLET:
            return _wallet(calls)
        case Act.ORDERS:
            return Reply(saying.orders(now))
        case Act.TRACK:
            return _track(calls, now)
        case Act.YES:
            return _yes(prompt, now)
        case Act.NO:
            return Reply(saying.ALL_RIGHT)
        case Act.GREET:
            return Reply(saying.GREETING)
        case Act.THANK:
            return Reply(saying.WELCOME)
        case Act.UNKNOWN:
            return _unknown(wish, prompt, now)


def _reopened(prompt: Prompt) -> Prompt:
    """Take a list that was opened again in this turn for one that was shown before it."""
    again = [call for call in prompt.turn.calls if call.tool == "recall"]
    others = [call for call in prompt.turn.calls if call.tool != "recall"]
    turn = replace(prompt.turn, calls=others)
    return replace(prompt, past=(*([Turn("", again)] if again else []), *prompt.past), turn=turn)


def _list_again(wish: Wanted, prompt: Prompt) -> Reply | None:
    """Open the last list again, where somebody points at it and it stands here no more."""
    is_pointed = is_place(wish.thing) or is_it(wish.thing)
    points = (
        (wish.act in (Act.ADD, Act.SEARCH, Act.UNKNOWN) and is_pointed)
        or (wish.act is Act.CHEAPER and not wish.thing)
        or (wish.act is Act.UNKNOWN and wish.most is not None)
    )
    before = [one.handle for one in prompt.digest.reads if one.tool == BUYS and shops(one.about)]
    was_opened = _is_reopened(prompt)
    if not points or not before or was_opened or prompt.turn.calls or listed(prompt.past):
        return None
    return Reply("", (Wish("recall", {"handle": before[-1]}),))


def _is_reopened(prompt: Prompt) -> bool:
    """Tell whether the list is one that was opened again: it may not be the one that is meant."""
    return any(call.tool == "recall" for turn in prompt.past[:1] for call in turn.calls)


def _meant(wish: Wanted, prompt: Prompt, now: Now) -> Wanted:
    """Take the name of a merchant for the answer to the question which one is meant."""
    if wish.act is not Act.UNKNOWN or not prompt.past:
        return wish
    before, name = prompt.past[-1], wish.thing.removeprefix("at ").strip()
    named = [cart.merchant for cart in now.filled if name and name in cart.merchant.lower()]
    if saying.AT_WHICH in before.answer and len(named) == 1:
        return replace(wanted(before.text), at=named[0].lower())
    return wish


def _search(wish: Wanted, prompt: Prompt, now: Now) -> Reply:
    calls = prompt.turn.calls
    if not wish.thing:
        return Reply(saying.WHAT)
    if not calls:
        rows = listed(prompt.past)
        if is_place(wish.thing):
            # Said of a list: nobody looks for "the third".
            found = meant(wish.thing, rows)
            return Reply(saying.shall_i(found[0]) if found else saying.not_found("", rows))
        return Reply("", (_looking(wish, prompt, now),))
    if (refused := _refusal(calls[-1])) is not None:
        return Reply(refused)
    return _found(wish, calls[-1])


def _looking(wish: Wanted, prompt: Prompt, now: Now) -> Wish:
    """Look everywhere, or at the merchant that is named: whether there is one, the tool knows."""
    known = [one for one in _merchants(now, prompt) if wish.at and wish.at in one.lower()]
    at = {"merchant": known[0] if len(known) == 1 else wish.at} if wish.at else {}
    return Wish("search_catalog", {"query": wish.thing, **at})


def _found(wish: Wanted, call: Call) -> Reply:
    found = hits_of(call)
    fitting = [hit for hit in found if wish.most is None or float(hit.price) <= wish.most]
    if found and not fitting:
        return Reply(saying.none_under(wish.thing, wish.most))
    if wish.act is Act.CHEAPER:
        fitting.sort(key=_price)
    return Reply(saying.hits(wish.thing, fitting, silent_of(call)))


def _cheaper(wish: Wanted, prompt: Prompt, now: Now) -> Reply:
    """Show what costs less: of what was named, or of the list that was shown last."""
    if wish.thing:
        return _search(wish, prompt, now)
    rows = listed(prompt.past)
    if not rows:
        return Reply(saying.NO_LIST)
    than = next((row for row in rows if row.item_id == _last(prompt.past)), None)
    fitting = [
        row
        for row in rows
        if (than is None or (row.currency == than.currency and _costs(row) < _costs(than)))
        and (wish.most is None or _costs(row) <= wish.most)
    ]
    return Reply(saying.cheaper(sorted(fitting, key=_price), than))


def _price(hit: Hit) -> tuple[str, float]:
    # Prices in several currencies cannot be compared: they stand one currency after the other.
    return hit.currency, _costs(hit)


def _costs(hit: Hit) -> float:
    return float(hit.price)


def _add(wish: Wanted, prompt: Prompt, now: Now) -> Reply:
    calls, rows = prompt.turn.calls, listed(prompt.past)
    if calls:
        refused = _refusal(calls[-1])
        if refused is None and calls[-1].tool == "search_catalog":
            return _found(wish, calls[-1])
        return Reply(refused if refused is not None else saying.added(now, calls[-1].args))
    found = [hit for hit in meant(wish.thing, rows, _last(prompt.past)) if _fits(hit, wish)]
    if len(found) > 1:
        return Reply(saying.which(found))
    if not found:
        return _by_id(wish, rows, now, prompt)
    hit = found[0]
    if _is_reopened(prompt):
        return Reply(saying.shall_i(hit))
    return Reply("", (_adding(hit.merchant, hit.item_id, wish.quantity),))


def _by_id(wish: Wanted, rows: Sequence[Hit], now: Now, prompt: Prompt) -> Reply:
    """Add by the merchant's own id, where somebody names one and it is clear of which merchant."""
    known = _merchants(now, prompt)
    named = [one for one in known if wish.at and wish.at in one.lower()]
    is_id = " " not in wish.thing and re.search(r"[a-z].*\d|\d.*[a-z]|\d{3}", wish.thing)
    # Whether there is a merchant of that name, the tool knows.
    at = (named or [wish.at]) if wish.at else known
    if is_id and len(at) == 1:
        return Reply("", (_adding(at[0], _as_written(wish.thing, prompt), wish.quantity),))
    if is_id and len(at) > 1:
        return Reply(saying.which_merchant(at))
    is_elsewhere = bool(wish.at) and not named
    if (
        wish.thing
        and (not rows or is_elsewhere)
        and not is_place(wish.thing)
        and not is_it(wish.thing)
    ):
        return Reply("", (_looking(wish, prompt, now),))
    return Reply(saying.not_found(wish.thing, rows))


def _stranger(wish: Wanted, prompt: Prompt, now: Now) -> Reply | None:
    """Say that nobody of that name is known, where something is to be had or done there."""
    known = _merchants(now, prompt)
    in_titles = any(wish.at in hit.title.lower() for hit in listed(prompt.past))
    if not known or in_titles or any(wish.at in one.lower() for one in known):
        return None
    return Reply(saying.unknown_merchant(wish.at, known))


def _as_written(item_id: str, prompt: Prompt) -> str:
    """Spell an id as its person did: merchants tell capitals apart."""
    words = prompt.turn.text.split()
    return next(
        (word.strip(".,!?") for word in words if word.lower().strip(".,!?") == item_id), item_id
    )


def _adding(merchant: str, item_id: str, quantity: int | None) -> Wish:
    return Wish(
        "add_to_cart", {"merchant": merchant, "item_id": item_id, "quantity": quantity or 1}
    )


def _change(wish: Wanted, prompt: Prompt, now: Now) -> Reply:
    calls = prompt.turn.calls
    if calls:
        refused, call = _refusal(calls[-1]), calls[-1]
        if refused is None and call.tool == "remove_from_cart":
            return Reply(saying.removed(now, _title(call, prompt)))
        return Reply(refused if refused is not None else saying.carts(now))
    if wish.at and (stranger := _stranger(wish, prompt, now)):
        return stranger
    lines = [
        (cart, line)
        for cart in now.filled
        for line in cart.lines
        if not wish.at or wish.at in cart.merchant.lower() or wish.at in line.title.lower()
    ]
    found = meant(wish.thing, [line for _, line in lines], _last(prompt.past))
    places = [(cart, line) for cart, line in lines if line in found]
    if len(places) != 1:
        listed_now = [line for _, line in places or lines]
        is_some = bool(places) or is_it(wish.thing)
        return Reply(saying.which_line(wish.thing, listed_now, is_some=is_some))
    cart, line = places[0]
    about: dict[str, Any] = {"merchant": cart.merchant, "item_id": line.item_id}
    if wish.act is Act.REMOVE or wish.quantity == 0:
        return Reply("", (Wish("remove_from_cart", about),))
    return Reply("", (Wish("set_quantity", {**about, "quantity": wish.quantity}),))


def _buy(wish: Wanted, calls: Sequence[Call], now: Now) -> Reply:
    cart = _cart(wish, now)
    if isinstance(cart, str):
        return Reply(cart)
    if cart.status == "ready_for_complete" and not cart.is_stale:
        return Reply("", (Wish("place_order", {"merchant": cart.merchant}),))
    if cart.link:
        return Reply(saying.go_on_at(cart))
    return Reply("", (Wish("open_checkout", {"merchant": cart.merchant}),))


def _bought(calls: Sequence[Call], now: Now) -> Reply:
    """Go on after a plan: an open checkout is ordered where it is ready; else its state is said."""
    last = calls[-1]
    if (refused := _refusal(last)) is not None:
        before = [saying.outcome(one.result) for one in calls[:-1] if one.tool in _PLANS]
        return Reply("\n".join([*before, refused]))
    merchant = last.args.get("merchant", "")
    cart = next((one for one in now.filled if one.merchant == merchant), None)
    if last.tool == "open_checkout" and cart is not None and cart.status == "ready_for_complete":
        return Reply("", (Wish("place_order", {"merchant": merchant}),))
    plans = [call.result for call in calls if call.tool in _PLANS]
    return Reply("\n".join(map(saying.outcome, plans)))


def _stop(wish: Wanted, calls: Sequence[Call], now: Now) -> Reply:
    """Cancel what is under way: an open checkout. What is ordered is its merchant's."""
    is_order = "order" in wish.thing or "refund" in wish.thing
    if calls or (any(one.status for one in now.filled) and not (is_order and now.orders)):
        return _cancel(wish, calls, now)
    return Reply(saying.cannot_cancel(now) if now.orders else saying.nothing_to_cancel(now))


def _cancel(wish: Wanted, calls: Sequence[Call], now: Now) -> Reply:
    if calls:
        refused = _refusal(calls[-1])
        return Reply(refused if refused is not None else saying.outcome(calls[-1].result))
    cart = _cart(wish, Now(tuple(one for one in now.filled if one.status)))
    if isinstance(cart, str):
        return Reply(saying.NOTHING_OPEN if not any(c.status for c in now.filled) else cart)
    return Reply("", (Wish("cancel_checkout", {"merchant": cart.merchant}),))


def _refresh(wish: Wanted, calls: Sequence[Call], now: Now) -> Reply:
    if calls:
        refused = _refusal(calls[-1])
        return Reply(refused if refused is not None else saying.outcome(calls[-1].result))
    cart = _cart(wish, Now(tuple(one for one in now.filled if one.status)))
    if isinstance(cart, str):
        return Reply(saying.NOTHING_OPEN)
    return Reply("", (Wish("refresh_checkout", {"merchant": cart.merchant}),))


def _track(calls: Sequence[Call], now: Now) -> Reply:
    if calls:
        refused = _refusal(calls[-1])
        return Reply(refused if refused is not None else saying.order(calls[-1].result))
    if not now.orders:
        return Reply(saying.NO_ORDERS)
    merchant, order_id = now.orders[-1].split(" ", 2)[:2]
    return Reply("", (Wish("get_order", {"merchant": merchant, "order_id": order_id}),))


def _wallet(calls: Sequence[Call]) -> Reply:
    if calls:
        refused = _refusal(calls[-1])
        return Reply(refused if refused is not None else saying.wallet(calls[-1].result))
    return Reply("", (Wish("get_wallet", {}),))


def _yes(prompt: Prompt, now: Now) -> Reply:
    """Take yes for the answer to the offer that was just made, and to nothing else."""
    calls = prompt.turn.calls
    if calls:
        refused = _refusal(calls[-1])
        return Reply(refused if refused is not None else saying.added(now, calls[-1].args))
    offered = saying.OFFER.match(prompt.past[-1].answer) if prompt.past else None
    if offered is not None:
        return Reply("", (_adding(offered["merchant"], offered["item_id"], 1),))
    return Reply(saying.NOTHING_ASKED)


def _unknown(wish: Wanted, prompt: Prompt, now: Now) -> Reply:
    rows = listed(prompt.past)
    if wish.most is not None and not wish.thing and rows:
        return _cheaper(wish, prompt, now)
    found = meant(wish.thing, rows)
    if wish.thing and len(found) == 1:
        return Reply(saying.shall_i(found[0]))
    return Reply(saying.NOT_UNDERSTOOD)


def _chosen(prompt: Prompt) -> Reply | None:
    """Go on with a plan that wanted a choice, where the person has just made it."""
    last = next((turn.calls[-1] for turn in reversed(prompt.past) if turn.calls), None)
    if last is None or prompt.turn.calls or not prompt.past or prompt.past[-1].calls[-1:] != [last]:
        return None
    said = prompt.turn.text.lower()
    named = [
        one
        for one, label in choices_of(last).items()
        if one.lower() in said or label.lower() in said
    ]
    if len(named) != 1:
        return None
    wanted_for = "address_id" if last.tool == "open_checkout" else "instrument_id"
    return Reply("", (Wish(last.tool, {**last.args, wanted_for: named[0]}),))


def _cart(wish: Wanted, now: Now) -> Cart | str:
    """Return the cart that is meant, or the question which."""
    carts = now.filled
    named = [cart for cart in carts if wish.at in cart.merchant.lower()] if wish.at else carts
    if len(named) == 1:
        return named[0]
    if wish.at and carts and not named:
        return saying.unknown_merchant(wish.at, [cart.merchant for cart in carts])
    return saying.which_merchant([cart.merchant for cart in carts])


def _merchants(now: Now, prompt: Prompt) -> list[str]:
    """Return the merchants that the conversation knows of."""
    searches = [
        call for turn in (*prompt.past, prompt.turn) for call in turn.calls if call.tool == BUYS
    ]
    silent = [
        line.removeprefix("no answer of ").partition(": ")[0]
        for call in searches
        for line in silent_of(call)
    ]
    refused = [name for call in searches for name in there_is(call)]
    before = [name for one in prompt.digest.reads if one.tool == BUYS for name in shops(one.about)]
    hits = [hit.merchant for call in searches for hit in hits_of(call)]
    hits += [hit.merchant for hit in listed(prompt.past)]
    known = [*(cart.merchant for cart in now.carts), *hits, *before, *silent, *refused]
    return list(dict.fromkeys(known))


def _fits(hit: Hit, wish: Wanted) -> bool:
    return not wish.at or wish.at in hit.merchant.lower() or wish.at in hit.title.lower()


def _last(past: Sequence[Turn]) -> str:
    """Return the id of what was put into a cart or changed there last."""
    ids = [call.args.get("item_id", "") for turn in past for call in turn.calls]
    return next((one for one in reversed(ids) if one), "")


def _refusal(call: Call) -> str | None:
    """Return the words with which a call was refused; None where it was not."""
    head = f"{call.tool} refused: "
    if head in call.result:
        return saying.refused(call.result.partition(head)[2])
    if not call.result.startswith(f"{call.tool} failed"):
        return None
    return saying.refused(call.result.partition(": ")[2] or call.result)


def _title(call: Call, prompt: Prompt) -> str:
    """Name what a call was about: by its title where a list showed it."""
    item_id = str(call.args.get("item_id", ""))
    return next((hit.title for hit in listed(prompt.past) if hit.item_id == item_id), item_id)
