"""Goods that a message joins are all added, or asked about; never one of them without a word."""

import pytest

from daybook.demo.model.grammar.answers.pieces.sides import sides_of
from tests.words.shop_talk import ShopTalk

TENT = "tell me about TENT-001"
BOOTS = "I need hiking boots"
WISHES = ["add {}", "i'll take {}", "{} please", "can I get {}?", "put {} in my cart", "we need {}"]
JOINTS = [" and ", " plus ", " & ", " as well as ", ". also ", "; ", " and then "]


@pytest.mark.parametrize("joint", JOINTS)
@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.parametrize(
    ("lines", "one", "other", "cart"),
    [
        ((BOOTS,), "the first one", "the third", {"BOOT-001": 1, "BOOT-007": 1}),
        ((BOOTS,), "number 2", "the top one", {"BOOT-004": 1, "BOOT-001": 1}),
        ((TENT,), "it", "POLE-002", {"TENT-001": 1, "POLE-002": 1}),
        ((TENT,), "2 of it", "a pair of POLE-002", {"TENT-001": 2, "POLE-002": 1}),
        (
            (TENT, "tell me about PACK-009"),
            "this one",
            "the first one",
            {"PACK-009": 1, "TENT-001": 1},
        ),
        ((TENT, "tell me about PACK-009"), "it", "the other one", {"PACK-009": 1, "TENT-001": 1}),
        (
            (TENT, "tell me about PACK-009"),
            "it",
            "the previous one",
            {"PACK-009": 1, "TENT-001": 1},
        ),
        ((BOOTS, "tell me about BOOT-001"), "it", "the next one", {"BOOT-001": 1, "BOOT-004": 1}),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_what_is_joined_goes_in_together(lines, one, other, cart, wish, joint, turned):
    talk = ShopTalk()
    for line in lines:
        talk.say(line)
    talk.say(wish.format((other + joint + one) if turned else (one + joint + other)))
    assert talk.cart == cart


@pytest.mark.parametrize(
    "said",
    [
        "add it and the one below it",
        "i'll take the one i saw last week and it",
        "POLE-002 plus the one you showed my wife please",
        "PACK-009, it please",
    ],
)
def test_where_one_is_unclear_none_goes_in(said):
    talk = ShopTalk()
    talk.say(TENT)
    talk.say(said)
    assert not talk.cart


@pytest.mark.parametrize(
    ("said", "cart"),
    [
        ("add the first one, two of it", {"BOOT-001": 2}),
        ("add the first one, along with it", {"BOOT-001": 1}),
        ("put the next one in", {}),
    ],
)
def test_what_says_one_thing_twice_joins_nothing(said, cart):
    talk = ShopTalk()
    talk.say(BOOTS)
    talk.say(said)
    assert talk.cart == cart


@pytest.mark.parametrize("lead", ["", "and ", "then ", "also "])
def test_a_message_that_begins_with_a_joint_may_still_say_one_thing_twice(lead):
    sides = sides_of(f"{lead}get me that boot , fern gully")
    assert sides is not None
    assert sides.apposed


@pytest.mark.parametrize(
    ("said", "sku"),
    [("what about the one below it?", "BOOT-007"), ("and the one above?", "BOOT-001")],
)
def test_what_stands_beside_another_is_that(said, sku):
    talk = ShopTalk()
    talk.say(BOOTS)
    talk.say("tell me about BOOT-004")
    assert sku in talk.say(said)


@pytest.mark.parametrize(
    "yes",
    ["yes", "sure", "sold", "deal", "go on then", "one please", "that's the one", "I'll have one"],
)
@pytest.mark.parametrize(
    "rest", [", and POLE-002", ". And POLE-002 please", ", POLE-002 as well", " plus POLE-002"]
)
def test_a_yes_to_what_was_offered_goes_in_beside_what_is_named(yes, rest):
    talk = ShopTalk()
    talk.say(TENT)
    talk.say(yes + rest)
    assert talk.cart == {"TENT-001": 1, "POLE-002": 1}


def test_what_was_summed_up_goes_in_with_its_counts():
    talk = ShopTalk()
    talk.say("what would TENT-001 and two of POLE-002 come to?")
    talk.say("deal. all in the cart")
    assert talk.cart == {"TENT-001": 1, "POLE-002": 2}


@pytest.mark.parametrize(
    ("said", "cart"),
    [
        (
            "I'll take the Fern Gully! And one for her brother too so they don't fight",
            {"BOOT-007": 2},
        ),
        ("a Fern Gully boot please. And one more of the same for my wife", {"BOOT-007": 2}),
        (
            "three each of the Fern Gully boot and the Alder Ridge boot",
            {"BOOT-007": 3, "BOOT-004": 3},
        ),
    ],
)
def test_a_count_is_of_all_that_it_is_said_of(said, cart):
    talk = ShopTalk()
    talk.say(BOOTS)
    talk.say(said)
    assert talk.cart == cart


def test_of_which_of_two_a_yes_is_said_is_asked():
    talk = ShopTalk()
    talk.say(TENT)
    assert "?" in talk.say("POLE-002, and yes add one")
    assert not talk.cart


def test_a_yes_to_what_nobody_offered_is_asked_about():
    talk = ShopTalk()
    talk.say(TENT)
    talk.say("thanks")
    assert "?" in talk.say("sure, and POLE-002")
    assert not talk.cart


@pytest.mark.parametrize("end", [" and thats all", ", that's it", ". that is everything, thanks"])
def test_that_there_is_no_more_to_come_is_none_of_the_goods(end: str):
    talk = ShopTalk()
    talk.say(f"i need BOOT-004 and 2 of POLE-002{end}")
    assert talk.cart == {"BOOT-004": 1, "POLE-002": 2}
