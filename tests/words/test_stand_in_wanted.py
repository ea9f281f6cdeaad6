"""Goods that are wanted, with whatever is said beside them, and what only sounds like it."""

import pytest

from tests.words.shop_talk import ShopTalk

TOLD = "tell me about TENT-001"


@pytest.mark.parametrize(
    ("said", "cart"),
    [
        ("one for my son and one for his brother", {"TENT-001": 2}),
        ("lovely. one for us and one for the in-laws please", {"TENT-001": 2}),
        ("two of em then, one for me brother", {"TENT-001": 2}),
        ("it is exactly what i was looking for, i will take it", {"TENT-001": 1}),
        ("That's fine. I'd love one too, please add it.", {"TENT-001": 1}),
        ("great, one for me, one for sister", {"TENT-001": 2}),
        ("TENT-001, qty 3", {"TENT-001": 3}),
        ("product no. TENT-001 - quantity: 4", {"TENT-001": 4}),
        ("four of them, one for each of us", {"TENT-001": 4}),
        ("that one is fine. put.", {"TENT-001": 1}),
        ("that one, two for each of us", {}),
        ("yes, three for each of us", {}),
        ("where would i put", {}),
        ("add 0 of TENT-001", {}),
        ("my friend wants two of those, I told him to order himself", {}),
        ("one for me would cost how much with shipping", {}),
        ("i need to see it first", {}),
        ("take it easy", {}),
    ],
)
def test_what_was_told_of_is_wanted_by_goods_and_counts(said: str, cart: dict[str, int]):
    talk = ShopTalk()
    talk.say(TOLD)
    talk.say(said)
    assert talk.cart == cart


@pytest.mark.parametrize(
    "said",
    [
        "one of each please",
        "Give one of each please. One for me, one for brother.",
        "one each please. one for my brother, one for my sister",
    ],
)
def test_one_of_each_is_never_of_the_last_alone(said: str):
    talk = ShopTalk()
    talk.say("compare TENT-001 and BOOT-001")
    talk.say("which one is cheaper?")
    talk.say(said)
    assert talk.cart in ({}, {"TENT-001": 1, "BOOT-001": 1})
