"""The state of carts and orders after a plan has ended, or a merchant reported a change."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from daybook.state.errors import ToolRefused
from daybook.state.ledger.plan import Action
from daybook.state.ledger.step import Attempt
from daybook.state.merchants.state import (
    MerchantCart,
    MerchantOrder,
    OpenCheckout,
    PerhapsOpen,
    cart_of,
    emptied,
    open_at,
    with_cart,
    with_perhaps_open,
)
from daybook.state.money import Money
from daybook.tools.domain import Change, State, Update
from daybook.tools.merchants.checkout import ROUNDS, number_of
from daybook.tools.merchants.ucp.checkout import BROKEN, IN_HAND, OPEN

Facts = Mapping[str, Any]


# -- when a plan is over --------------------------------------------------------------------------


def settled(state: State, action: Action) -> Update:
    """Bring carts and orders up to date with a plan that is over."""
    cart = cart_of(state["carts"], str(action.args["merchant"]))
    if cart is None:
        return {}
    for found in _perhaps_open(action):
        cart = with_perhaps_open(cart, found)
    match action.tool:
        case "open_checkout" if action.succeeded:
            cart = _with_checkout(cart, _opened(cart, action))
        case "place_order" if action.succeeded:
            return _ordered(state, cart, action.step("complete").result or {})
        case "place_order" if cart.checkout is not None:
            cart = _standing(cart, cart.checkout, _declined(action))
        case "cancel_checkout" if action.succeeded:
            cart = _with_checkout(cart, None)
    return {"carts": with_cart(state["carts"], cart)}


_LIFETIME = timedelta(hours=6)
"""Of a session of which its merchant says nothing else, by the protocol."""


def _perhaps_open(action: Action) -> list[PerhapsOpen]:
    """Find what may be open by no name: each attempt at opening without an answer that names it.

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
        if step.tool == "open_session"
        and (lost := [one for one in step.attempts if one.is_open or _is_broken(one)])
    ]


def _is_broken(attempt: Attempt) -> bool:
    """Tell whether a checkout was opened of which nothing can be used."""
    return attempt.detail.get("code") == BROKEN


def _opened(cart: MerchantCart, action: Action) -> OpenCheckout:
    step = action.step(ROUNDS[-1])
    facts = step.result or {}
    return OpenCheckout(
        checkout_id=facts["checkout_id"],
        revision=cart.revision,
        address_id=action.args.get("address_id"),
        discount_codes=tuple(action.args.get("discount_codes") or ()),
        delivery_options=tuple(action.args.get("delivery_options") or ()),
        n=number_of(step.op),
        **_shown_in(facts),
    )


def _declined(action: Action) -> Facts:
    """Return how the checkout stood when its merchant said no; nothing if it did not."""
    step = action.step("complete")
    looks = [one.detail for one in step.looks]
    answers = [one.detail.get("detail") for one in step.attempts]
    for shown in (*reversed(looks), *reversed(answers)):
        if isinstance(shown, Mapping) and "status" in shown:
            return shown
    return {}


# -- when a merchant shows what it did ------------------------------------------------------------


def refreshed(state: State, merchant: str, facts: Facts) -> Change:
    """Take up how a checkout stands at its merchant.

    Raises:
        ToolRefused: it is not the one that is open here.
    """
    cart, known = open_at(state["carts"], merchant)
    if facts.get("checkout_id") != known.checkout_id:
        raise ToolRefused(f"This is not the open checkout at {merchant}.")
    if facts["status"] == "completed" and facts.get("order_id"):
        update = _ordered(state, cart, facts, placed_there=True)
        text = f"order {facts['order_id']} at {merchant}, completed there"
        return Change(update=update, text=text, trigger="cart.changed")
    update = {"carts": with_cart(state["carts"], _standing(cart, known, facts))}
    return Change(update=update, text=f"checkout at {merchant}: {facts['status']}")


def apply_event(state: State, merchant: str, facts: Facts) -> Change:
    """Take up what a merchant told of an order; what is older than what is known changes nothing.

    An order that is not known was placed at the merchant's own page, where its checkout is open
    here: it is taken up like one of our own.

    Raises:
        ToolRefused: it is of no checkout of this conversation.
    """
    order_id, newness = str(facts["order_id"]), str(facts["newness"])
    known = next((one for one in state["orders"] if one.is_the(merchant, order_id)), None)
    update: Update = {"orders": state["orders"]}
    if known is None:
        cart, checkout = open_at(state["carts"], merchant)
        if checkout.checkout_id != facts.get("checkout_id"):
            raise ToolRefused(f"The order {order_id} at {merchant} belongs to no checkout here.")
        placed = {**facts, "order_url": facts.get("url")}
        update = _ordered(state, cart, placed, placed_there=True)
    elif newness <= known.newness:
        return Change(update={}, text=f"order {order_id} at {merchant}: nothing new")
    lines = tuple(facts["told"])
    orders = tuple(
        one.model_copy(update={"told": lines, "newness": newness})
        if one.is_the(merchant, order_id)
        else one
        for one in update["orders"]
    )
    text = f"order {order_id} at {merchant}: {'; '.join(lines) or 'it stands'}"
    return Change({**update, "orders": orders}, text, "" if known else "cart.changed")


# -- both -----------------------------------------------------------------------------------------


def _with_checkout(
    cart: MerchantCart, checkout: OpenCheckout | None, ended: str = ""
) -> MerchantCart:
    return cart.model_copy(update={"checkout": checkout, "ended": ended})


def _standing(cart: MerchantCart, known: OpenCheckout, facts: Facts) -> MerchantCart:
    """Take up how a checkout stands; one that is over at its merchant is open here no more."""
    if not facts:
        return _with_checkout(cart, known)
    if facts["status"] in (*OPEN, IN_HAND):
        return _with_checkout(cart, known.model_copy(update=_shown_in(facts)))
    said = "; ".join(_said_in(facts))
    return _with_checkout(cart, None, f"{facts['status']}{f' ({said})' if said else ''}")


def _shown_in(facts: Facts) -> dict[str, Any]:
    """Return what an open checkout is made of by what its merchant shows."""
    return {
        "status": facts["status"],
        "total": Money(amount=facts["total"], currency=facts["currency"]),
        "sums": tuple(facts["sums"]),
        "expires_at": facts.get("expires_at"),
        "continue_url": facts.get("continue_url"),
        "messages": _said_in(facts),
        "delivery": tuple(facts.get("delivery", ())),
        "offered": tuple(facts.get("offered", ())),
        "is_stuck": bool(facts.get("is_stuck")),
    }


def _said_in(facts: Facts) -> tuple[str, ...]:
    return tuple(str(one["text"] or one["code"]) for one in facts["messages"])


def _ordered(
    state: State, cart: MerchantCart, facts: Facts, *, placed_there: bool = False
) -> Update:
    order = MerchantOrder(
        merchant=cart.merchant,
        order_id=str(facts["order_id"]),
        total=Money(amount=facts["total"], currency=facts["currency"]),
        url=facts.get("order_url"),
        placed_there=placed_there,
    )
    before = [one for one in state["orders"] if not one.is_the(order.merchant, order.order_id)]
    return {
        "carts": with_cart(state["carts"], emptied(cart, order.order_id)),
        "orders": (*before, order),
    }
