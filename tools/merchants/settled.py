"""What becomes of carts and orders when a plan is over, or when a merchant shows what it did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.state.errors import ToolRefused
from daybook.state.ledger.plan import Action
from daybook.state.merchants import carts
from daybook.state.merchants.carts import cart_of, with_cart
from daybook.state.merchants.state import MerchantCart, MerchantOrder, OpenCheckout
from daybook.tools.domain import Change, State, Update
from daybook.tools.merchants.naming import ROUNDS, number_of
from daybook.tools.merchants.ucp.outcomes import OPEN

Facts = Mapping[str, Any]


def settled(state: State, action: Action) -> Update:
    """Bring carts and orders up to date with a plan that is over."""
    cart = cart_of(state["carts"], str(action.args["merchant"]))
    if cart is None:
        return {}
    match action.tool:
        case "open_checkout" if action.succeeded:
            return _kept(state, cart, _opened(cart, action))
        case "place_order" if action.succeeded:
            return _ordered(state, cart, action.step("complete").result or {})
        case "place_order" if cart.checkout is not None:
            return _kept(state, cart, _shown(cart.checkout, _declined(action)))
        case "cancel_checkout" if action.succeeded:
            return _kept(state, cart, None)
    return {}


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
        update, trigger = _ordered(state, cart, facts), "cart.changed"
        text = f"order {facts['order_id']} at {cart.merchant}, completed there"
    else:
        is_open = status in (*OPEN, "complete_in_progress")
        update, trigger = _kept(state, cart, _shown(known, facts) if is_open else None), ""
        text = f"checkout at {cart.merchant}: {status}"
    return Change(update=update, text=text, trigger=trigger)


def _kept(state: State, cart: MerchantCart, checkout: OpenCheckout | None) -> Update:
    changed = cart.model_copy(update={"checkout": checkout})
    return {"carts": with_cart(state["carts"], changed)}


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
    for attempt in reversed(action.step("complete").attempts):
        shown = attempt.detail.get("detail")
        if isinstance(shown, Mapping) and "status" in shown:
            return shown
    return {}


def _ordered(state: State, cart: MerchantCart, facts: Facts) -> Update:
    order = MerchantOrder(
        merchant=cart.merchant,
        order_id=str(facts["order_id"]),
        total=int(facts["total"]),
        currency=str(facts["currency"]),
        url=facts.get("order_url"),
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
