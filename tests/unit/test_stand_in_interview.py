"""The stand-in as interviewer, at the hand-over, and after a question of the machine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybook.demo.model.grammar.answers.interview import (
    ASK_CATEGORY,
    ASK_GOAL,
    ASK_OTHERS_SIZE,
    ASK_PRICE,
    ASK_SIZE,
)
from tests.unit.dialogue import dialogues, held
from tests.unit.shop_talk import ShopTalk
from tests.unit.utterances import UTTERANCES

DIALOGUES = f"""
# what is said beside the wish for advice is done first
help me choose and add BOOT-004, my feet are wide ->> add_to_cart remember start_interview
# a question in between is answered and the interview goes on
my feet are wide / help me choose / what do you know about me ~ - feet: wide ~ ...{ASK_GOAL}
# a question is asked twice at most
I need advice for a trip to Iceland
purple monkeys ~ I did not understand “purple monkeys” ~ ...{ASK_CATEGORY}
more purple monkeys ~ ...{ASK_PRICE}
# another wish ends the interview and is followed
: cart BOOT-004 x1
help me choose / check out -> hand_over wish=check out; checkout ~ Your order is placed
# whoever wants to be shown something is handed over at once
I need advice for a trip to Iceland
just show me something -> hand_over declined=True ~ Tell me first what you are after
# whoever says stop is handed over at once
I need advice for a trip to Iceland / stop -> hand_over declined=True ~ Tell me first what you are after
# whoever never minds is handed over at once
I need advice for a trip to Iceland
never mind -> hand_over declined=True ~ Tell me first what you are after
# whoever is done is handed over at once
I need advice for a trip to Iceland / I'm done -> hand_over declined=True ~ Tell me first what you are after
# a slot can be left open by not caring
advise me on tents ~ ...{ASK_PRICE}
I don't care ->> hand_over search_products ~ TENT-001
# a slot can be left open by not knowing
advise me on tents / I don't know ->> hand_over search_products ~ TENT-001
# a slot can be left open by a no
advise me on tents / no ->> hand_over search_products ~ TENT-001
# another goal within the interview takes the place of the first
help me choose
I changed my mind, I want a jacket for my son instead -> note_brief goal=a jacket for my son, category=jackets, for_whom=my son ~ ...{ASK_PRICE}
# a budget that is stated in an interview is noted and remembered
I need advice for a trip to Iceland
my budget is 140 dollars -> note_brief max_price=14000; remember subject=budget, value=140 dollars, kind=constraint ~ ...{ASK_CATEGORY}
# a slot can be left open by whatever
advise me on tents / whatever ->> hand_over search_products ~ TENT-001
"""


@dialogues(DIALOGUES)
def test_a_dialogue_about_an_interview(lines: list[str], talk: ShopTalk):
    held(lines, talk)


BUDGET = "Is there a limit that I should keep to, or shall I check out as it is?"


KIND = "What kind of thing are you looking for: boots, a jacket, a tent, or something else?"


WHICH = "Which of your orders shall be cancelled: DB-10001, DB-10002?"


def test_the_interview_asks_one_thing_at_a_time_and_the_shopper_searches_by_the_brief(talk):
    assert talk.say("help me choose").endswith(ASK_GOAL)
    assert talk.owner == "interviewer"
    assert talk.say("a trip to Iceland").endswith(ASK_CATEGORY)
    assert talk.say("waterproof boots").endswith(ASK_PRICE)
    assert talk.say("under 140").endswith(ASK_SIZE)
    answer = talk.say("43")
    assert talk.calls == [
        ("note_brief", {"size": "43"}),
        ("hand_over", {}),
        (
            "search_products",
            {"query": "waterproof hiking boots", "category": "hiking-boots", "max_price": 14000},
        ),
    ]
    assert talk.brief.must_have == ("waterproof",)
    assert "2. **Alder Ridge" in answer
    talk.say("add the second one")
    assert talk.cart == {"BOOT-004": 1}


def test_one_answer_may_fill_several_slots(talk: ShopTalk):
    talk.say("I need advice for a trip to Iceland")
    talk.say("boots under 140 and I wear size 43")
    assert (talk.brief.category, talk.brief.max_price, talk.brief.size) == (
        "hiking-boots",
        14000,
        "43",
    )
    assert [fact.subject for fact in talk.facts] == ["shoe size"]
    assert talk.owner == "shopper"


def test_what_is_known_is_not_asked(talk: ShopTalk):
    talk.say("my shoe size is 43 and my budget is 140 dollars")
    answer = talk.say("advise me on boots")
    assert (talk.brief.size, talk.brief.max_price) == ("43", 14000)
    assert "2 products for “hiking boots” up to 140.00 USD" in answer


def test_the_size_of_somebody_else_is_asked(talk: ShopTalk):
    talk.say("my shoe size is 43")
    talk.say("advise me on boots for my son")
    assert talk.say("I don't care").endswith(ASK_OTHERS_SIZE)
    assert talk.brief.for_whom == "my son"
    assert talk.brief.size == ""


def test_a_new_goal_begins_the_interview_anew_where_there_was_one(talk: ShopTalk):
    changed = "I changed my mind, I want a jacket for my son instead"
    talk.say(changed)
    assert talk.calls == [("search_products", {"query": "jacket for son"})]
    talk.say("advise me on tents")
    talk.say("just show me something")
    talk.say(changed)
    assert talk.calls[0] == ("start_interview", {"goal": "a jacket for my son"})
    assert (talk.brief.category, talk.brief.for_whom) == ("jackets", "my son")


def test_a_refused_note_is_passed_on_and_asked_again(talk: ShopTalk):
    talk.say("I need advice for a trip to Iceland")
    talk.answers["note_brief"] = lambda args: "note_brief refused: There is no such category."
    answer = talk.say("boots")
    assert "There is no such category." in answer
    assert answer.endswith(ASK_CATEGORY)


def expensive() -> ShopTalk:
    talk = ShopTalk(cart={"TENT-001": 6}, questions={"checkout": BUDGET})
    assert talk.say("check out") == BUDGET
    assert talk.calls == []
    return talk


@pytest.mark.parametrize("text", ["as it is", "I don't mind", "yes", "no limit"])
def test_what_the_machine_asked_about_is_proposed_again(text: str):
    talk = expensive()
    talk.say(text)
    assert talk.calls == [("checkout", {})]


@pytest.mark.parametrize("text", ["under 2000", "my budget is 2000", "2000", "2,000 dollars"])
def test_a_budget_is_noted_and_kept_to(text: str):
    talk = expensive()
    talk.say(text)
    assert [name for name, _ in talk.calls] == ["remember", "checkout"]
    assert talk.calls[0][1]["subject"] == "budget"


def test_a_cart_above_the_budget_is_not_bought():
    talk = expensive()
    answer = talk.say("under 500")
    assert [name for name, _ in talk.calls] == ["remember"]
    assert "which is above 500.00 USD" in answer


@pytest.mark.parametrize("text", ["no", "I don't know", "remove the tent", "what is my budget"])
def test_nothing_is_bought_on_any_other_answer(text: str):
    talk = expensive()
    talk.say(text)
    assert "checkout" not in [name for name, _ in talk.calls]


@pytest.mark.parametrize(
    ("text", "order_id"),
    [
        ("DB-10002", "DB-10002"),
        ("order DB-10002", "DB-10002"),
        ("the first one", "DB-10001"),
        ("the last one", "DB-10002"),
        ("my last order", "DB-10002"),
    ],
)
def test_the_order_that_is_named_is_cancelled(text: str, order_id: str):
    talk = ShopTalk(questions={"cancel_order": WHICH})
    talk.orders = ["DB-10001 placed 200.00 USD", "DB-10002 placed 300.00 USD"]
    talk.say("cancel my order")
    talk.say(text)
    assert talk.calls == [("cancel_order", {"order_id": order_id})]


def test_no_order_is_cancelled_before_one_is_named():
    talk = ShopTalk(questions={"cancel_order": WHICH})
    talk.orders = ["DB-10001 placed 200.00 USD", "DB-10002 placed 300.00 USD"]
    talk.say("cancel my order")
    assert talk.say("I don't mind") == WHICH
    talk.say("the first one")
    assert talk.calls == [("cancel_order", {"order_id": "DB-10001"})]


def test_a_wide_search_is_narrowed_by_the_answer():
    for text, args in (
        ("boots", {"query": "boots"}),
        ("under 50", {"query": "gear", "max_price": 5000}),
        ("I don't mind", {"query": "gear"}),
    ):
        talk = ShopTalk(questions={"search_products": KIND})
        assert talk.say("show me gear") == KIND
        talk.say(text)
        assert talk.calls == [("search_products", args)]


@pytest.mark.parametrize("text", ["something nice", "anything", "what do you sell?"])
def test_whoever_names_no_kind_of_goods_is_told_which_there_are(text: str):
    talk = ShopTalk(questions={"search_products": KIND})
    talk.say("show me gear")
    assert "tents, sleeping bags" in talk.say(text)
    assert talk.calls == []
    talk.say("tents")
    assert talk.calls == [("search_products", {"query": "tents"})]


SAID = [text for text, _ in UTTERANCES]


@given(texts=st.lists(st.sampled_from(SAID) | st.text(max_size=30), min_size=1, max_size=4))
def test_any_text_in_an_interview_is_answered_by_whoever_owns_the_work(texts: list[str]):
    # `ShopTalk` fails on a tool that its owner does not have, and on a turn that does not end.
    talk = ShopTalk(cart={"BOOT-004": 1}, orders=["DB-10001 placed 10.00 USD"])
    talk.say("help me choose")
    for text in texts:
        assert talk.say(text)
