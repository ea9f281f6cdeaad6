"""The stand-in on checkout, orders, mail and profile."""

from typing import Any

import pytest

from tests.unit.dialogue import dialogues, held
from tests.unit.shop_talk import BOOTS, ShopTalk, needs_what_is_missing

DIALOGUES = """
# a place in the list of cards is looked up too
: user ben; cart BOOT-004 x1
check out using the second card and ship it to the first address -> fetch_user_profile; checkout card_id=card_ben_2, address_id=addr_ben_1
# an address that is not on file is asked about
: user ben; cart BOOT-004 x1
ship it to the castle ~ ...Where shall it be delivered?
home then -> checkout address_id=addr_ben_1
# checkout waits for what the sentence adds
BOOTS / add the first one and check out ->> add_to_cart checkout * 3
# more wishes than it follows are told
add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, & BOOT-004 x12 ~ more than I follow
# a wish for something is asked about
BOOTS / I need something nice == What shall I look for?
# yes and the wish itself are one wish
tell me about BOOT-004 / yes, add it & BOOT-004 x1
# the last order that was placed is cancelled
: order DB-10001 placed 10.00 USD; order DB-10003 placed 30.00 USD; order DB-10002 cancelled 20.00 USD
cancel my last order -> cancel_order order_id=DB-10003
# an order that is named is cancelled
: order DB-10001 placed 10.00 USD; order DB-10003 placed 30.00 USD
cancel order DB-10001 -> cancel_order order_id=DB-10001
# the last order is refunded
: order DB-10001 placed 10.00 USD; order DB-10003 placed 30.00 USD; order DB-10002 cancelled 20.00 USD
refund my order -> cancel_order order_id=DB-10003
# the reason of a cancellation is passed on
: order DB-10001 placed 10.00 USD
cancel my order because it is too big, sorry -> cancel_order order_id=DB-10001, reason=it is too big, sorry
# that order is the one that was spoken of
: order DB-10001 placed 10.00 USD; order DB-10002 placed 20.00 USD
where is my order DB-10001 -> get_order order_id=DB-10001
cancel it -> cancel_order order_id=DB-10001
# orders are listed
: order DB-10001 placed 10.00 USD
show my orders -> list_orders ~ DB-10001: placed, 10.00 USD (BOOT-004 x1)
where is my order? -> get_order order_id=DB-10001 ~ DB-10001: placed
# cards and addresses are named
: user ben
what cards do I have ~ visa 1881; mastercard 4444 ~ Home; Work
"""

FILLED = """
# being done is asked about before it buys
I'm done -> ~ ...Shall I check out?
yes -> checkout
# being done and ordering buys
I'm done, place the order -> checkout
# yes without a question approves nothing
: pending a checkout of 153.00 USD waits for approval
yes -> ~ a checkout of 153.00 USD waits for approval
"""


@dialogues(DIALOGUES)
def test_a_dialogue_about_buying(lines: list[str], talk: ShopTalk):
    held(lines, talk)


@dialogues(FILLED)
def test_a_dialogue_about_buying_with_boots_and_socks_in_the_cart(lines, filled):
    held(lines, filled)


@pytest.fixture
def choosing() -> ShopTalk:
    """Yield a conversation in which a checkout asked for card and address."""
    talk = ShopTalk("ben", cart={"BOOT-004": 1}, answers={"checkout": needs_what_is_missing})
    talk.say("check out")
    return talk


def test_a_needed_choice_becomes_one_question_with_a_numbered_list(choosing: ShopTalk):
    answer = choosing.history[-1].text
    lines = ["1. visa 1881", "2. mastercard 4444", "3. Home", "4. Work"]
    assert [line for line in lines if line in answer] == lines
    assert answer.count("?") == 1


@pytest.mark.parametrize(
    ("text", "args"),
    [
        (
            "use card 4444 and ship it to work",
            {"card_id": "card_ben_2", "address_id": "addr_ben_2"},
        ),
        ("the visa and home", {"card_id": "card_ben_1", "address_id": "addr_ben_1"}),
        ("2 and 3", {"card_id": "card_ben_2", "address_id": "addr_ben_1"}),
        ("card_ben_2, addr_ben_2", {"card_id": "card_ben_2", "address_id": "addr_ben_2"}),
        ("second card, second address", {"card_id": "card_ben_2", "address_id": "addr_ben_2"}),
        ("the first one and the second one", {"card_id": "card_ben_1", "address_id": "addr_ben_2"}),
        ("the second one", {"card_id": "card_ben_2"}),
        ("the mastercard", {"card_id": "card_ben_2"}),
        ("pay with visa", {"card_id": "card_ben_1"}),
        ("4444 please", {"card_id": "card_ben_2"}),
        ("card_ben_2", {"card_id": "card_ben_2"}),
        ("home", {"address_id": "addr_ben_1"}),
        ("ship it to work", {"address_id": "addr_ben_2"}),
        ("the last one", {"address_id": "addr_ben_2"}),
        ("use the second card", {"card_id": "card_ben_2"}),
        ("pay with card 1", {"card_id": "card_ben_1"}),
    ],
)
def test_the_answer_to_a_choice_is_found_in_it(choosing: ShopTalk, text: str, args: dict[str, Any]):
    choosing.say(text)
    assert choosing.calls == [("checkout", args)]


def test_a_choice_can_take_two_turns_and_keeps_what_was_chosen(choosing: ShopTalk):
    answer = choosing.say("the second one")
    assert "Where shall it be delivered?" in answer
    assert "mastercard" not in answer
    answer = choosing.say("the first one")
    assert choosing.calls == [("checkout", {"card_id": "card_ben_2", "address_id": "addr_ben_1"})]
    assert "DB-10001" in answer


@pytest.mark.parametrize("text", ["yes", "the amex", "number 9", "somewhere nice", "all of them"])
def test_an_answer_that_is_no_choice_is_asked_again(choosing: ShopTalk, text: str):
    answer = choosing.say(text)
    assert choosing.calls == []
    assert answer.startswith("I do not find that among the choices")
    choosing.say("card 2 and home")
    assert choosing.calls == [("checkout", {"card_id": "card_ben_2", "address_id": "addr_ben_1"})]


def test_another_wish_during_a_choice_is_followed_and_the_choice_stays_open(choosing: ShopTalk):
    choosing.say("what's in my cart")
    assert choosing.calls == []
    choosing.say("the mastercard")
    assert choosing.calls == [("checkout", {"card_id": "card_ben_2"})]


def test_a_choice_that_is_refused_buys_nothing(choosing: ShopTalk):
    assert "All right" in choosing.say("never mind")
    assert choosing.calls == []


def test_a_preference_without_a_question_is_looked_up_in_the_profile():
    talk = ShopTalk("ben", cart={"BOOT-004": 1}, answers={"checkout": needs_what_is_missing})
    talk.say("check out with the mastercard and ship it to work")
    assert talk.calls == [
        ("fetch_user_profile", {}),
        ("checkout", {"card_id": "card_ben_2", "address_id": "addr_ben_2"}),
    ]


def test_a_profile_that_cannot_be_read_buys_nothing():
    talk = ShopTalk("ben", cart={"BOOT-004": 1})
    talk.answers["fetch_user_profile"] = lambda args: "fetch_user_profile refused: Not now."
    assert "on file" in talk.say("pay with the visa")
    assert "Not now." in talk.say("what cards do I have")
    assert all(name != "checkout" for name, _ in talk.calls)


def test_a_card_that_is_not_on_file_is_asked_about_and_nothing_is_bought():
    talk = ShopTalk("ben", cart={"BOOT-004": 1}, answers={"checkout": needs_what_is_missing})
    answer = talk.say("pay with the amex and ship it to work")
    assert talk.calls == [("fetch_user_profile", {})]
    assert answer.endswith("Which card shall be charged?")
    talk.say("then the visa")
    assert talk.calls[-1][1]["card_id"] == "card_ben_1"


@pytest.mark.parametrize(
    ("result", "answer"),
    [
        (
            "checkout failed: The card was declined. Everything reserved was released.",
            "The checkout did not go through. The card was declined. "
            "Everything reserved was released.",
        ),
        ("checkout rejected by ada: too dear", "The checkout was rejected by ada: too dear."),
        ("checkout withdrawn: nothing was done", "The checkout was withdrawn: nothing was done."),
        ("checkout in doubt: The charge is not known.", "The checkout is in doubt. The charge is"),
        ("checkout refused: The cart was bought already.", "I could not check out: The cart was"),
        ("something else entirely", "something else entirely"),
    ],
)
def test_every_ending_of_a_checkout_is_told(filled: ShopTalk, result: str, answer: str):
    filled.answers["checkout"] = lambda args: result
    assert answer in filled.say("check out")
    assert len(filled.calls) == 1


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("add two more socks and check out", ["add_to_cart", "checkout"]),
        ("make the socks three and check out", ["set_quantity", "checkout"]),
        ("remove one of the socks and check out", ["set_quantity", "checkout"]),
        ("remove the socks, check out and mail me a summary",
         ["remove_from_cart", "checkout", "send_email"]),
        ("check out and then add BOOT-004", ["checkout", "add_to_cart"]),
        ("mail me my cart and clear the cart", ["send_email", "remove_from_cart", "remove_from_cart"]),
    ],
)  # fmt: skip
def test_what_was_bought_is_not_changed_again(filled: ShopTalk, text: str, calls: list[str]):
    answer = filled.say(text)
    assert [name for name, _ in filled.calls] == calls
    assert "nothing like" not in answer


@pytest.mark.parametrize(
    "text",
    [
        "add a kayak and check out",
        "add the second one and check out",
        "remove the tent and check out",
        "make it seven and check out",
        "add BOOT-999 and check out",
        "add a kayak, check out and mail me a summary",
    ],
)
def test_a_cart_that_is_not_as_it_was_asked_for_is_not_bought(filled: ShopTalk, text: str):
    answer = filled.say(text)
    assert "checkout" not in [name for name, _ in filled.calls]
    assert "I have not checked out" in answer


def test_the_question_comes_last_with_its_choices_right_before_it(choosing: ShopTalk):
    answer = choosing.say("add POLE-002 and check out")
    cart, choices = answer.index("Your cart:"), answer.index("1. visa 1881")
    assert cart < choices
    assert answer.endswith("Which card shall be charged, and where shall it be delivered?")


def test_what_cannot_be_cancelled_is_told(talk: ShopTalk):
    assert "no order that could be cancelled" in talk.say("cancel my order")
    assert "What shall I cancel?" in talk.say("cancel it")
    talk.orders = ["DB-10001 cancelled 10.00 USD"]
    assert "cancelled already" in talk.say("cancel order DB-10001")
    assert talk.calls == []


def test_orders_are_told_from_the_tail_where_they_cannot_be_listed():
    talk = ShopTalk(offered=(), orders=["DB-10001 placed 10.00 USD"])
    assert "DB-10001: placed, 10.00 USD" in talk.say("show my orders")


def test_an_order_that_was_just_placed_or_listed_is_that_order(filled: ShopTalk):
    assert filled.say("where is my order?") == "You have no orders so far."
    filled.say("check out")
    filled.orders = ["DB-10001 placed 10.00 USD"]
    filled.say("cancel it")
    assert filled.calls == [("cancel_order", {"order_id": "DB-10001"})]
    filled.say("show my orders")
    filled.say("cancel it")
    assert filled.calls == [("cancel_order", {"order_id": "DB-10001"})]


def test_a_summary_is_mailed(filled: ShopTalk):
    filled.orders = ["DB-10001 placed 10.00 USD"]
    filled.say("mail me a summary")
    ((name, args),) = filled.calls
    assert name == "send_email"
    assert "Merino Wool Hiking Socks (SOCK-012) x2: 24.00 USD" in args["body"]
    assert "DB-10001: placed" in args["body"]


def test_the_results_on_view_are_mailed(talk: ShopTalk):
    assert "no list on view" in talk.say("send me the results by mail")
    talk.say(BOOTS)
    talk.say("send me the results by mail")
    assert "2. Alder Ridge Waterproof Hiking Boot (BOOT-004)" in talk.calls[0][1]["body"]
