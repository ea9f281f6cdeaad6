"""Questions about what was done, questions that stay open, and what only tells of a change."""

import pytest

from daybook.demo.model.grammar.language.intents.cart import ShowCart
from daybook.demo.model.grammar.language.intents.orders import OrderNews
from daybook.demo.model.grammar.language.reading import understand
from tests.words.shop_talk import ShopTalk


@pytest.mark.parametrize(
    ("said", "of"),
    [
        ("Has that all gone through all right, dear?", "placed"),
        ("so im not charged", "placed"),
        ("are you sure it worked", "placed"),
        ("You have already take my money?", "placed"),
        ("nothing has been paid so far, is that correct", "placed"),
        ("what did you charge me in the end", "which"),
        ("did you charge me twice??", "which"),
        ("did you actually cancel it?", "cancelled"),
        ("was i refunded", "cancelled"),
        ("Did you send a confirmation?", "mailed"),
        ("can you tell me what you just did", "done"),
        ("what have you done so far?", "done"),
    ],
)
def test_what_was_done_is_asked_in_many_ways(said: str, of: str):
    assert understand(said) == (OrderNews(of),)


@pytest.mark.parametrize(
    "said", ["did you put three in", "is it gone?", "so you took it out", "could you recap for me"]
)
def test_what_became_of_the_cart_is_told_by_the_cart(said: str):
    assert understand(said) == (ShowCart(),)


@pytest.mark.parametrize(
    "said",
    [
        "was the first one waterproof",
        "is it made of leather",
        "is there a lighter pair",
        "did the order from monday go out",
        "when is it back in",
        "he paid like 200 for his but i do not want to pay more than 150 for poles, carbon",
        "whats the cheapest snow poles now, add it",
    ],
)
def test_what_is_asked_of_goods_is_no_question_of_what_was_done(said: str):
    assert not any(isinstance(one, OrderNews | ShowCart) for one in understand(said))


@pytest.mark.parametrize(
    "look", ["what's in my cart", "what do i owe", "did it go through?", "what does it cost"]
)
def test_a_question_of_the_cart_is_asked_again_behind_a_look(talk: ShopTalk, look: str):
    question = talk.say("add TENT-001 only if it is under 500").split("\n")[-1]
    assert question.startswith("Shall I put TENT-001 into your cart")
    assert talk.say(look).endswith(question)
    talk.say("yes")
    assert talk.calls == [("add_to_cart", {"sku": "TENT-001", "quantity": 1})]


@pytest.mark.parametrize(
    "said",
    [
        "so you put in two",
        "i told you to add two",
        "i take it it is waterproof",
        "give me 5 minutes",
        "give me the price",
        "make it 20 dollars",
        "change it to 12 Elm street",
        "take 10 percent off",
        "i was going to add the tent",
        "i have two of those already",
        "change the card to visa",
        "what would two of them be",
        "it should go down to minus ten",
        "empty?",
        "i'll pay tomorrow",
    ],
)
def test_what_only_tells_of_a_change_makes_none(talk: ShopTalk, said: str):
    talk.say("add TENT-001")
    talk.say(said)
    assert talk.cart == {"TENT-001": 1}
    assert not any(tool == "checkout" for tool, _ in talk.calls)


def test_a_yes_beside_its_contrary_is_none(talk: ShopTalk):
    talk.say("add TENT-001")
    assert "out of your cart" in talk.say("no wait")
    talk.say("well ok, yes put it back")
    assert talk.cart == {"TENT-001": 1}


@pytest.mark.parametrize(
    ("said", "count"),
    [("i want two no three of TENT-001", 3), ("two, sorry, four of TENT-001 please", 4)],
)
def test_a_count_that_is_put_right_at_once_is_the_last_one(talk: ShopTalk, said: str, count: int):
    talk.say(said)
    assert ("add_to_cart", {"sku": "TENT-001", "quantity": count}) in talk.calls
