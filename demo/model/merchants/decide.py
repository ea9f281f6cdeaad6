"""Decide: which calls a turn needs next, or what its answer is. Pure: prompt in, reply out."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from daybook.demo.model.grammar.desk import Wish
from daybook.demo.model.grammar.dialogue import Reply
from daybook.demo.model.grammar.seen.prompt import Call, Prompt, Turn, read_prompt
from daybook.demo.model.merchants import saying
from daybook.demo.model.merchants.naming import meant
from daybook.demo.model.merchants.seen import (
    Cart,
    Hit,
    Now,
    choices_of,
    hits_of,
    listed,
    read_now,
    silent_of,
)
from daybook.demo.model.merchants.words import Act, Wanted, wanted
from daybook.demo.model.wire import Message

BUYS: Final = "search_catalog"
"""The tool by which this domain is told from the shop."""

_PLANS: Final = ("open_checkout", "place_order", "cancel_checkout")


def decide(messages: Sequence[Message], offered: Collection[str]) -> Reply:
    """Take the next decision of the turn; only tools that are offered are called."""
    prompt, now = read_prompt(messages), read_now(messages)
    chosen = _chosen(prompt)
    wish = wanted(prompt.turn.text)
    reply = chosen if chosen is not None else _step(wish, prompt, now)
    if any(one.tool not in offered for one in reply.wishes):
        return Reply(saying.BUSY)
    return reply


def _step(wish: Wanted, prompt: Prompt, now: Now) -> Reply:
    calls = prompt.turn.calls
    match wish.act:
        case Act.SEARCH:
            return _search(wish, calls)
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
        case Act.REFRESH:
            return _refresh(wish, calls, now)
        case Act.WALLET:
            return _looked("get_wallet", {}, calls)
        case Act.ORDERS:
            return _orders(calls, now)
        case Act.GREET:
            return Reply(saying.GREETING)
        case Act.THANK:
            return Reply(saying.WELCOME)
        case Act.UNKNOWN:
            return _unknown(wish, prompt, now)


def _search(wish: Wanted, calls: Sequence[Call]) -> Reply:
    if not wish.thing:
        return Reply(saying.WHAT)
    if not calls:
        return Reply("", (Wish("search_catalog", {"query": wish.thing}),))
    if (refused := _refusal(calls[-1])) is not None:
        return Reply(refused)
    found = hits_of(calls[-1])
    fitting = [hit for hit in found if wish.most is None or float(hit.price) <= wish.most]
    if found and not fitting:
        return Reply(saying.none_under(wish.thing, wish.most))
    # Numbers are those of the result: by them a person points at a row.
    numbered = [(found.index(hit) + 1, hit) for hit in fitting]
    return Reply(saying.hits(wish.thing, numbered, silent_of(calls[-1])))


def _add(wish: Wanted, prompt: Prompt, now: Now) -> Reply:
    calls = prompt.turn.calls
    if calls:
        refused = _refusal(calls[-1])
        return Reply(refused if refused is not None else saying.added(now, calls[-1].args))
    rows = listed(prompt.past)
    found = [hit for hit in meant(wish.thing, rows, _last(prompt.past)) if _fits(hit, wish)]
    if len(found) > 1:
        return Reply(saying.which(found))
    if not found:
        return _by_id(wish, rows, now, prompt)
    hit = found[0]
    return Reply("", (_adding(hit.merchant, hit.item_id, wish.quantity),))


def _by_id(wish: Wanted, rows: Sequence[Hit], now: Now, prompt: Prompt) -> Reply:
    """Add by the merchant's own id, where somebody names one and it is clear of which merchant."""
    known = _merchants(now, prompt)
    named = [one for one in known if wish.at and wish.at in one.lower()]
    is_id = " " not in wish.thing and any(sign.isdigit() for sign in wish.thing)
    if is_id and len(named or known) == 1:
        return Reply(
            "", (_adding((named or known)[0], _as_written(wish.thing, prompt), wish.quantity),)
        )
    if wish.thing and not rows:
        return Reply("", (Wish("search_catalog", {"query": wish.thing}),))
    return Reply(saying.not_found(wish.thing, rows))


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
        refused = _refusal(calls[-1])
        return Reply(refused if refused is not None else saying.carts(now))
    lines = [(cart, line) for cart in now.filled for line in cart.lines]
    found = meant(wish.thing, [line for _, line in lines], _last(prompt.past))
    places = [(cart, line) for cart, line in lines if line in found]
    if len(places) != 1:
        return Reply(saying.which_line(wish.thing, [line for _, line in places or lines]))
    cart, line = places[0]
    about: dict[str, Any] = {"merchant": cart.merchant, "item_id": line.item_id}
    if wish.act is Act.REMOVE or wish.quantity == 0:
        return Reply("", (Wish("remove_from_cart", about),))
    return Reply("", (Wish("set_quantity", {**about, "quantity": wish.quantity}),))


def _buy(wish: Wanted, calls: Sequence[Call], now: Now) -> Reply:
    if calls and calls[-1].tool in _PLANS:
        return _bought(calls, now)
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
        return Reply(refused)
    merchant = last.args.get("merchant", "")
    cart = next((one for one in now.filled if one.merchant == merchant), None)
    if last.tool == "open_checkout" and cart is not None and cart.status == "ready_for_complete":
        return Reply("", (Wish("place_order", {"merchant": merchant}),))
    return Reply(saying.outcome(last.result))


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


def _orders(calls: Sequence[Call], now: Now) -> Reply:
    if calls:
        return Reply(saying.looked(calls[-1].result))
    if not now.orders:
        return Reply(saying.NO_ORDERS)
    merchant, order_id = now.orders[-1].split(" ", 2)[:2]
    return Reply("", (Wish("get_order", {"merchant": merchant, "order_id": order_id}),))


def _looked(tool: str, args: dict[str, Any], calls: Sequence[Call]) -> Reply:
    if calls:
        return Reply(saying.looked(calls[-1].result))
    return Reply("", (Wish(tool, args),))


def _unknown(wish: Wanted, prompt: Prompt, now: Now) -> Reply:
    rows = listed(prompt.past)
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
    named = [cart for cart in carts if wish.at and wish.at in cart.merchant.lower()]
    if len(named or carts) == 1:
        return (named or carts)[0]
    return saying.which_merchant([cart.merchant for cart in carts])


def _merchants(now: Now, prompt: Prompt) -> list[str]:
    """Return the merchants that the conversation knows of."""
    told = [
        line.removeprefix("no answer of ").partition(": ")[0]
        for turn in (*prompt.past, prompt.turn)
        for call in turn.calls
        if call.tool == "search_catalog"
        for line in silent_of(call)
    ]
    hits = [hit.merchant for hit in listed(prompt.past)]
    return list(dict.fromkeys([*(cart.merchant for cart in now.carts), *hits, *told]))


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
        return call.result.partition(head)[2]
    return call.result if call.result.startswith(f"{call.tool} failed") else None
