"""The stand-in as interviewer, at the hand-over, and after a question of the machine."""

from hypothesis import given
from hypothesis import strategies as st

from daybook.demo.model.grammar.answers.asked.interview import (
    ASK_CATEGORY,
    ASK_GOAL,
    ASK_OTHERS_SIZE,
    ASK_PRICE,
    ASK_SIZE,
)
from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import ShopTalk
from tests.words.utterances import UTTERANCES

BUDGET = "Is there a limit that I should keep to, or shall I check out as it is?"
KIND = "What kind of thing are you looking for: boots, a jacket, a tent, or something else?"
WHICH = "Which of your orders shall be cancelled: DB-10001, DB-10002?"

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
## whoever wants no more questions is handed over at once
: said I need advice for a trip to Iceland
just show me something -> hand_over declined=True ~ Tell me first what you are after
stop -> hand_over declined=True ~ Tell me first what you are after
never mind -> hand_over declined=True ~ Tell me first what you are after
I'm done -> hand_over declined=True ~ Tell me first what you are after
## a slot can be left open
: said advise me on tents
I don't care ->> hand_over search_products ~ TENT-001
I don't know ->> hand_over search_products ~ TENT-001
no ->> hand_over search_products ~ TENT-001
whatever ->> hand_over search_products ~ TENT-001
# what was left open is asked no more
advise me on tents ~ ...{ASK_PRICE}
# another goal within the interview takes the place of the first
help me choose
I changed my mind, I want a jacket for my son instead -> note_brief goal=a jacket for my son, category=jackets, for_whom=my son ~ ...{ASK_PRICE}
# a budget that is stated in an interview is noted and remembered
I need advice for a trip to Iceland
my budget is 140 dollars -> note_brief max_price=14000; remember subject=budget, value=140 dollars, kind=constraint ~ ...{ASK_CATEGORY}
# a refused note is passed on and asked again
: said I need advice for a trip to Iceland
= note_brief note_brief refused: There is no such category.
boots ~ There is no such category. ~ ...{ASK_CATEGORY}
# the size of somebody else is asked
my shoe size is 43 / advise me on boots for my son / I don't care ~ ...{ASK_OTHERS_SIZE}
# what the machine asks is passed on before anything is bought
: cart TENT-001 x6; asked checkout {BUDGET}
check out -> == {BUDGET}
## what the machine asked about is proposed again
: cart TENT-001 x6; asked checkout {BUDGET}; said check out
as it is -> checkout
I don't mind -> checkout
yes -> checkout
no limit -> checkout
## a budget is noted and kept to
: cart TENT-001 x6; asked checkout {BUDGET}; said check out
under 2000 ->> remember checkout ~> budget
my budget is 2000 ->> remember checkout ~> budget
2000 ->> remember checkout ~> budget
2,000 dollars ->> remember checkout ~> budget
under 500 ->> remember ~ which is above 500.00 USD
## nothing is bought on any other answer
: cart TENT-001 x6; asked checkout {BUDGET}; said check out
no !-> checkout
I don't know !-> checkout
remove the tent !-> checkout
what is my budget !-> checkout
## the order that is named is cancelled
: asked cancel_order {WHICH}; order DB-10001 placed 200.00 USD; order DB-10002 placed 300.00 USD
: said cancel my order
DB-10002 -> cancel_order order_id=DB-10002
order DB-10002 -> cancel_order order_id=DB-10002
the first one -> cancel_order order_id=DB-10001
the last one -> cancel_order order_id=DB-10002
my last order -> cancel_order order_id=DB-10002
# no order is cancelled before one is named
: asked cancel_order {WHICH}; order DB-10001 placed 200.00 USD; order DB-10002 placed 300.00 USD
cancel my order / I don't mind == {WHICH}
the first one -> cancel_order order_id=DB-10001
# what the machine asks of a search is passed on
: asked search_products {KIND}
show me gear == {KIND}
## a wide search is narrowed by the answer
: asked search_products {KIND}; said show me gear
boots -> search_products query=boots
under 50 -> search_products query=gear, max_price=5000
I don't mind -> search_products query=gear
something nice -> ~ tents, sleeping bags
anything -> ~ tents, sleeping bags
what do you sell? -> ~ tents, sleeping bags
# whoever was told which kinds of goods there are names one
: asked search_products {KIND}
show me gear / something nice / tents -> search_products query=tents
"""


@dialogues(DIALOGUES)
def test_a_dialogue_about_an_interview(lines: list[str], talk: ShopTalk):
    held(lines, talk)


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


def test_a_new_goal_begins_the_interview_anew_where_there_was_one(talk: ShopTalk):
    changed = "I changed my mind, I want a jacket for my son instead"
    talk.say(changed)
    assert talk.calls == [("search_products", {"query": "jacket for son"})]
    talk.say("advise me on tents")
    talk.say("just show me something")
    talk.say(changed)
    assert talk.calls[0] == ("start_interview", {"goal": "a jacket for my son"})
    assert (talk.brief.category, talk.brief.for_whom) == ("jackets", "my son")


SAID = [text for text, _ in UTTERANCES]


@given(texts=st.lists(st.sampled_from(SAID) | st.text(max_size=30), min_size=1, max_size=4))
def test_any_text_in_an_interview_is_answered_by_whoever_owns_the_work(texts: list[str]):
    # `ShopTalk` fails on a tool that its owner does not have, and on a turn that does not end.
    talk = ShopTalk(cart={"BOOT-004": 1}, orders=["DB-10001 placed 10.00 USD"])
    talk.say("help me choose")
    for text in texts:
        assert talk.say(text)
