"""The shop domain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.state.ledger.plan import Action
from daybook.state.ledger.recovery import StepState
from daybook.state.money import Money
from daybook.state.people.policy import Policy, Rule
from daybook.state.session import Session
from daybook.state.shop.brief import Brief
from daybook.state.shop.cart import Cart, cart_id
from daybook.state.shop.state import Checkout, OrderSeen, ShopState
from daybook.tools.builtin import forget, query_history, recall, remember
from daybook.tools.domain import Change, Domain, Prompt, State, Update
from daybook.tools.registry import Registry
from daybook.tools.shop import brief as briefs
from daybook.tools.shop import cart as carts
from daybook.tools.shop import catalog, effects, plans, prompt, reviewer
from daybook.tools.shop.history import VIEWS
from daybook.tools.shop.positions import FLOW, INTERVIEWER, SHOPPER
from daybook.tools.shop.services import ShopServices


def _initial(session: Session, turn_id: str, services: ShopServices) -> Update:
    cart = Cart(
        cart_id=cart_id(session.thread_id, turn_id, services.currency), currency=services.currency
    )
    return {"cart": cart, "checkout": Checkout(), "brief": Brief()}


def apply(state: State, event: Mapping[str, Any], turn_id: str) -> Change:
    """Apply an event of the cart or of the brief.

    Raises:
        ToolRefused: it is invalid, or cannot be applied now.
    """
    if event.get("type") in briefs.BRIEF_EVENTS:
        return briefs.apply(state, event, turn_id)
    return carts.apply(state, event, turn_id)


def carried(state: State, session: Session, turn_id: str) -> Update:
    """Take over cart, choices and brief; the cart gets a name of its own, to be bought once."""
    old: Cart = state["cart"]
    cart = Cart(
        cart_id=cart_id(session.thread_id, turn_id, old.currency),
        currency=old.currency,
        lines=old.lines,
        removed=old.removed,
    )
    brief: Brief = state.get("brief", Brief())
    return {
        "cart": cart,
        "checkout": state["checkout"],
        "brief": brief.model_copy(update={"wish": None}),
    }


def pauses(state: State) -> bool:
    """Tell whether there is something to check out or to cancel, for which a reviewer is asked."""
    checkout: Checkout = state["checkout"]
    return bool(state["cart"].lines) or any(one.status == "placed" for one in checkout.orders)


def settled(state: State, action: Action) -> Update:
    """Bring cart and checkout up to date with an action that is over."""
    seen: Checkout = state["checkout"]
    if action.tool == "checkout":
        chosen = {name: action.args[name] for name in ("card_id", "address_id")}
        if action.succeeded:
            orders = _orders(seen, action, prompt.order_of(action), "placed")
            emptied = _emptied(state["cart"], orders[-1].order_id)
            return {"cart": emptied, "checkout": Checkout(**chosen, orders=orders)}
        if action.step("charge").state is StepState.NEGATIVE:
            chosen["card_id"] = None
        return {"checkout": seen.model_copy(update=chosen)}
    if action.tool == "cancel_order" and action.succeeded:
        orders = _orders(seen, action, action.args["order_id"], "cancelled")
        return {"checkout": seen.model_copy(update={"orders": orders})}
    return {}


def _orders(seen: Checkout, action: Action, order_id: str, status: str) -> tuple[OrderSeen, ...]:
    """Return the orders of the thread, the one that an action was about last."""
    total = action.total
    assert total is not None
    one = OrderSeen(order_id=order_id, status=status, total=total.amount, currency=total.currency)
    return (*(other for other in seen.orders if other.order_id != one.order_id), one)


def _emptied(cart: Any, order_id: str) -> Cart:
    """Begin the next cart: named after the order that emptied the last one."""
    return Cart(
        cart_id=cart_id(cart.cart_id, order_id, cart.currency),
        currency=cart.currency,
        revision=cart.revision + 1,
        removed=cart.removed,
    )


POLICY = Policy(
    rules=(
        Rule(
            name="large refunds",
            tools=("refund_payment",),
            above=Money(amount=100_000, currency="USD"),
            approval="clerk",
        ),
    )
)
"""Who must approve what, where nothing else is set; each effect needs its customer at least.

Rules of a deployment stand in the file that DAYBOOK_POLICY names, and come before these."""

EXAMPLE = "I need waterproof hiking boots under 150"

SHOP = Domain(
    name="shop",
    state=ShopState,
    version=1,
    registry=Registry(
        offered=(
            catalog.search_products,
            catalog.get_product,
            catalog.get_reviews,
            reviewer.compare_reviews,
            catalog.list_categories,
            catalog.get_policy,
            catalog.get_cart,
            catalog.fetch_user_profile,
            catalog.get_order,
            catalog.list_orders,
            carts.add_to_cart,
            carts.remove_from_cart,
            carts.set_quantity,
            briefs.start_interview,
            briefs.note_brief,
            briefs.hand_over,
            recall,
            query_history,
            remember,
            forget,
            plans.checkout,
            plans.cancel_order,
            effects.send_email,
        ),
        steps=(
            effects.reserve_inventory,
            effects.release_inventory,
            effects.charge_payment,
            effects.refund_payment,
            effects.place_order,
            effects.cancel_order,
        ),
    ),
    flow=FLOW,
    policy=POLICY,
    agents=(SHOPPER, INTERVIEWER),
    bumps=carts.BUMPS,
    prompt=Prompt(
        system=prompt.SYSTEM, read=prompt.render_read, gist=prompt.gist, tail=prompt.tail
    ),
    initial=_initial,
    apply=apply,
    settled=settled,
    outcome=prompt.outcome,
    choices=catalog.addresses_in_words,
    hidden=carts.hidden,
    forgets=briefs.forgets,
    pauses=pauses,
    progress=prompt.progress,
    carried=carried,
    views=VIEWS,
    stand_in="daybook.demo.model",
    shows=carts.panels,
    greeting=f"Tell me what you are looking for, for example: {EXAMPLE}.",
    example=EXAMPLE,
    user="ada",
)
