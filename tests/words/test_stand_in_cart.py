"""The stand-in on the cart: adding, changing, removing, and suggesting."""

import pytest

from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import ASSORTMENT, Goods, ShopTalk

DIALOGUES = """
## what is pointed at in a list is added
: said I need waterproof hiking boots under 150
add the first and the third & BOOT-001 x1, BOOT-007 x1
add 2 of the first and 1 of the third & BOOT-001 x2, BOOT-007 x1
add all of them & BOOT-001 x1, BOOT-004 x1, BOOT-007 x1
add the first two & BOOT-001 x1, BOOT-004 x1
add the cheapest one & BOOT-001 x1
add the cheap one & BOOT-001 x1
add the fern gully boots & BOOT-007 x1
add TENT-001 & TENT-001 x1
add the best rated one and POLE-002 x2 & BOOT-007 x1, POLE-002 x2
# what a sentence looks for can be added by it
find trekking poles and add the first one & POLE-002 x1
# the cheapest of a kind is searched for and added
add the cheapest wool socks & SOCK-012 x1
# a bound of what is added reaches the search
add a tent under 100 -> search_products query=tent, max_price=10000, limit=20 &
# adding what the shop does not have says so
add a kayak and BOOT-004 & BOOT-004 x1 ~ I found nothing for “kayak” ~ Total: 129.00 USD
# definite words that fit several rows are asked about
BOOTS / add two of the boots -> ~ ...Which one shall I add (quantity 2)?
the third one -> add_to_cart sku=BOOT-007, quantity=2
# an ordinal without a list is asked about
add the second one -> ~ no list is on view
# a number that the list does not have is told
BOOTS / add number 9 -> ~ There is no number 9 in the list
# an ordinal with a kind means the list of that kind
BOOTS / wool socks / add the second boot & BOOT-004 x1
# make it three right after a list is asked about
: cart BOOT-004 x1
wool socks / make it three -> ~ ...Which one shall I change (quantity 3)?
# two lines of a kind are asked about before one goes
: cart SOCK-003 x1, SOCK-012 x1
remove the socks ~ ...Which one shall I remove?
the second one & SOCK-003 x1
# an empty cart is told
what's in my cart -> == Your cart is empty.
clear the cart -> == Your cart is empty already.
remove the socks -> == Your cart is empty: there is nothing to change in it.
check out -> ~ nothing to check out
# without anything to go by a suggestion asks first
what do you recommend -> ~ what you are after
# a suggestion follows the list on view while the cart is empty
BOOTS / anything else? -> search_products query=socks, category=socks
"""

FILLED = """
## the cart is changed
remove the socks & BOOT-004 x1 * 2
take the hiking boots out of my cart & SOCK-012 x2 * 2
remove one pair of socks & BOOT-004 x1, SOCK-012 x1 * 2
remove two pairs of socks & BOOT-004 x1 * 2
remove BOOT-004 & SOCK-012 x2 * 2
remove the second one & BOOT-004 x1 * 2
remove the cheapest one & BOOT-004 x1 * 2
remove the boots and the socks & * 2
clear the cart & * 2
remove both & * 2
change the boots to 2 & BOOT-004 x2, SOCK-012 x2 * 2
make the socks five & BOOT-004 x1, SOCK-012 x5 * 2
double the socks & BOOT-004 x1, SOCK-012 x4 * 2
set SOCK-012 to 0 & BOOT-004 x1 * 2
add two more socks & BOOT-004 x1, SOCK-012 x4 * 2
remove the socks and add TENT-001 & BOOT-004 x1, TENT-001 x1 * 2
# what was just added can be changed in the same sentence
add POLE-002 and make it three & BOOT-004 x1, SOCK-012 x2, POLE-002 x3
# make it three changes what was added last
add POLE-002 / make it three -> set_quantity sku=POLE-002, quantity=3
# make it three of what was just offered is a yes to so many
tell me about TENT-001 / make it three & BOOT-004 x1, SOCK-012 x2, TENT-001 x3
# the dearest goes alone: what is out keeps its price while the turn goes on
drop the more expensive one & SOCK-012 x2
# all but the cheapest go, and the cheapest stays
remove all except the cheapest & SOCK-012 x2
# doubling with several lines asks and doubles
double it ~ ...Which one shall I double?
the second one & BOOT-004 x1, SOCK-012 x4
# both means the two that are on view
trekking poles / add the first one / show me hiking boots or socks / show me wool socks
add SOCK-003 / remove both & BOOT-004 x1, POLE-002 x1
# the socks are those in the cart where the list has none
BOOTS / what do people say about the socks -> get_reviews sku=SOCK-012
# make it three with several lines asks and takes the answer
make it three -> ~ ...Which one shall I change (quantity 3)?
the socks & BOOT-004 x1, SOCK-012 x3
# what is not in the cart is not removed
remove the tent -> ~ nothing like “tent” in your cart
# suggestions go on to the next kind
anything else you would suggest? ~ POLE-002
anything else? !~ POLE-002
# only what was removed is left to find
remove the socks
show me merino == For “merino” I found only what you took out of your cart before.
# a removed product comes back when it is asked for
remove the socks / add the socks back -> add_to_cart sku=SOCK-012, quantity=1
# what was removed is not offered when its kind is added
remove the socks and add wool socks & BOOT-004 x1 ~ SOCK-003 !~ (SOCK-012) ~ ...Which one shall I add?
# a search leaves out what was removed unless it is named
remove the socks / show me merino wool !~ SOCK-012
show me the Merino Wool Hiking Socks ~ SOCK-012
# the sentence of a refusal is passed on
= add_to_cart add_to_cart refused: Only 1 of it is in stock.
add BOOT-004 x5 == I could not add to the cart: Only 1 of it is in stock.
"""


@dialogues(DIALOGUES)
def test_a_dialogue_about_the_cart(lines: list[str], talk: ShopTalk):
    held(lines, talk)


@dialogues(FILLED)
def test_a_dialogue_about_the_cart_with_boots_and_socks_in_the_cart(lines, filled):
    held(lines, filled)


def test_a_removed_product_and_its_kind_are_never_suggested(filled: ShopTalk):
    filled.say("remove the socks")
    for _ in range(6):
        answer = filled.say("anything else you would suggest?")
        assert "sock" not in answer.lower()
        assert "BOOT-004" not in answer
        assert all("sock" not in str(args) for _, args in filled.calls)


def test_a_kind_without_hits_or_stock_is_passed_over(talk: ShopTalk):
    talk.cart = {"TENT-001": 1}
    answer = talk.say("any suggestions?")
    assert "LAMP-005" not in answer
    assert talk.model_calls <= 4


def test_a_twin_of_what_was_removed_is_not_suggested(filled: ShopTalk):
    filled.goods = (*ASSORTMENT, Goods("POLE-099", "Larch Trekking Poles", 7_800))
    filled.say("add POLE-002")
    filled.say("remove POLE-002")
    for _ in range(4):
        assert "Larch" not in filled.say("anything else you would suggest?")


def test_what_was_removed_is_left_out_of_suggestions_whatever_the_result_holds(filled: ShopTalk):
    filled.say("remove the socks")
    names = ("SOCK-003", "BOOT-004", "SOCK-012", "POLE-002")
    rows = [next(goods for goods in ASSORTMENT if goods.sku == sku).row for sku in names]
    listed = "\n".join(f"{n}. {row}" for n, row in enumerate(rows, 1))
    filled.answers["search_products"] = lambda args: f"r9 search_products ok: 4 hits\n{listed}\n."
    answer = filled.say("anything else you would suggest?")
    assert [sku for sku in names if sku in answer] == ["POLE-002"]


SAME_NAMES = (
    Goods("TENT-008", "Fox Hollow Two Person Tent", 11_390),
    Goods("TENT-002", "Pine Ledge Two Person Tent", 6_850),
    Goods("SOCK-009", "Pine Ledge Wool Socks", 1_090),
)


def test_in_the_place_of_a_tent_comes_a_tent():
    talk = ShopTalk(goods=SAME_NAMES, cart={"TENT-008": 1})
    talk.say("show me socks")
    talk.say("could you swap the tent for the pine ledge one, its cheaper")
    assert talk.cart == {"TENT-002": 1}


@pytest.mark.parametrize("most", ["cheapest", "lightest"])
@pytest.mark.parametrize("said", ["the second", "i'll go with the first one we talked about"])
def test_what_was_only_looked_up_is_no_list(most: str, said: str):
    talk = ShopTalk(goods=SAME_NAMES)
    talk.say(f"what is the {most} tent")
    talk.say(said)
    assert not talk.cart
