"""Where a shopping thread can stand, and which tools the model is offered there."""

from __future__ import annotations

from state.flow import FlowTable

SHOPPING, BUYING, ORDERED, CANCELLING = "shopping", "buying", "ordered", "cancelling"

_AT_REST = (SHOPPING, ORDERED)
_LOOK = frozenset(
    {
        "search_products",
        "get_product",
        "get_reviews",
        "get_cart",
        "fetch_user_profile",
        "get_order",
        "list_orders",
    }
)
_ACT = frozenset(
    {
        "add_to_cart",
        "remove_from_cart",
        "set_quantity",
        "checkout",
        "cancel_order",
        "send_email",
    }
)

FLOW = FlowTable(
    start=SHOPPING,
    moves={
        **{(position, "cart.changed"): SHOPPING for position in _AT_REST},
        # The shop's page may fill the cart while the last purchase is still under way.
        **{(position, "checkout.opened"): BUYING for position in _AT_REST},
        (BUYING, "checkout.succeeded"): ORDERED,
        (BUYING, "checkout.failed"): SHOPPING,
        **{(position, "cancel_order.opened"): CANCELLING for position in _AT_REST},
        (CANCELLING, "cancel_order.succeeded"): SHOPPING,
        (CANCELLING, "cancel_order.failed"): SHOPPING,
    },
    offered={
        **dict.fromkeys(_AT_REST, _LOOK | _ACT),
        # While a plan is under way nothing may change what was approved.
        BUYING: _LOOK,
        CANCELLING: _LOOK,
    },
)
