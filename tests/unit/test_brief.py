"""The brief: typed slots, changed by events where the flow allows it, and handed over once."""

from typing import Any

import pytest

from daybook.state.errors import ToolRefused
from daybook.state.shop.brief import Brief, Wish, described, noted
from daybook.state.shop.cart import Cart
from daybook.tools.shop.positions import BUYING, FLOW, INTERVIEWING, ORDERED, SHOPPING
from tests.unit.shop_parts import a_domain

DOMAIN = a_domain()
CART = Cart(cart_id="usd-1", currency="USD")
FILLED = Brief(goal="boots for Iceland", category="hiking-boots", size="43")


def standing(flow: str, brief: Brief | None = None) -> dict[str, Any]:
    """Make the state of a thread somewhere; one of an earlier release has no brief."""
    return {"flow": flow, "cart": CART, **({"brief": brief} if brief else {})}


def apply(state: dict[str, Any], **event: Any) -> Any:
    return DOMAIN.changed(state, event, "turn")


# -- slots ----------------------------------------------------------------------------------------


def test_what_is_noted_takes_the_place_of_what_was():
    brief = noted(FILLED, size="44", must_have=["warm"])
    assert brief == FILLED.model_copy(update={"size": "44", "must_have": ("warm",)})
    assert noted(brief, must_have=["light"]).must_have == ("light",)


def test_goal_and_category_are_required():
    assert Brief().missing == ("goal", "category")
    assert Brief(goal="boots").missing == ("category",)
    assert FILLED.missing == ()


def test_a_slot_is_one_line_that_ends_no_other_and_holds_no_card_number():
    brief = Brief(goal="boots;\ncategory=tents", size="4 3")
    assert described(brief, "USD") == "goal=boots, category=tents; size 4 3"
    assert described(Brief(), "USD") == ""
    assert "4242 4242" not in Brief(goal="pay with 4242 4242 4242 4242").goal


# -- events ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("flow", [SHOPPING, ORDERED])
def test_an_interview_begins_a_new_brief(flow: str):
    change = apply(standing(flow, FILLED), type="interview", goal="a tent")
    assert change.update == {"brief": Brief(goal="a tent")}
    assert FLOW.move(flow, change.trigger) == INTERVIEWING


def test_a_thread_of_an_earlier_release_can_begin_an_interview():
    assert (
        apply(standing(SHOPPING), type="interview", goal="a tent").update["brief"].goal == "a tent"
    )


def test_slots_are_noted_and_told_as_an_event():
    change = apply(
        standing(INTERVIEWING, Brief(goal="boots")), type="brief", size="43", max_price=20_000
    )
    assert change.update["brief"] == Brief(goal="boots", size="43", max_price=20_000)
    assert (change.text, change.trigger) == ("brief: max 200.00 USD; size 43", "")


def test_a_filled_brief_is_handed_over_and_one_without_its_category_is_not():
    change = apply(standing(INTERVIEWING, FILLED), type="hand_over")
    assert change.update["brief"] == FILLED
    assert FLOW.move(INTERVIEWING, change.trigger) == SHOPPING
    with pytest.raises(ToolRefused, match="no category yet"):
        apply(standing(INTERVIEWING, Brief(goal="boots")), type="hand_over")


@pytest.mark.parametrize("why", [{"declined": True}, {"wish": "check out"}])
def test_who_will_not_say_more_is_handed_over_with_what_there_is(why: dict[str, Any]):
    """A thread never stays in the interview against the person's will."""
    change = apply(standing(INTERVIEWING, Brief(goal="boots")), type="hand_over", **why)
    assert change.trigger == "brief.filled"


def test_what_is_wanted_instead_is_told_in_that_turn_alone():
    brief = apply(standing(INTERVIEWING, FILLED), type="hand_over", wish="check out").update[
        "brief"
    ]
    assert brief.wish == Wish(text="check out", turn_id="turn")
    assert described(brief, "USD", "turn").endswith("; wants now=check out")
    assert "check out" not in described(brief, "USD", "the next turn")
    again = apply(standing(INTERVIEWING, brief), type="hand_over").update["brief"]
    assert again.wish is None


@pytest.mark.parametrize(
    ("flow", "event"),
    [
        (INTERVIEWING, {"type": "interview", "goal": "a tent"}),
        (BUYING, {"type": "interview", "goal": "a tent"}),
        (SHOPPING, {"type": "brief", "size": "43"}),
        (SHOPPING, {"type": "hand_over"}),
        (SHOPPING, {"type": "interview", "goal": " "}),
        (SHOPPING, {"type": "interview"}),
        (INTERVIEWING, {"type": "brief", "max_price": 0}),
        (INTERVIEWING, {"type": "brief", "category": "Hiking Boots"}),
        (INTERVIEWING, {"type": "brief", "colour": {"is": "red"}, "max_price": "much"}),
        (INTERVIEWING, {"type": "brief", "must_have": ["a"] * 7}),
    ],
)
def test_what_cannot_happen_here_is_refused(flow: str, event: dict[str, Any]):
    with pytest.raises(ToolRefused):
        apply(standing(flow, FILLED), **event)


# -- whose work it is -----------------------------------------------------------------------------


def test_one_agent_owns_each_position():
    owners = {flow: DOMAIN.owner(flow) for flow in FLOW.offered}
    assert owners.pop(INTERVIEWING) == "interviewer"
    assert set(owners.values()) == {"shopper"}


def test_the_interviewer_can_change_nothing_but_brief_and_memory():
    kinds = {name: DOMAIN.registry.offered(name).kind for name in FLOW.offered[INTERVIEWING]}
    changes = {name for name, kind in kinds.items() if kind != "read"}
    assert changes == {"note_brief", "hand_over", "remember", "forget"}


def test_every_position_can_be_left_for_the_shopper():
    assert FLOW.move(INTERVIEWING, "brief.filled") == SHOPPING
    assert {"hand_over"} <= FLOW.offered[INTERVIEWING]


@pytest.mark.parametrize("tool", ["checkout", "cancel_order"])
@pytest.mark.parametrize("ending", ["succeeded", "failed"])
def test_a_purchase_is_taken_in_by_who_goes_back_to_the_interview(tool: str, ending: str):
    under_way = FLOW.move(INTERVIEWING, f"{tool}.opened")
    assert DOMAIN.owner(FLOW.move(under_way, f"{tool}.{ending}")) == "shopper"


def test_the_page_may_change_the_cart_during_the_interview():
    assert FLOW.move(INTERVIEWING, "cart.changed") == INTERVIEWING
