"""Where a thread can stand."""

import pytest

from daybook.state.errors import IllegalMove
from daybook.state.flow import FlowTable
from daybook.tools.shop.positions import BUYING, CANCELLING, FLOW, INTERVIEWING, ORDERED, SHOPPING
from tests.unit.shop_parts import a_domain

TABLE = FlowTable(
    start="open",
    moves={("open", "door.shut"): "shut", ("shut", "door.opened"): "open"},
    offered={"open": frozenset({"shut"}), "shut": frozenset({"open"})},
)


def test_an_illegal_move_raises_and_names_position_and_trigger():
    assert not TABLE.allows("shut", "door.shut")
    with pytest.raises(IllegalMove, match=r"shut.*door\.shut"):
        TABLE.move("shut", "door.shut")


def test_every_position_of_the_shop_can_be_reached():
    reached = {FLOW.start}
    while more := {to for (at, _), to in FLOW.moves.items() if at in reached} - reached:
        reached |= more
    positions = {SHOPPING, INTERVIEWING, BUYING, ORDERED, CANCELLING}
    assert reached == positions == set(FLOW.offered)


@pytest.mark.parametrize("position", [BUYING, CANCELLING])
def test_while_a_plan_is_under_way_only_reads_are_offered(position: str):
    registry = a_domain().registry
    assert {registry.offered(name).kind for name in FLOW.offered[position]} == {"read"}
