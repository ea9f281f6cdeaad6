"""What is said, and a domain's state of another version."""

import pytest

from daybook.state.agent import upgraded
from daybook.state.errors import UnknownStateVersion

# -- versions -------------------------------------------------------------------------------------


def _rename(state):
    return {**{k: v for k, v in state.items() if k != "basket"}, "cart": state["basket"]}


def _count(state):
    return {**state, "count": len(state["cart"])}


UPGRADES = {1: _rename, 2: _count}


@pytest.mark.parametrize(
    ("stored", "update"),
    [
        ({"version": 1, "basket": ["boots"]}, {"version": 3, "cart": ["boots"], "count": 1}),
        ({"version": 2, "cart": []}, {"version": 3, "count": 0}),
        ({"version": 3, "cart": []}, {}),
        ({}, {}),
    ],
    ids=["an older version", "the version before", "this version", "none yet"],
)
def test_stored_state_goes_in_order_through_the_steps_that_are_behind_it(stored, update):
    assert upgraded({**stored, "flow": "shopping"} if stored else stored, 3, UPGRADES) == update


@pytest.mark.parametrize(
    ("version", "upgrades"),
    [(4, UPGRADES), (0, UPGRADES), (1, {1: _rename}), (1, {2: _count})],
    ids=["later", "none", "without the last step", "without the first step"],
)
def test_state_of_an_unknown_version_stops(version, upgrades):
    stored = {"version": version, "basket": []}
    with pytest.raises(UnknownStateVersion, match=f"version {version}; the domain has version 3"):
        upgraded(stored, 3, upgrades)
    assert stored == {"version": version, "basket": []}
