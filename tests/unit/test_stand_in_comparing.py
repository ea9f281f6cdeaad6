"""The stand-in on two goods that are compared, and on which of some has the most."""

import pytest

from tests.unit.dialogue import dialogues, held
from tests.unit.shop_talk import Goods, ShopTalk

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
