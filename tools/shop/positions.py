"""Where a shopping thread can stand, which tools the model is offered there, and whose work it is.

The table is the only hand-over there is: no agent ever calls another.
"""

from __future__ import annotations

from daybook.state.flow import FlowTable

SHOPPING, BUYING, ORDERED, CANCELLING = "shopping", "buying", "ordered", "cancelling"
INTERVIEWING = "interviewing"

AT_REST = (SHOPPING, ORDERED)
"""Where the shopper waits for what is wanted next."""

# Somebody may go back to the interview from after a purchase, which then is taken in there.
_FOUND_AT = (*AT_REST, INTERVIEWING)

_OWN = frozenset({"recall", "query_history"})
_MEMORY = frozenset({"remember", "forget"})
_LOOK = _OWN | {
    "search_products",
    "get_product",
    "get_reviews",
    "compare_reviews",
    "get_policy",
    "get_cart",
    "fetch_user_profile",
    "get_order",
    "list_orders",
}
_ACT = _MEMORY | {
    "add_to_cart",
    "remove_from_cart",
    "set_quantity",
    "start_interview",
    "checkout",
    "cancel_order",
    "send_email",
}
_INTERVIEW = _MEMORY | {"fetch_user_profile", "list_categories", "note_brief", "hand_over"}

FLOW = FlowTable(
    start=SHOPPING,
    moves={
        **{(position, "cart.changed"): SHOPPING for position in AT_REST},
        # The shop's page may change the cart while the interview goes on.
        (INTERVIEWING, "cart.changed"): INTERVIEWING,
        **{(position, "interview.started"): INTERVIEWING for position in AT_REST},
        (INTERVIEWING, "brief.filled"): SHOPPING,
        # The shop's page may fill the cart while the last purchase is still under way.
        **{(position, "checkout.opened"): BUYING for position in _FOUND_AT},
        (BUYING, "checkout.succeeded"): ORDERED,
        (BUYING, "checkout.failed"): SHOPPING,
        **{(position, "cancel_order.opened"): CANCELLING for position in _FOUND_AT},
        (CANCELLING, "cancel_order.succeeded"): SHOPPING,
        (CANCELLING, "cancel_order.failed"): SHOPPING,
    },
    offered={
        # In the order in which a purchase meets them: pages show it.
        INTERVIEWING: _INTERVIEW,
        SHOPPING: _LOOK | _ACT,
        # While a plan is under way nothing may change what was approved.
        BUYING: _LOOK,
        ORDERED: _LOOK | _ACT,
        CANCELLING: _LOOK,
    },
)
