"""How a turn of the talk is judged: right, asked about sensibly, refused or misunderstood."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from evals.talk.judging import Judged, Verdict, judged
from evals.talk.playing import Happened, listed_in
from evals.talk.scenes import Scene, Turn, Wants

TWO = "1. **Fox Hollow Boot** (BOOT-001), 98.90 USD\n2. **Red Gorge Boot** (BOOT-002), 131.90 USD"
ADDED = "Added: 1 x Fox Hollow Boot."


def happened(answer: str, after: Mapping[str, int] | None = None, *calls: str) -> Happened:
    return Happened(answer, calls, calls, {}, after or {}, listed_in(answer))


def the_last(say: str, wants: Mapping[str, Any], came: Happened, *before: Happened) -> Judged:
    """Judge the last turn of a scene; in those before it nothing is wanted."""
    turns = [*(Turn(say="boots") for _ in before), Turn(say=say, wants=Wants(**wants))]
    return judged(Scene(scene="a scene", turns=tuple(turns)), [*before, came])[-1]


@pytest.mark.parametrize(
    ("wants", "came", "verdict", "is_wrong_effect"),
    [
        ({"cart": {"BOOT-001": 1}}, happened(ADDED, {"BOOT-001": 1}), Verdict.RIGHT, False),
        ({"cart": {"BOOT-001": 2}}, happened(ADDED, {"BOOT-001": 1}), Verdict.MISUNDERSTOOD, True),
        ({"cart": "same"}, happened(ADDED, {"BOOT-001": 1}), Verdict.MISUNDERSTOOD, True),
        ({"cart": {"BOOT-001": 1}}, happened("Fine."), Verdict.MISUNDERSTOOD, False),
        ({"cart": {"BOOT-001": 1}}, happened("Which boot shall I add?"), Verdict.ASKED, False),
        ({"cart": {"BOOT-001": 1}}, happened("Are you well?"), Verdict.MISUNDERSTOOD, False),
        ({}, happened("I did not understand “hm”."), Verdict.REFUSED, False),
        ({"asks": True}, happened("Fine."), Verdict.MISUNDERSTOOD, False),
        ({"asks": True}, happened("Is it for you?"), Verdict.ASKED, False),
        ({"calls": ["search_products"]}, happened("Fine."), Verdict.MISUNDERSTOOD, False),
        (
            {"calls": ["search_products"]},
            happened(TWO, {}, "search_products"),
            Verdict.RIGHT,
            False,
        ),
        ({"limit": 13000}, happened(TWO, {}, "search_products"), Verdict.MISUNDERSTOOD, False),
        ({"limit": 14000}, happened(TWO, {}, "search_products"), Verdict.RIGHT, False),
        ({"says": [["warm", "dry"]]}, happened("It is DRY."), Verdict.RIGHT, False),
        ({"says": [["warm"], ["dry"]]}, happened("It is dry."), Verdict.MISUNDERSTOOD, False),
        ({"never": ["Red Gorge"]}, happened(TWO), Verdict.MISUNDERSTOOD, False),
        ({"cart": "same"}, happened("Done.", {}, "checkout"), Verdict.MISUNDERSTOOD, False),
        ({"calls": ["checkout"]}, happened("Done.", {}, "checkout"), Verdict.RIGHT, False),
    ],
)
def test_a_turn_is_judged_by_what_came_of_it(
    wants: Mapping[str, Any], came: Happened, verdict: Verdict, is_wrong_effect: bool
):
    found = the_last("add the boot", wants, came)
    assert (found.verdict, found.wrong_effect) == (verdict, is_wrong_effect)


def test_a_place_is_of_the_list_that_was_shown_last():
    shown = happened(TWO)
    right = the_last("the 2nd", {"cart": {"#2": 1}}, happened(ADDED, {"BOOT-002": 1}), shown)
    wrong = the_last("the 2nd", {"cart": {"#2": 1}}, happened(ADDED, {"BOOT-001": 1}), shown)
    assert (right.verdict, right.wrong_effect) == (Verdict.RIGHT, False)
    assert (wrong.verdict, wrong.wrong_effect) == (Verdict.MISUNDERSTOOD, True)


def test_a_part_of_what_was_wanted_is_wrong_unless_it_asks_for_the_rest():
    wants = {"cart": {"BOOT-001": 1, "BOOT-002": 1}}
    silent = the_last("add both boots", wants, happened(ADDED, {"BOOT-001": 1}))
    asking = the_last(
        "add both boots", wants, happened(f"{ADDED} Which other boot?", {"BOOT-001": 1})
    )
    assert (silent.verdict, silent.wrong_effect) == (Verdict.MISUNDERSTOOD, True)
    assert (asking.verdict, asking.wrong_effect) == (Verdict.ASKED, False)


def test_what_an_earlier_turn_left_undone_is_not_held_against_the_next():
    turns = (
        Turn(say="add the boot", wants=Wants(cart={"BOOT-001": 1})),
        Turn(say="and the other boot", wants=Wants(cart={"BOOT-001": 1, "BOOT-002": 1})),
    )
    first, second = judged(
        Scene(scene="a scene", turns=turns),
        [happened("Fine."), happened("Added.", {"BOOT-002": 1})],
    )
    assert first.verdict is Verdict.MISUNDERSTOOD
    assert (second.verdict, second.wrong_effect) == (Verdict.RIGHT, False)
