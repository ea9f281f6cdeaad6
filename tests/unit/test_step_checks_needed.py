"""A read that answered a question is not for nothing, though its answer repeats nothing of it."""

from typing import Any

import pytest

from daybook.app.grading.checks import CHECKS
from daybook.app.grading.steps.trajectory import Step, Trajectory, Turn
from daybook.app.grading.verdict import Check

HITS = {
    "hits": [
        {"sku": "BOOT-004", "name": "Alder Ridge Boot", "price": 12900},
        {"sku": "BOOT-007", "name": "Fox Hollow Boot", "price": 9900},
    ]
}
BOOT = {
    "sku": "BOOT-004",
    "name": "Alder Ridge Boot",
    "attributes": {"waterproof": True, "weight_g": 866},
    "sizes": [41, 42, 43],
}
ORDERS = {"orders": [{"order_id": "DB-10001", "status": "placed"}, {"order_id": "DB-10002"}]}
LOOK = Step(
    key="1/0.0",
    seq=2,
    decided=2,
    turn=1,
    tool="search",
    kind="read",
    args={"query": "boots"},
    result=HITS,
    handle=1,
    said=("show me boots",),
)

Read = tuple[str, dict[str, Any], Any]


def finds(said: str, answer: str, *reads: Read) -> list[bool]:
    """Tell of each read of a turn whether it is found to be for nothing."""
    steps = [
        Step(
            key=f"2/{at}.0",
            seq=5 + at,
            decided=5 + at,
            turn=2,
            ordinal=at,
            tool=tool,
            kind="read",
            args=args,
            result=result,
            handle=2 + at,
            said=(*LOOK.said, said),
        )
        for at, (tool, args, result) in enumerate(reads)
    ]
    turns = (
        Turn(number=1, turn_id="a", seq=1, said="show me boots", answer="1. Alder Ridge Boot"),
        Turn(number=2, turn_id="b", seq=4, said=said, answer=answer),
    )
    trajectory = Trajectory("t", turns, (LOOK, *steps))
    return [CHECKS[Check.NEEDED](trajectory, one) is not None for one in steps]


GET = ("get", {"sku": "BOOT-004"}, BOOT)
POLICY = ("policy", {"topic": "shipping"}, {"text": "Delivery is on working days only."})
PROFILE = ("profile", {}, {"name": "Ada", "card_ids": ["card_ada_1"]})
OTHER = ("get", {"sku": "BOOT-007"}, {"sku": "BOOT-007", "attributes": {"weight_g": 700}})


@pytest.mark.parametrize(
    ("said", "answer", "read"),
    [
        ("is it waterproof?", "Yes.", GET),
        ("do you deliver on sundays?", "No.", POLICY),
        ("what's my name?", "Ada.", PROFILE),
        ("is the first one waterproof", "Yes, it is.", GET),
        ("Are those waterproof? I need that.", "They are.", GET),
        ("tell me if it is waterproof", "It is.", GET),
        ("do you have waterproof tents?", "No.", ("search", {"query": "waterproof tents"}, HITS)),
        ("how many orders do I have?", "You have 2.", ("orders", {}, ORDERS)),
        ("how many sizes are there", "There are 3.", GET),
        ("do I have any orders that were placed?", "Yes.", ("orders", {}, ORDERS)),
    ],
)
def test_a_read_that_answers_by_a_word_is_used(said: str, answer: str, read: Read):
    assert finds(said, answer, read) == [False]


def test_reads_that_were_compared_are_used():
    assert finds("which of the two is lighter?", "The second.", GET, OTHER) == [False, False]


@pytest.mark.parametrize(
    ("said", "answer", "read"),
    [
        ("is it waterproof?", "Yes.", ("get", {"sku": "LAMP-009"}, {"sku": "LAMP-009"})),
        ("thanks", "You are welcome.", GET),
        ("is it waterproof?", "Yes.", ("orders", {}, ORDERS)),
        ("how many orders do I have?", "You have 7.", ("orders", {}, ORDERS)),
        ("is it waterproof?", "Let me think.", GET),
    ],
)
def test_a_read_that_answers_nothing_is_for_nothing(said: str, answer: str, read: Read):
    assert finds(said, answer, read) == [True]
