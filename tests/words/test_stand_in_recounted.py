"""New counts of several lines of the cart, and goods before what becomes of them."""

import pytest

from tests.words.shop_talk import ShopTalk

TWO = "add 3 SOCK-012 and 2 POLE-002"


@pytest.mark.parametrize(
    ("said", "cart"),
    [
        ("no, 4 and 1", {"SOCK-012": 4, "POLE-002": 1}),
        ("nah 3 and 3", {"SOCK-012": 3, "POLE-002": 3}),
        ("sorry, I miscounted: five and one.", {"SOCK-012": 5, "POLE-002": 1}),
        ("make that 1 and 1", {"SOCK-012": 1, "POLE-002": 1}),
        ("other way round!", {"SOCK-012": 2, "POLE-002": 3}),
        ("swap the numbers round, 2 SOCK-012 and 3 POLE-002", {"SOCK-012": 2, "POLE-002": 3}),
        ("sorry, other way round! 2 of the socks and 3 poles", {"SOCK-012": 2, "POLE-002": 3}),
        ("4 of each, I misread the list", {"SOCK-012": 4, "POLE-002": 4}),
        ("only 1 of the socks and 1 of the poles", {"SOCK-012": 1, "POLE-002": 1}),
        # What says no correction, asks, or counts other lines than there are, counts nothing anew.
        ("4 and 1", {"SOCK-012": 3, "POLE-002": 2}),
        ("would 4 and 1 be better?", {"SOCK-012": 3, "POLE-002": 2}),
        ("no, 4 and 1 and 2", {"SOCK-012": 3, "POLE-002": 2}),
    ],
)
def test_each_number_is_of_its_line(said: str, cart: dict[str, int]):
    talk = ShopTalk()
    talk.say(TWO)
    talk.say(said)
    assert talk.cart == cart


@pytest.mark.parametrize(
    ("said", "cart"),
    [
        ("Fern Gully boot. Add 2", {"BOOT-007": 2}),
        ("Fern Gully boot, add one", {"BOOT-007": 1}),
        ("Fern Gully boot looks fine, add it", {"BOOT-007": 1}),
        ("not the Fern Gully boot, add it", {}),
        ("a Fern Gully boot and 2 Alder Ridge boots too", {"BOOT-007": 1, "BOOT-004": 2}),
        ("1 pair of the Fern Gully boot and SOCK-012", {"BOOT-007": 1, "SOCK-012": 1}),
    ],
)
def test_goods_before_their_verb_go_in(said: str, cart: dict[str, int]):
    talk = ShopTalk()
    talk.say("I need hiking boots")
    talk.say(said)
    assert talk.cart == cart


@pytest.mark.parametrize(
    ("said", "cart"),
    [
        ("take it out again please, I found one in the attic", {}),
        ("take the socks out, my wife has some already", {}),
    ],
)
def test_why_something_goes_is_no_doubt_of_it(said: str, cart: dict[str, int]):
    talk = ShopTalk()
    talk.say("add SOCK-012")
    talk.say(said)
    assert talk.cart == cart


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("no sorry 4 was fine", 4),
        ("actually 4 was right", 4),
        ("oh wait, four was enough", 4),
        ("hang on, four pairs is plenty", 4),
        ("3 would be plenty", 3),
        ("ok good 5 is right, one is for my roommate", 5),
        ("5 is fine", 5),
        ("six are better", 6),
        ("six is better, my mum wants one too", 6),
        ("no, 6 would be better", 6),
        ("would 6 be better?", 5),
        # What denies or asks counts nothing anew.
        ("4 was not enough", 5),
        ("was 4 enough?", 5),
    ],
)
def test_a_count_that_was_right_is_had_again(said: str, count: int):
    talk = ShopTalk()
    for one in ("add 4 SOCK-012", "make it 5", said):
        talk.say(one)
    assert talk.cart == {"SOCK-012": count}


@pytest.mark.parametrize(
    ("said", "cart"),
    [
        ("ok take everything out except the poles", {"POLE-002": 2}),
        ("well, throw all of it out apart from the poles", {"POLE-002": 2}),
        ("please kick the lot out but the socks", {"SOCK-012": 3}),
        ("take everything except the socks out", {"SOCK-012": 3}),
        ("should I take everything out except the poles?", {"SOCK-012": 3, "POLE-002": 2}),
        ("don't take everything out except the poles", {"SOCK-012": 3, "POLE-002": 2}),
    ],
)
def test_all_but_one_go(said: str, cart: dict[str, int]):
    talk = ShopTalk()
    talk.say(TWO)
    talk.say(said)
    assert talk.cart == cart


@pytest.mark.parametrize(
    ("said", "cart"),
    [
        ("I'll take all of them", {"BOOT-007": 14}),
        ("ok give me all of them please", {"BOOT-007": 14}),
        ("just add one", {"BOOT-007": 1}),
        ("are all of them waterproof?", {}),
        ("all of them are too dear", {}),
    ],
)
def test_all_of_one_product_are_as_many_as_are_left(said: str, cart: dict[str, int]):
    talk = ShopTalk()
    for one in ("I need hiking boots", "how many of BOOT-007 are left?", said):
        answer = talk.say(one)
    if 14 in cart.values():
        assert "Shall I put BOOT-007 into your cart (quantity 14)" in answer
        talk.say("yes")
    assert talk.cart == cart


@pytest.mark.parametrize(
    "said",
    [
        "Say that back to me so I know you got it.",
        "can you read me my order back",
        "please repeat everything back to me",
    ],
)
def test_what_is_to_be_said_back_is_the_cart(said: str):
    talk = ShopTalk()
    talk.say(TWO)
    assert "Your cart:" in talk.say(said)


@pytest.mark.parametrize(
    ("said", "sku"),
    [
        ("third time im typin this do you have hiking boots or not", "BOOT-004"),
        ("this is the second time I'm asking, do you have hiking boots?", "BOOT-004"),
        ("4th time I ask: show me trekking poles", "POLE-002"),
    ],
)
def test_how_often_it_was_asked_is_no_place_in_a_list(said: str, sku: str):
    assert sku in ShopTalk().say(said)


@pytest.mark.parametrize(
    "said", ["Thank you. May I know the order number?", "ok. could I have my order number please"]
)
def test_the_number_of_the_order_is_told_beside_thanks(said: str):
    talk = ShopTalk(orders=["DB-10001 placed 10.00 USD"])
    assert "DB-10001" in talk.say(said)
