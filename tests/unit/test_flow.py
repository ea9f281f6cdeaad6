"""Where a thread can stand."""

import pytest

from daybook.state.errors import IllegalMove
from daybook.state.flow import FlowTable
from daybook.tools.kinds import PlanTool
from daybook.tools.shop.positions import BUYING, CANCELLING, FLOW, INTERVIEWING, ORDERED, SHOPPING
from tests.unit.shop_parts import a_domain

TABLE = FlowTable(
    start="open",
    moves={("open", "door.shut"): "shut", ("shut", "door.opened"): "open"},
    offered={"open": frozenset({"shut"}), "shut": frozenset({"open"})},
)
PLANS = [
    tool.name
    for tool in map(a_domain().registry.offered, a_domain().registry.names)
    if isinstance(tool, PlanTool)
]


@pytest.mark.parametrize(("trigger", "to"), [("door.shut", "shut"), ("window.opened", "open")])
def test_a_legal_move_leads_to_its_position_and_what_the_table_never_names_nowhere(trigger, to):
    assert TABLE.move("open", trigger) == to
    assert TABLE.allows("open", trigger)


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


def test_every_position_of_the_shop_can_be_left():
    assert {at for at, _ in FLOW.moves} == set(FLOW.offered)


def test_the_shop_has_plans():
    assert sorted(PLANS) == ["cancel_order", "checkout"]


@pytest.mark.parametrize("tool", PLANS)
def test_a_plan_can_end_in_both_ways_wherever_it_can_be_opened(tool: str):
    opened_at = [at for at, trigger in FLOW.moves if trigger == f"{tool}.opened"]
    assert opened_at
    for at in opened_at:
        under_way = FLOW.move(at, f"{tool}.opened")
        assert FLOW.move(under_way, f"{tool}.succeeded") in FLOW.offered
        assert FLOW.move(under_way, f"{tool}.failed") in FLOW.offered


@pytest.mark.parametrize("position", FLOW.offered)
@pytest.mark.parametrize("tool", PLANS)
def test_a_plan_is_offered_only_where_it_can_be_opened(position: str, tool: str):
    if tool in FLOW.offered[position]:
        assert FLOW.allows(position, f"{tool}.opened")


@pytest.mark.parametrize("tool", PLANS)
def test_a_plan_that_is_not_under_way_cannot_end(tool: str):
    under_way = {to for (_, trigger), to in FLOW.moves.items() if trigger == f"{tool}.opened"}
    for position in set(FLOW.offered) - under_way:
        assert not FLOW.allows(position, f"{tool}.succeeded")
        assert not FLOW.allows(position, f"{tool}.failed")


def test_every_tool_that_is_offered_somewhere_is_in_the_registry():
    assert frozenset().union(*FLOW.offered.values()) == set(a_domain().registry.names)


@pytest.mark.parametrize("position", [BUYING, CANCELLING])
def test_while_a_plan_is_under_way_only_reads_are_offered(position: str):
    registry = a_domain().registry
    assert {registry.offered(name).kind for name in FLOW.offered[position]} == {"read"}
