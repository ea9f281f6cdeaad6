"""The stand-in on which order shall be cancelled, where the conversation knows of none."""

import pytest

from tests.unit.shop_talk import ShopTalk

TENT = "DB-10001 | placed | 200.00 USD | TENT-001 x1"
SOCKS = "DB-10002 | placed | 24.00 USD | SOCK-012 x2"
BAG = "DB-10003 | cancelled | 90.00 USD | SBAG-002 x1"
WHICH = "Which order shall I cancel?"


def new_thread(*rows: str, **more: object) -> ShopTalk:
    talk = ShopTalk(**more)  # type: ignore[arg-type]
    talk.answers["list_orders"] = lambda args: "\n".join(
        [f"r9 list_orders ok: {len(rows)} orders", *rows]
    )
    return talk


@pytest.mark.parametrize(
    "text",
    ["cancel my order", "cancel my last order", "cancel the tent", "cancel one of my orders"],
)
def test_orders_of_other_threads_are_looked_up(text: str):
    talk = new_thread(TENT, BAG)
    talk.say(text)
    assert talk.calls == [("list_orders", {}), ("cancel_order", {"order_id": "DB-10001"})]


@pytest.mark.parametrize("text", ["cancel my order", "cancel an order", "cancel the boots"])
def test_of_several_it_is_asked_which(text: str):
    talk = new_thread(TENT, SOCKS, BAG)
    answer = talk.say(text)
    assert talk.calls == [("list_orders", {})]
    assert "- DB-10001: placed, 200.00 USD (TENT-001 x1)" in answer
    assert "- DB-10002: placed, 24.00 USD (SOCK-012 x2)" in answer
    assert "DB-10003" not in answer
    assert answer.endswith(WHICH)


@pytest.mark.parametrize(
    ("text", "order_id"),
    [
        ("DB-10001", "DB-10001"),
        ("the first one", "DB-10001"),
        ("the last one", "DB-10002"),
        ("cancel my last order", "DB-10002"),
        ("the tent", "DB-10001"),
        ("the order with the socks", "DB-10002"),
    ],
)
def test_the_answer_names_the_order(text: str, order_id: str):
    talk = new_thread(TENT, SOCKS, BAG)
    talk.say("cancel my order")
    talk.say(text)
    assert talk.calls[-1] == ("cancel_order", {"order_id": order_id})


@pytest.mark.parametrize("text", ["yes", "I don't mind", "cancel it", "the boots"])
def test_an_answer_that_names_none_is_asked_again(text: str):
    talk = new_thread(TENT, SOCKS, BAG)
    talk.say("cancel my order")
    assert talk.say(text).endswith(WHICH)
    assert "cancel_order" not in [name for name, _ in talk.calls]


@pytest.mark.parametrize("text", ["no", "never mind", "show me boots"])
def test_the_question_can_be_left(text: str):
    talk = new_thread(TENT, SOCKS)
    talk.say("cancel my order")
    assert WHICH not in talk.say(text)
    assert "cancel_order" not in [name for name, _ in talk.calls]


def test_the_last_order_is_the_newest_of_those_placed():
    talk = new_thread(TENT, SOCKS, BAG)
    talk.say("cancel my last order")
    assert talk.calls[-1] == ("cancel_order", {"order_id": "DB-10002"})


def test_without_an_order_nothing_is_cancelled():
    talk = new_thread(BAG)
    assert talk.say("cancel my order") == "You have no order that could be cancelled."
    assert "None of your orders" in talk.say("cancel the tent")


def test_what_lies_in_the_cart_is_taken_out_and_no_order_is_cancelled():
    talk = new_thread(TENT, cart={"TENT-001": 1})
    talk.say("cancel the tent")
    assert talk.calls == [("remove_from_cart", {"sku": "TENT-001"})]


def test_it_is_the_order_that_was_listed():
    talk = new_thread(TENT)
    talk.say("show my orders")
    talk.say("cancel it")
    assert talk.calls[-1] == ("cancel_order", {"order_id": "DB-10001"})


def test_where_the_last_order_is_can_be_asked_in_a_new_thread():
    talk = new_thread(TENT)
    talk.say("where is my order")
    assert talk.calls == [("list_orders", {}), ("get_order", {"order_id": "DB-10001"})]


def test_the_machines_question_can_be_answered_with_the_goods():
    asked = "Which of your orders shall be cancelled: DB-10001 (200.00 USD), DB-10002 (300.00 USD)?"
    talk = new_thread(TENT, SOCKS, questions={"cancel_order": asked})
    talk.orders = ["DB-10001 placed 200.00 USD", "DB-10002 placed 300.00 USD"]
    assert talk.say("cancel my order") == asked
    talk.say("the tent")
    assert talk.calls[-1] == ("cancel_order", {"order_id": "DB-10001"})
