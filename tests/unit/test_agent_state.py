"""What is said, and state of earlier versions."""

import pytest
from langchain_core.messages import HumanMessage

from daybook.state.agent import append_messages, upgraded
from daybook.state.errors import UnknownStateVersion


def test_a_message_without_an_id_is_given_one():
    (message,) = append_messages([], HumanMessage("a"))
    assert message.id


@pytest.mark.parametrize(
    "given",
    [
        "hello",
        {"role": "user", "content": "hello", "id": "1"},
        ("user", "hello"),
        HumanMessage("hello"),
    ],
    ids=["text", "dict", "pair", "message"],
)
@pytest.mark.parametrize("listed", [False, True])
def test_a_message_is_read_in_every_form(given: object, listed: bool):
    (message,) = append_messages([], [given] if listed else given)
    assert (message.type, message.text) == ("human", "hello")


# -- versions -------------------------------------------------------------------------------------


def _rename(state):
    return {**{k: v for k, v in state.items() if k != "basket"}, "cart": state["basket"]}


def _count(state):
    return {**state, "count": len(state["cart"])}


UPGRADES = {1: _rename, 2: _count}


def test_state_of_an_older_version_goes_through_every_step_in_order():
    stored = {"version": 1, "basket": ["boots"], "flow": "shopping"}
    assert upgraded(stored, 3, UPGRADES) == {"version": 3, "cart": ["boots"], "count": 1}


def test_state_of_the_version_before_goes_through_the_last_step_alone():
    assert upgraded({"version": 2, "cart": []}, 3, UPGRADES) == {"version": 3, "count": 0}


@pytest.mark.parametrize("stored", [{"version": 3, "cart": []}, {}])
def test_state_of_this_version_or_none_yet_changes_nothing(stored):
    assert upgraded(stored, 3, UPGRADES) == {}


@pytest.mark.parametrize(("version", "upgrades"), [(4, UPGRADES), (0, UPGRADES), (1, {1: _rename})])
def test_state_of_an_unknown_version_stops(version, upgrades):
    stored = {"version": version, "basket": []}
    with pytest.raises(
        UnknownStateVersion, match=f"version {version}; this release reads version 3"
    ):
        upgraded(stored, 3, upgrades)
    assert stored == {"version": version, "basket": []}


def test_a_step_that_is_missing_in_between_stops():
    with pytest.raises(UnknownStateVersion):
        upgraded({"version": 1, "cart": []}, 4, {1: dict, 3: dict})
