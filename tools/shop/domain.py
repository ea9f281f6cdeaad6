"""The shop domain, put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.state.ledger.plan import Action
from daybook.state.ledger.recovery import StepState
from daybook.state.session import Session
from daybook.state.shop.brief import Brief
from daybook.state.shop.cart import Cart, cart_id
from daybook.state.shop.state import Checkout, OrderSeen, ShopState
from daybook.tools.domain import Change, Domain, Prompt, State, Update
from daybook.tools.own.history import query_history
from daybook.tools.own.memory import forget, remember
from daybook.tools.own.recall import recall
from daybook.tools.registry import Registry
from daybook.tools.shop import plans
from daybook.tools.shop.agents import INTERVIEWER, SHOPPER
from daybook.tools.shop.offered import brief as brief_tools
from daybook.tools.shop.offered import cart as cart_tools
from daybook.tools.shop.offered import effects, reads, reviewer
from daybook.tools.shop.policy import POLICY
from daybook.tools.shop.positions import FLOW
from daybook.tools.shop.services import ShopServices
from daybook.tools.shop.spoken import prompt
from daybook.tools.shop.spoken.bumps import BUMPS, hidden
from daybook.tools.shop.spoken.history import VIEWS
from daybook.tools.shop.spoken.panels import panels


def _initial(session: Session, turn_id: str, services: ShopServices) -> Update:
    cart = Cart(
        cart_id=cart_id(session.thread_id, turn_id, services.currency), currency=services.currency
    )
    return {"cart": cart, "checkout": Checkout(), "brief": Brief()}


def apply(state: State, event: Mapping[str, Any], turn_id: str) -> Change:
    """Apply an event of the cart or of the brief.

    Raises:
        ToolRefused: it is none, or cannot be applied now.
    """
    if event.get("type") in brief_tools.BRIEF_EVENTS:
        return brief_tools.apply(state, event, turn_id)
    return cart_tools.apply(state, event, turn_id)


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
    """Tell whether there is something to check out or to cancel, for which a person is asked."""
    checkout: Checkout = state["checkout"]
    return bool(state["cart"].lines) or any(one.status == "placed" for one in checkout.orders)


def settled(state: State, action: Action) -> Update:
    """Bring cart and checkout up to date with an action that is over."""
    seen: Checkout = state["checkout"]
    if action.tool == "checkout":
        chosen = {"card_id": action.args["card_id"], "address_id": action.args["address_id"]}
        if not action.succeeded:
            declined = action.step("charge").state is StepState.NEGATIVE
            return {
                "checkout": seen.model_copy(
                    update={**chosen, **({"card_id": None} if declined else {})}
                )
            }
        assert action.total is not None
        placed = OrderSeen(
            order_id=prompt.order_of(action),
            status="placed",
            total=action.total.amount,
            currency=action.total.currency,
        )
        orders = (*(o for o in seen.orders if o.order_id != placed.order_id), placed)
        return {
            "cart": _emptied(state["cart"], placed.order_id),
            "checkout": Checkout(**chosen, orders=orders),
        }
    if action.tool == "cancel_order" and action.succeeded:
        assert action.total is not None
        cancelled = OrderSeen(
            order_id=action.args["order_id"],
            status="cancelled",
            total=action.total.amount,
            currency=action.total.currency,
        )
        rest = tuple(o for o in seen.orders if o.order_id != cancelled.order_id)
        return {"checkout": seen.model_copy(update={"orders": (*rest, cancelled)})}
    return {}


def _emptied(cart: Any, order_id: str) -> Cart:
    """Begin the next cart: named after the order that emptied the last one."""
    return Cart(
        cart_id=cart_id(cart.cart_id, order_id, cart.currency),
        currency=cart.currency,
        revision=cart.revision + 1,
        removed=cart.removed,
    )


EXAMPLE = "I need waterproof hiking boots under 150"

SHOP = Domain(
    name="shop",
    state=ShopState,
    version=1,
    registry=Registry(
        offered=(
            reads.search_products,
            reads.get_product,
            reads.get_reviews,
            reviewer.compare_reviews,
            reads.list_categories,
            reads.get_policy,
            reads.get_cart,
            reads.fetch_user_profile,
            reads.get_order,
            reads.list_orders,
            cart_tools.add_to_cart,
            cart_tools.remove_from_cart,
            cart_tools.set_quantity,
            brief_tools.start_interview,
            brief_tools.note_brief,
            brief_tools.hand_over,
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
    bumps=BUMPS,
    prompt=Prompt(
        system=prompt.SYSTEM, read=prompt.render_read, gist=prompt.gist, tail=prompt.tail
    ),
    initial=_initial,
    apply=apply,
    settled=settled,
    outcome=prompt.outcome,
    hidden=hidden,
    forgets=brief_tools.forgets,
    pauses=pauses,
    progress=prompt.progress,
    carried=carried,
    views=VIEWS,
    stand_in="daybook.demo.model",
    shows=panels,
    greeting=f"Tell me what you are looking for, for example: {EXAMPLE}.",
    example=EXAMPLE,
    user="ada",
)
