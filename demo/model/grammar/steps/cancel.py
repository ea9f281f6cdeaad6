"""The step of a cancellation: which order is meant, and its cancelling."""

from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar import wording
from daybook.demo.model.grammar.desk import Desk, Say, Step, ended, refused
from daybook.demo.model.grammar.language.intents.orders import CancelOrder
from daybook.demo.model.grammar.seen.ordered import ASK_WHICH_ORDER, Ordered, asks_latest, told
from daybook.demo.model.grammar.seen.prompt import Turn
from daybook.demo.model.grammar.seen.scene import matches

_NONE: Final = "You have no order that could be cancelled."


def cancel(intent: CancelOrder, desk: Desk) -> Step:
    """Cancel the order that was named, else the one that was spoken of, else the latest.

    Where this conversation knows of none, the orders are listed first.
    """
    call = desk.take("cancel_order")
    if call is not None:
        return Say(wording.ended("cancel_order", ended(call)))
    if not (intent.goods or intent.some):
        spoken = order_spoken_of(desk)
        if intent.vague and not spoken and not _listed_last(desk):
            return Say("What shall I cancel? Say “cancel my last order”, or “clear the cart”.")
        order_id = intent.order_id or spoken or latest(desk, "placed")
        if order_id is not None:
            return _cancelled(order_id, intent, desk)
    found = orders_listed(desk)
    if not isinstance(found, list):
        return found
    return _among([order for order in found if order.status == "placed"], intent, desk)


def orders_listed(desk: Desk) -> Step | list[Ordered]:
    """Return all orders, oldest first, once they were listed in this turn."""
    listed = [call for call in desk.prompt.turn.calls if call.tool == "list_orders"]
    if not listed and "list_orders" in desk.offered:
        return desk.ask_for("list_orders")
    sentence = refused(listed[-1]) if listed else ""
    if sentence:
        return Say(wording.passed_on("list_orders", sentence))
    return told(listed, desk.now)


def order_spoken_of(desk: Desk) -> str | None:
    """Return the order that the last turn was about, if it was about one."""
    last = desk.prompt.past[-1] if desk.prompt.past else Turn("")
    for call in reversed(last.calls):
        if call.tool in ("get_order", "cancel_order"):
            named = call.args.get("order_id")
            return named.upper() if isinstance(named, str) else None
        if call.tool == "list_orders":
            return latest(desk, "placed")
        if call.tool == "checkout" and ended(call).status == "confirmed":
            return latest(desk, "placed")
    return None


def latest(desk: Desk, status: str = "") -> str | None:
    """Return the newest order, of this status if one is given; the newest stands last."""
    found = [o.order_id for o in desk.now.orders if not status or o.status == status]
    return found[-1] if found else None


def _cancelled(order_id: str, intent: CancelOrder, desk: Desk) -> Step:
    known = {order.order_id: order.status for order in desk.now.orders}
    if known.get(order_id) == "cancelled":
        return Say(f"The order {order_id} is cancelled already.")
    return desk.ask_for("cancel_order", order_id=order_id, reason=intent.reason or None)


def _among(placed: Sequence[Ordered], intent: CancelOrder, desk: Desk) -> Step:
    """Cancel the one order that can be meant; ask where there are several."""
    meant = [order for order in placed if _holds(order, intent.goods, desk)]
    if len(meant) == 1:
        return _cancelled(meant[0].order_id, intent, desk)
    if meant and not (intent.goods or intent.some) and asks_latest(desk.prompt.turn.text):
        return _cancelled(meant[-1].order_id, intent, desk)
    words = wording.one_line(" ".join(intent.goods))
    missed = f"None of your orders that could be cancelled has “{words}” in it."
    if not placed:
        return Say(missed if intent.goods else _NONE)
    rows = wording.orders(
        (one.order_id, one.status, one.total, *([one.lines] if one.lines else []))
        for one in meant or placed
    )
    head = "" if meant else f"{missed}\n\n"
    return Say(f"{head}Your orders that can be cancelled:\n\n{rows}", question=ASK_WHICH_ORDER)


def _holds(order: Ordered, goods: Sequence[str], desk: Desk) -> bool:
    return not goods or any(matches(goods, desk.scene.name_of(sku), sku) for sku in order.skus)


def _listed_last(desk: Desk) -> bool:
    last = desk.prompt.past[-1] if desk.prompt.past else Turn("")
    listed = [call for call in last.calls if call.tool == "list_orders"]
    return any(order.status == "placed" for order in told(listed, desk.now) if listed)
