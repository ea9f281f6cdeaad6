"""What becomes of carts and orders when a plan is over, or when a merchant shows what it did."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from daybook.state.errors import ToolRefused
from daybook.state.ledger.plan import Action
from daybook.state.merchants import state as carts
from daybook.state.merchants.state import (
    MerchantCart,
    MerchantOrder,
    OpenCheckout,
    PerhapsOpen,
    cart_of,
    with_cart,
)
from daybook.state.money import in_units
from daybook.tools.domain import Change, State, Update
from daybook.tools.merchants.checkout import ROUNDS, number_of
from daybook.tools.merchants.ucp.checkout import IN_HAND, OPEN

Facts = Mapping[str, Any]


def settled(state: State, action: Action) -> Update:
    """Bring carts and orders up to date with a plan that is over."""
    cart = cart_of(state["carts"], str(action.args["merchant"]))
    if cart is None:
        return {}
    for found in _perhaps_open(action):
        cart = carts.with_perhaps_open(cart, found)
    known = {"carts": with_cart(state["carts"], cart)}
    return {**known, **_came_of({**state, **known}, cart, action)}


def _came_of(state: State, cart: MerchantCart, action: Action) -> Update:
    match action.tool:
        case "open_checkout" if action.succeeded:
            return _kept(state, cart, _opened(cart, action))
        case "place_order" if action.succeeded:
            return _ordered(state, cart, action.step("complete").result or {})
        case "place_order" if cart.checkout is not None:
            return _stands(state, cart, cart.checkout, _declined(action))
        case "cancel_checkout" if action.succeeded:
            return _kept(state, cart, None)
    return {}


_LIFETIME = timedelta(hours=6)
"""Of a session of which its merchant says nothing else, by the protocol."""


def _perhaps_open(action: Action) -> list[PerhapsOpen]:
    """Find what may be open by no name: each attempt at opening that has no answer.

    A merchant that honours keys opened one session, whose id the last answer told. Whether it does
    is its word, and no answer shows it.
    """
    return [
        PerhapsOpen(
            opening=step.step_id,
            count=len(lost),
            besides=step.result is not None,
            # They were opened before the one that is known, and run out before it.
            until=(step.result or {}).get("expires_at")
            or (max(one.settle_at for one in lost) + _LIFETIME).isoformat(timespec="seconds"),
        )
        for step in action.steps
        if step.tool == "open_session" and (lost := [one for one in step.attempts if one.is_open])
    ]


def refreshed(state: State, cart: MerchantCart, facts: Facts) -> Change:
    """Take up how a checkout stands at its merchant.

    Raises:
        ToolRefused: it is not the one that is open here.
    """
    known = cart.checkout
    if known is None or facts.get("checkout_id") != known.checkout_id:
        raise ToolRefused(f"That is not the checkout that is open at {cart.merchant}.")
    status = str(facts.get("status"))
    update: Update
    if status == "completed" and facts.get("order_id"):
        update, trigger = _ordered(state, cart, facts, placed_there=True), "cart.changed"
        text = f"order {facts['order_id']} at {cart.merchant}, completed there"
    else:
        update, trigger = _stands(state, cart, known, facts), ""
        text = f"checkout at {cart.merchant}: {status}"
    return Change(update=update, text=text, trigger=trigger)


def told(state: State, merchant: str, facts: Facts, newness: str) -> Change:
    """Take up what a merchant told of an order; what is older than what is known changes nothing.

    An order that is not known was placed at the merchant's own page, where its checkout is open
    here: it is taken up like one of our own.

    Raises:
        ToolRefused: it is of no checkout of this conversation.
    """
    order_id, cart = str(facts["order_id"]), cart_of(state["carts"], merchant)
    named = (merchant, order_id)
    known = [one for one in state["orders"] if (one.merchant, one.order_id) == named]
    if known and newness <= known[0].newness:
        return Change(update={}, text=f"order {order_id} at {merchant}: nothing new")
    update: Update = {"orders": state["orders"]}
    if not known:
        checkout = cart.checkout if cart is not None else None
        if cart is None or checkout is None or checkout.checkout_id != facts.get("checkout_id"):
            raise ToolRefused(f"The order {order_id} at {merchant} is of no checkout here.")
        placed = {**facts, "order_url": facts.get("url")}
        update = _ordered(state, cart, placed, placed_there=True)
    lines = told_lines(facts)
    changed = {"told": lines, "newness": newness}
    orders = tuple(
        one.model_copy(update=changed) if (one.merchant, one.order_id) == named else one
        for one in update["orders"]
    )
    text = f"order {order_id} at {merchant}: {'; '.join(lines) or 'it stands'}"
    return Change({**update, "orders": orders}, text, "" if known else "cart.changed")


_MOST_TOLD = 20


def told_lines(facts: Facts) -> tuple[str, ...]:
    """Write what a merchant told of an order, a line each: shipments, then refunds and the like."""
    code = str(facts["currency"])
    shipped = [(one["type"], one["at"][:10], one["text"]) for one in facts["events"]]
    adjusted = [
        (
            one["type"],
            f"of {in_units(abs(one['amount']), code)} {code}" if "amount" in one else "",
            one["status"],
            one["text"],
        )
        for one in facts["adjustments"]
    ]
    return tuple(" ".join(filter(None, one)) for one in [*shipped, *adjusted][-_MOST_TOLD:])


def _kept(
    state: State, cart: MerchantCart, checkout: OpenCheckout | None, ended: str = ""
) -> Update:
    changed = cart.model_copy(update={"checkout": checkout, "ended": ended})
    return {"carts": with_cart(state["carts"], changed)}


def _stands(state: State, cart: MerchantCart, known: OpenCheckout, facts: Facts) -> Update:
    """Take up how a checkout stands; one that is over at its merchant is open here no more."""
    if not facts or str(facts["status"]) in (*OPEN, IN_HAND):
        return _kept(state, cart, _shown(known, facts))
    said = "; ".join(str(one["text"] or one["code"]) for one in facts["messages"])
    return _kept(state, cart, None, f"{facts['status']}{f' ({said})' if said else ''}")


def _opened(cart: MerchantCart, action: Action) -> OpenCheckout:
    facts = action.step(ROUNDS[-1]).result or {}
    return _shown(
        OpenCheckout(
            checkout_id=str(facts["checkout_id"]),
            status="",
            total=0,
            currency=str(facts["currency"]),
            revision=cart.revision,
            address_id=action.args.get("address_id"),
            n=number_of(action.step(ROUNDS[-1]).op),
        ),
        facts,
    )


def _shown(known: OpenCheckout, facts: Facts) -> OpenCheckout:
    """Return a checkout as its merchant shows it; what it does not show stays."""
    if not facts:
        return known
    return known.model_copy(
        update={
            "status": str(facts["status"]),
            "total": int(facts["total"]),
            "currency": str(facts["currency"]),
            "expires_at": facts.get("expires_at"),
            "continue_url": facts.get("continue_url"),
            "messages": tuple(str(one["text"] or one["code"]) for one in facts["messages"]),
        }
    )


def _declined(action: Action) -> Facts:
    """Return how the checkout stood when its merchant said no; nothing where it did not."""
    step = action.step("complete")
    told = [one.detail for one in step.looks], [one.detail.get("detail") for one in step.attempts]
    for shown in (*reversed(told[0]), *reversed(told[1])):
        if isinstance(shown, Mapping) and "status" in shown:
            return shown
    return {}


def _ordered(
    state: State, cart: MerchantCart, facts: Facts, *, placed_there: bool = False
) -> Update:
    order = MerchantOrder(
        merchant=cart.merchant,
        order_id=str(facts["order_id"]),
        total=int(facts["total"]),
        currency=str(facts["currency"]),
        url=facts.get("order_url"),
        placed_there=placed_there,
    )
    before = tuple(
        one
        for one in state["orders"]
        if (one.merchant, one.order_id) != (order.merchant, order.order_id)
    )
    return {
        "carts": with_cart(state["carts"], carts.emptied(cart, order.order_id)),
        "orders": (*before, order),
    }
