"""The stand-in on two goods that are compared, and on which of some has the most."""

import pytest

from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import Goods, ShopTalk

STOVES = (
    Goods("STOV-001", "Moss Bridge Gas Stove", 3_400, "4.1 of 5 (3)",
          attributes="boil_minutes=3.5, weight_g=90"),
    Goods("STOV-002", "Fern Gully Integrated Stove", 8_800, "4.8 of 5 (9)",
          attributes="boil_minutes=2.5, weight_g=460"),
    Goods("STOV-003", "Red Gorge Gas Stove", 12_000, "3.2 of 5 (5)",
          attributes="boil_minutes=3.0, weight_g=300"),
)  # fmt: skip

COMPARED = """
## two that were told of are compared by what is asked
: said compare STOV-001 and STOV-002
cheaper? ~ The cheaper one is **Moss Bridge Gas Stove** ~ ...Shall I put STOV-001 into your cart?
and lighter? ~ The lighter one is **Moss Bridge
which of the two is better rated? ~ The better rated one is **Fern Gully
price of both? ~ The difference is 54.00 USD
which boils faster ~ The quicker one is **Fern Gully
weight of the two ~ The difference is 370 g
cheaper? / add it & STOV-001 x1
cheaper? / by how much? ~ The difference is 54.00 USD
# what is asked for is spoken of then, and the other one never is
: said compare STOV-001 and STOV-002
which is heavier? / ok, add that one & STOV-002 x1
## two places of a list are compared
: said stoves
which is lighter, 1 or 3 ~ The difference is 210 g
1 vs 2, weight? ~ The difference is 370 g
compare number 1 and number 3 by price ~ The difference is 86.00 USD
which is dearer, 1 or 2 / i'll take it ~ ...Which one shall I add?
## two that are named are compared, by as much as is asked
Moss Bridge or Red Gorge gas stove, which is lighter? ~ The lighter one is **Moss Bridge
compare the moss bridge and the red gorge stove: weight, price ~ 210 g ~ 86.00 USD
# and one with what was spoken of
: said tell me about STOV-003
whats cheaper, that or the moss bridge ~ The cheaper one is **Moss Bridge
# by how much is told of the two that were compared
tell me about STOV-003 / moss bridge stove lighter? / by how much? ~ The difference is 210 g
## near misses compare nothing
: said compare STOV-001 and STOV-002
anything cheaper? !~ The cheaper one
is it cheaper than 50? !~ The cheaper one
add the cheaper one & STOV-001 x1
both please & STOV-001 x1, STOV-002 x1
i want a lighter one !~ The lighter one
"""


@dialogues(COMPARED)
def test_two_goods_are_compared_however_it_is_put(lines: list[str]):
    held(lines, ShopTalk(goods=STOVES))


@pytest.mark.parametrize(
    ("said", "best"),
    [
        ("lightest stove under 100", "STOV-001"),
        ("best rated stove under 50", "STOV-001"),
        ("cheapest stove below 100", "STOV-001"),
        ("fastest stove?", "STOV-002"),
        ("the fastest-boiling stove under 90", "STOV-002"),
        ("most expensive stove you sell", "STOV-003"),
        ("heaviest stove lol", "STOV-002"),
    ],
)
def test_the_most_of_some_goods_is_told_within_their_limit(said: str, best: str):
    talk = ShopTalk(goods=STOVES)
    answer = talk.say(said)
    assert best in answer.rpartition("\n\nThe ")[2] or f"Shall I put {best}" in answer
    assert talk.cart == {}


LAMPS = (
    Goods("LAMP-001", "Long Scree Compact Headlamp", 1_500, attributes="lumen=120, weight_g=46"),
    Goods("LAMP-002", "Pine Ledge Kids Headlamp", 1_200, attributes="lumen=80, weight_g=60"),
)


@pytest.mark.parametrize(
    "said",
    [
        "nooo. ok and the pine ledge kids headlamp",
        "hm, and the Pine Ledge one",
        "wow. and what about the Pine Ledge",
        "thanks, and the pine ledge kids headlamp?",
    ],
)
def test_what_is_only_named_after_a_question_is_asked_of_too(said: str):
    talk = ShopTalk(goods=LAMPS)
    talk.say("how much is the Long Scree compact headlamp?")
    assert "12.00 USD" in talk.say(said)
    assert talk.cart == {}


@pytest.mark.parametrize(
    "said", ["and the Pine Ledge kids headlamp please", "and add the Pine Ledge"]
)
def test_what_is_wanted_after_a_question_is_added(said: str):
    talk = ShopTalk(goods=LAMPS)
    talk.say("how much is the Long Scree compact headlamp?")
    talk.say(said)
    assert talk.cart == {"LAMP-002": 1}


def test_two_things_that_were_asked_of_one_are_asked_of_the_other():
    talk = ShopTalk(goods=LAMPS)
    talk.say("What does the Long Scree headlamp weigh and how many lumens has it?")
    answer = talk.say("and the Pine Ledge one?")
    assert "60 g" in answer
    assert "80" in answer


@pytest.mark.parametrize(
    "said", ["What do the two weigh?", "how heavy are both?", "the weight of the two?"]
)
def test_what_is_asked_of_two_is_told_of_both(said: str):
    talk = ShopTalk(goods=LAMPS)
    talk.say("how much is the Long Scree compact headlamp?")
    talk.say("and the Pine Ledge kids headlamp?")
    answer = talk.say(said)
    assert "46 g" in answer
    assert "60 g" in answer
    assert talk.cart == {}


@pytest.mark.parametrize("said", ["which one gives most light?", "what one makes the most light"])
def test_the_one_with_the_most_light_is_the_brightest(said: str):
    talk = ShopTalk(goods=LAMPS)
    talk.say("headlamps")
    assert "LAMP-001" in talk.say(said)


@pytest.mark.parametrize(
    "said",
    [
        "What would the Long Scree headlamp and the Pine Ledge headlamp cost together?",
        "how much are the long scree headlamp and the pine ledge headlamp together",
    ],
)
def test_what_two_cost_together_is_summed(said: str):
    talk = ShopTalk(goods=LAMPS)
    assert "27.00 USD" in talk.say(said)
    assert talk.cart == {}


def test_the_cheapest_is_of_the_goods_whose_lightest_was_asked_for():
    goods = (
        Goods("TENT-001", "Swift River Ultralight Tent", 44_400, attributes="weight_g=908"),
        Goods("TENT-002", "Pine Ledge Two Person Tent", 6_850, attributes="weight_g=2532"),
    )
    talk = ShopTalk(goods=goods)
    talk.say("whats the lightest tent you have")
    assert "TENT-002" in talk.say("and the cheapest")
