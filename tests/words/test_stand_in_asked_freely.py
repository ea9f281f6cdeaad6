"""What is asked, looked for and told in words that no list of phrases holds."""

import pytest

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.intents.cart import ShowCart
from daybook.demo.model.grammar.language.intents.goods import (
    AskPrice,
    AskProperty,
    Measure,
    Pick,
    Reviews,
    Search,
    Times,
)
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import AskPolicy, Checkout
from daybook.demo.model.grammar.language.intents.past import Advise, Remember
from daybook.demo.model.grammar.language.intents.references import (
    Every,
    Extreme,
    It,
    Named,
    Reference,
)
from daybook.demo.model.grammar.language.intents.talk import Talk
from daybook.demo.model.grammar.language.reading import understand
from tests.words.shop_talk import ASSORTMENT, BOOTS, Goods, ShopTalk

CAIRN = Named(("cairn", "hill", "boot"), definite=True)
DAYPACK = Named(("lark", "rise", "daypack"), definite=True)


@pytest.mark.parametrize(
    "said",
    [
        "quilt, sub 600 g, comfort 0 or lower",
        "boots for 0 dollars",
        "boots 0 or less",
        "max 0 boots",
        "boots between 0 and 0",
        "nothing over 0, a tent",
        "add boots under 0",
        "compare boots, at most 0",
        "boots under $0.00",
        "if I took boots up to 0 dollars",
        "socks cheaper than 0",
    ],
)
def test_no_limit_of_nought_reaches_a_tool(talk: ShopTalk, said: str):
    talk.say(BOOTS)
    assert talk.say(said)
    assert not [args for _, args in talk.calls if args.get("max_price", 1) < 1]


@pytest.mark.parametrize(
    ("said", "most"),
    [
        ("a tent under 3.5 lb and under 200 dollars", 20_000),
        ("a bag, comfort 5 or lower, under 120", 12_000),
        ("quilts, comfort limit 0 or below", None),
        ("a comfort rating of 0, max 300", 30_000),
        ("10 g less is not worth 60 bucks", None),
        ("it is not worth an extra 40 dollars, show me tents under 90", 9_000),
        ("a jacket under 40 dollars", 4_000),
        ("a warm bag, 50 or less", 5_000),
    ],
)
def test_what_is_a_limit_of_price_and_what_is_none(said: str, most: int | None):
    assert price_bounds(said)[1] == most


@pytest.mark.parametrize(
    ("said", "limits"),
    [
        ("He needs a daypack and a water bottle, daypack max 70, bottle max 30", [7_000, 3_000]),
        ("a tent and a sleeping bag. tent up to 150, bag under 80 please", [15_000, 8_000]),
        ("boots below 120, socks below 20 and a jacket for at most 150", [12_000, 2_000, 15_000]),
        ("stove under 60; headlamp under 25", [6_000, 2_500]),
    ],
)
def test_each_kind_has_a_limit_of_its_own(said: str, limits: list[int]):
    assert [one.max_price for one in understand(said) if isinstance(one, Search)] == limits


def test_goods_that_are_named_are_no_kinds_to_look_for():
    said = "take the Pine Ledge tent under 90 and the Fox Hollow bottle under 10"
    assert not any(isinstance(one, Search) for one in understand(said))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        # What others say.
        ("What do other customers say of the Cairn Hill boot?", Reviews(CAIRN)),
        ("what did buyers think of the Cairn Hill boot", Reviews(CAIRN)),
        ("what have people said about the Cairn Hill boot?", Reviews(CAIRN)),
        # What it holds, and how many there are.
        ("how much does the Lark Rise daypack hold?", AskProperty(DAYPACK, ("capacity",))),
        ("what can the Lark Rise daypack carry?", AskProperty(DAYPACK, ("capacity",))),
        ("how many of the Lark Rise daypack can I get at once?", AskProperty(DAYPACK, ("stock",))),
        ("how many of the Lark Rise daypack could we buy", AskProperty(DAYPACK, ("stock",))),
        ("how many of the Lark Rise are in my cart", ShowCart()),
        ("how many Lark Rise daypacks do I have", ShowCart()),
        ("how much is the Lark Rise daypack", AskPrice(DAYPACK)),
        ("do you do overnight shipping", AskPolicy("shipping")),
        # What is shared, and what two cost together.
        ("What would the Lark Rise daypack be split by 8?", Times(1, DAYPACK, among=8)),
        ("what's the total split 4 ways?", Times(1, Every(), among=4)),
        ("how much each if we share it between three of us", Times(1, It(), among=3)),
        (
            "If I would take it together with the Lark Rise daypack, what would be the price?",
            Times(1, It(), ((1, DAYPACK),)),
        ),
        ("and if i took 3 and the Lark Rise daypack too?", Times(3, It(), ((1, DAYPACK),))),
        # What such shall have.
        (
            "is there one with 8 litres?",
            Search(narrows=True, measures=(Measure("capacity_litre", 8.0, 8.0),)),
        ),
        ("show me those, up to 45", Search(max_price=4_500)),
        ("can I see some under 30 please", Search(max_price=3_000)),
        ("My son needs waterproof boots", Search("waterproof boots")),
        # Who does not know where to begin is asked.
        ("no idea where to begin, it's our first trip", Advise()),
        ("where do we even start?", Advise()),
        # What is only told.
        ("this is harder than it should be", Talk("sorry")),
    ],
)
def test_what_is_asked_in_other_words(said: str, meant: Intent):
    assert understand(said) == (meant,)


def test_no_cheapest_of_two_kinds_is_looked_for_in_one():
    said = "what is the cheapest stove and the cheapest bottle you have"
    one, other = understand(said)
    assert (one, other) == (
        Pick(Extreme("cheapest", ("stove",))),
        Pick(Extreme("cheapest", ("bottle",))),
    )


@pytest.mark.parametrize(
    "said",
    [
        "is the Lark Rise daypack big enough to share with 2 friends?",
        "can you wear the Clover Bank jacket 2 ways?",
        "can 2 people share the Silver Birch tent?",
        "add one each for the 4 of us",
    ],
)
def test_what_is_shared_otherwise_is_no_sum(said: str):
    assert not any(isinstance(one, Times) for one in understand(said))


@pytest.mark.parametrize("said", ["where do I start the checkout?", "how do I begin the payment"])
def test_who_wants_to_pay_is_not_interviewed(said: str):
    assert not any(isinstance(one, Advise) for one in understand(said))


@pytest.mark.parametrize(
    "said",
    [
        "note for you: I always camp with my dog",
        "a quick note to you: I always camp with my dog",
        "for your notes: I always camp with my dog",
        "remember for next time that I always camp with my dog",
    ],
)
def test_what_is_a_note_is_kept(said: str):
    (noted,) = understand(said)
    assert isinstance(noted, Remember)
    assert "camp with my dog" in noted.subject


@pytest.mark.parametrize(
    ("said", "item", "asked"),
    [
        ("hows the Cairn Hill boot rated, warmth wise", CAIRN, "comfort"),
        ("weight-wise, how is the Lark Rise daypack?", DAYPACK, "weight"),
    ],
)
def test_in_what_respect_it_is_asked(said: str, item: Reference, asked: str):
    assert understand(said)[0] == AskProperty(item, (asked,))


@pytest.mark.parametrize(
    "said",
    [
        "ok check out please before someone grabs it",
        "buy it quickly before they're gone",
        "check out now before they sell out!",
    ],
)
def test_a_hurry_is_no_condition(said: str):
    assert understand(said) == (Checkout(),)


@pytest.mark.parametrize(
    "said", ["check out before I ask my wife", "don't check out before someone confirms it"]
)
def test_what_is_to_be_before_it_is_one(said: str):
    assert not any(isinstance(one, Checkout) for one in understand(said))


def test_a_complaint_of_his_is_about_no_goods(talk: ShopTalk):
    talk.say("He does complain about his knees. Would poles be an idea?")
    assert [name for name, _ in talk.calls] == ["search_products"]


def test_of_two_that_were_spoken_of_the_cheaper_is_told(talk: ShopTalk):
    talk.say("tell me about BOOT-007")
    talk.say("tell me about BOOT-001")
    assert "Pine Hollow Waterproof Hiking Boot is the cheaper" in talk.say(
        "Which of the two is cheaper?"
    )


@pytest.mark.parametrize(
    "said",
    [
        "cancel the one with the tent",
        "please cancel the order that has the tent in it",
    ],
)
def test_an_order_is_cancelled_however_it_is_named(said: str):
    talk = ShopTalk(orders=["DB-10001 placed 200.00 USD"])
    talk.answers["list_orders"] = lambda _: (
        "r1 list_orders ok: 1 orders\nDB-10001 | placed | 200.00 USD | TENT-001 x1"
    )
    talk.say("tents")
    talk.say("thanks")
    talk.say(said)
    assert [name for name, _ in talk.calls][-1] == "cancel_order"


@pytest.mark.parametrize(
    "said",
    [
        "I have to cancel it, the committee said no.",
        "sorry, we need to cancel it after all",
        "yes ok cancel it for real now",
    ],
)
def test_the_last_order_is_cancelled_with_whatever_reason(said: str):
    talk = ShopTalk(orders=["DB-10001 placed 200.00 USD"])
    talk.say(said)
    assert [name for name, _ in talk.calls] == ["cancel_order"]


def test_a_question_that_is_open_is_what_is_cancelled():
    talk = ShopTalk(orders=["DB-10001 placed 200.00 USD"])
    talk.say("tell me about BOOT-004")
    talk.say("no, cancel that")
    assert "cancel_order" not in [name for name, _ in talk.calls]


@pytest.mark.parametrize(
    "said", ["should I cancel it?", "I will not cancel it", "I might have to cancel it"]
)
def test_no_order_is_cancelled_by_what_is_only_thought(said: str):
    talk = ShopTalk(orders=["DB-10001 placed 200.00 USD"])
    talk.say(said)
    assert "cancel_order" not in [name for name, _ in talk.calls]


def test_what_waits_in_the_cart_is_meant_before_an_order():
    talk = ShopTalk(orders=["DB-10001 placed 200.00 USD"])
    talk.say("add BOOT-004")
    talk.say("cancel it")
    assert [name for name, _ in talk.calls] == ["remove_from_cart"]


@pytest.mark.parametrize(
    "said",
    [
        "the Pine Hollow ones leak, I don't want those",
        "Pine Hollow? skip those",
    ],
)
def test_others_are_without_what_was_turned_down(said: str):
    goods = (
        Goods("BOOT-001", "Cairn Hill Waterproof Hiking Boot", 9_900),
        Goods("BOOT-004", "Alder Ridge Waterproof Hiking Boot", 12_900),
    )
    talk = ShopTalk(goods=goods)
    talk.say(BOOTS)
    talk.say(said.replace("Pine Hollow", "Cairn Hill"))
    answer = talk.say("any other waterproof boots under 150?")
    assert "BOOT-004" in answer
    assert "BOOT-001" not in answer


def test_the_cheapest_for_whoever_is_no_child_is_the_first_of_all():
    goods = tuple(
        Goods(f"SBAG-0{n:02}", f"{name} Sleeping Bag", price)
        for n, (name, price) in enumerate(
            [
                ("Salt Marsh Winter", 30_000),
                ("Alder Ridge Kids", 2_900),
                ("Quiet Valley Winter", 28_000),
                ("Grey Heron Winter", 22_000),
                ("Moss Bridge Summer", 3_900),
            ],
            1,
        )
    )
    talk = ShopTalk(goods=goods)
    answer = talk.say("I look for the cheapest sleeping bag in your shop, but not for kids")
    assert answer.startswith("**Moss Bridge Summer Sleeping Bag**")
    assert talk.calls[0][1]["limit"] == 20


@pytest.mark.parametrize(
    ("said", "call"),
    [
        ("What do others say of BOOT-004?", "get_reviews"),
        ("What do other customers say of the Alder Ridge Waterproof Hiking Boot?", "get_reviews"),
    ],
)
def test_what_is_asked_of_one_ends_the_interview(said: str, call: str):
    talk = ShopTalk(goods=ASSORTMENT)
    talk.say("I need some advice for a trip")
    talk.say("boots, under 150")
    talk.say(said)
    assert call in [name for name, _ in talk.calls]


def test_who_asks_to_see_some_is_not_asked_on():
    talk = ShopTalk()
    talk.say("I need some advice for a trip")
    talk.say("Right, boots first I suppose. Anything under 150?")
    assert "search_products" in [name for name, _ in talk.calls]


def test_a_question_whether_all_is_done_is_answered():
    talk = ShopTalk()
    talk.say("add BOOT-004")
    assert "Added: 1 x Alder Ridge" in talk.say("done??")


def test_a_rejected_cancellation_tells_how_the_order_stands():
    talk = ShopTalk(orders=["DB-10001 placed 200.00 USD"])
    talk.answers["cancel_order"] = lambda _: "cancel_order rejected by ada: nothing was done"
    talk.say("cancel my last order")
    assert "DB-10001, placed" in talk.say("so is it still on or cancelled")


def test_whom_it_is_for_is_noted_and_the_kind_is_asked_for_once():
    talk = ShopTalk()
    assert "Which of these are you after?" in talk.say("it's for my sister's birthday")
    talk.say("tents")
    assert "Which of these" not in talk.say("it's for my dad")


def test_a_share_of_what_is_in_the_cart_is_told():
    talk = ShopTalk()
    talk.say("add TENT-001")
    assert "Split by 3, that is 66.67 USD each." in talk.say("what's the total split 3 ways?")
