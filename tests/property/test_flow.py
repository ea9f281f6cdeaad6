"""Any sequence of triggers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybook.state.errors import IllegalMove
from daybook.state.flow import FlowTable
from daybook.tools.shop.positions import FLOW

POSITIONS = st.sampled_from(["a", "b", "c"])
NAMES = st.sampled_from(["x", "y", "z"])
TABLES = st.builds(
    FlowTable,
    start=POSITIONS,
    moves=st.dictionaries(st.tuples(POSITIONS, NAMES), POSITIONS),
    offered=st.just({}),
)


def walk(table: FlowTable, triggers: list[str]) -> None:
    """Move by every trigger that is legal, and hold the table to its word."""
    at = table.start
    for trigger in triggers:
        named = any(known == trigger for _, known in table.moves)
        if not table.allows(at, trigger):
            with pytest.raises(IllegalMove):
                table.move(at, trigger)
            assert named
            continue
        after = table.move(at, trigger)
        assert after == (table.moves[at, trigger] if named else at)
        at = after


@given(TABLES, st.lists(NAMES, max_size=20))
def test_a_flow_never_leaves_its_table(table: FlowTable, triggers: list[str]):
    walk(table, triggers)


@given(st.lists(st.sampled_from([*sorted({t for _, t in FLOW.moves}), "send_email.opened"])))
def test_the_flow_of_the_shop_never_leaves_its_table(triggers: list[str]):
    walk(FLOW, triggers)
    at = FLOW.start
    for trigger in triggers:
        if FLOW.allows(at, trigger):
            at = FLOW.move(at, trigger)
        assert at in FLOW.offered
