"""A few words of what was spoken of last, what is said beside a wish, and what is never guessed."""

import pytest

from daybook.demo.model.grammar.language.chat.wording.aside import without_asides
from tests.words.shop_talk import ShopTalk, fill


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Splendid, two of them, my dear", "two of them"),
        ("never mind, remove it", "remove it"),
        ("lovely", "lovely"),
        ("take it out, i don't like it", "take it out"),
        ("i don't want it taken out", "i don't want it taken out"),
        ("the third 1", "the third one"),
    ],
)
def test_what_is_said_beside_a_wish_is_left_out(said: str, left: str):
    assert without_asides(said).strip(" ,.") == left


@pytest.mark.parametrize(
    ("lines", "cart"),
    [
        (("tell me about TENT-001", "two of them please"), {"TENT-001": 2}),
        (("tell me about TENT-001", "for two"), {}),
        (("add TENT-001", "i said three"), {"TENT-001": 3}),
        (("add TENT-001", "two in total"), {"TENT-001": 2}),
        (("tell me about TENT-001", "add it, along with it"), {"TENT-001": 1}),
        (("lets go with TENT-001, put it in",), {"TENT-001": 1}),
        (("PACK-009 x 2",), {"PACK-009": 2}),
        (("I need hiking boots", "first please"), {"BOOT-001": 1}),
        # What is not certain is asked about.
        (("I need hiking boots", "which is the cheapest please"), {}),
        (("tell me about TENT-001", "ok and not adding it, what is the price"), {}),
        (("tell me about TENT-001", "the cheapest socks?"), {}),
        (("a pair of PACK-009",), {}),
        (("tell me about TENT-001", "a unicorn saddle", "add it"), {}),
        (("add TENT-001 and 2 for my 3 friends",), {}),
        # Goods that are listed before their verb go in together, and a slip keeps its count.
        (("BOOT-004 and SOCK-012 in the basket",), {"BOOT-004": 1, "SOCK-012": 1}),
        (("2 BOOT-004... sorry BOOT-001",), {"BOOT-001": 2}),
        # Only asked, or said with more than was read: a question.
        (("what would 4 of POLE-002 cost", "and 6?"), {}),
        (("tell me about BOOT-004", "and 6?"), {}),
        (("tell me about BOOT-004", "put the pink one in"), {}),
        (("I need hiking boots", "put BOOT-004 in, the lightest"), {}),
        (("I need hiking boots", "put the first in under 20 dollars"), {}),
        (("I need hiking boots", "put the first in next month"), {}),
        # What is not, or is not one, is asked about; a count with a not corrects.
        (("add SOCK-012", "i need 3 socks not one"), {"SOCK-012": 3}),
        (("add SOCK-012 x3", "lisa has her own so 2 socks", "yes"), {"SOCK-012": 2}),
        (("add SOCK-012", "remove please, bad reviews"), {}),
    ],
)
def test_only_what_is_certain_changes_the_cart(lines: tuple[str, ...], cart: dict[str, int]):
    talk = ShopTalk()
    for line in lines:
        talk.say(line)
    assert talk.cart == cart


@pytest.mark.parametrize(
    "said",
    [
        "what do i have to pay in the end, with tax and all",
        "and everything together is how much",
        "total?",
        "what's the damage",
        "and altogether",
        "how much is it all together",
        "how much now?",
        "how much so far",
        "how much is that so far",
        "what does all that cost",
        "wats that all togehter",
        "does that stay under 200?",
        "so under 200 for the three, yeah?",
    ],
)
def test_a_sum_is_told_from_the_cart(said: str):
    talk = ShopTalk()
    fill(talk)
    assert "Total: 153.00 USD" in talk.say(said)
    assert not talk.calls


@pytest.mark.parametrize("said", ["weight?", "and how heavy", "mass in g?", "how many grams?"])
def test_a_property_alone_is_asked_of_what_was_spoken_of(said: str):
    talk = ShopTalk()
    talk.say("tell me about BOOT-004")
    assert "450 g" in talk.say(said)


def test_a_question_that_nothing_reads_is_asked_back():
    answer = ShopTalk().say("why do hens have teeth in the morning")
    assert answer.startswith("You ask “why do hens have teeth in the morning”: of a product")


def test_what_may_be_a_number_of_a_card_is_not_said_again():
    assert "4111" not in ShopTalk().say("use this one: 4111 1111 1111 1111")
