"""The brief: typed slots, changed by events where the flow allows it, and handed over once."""

from typing import Any

import pytest

from daybook.state.errors import ToolRefused
from daybook.state.shop.brief import Brief, described, noted
from daybook.state.shop.cart import Cart
from daybook.tools.shop.positions import BUYING, FLOW, INTERVIEWING, SHOPPING
from tests.unit.shop_parts import a_domain

DOMAIN = a_domain()
CART = Cart(cart_id="usd-1", currency="USD")
FILLED = Brief(goal="boots for Iceland", category="hiking-boots", size="43")


def standing(flow: str, brief: Brief | None = None) -> dict[str, Any]:
    """Make the state of a thread somewhere; without a brief it has no interview behind it."""
    return {"flow": flow, "cart": CART, **({"brief": brief} if brief else {})}


def apply(state: dict[str, Any], **event: Any) -> Any:
    return DOMAIN.changed(state, event, "turn")


# -- slots ----------------------------------------------------------------------------------------


def test_what_is_noted_takes_the_place_of_what_was_and_two_slots_are_required():
    brief = noted(FILLED, size="44", must_have=["warm"])
    assert brief == FILLED.model_copy(update={"size": "44", "must_have": ("warm",)})
    assert noted(brief, must_have=["light"]).must_have == ("light",)
    missing = [one.missing for one in (Brief(), Brief(goal="boots"), FILLED)]
    assert missing == [("goal", "category"), ("category",), ()]


def test_a_slot_is_one_line_that_ends_no_other_and_holds_no_card_number():
    brief = Brief(goal="boots;\ncategory=tents", size="4 3")
    assert described(brief, "USD") == "goal=boots, category=tents; size 4 3"
    assert described(Brief(), "USD") == ""
    assert "4242 4242" not in Brief(goal="pay with 4242 4242 4242 4242").goal


# -- events ---------------------------------------------------------------------------------------


def test_a_brief_is_handed_over_when_it_is_filled_or_the_person_will_not_say_more():
    """A thread never stays in the interview against the person's will."""
    change = apply(standing(INTERVIEWING, FILLED), type="hand_over")
    assert change.update["brief"] == FILLED
    assert FLOW.move(INTERVIEWING, change.trigger) == SHOPPING
    half = standing(INTERVIEWING, Brief(goal="boots"))
    with pytest.raises(ToolRefused, match="no category yet"):
        apply(half, type="hand_over")
    for why in ({"declined": True}, {"wish": "check out"}):
        assert apply(half, type="hand_over", **why).trigger == change.trigger == "brief.filled"


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
