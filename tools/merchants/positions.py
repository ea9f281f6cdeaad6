"""Where a thread that buys from merchants can stand, and which tools the model is offered there."""

from __future__ import annotations

from daybook.state.flow import FlowTable

CHOOSING, OPENING, ORDERING, CANCELLING = "choosing", "opening", "ordering", "cancelling"

_LOOK = frozenset(
    {
        "search_catalog",
        "get_item",
        "get_carts",
        "get_wallet",
        "get_checkout",
        "get_order",
        "list_orders",
        "recall",
        "query_history",
    }
)
_ACT = frozenset(
    {
        "add_to_cart",
        "remove_from_cart",
        "set_quantity",
        "refresh_checkout",
        "open_checkout",
        "place_order",
        "cancel_checkout",
        "remember",
        "forget",
    }
)
_PLANS = {"open_checkout": OPENING, "place_order": ORDERING, "cancel_checkout": CANCELLING}

FLOW = FlowTable(
    start=CHOOSING,
    moves={
        **{
            (position, "cart.changed"): position
            for position in (CHOOSING, OPENING, ORDERING, CANCELLING)
        },
        **{(CHOOSING, f"{plan}.opened"): at for plan, at in _PLANS.items()},
        **{(at, f"{plan}.succeeded"): CHOOSING for plan, at in _PLANS.items()},
        **{(at, f"{plan}.failed"): CHOOSING for plan, at in _PLANS.items()},
    },
    offered={
        CHOOSING: _LOOK | _ACT,
        # While a plan is under way nothing may change what was approved.
        OPENING: _LOOK,
        ORDERING: _LOOK,
        CANCELLING: _LOOK,
    },
)
