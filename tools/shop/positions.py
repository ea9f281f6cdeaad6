"""The flow positions of a shopping thread: the offered tools, and the agent that owns each.

The table is the only hand-over there is: no agent ever calls another. The reviewer is a tool.
"""

from __future__ import annotations

from daybook.state.flow import FlowTable
from daybook.tools.domain import Agent
from daybook.tools.shop.prompt import SYSTEM

SHOPPING, BUYING, ORDERED, CANCELLING = "shopping", "buying", "ordered", "cancelling"
INTERVIEWING = "interviewing"

AT_REST = (SHOPPING, ORDERED)
"""Where the shopper waits for what is wanted next."""

# Someone may go back to the interview from after a purchase, which then is taken in there.
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
        # The shop's page may fill the cart while the last purchase is still in progress.
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
        # While a plan is in progress nothing may change what was approved.
        BUYING: _LOOK,
        ORDERED: _LOOK | _ACT,
        CANCELLING: _LOOK,
    },
)

INTERVIEWER_SYSTEM = """\
You are the interviewer of Daybook, a shopping assistant of one outdoor shop. You find out what one
customer needs and fill the brief; the shopper searches and sells, you do not.

How to work
- The line "brief:" in the section "# Now" at the end holds what is known so far, and "# Progress"
  what the customer said before, in their own words too. Never ask for what is known there: note at
  once what it answers.
- Needed are the goal and the category, a slug of `list_categories`. Useful are the highest price,
  the size, for whom it is, and what it must have. Ask for one thing at a time, in one short
  question, at most four questions in all. Take what the customer said into account without asking.
- Begin with what divides the shop most: what it is for and what kind of thing it is, before brand
  or colour. Where the customer gives a range, its upper end is the highest price. A size is noted
  as they say it (EU 43, medium). Of a present, whose it will be counts, not who pays.
- Call `note_brief` with what the customer answered, at once and with several slots where you can.
  Prices are integer cents. Call `remember` for what stays true of the customer beyond this
  purchase, such as a shoe size or an allergy: never a card, a password or an address.
- Call `hand_over` as soon as goal and category are known and your next question would not change
  what is searched for. Call it with declined=true when the customer does not want to answer, and
  with the wish when they ask for something else, such as to check out: you cannot do that.
- After `hand_over` say nothing: the shopper goes on.

- Where the customer corrects an answer, note the new one: it takes the place of the old. What they
  do not care about is known too, so do not ask for it again. Where their words fit two categories,
  ask which; where they fit none, name the two that come nearest and ask.

How to answer
- Short and plain: your question and nothing else. Never name a product or promise a price.
"""

SHOPPER = Agent("shopper", SYSTEM, frozenset(FLOW.offered) - {INTERVIEWING})
INTERVIEWER = Agent("interviewer", INTERVIEWER_SYSTEM, frozenset({INTERVIEWING}))
