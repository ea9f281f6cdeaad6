"""The step of a question about what was done: read from the conversation, and nothing is done."""

from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.desk import Desk, Say, Step, ended
from daybook.demo.model.grammar.language.intents.orders import OrderNews
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.words import NOUNS, fold
from daybook.demo.model.grammar.seen.prompt import Call
from daybook.demo.model.grammar.seen.results import cart_event
from daybook.demo.model.grammar.steps.buy import show_orders
from daybook.demo.model.grammar.steps.cart.changing import change_told

_NO_ORDER: Final = "No, nothing was ordered in this conversation."
_WORLD: Final = ("checkout", "cancel_order", "send_email")


def news(intent: OrderNews, desk: Desk) -> Step:
    """Say what became of what is asked for."""
    match intent.of:
        case "which":
            return show_orders(desk) if desk.now.orders else _placed(desk)
        case "cancelled":
            return _cancelled(desk)
        case "mailed":
            return _mailed(desk)
        case "done":
            return _last_done(desk)
        case "placed":
            return _placed(desk)


def _placed(desk: Desk) -> Say:
    if desk.now.pending:
        return Say(f"Not yet. Waiting: {desk.now.pending}.")
    last = _last(desk, "checkout")
    line = "" if last is None or _is_confirmed(last) else wording.ended("checkout", ended(last))
    waiting = _asked_of_the_cart(desk)
    if waiting:
        return Say(f"No: {waiting} is in your cart, and was not bought yet.", cart=True)
    if not desk.now.orders:
        return Say(line or _NO_ORDER, cart=bool(desk.now.cart))
    order = desk.now.orders[-1]
    yes = "Your" if line or order.status != "placed" else "Yes: your"
    said = f"{yes} last order is {order.order_id}, {order.status}, {order.total}."
    return Say(f"{line}\n\n{said}" if line else said, cart=bool(line))


def _asked_of_the_cart(desk: Desk) -> str:
    """Return the name of what is asked about, where it waits in the cart; "" where none does."""
    said = {fold(token.text) for token in tokens_of(desk.prompt.turn.text)} & NOUNS
    held = [line.name for line in desk.now.cart if said & set(map(fold, line.name.lower().split()))]
    return wording.one_line(held[0]) if len(held) == 1 else ""


def _cancelled(desk: Desk) -> Say:
    last = _last(desk, "cancel_order")
    if last is not None:
        said = wording.ended("cancel_order", ended(last))
        if _is_confirmed(last) or not desk.now.orders:
            return Say(said)
        order = desk.now.orders[-1]
        return Say(f"{said}\n\nYour last order is {order.order_id}, {order.status}, {order.total}.")
    if not desk.now.orders:
        return Say(f"{_NO_ORDER} So there is nothing to cancel or to refund.")
    order = desk.now.orders[-1]
    no = "No: your" if order.status == "placed" else "Your"
    return Say(f"{no} last order is {order.order_id}, {order.status}, {order.total}.")


def _mailed(desk: Desk) -> Say:
    last = _last(desk, "checkout", "send_email")
    if last is None:
        return Say("No mail was sent in this conversation.")
    return Say(wording.ended(last.tool, ended(last)))


def _last_done(desk: Desk) -> Say:
    """Say what the last turn that changed anything did."""
    for turn in reversed(desk.prompt.past):
        said = [
            wording.ended(call.tool, ended(call)) if call.tool in _WORLD else change_told(call)
            for call in turn.calls
            if call.tool in _WORLD or cart_event(call.result) is not None
        ]
        if said:
            return Say("\n".join(said), cart=True)
    return Say(f"I have changed nothing so far. {_NO_ORDER}", cart=True)


def _last(desk: Desk, *tools: str) -> Call | None:
    calls = [call for turn in desk.prompt.past for call in turn.calls if call.tool in tools]
    return calls[-1] if calls else None


def _is_confirmed(call: Call) -> bool:
    return ended(call).status == "confirmed"
