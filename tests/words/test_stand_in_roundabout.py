"""What is said roundabout, and was read as a change, or as nothing of goods."""

import pytest

from daybook.demo.model.grammar.language.intents.cart import Remove
from daybook.demo.model.grammar.language.intents.goods import Search
from daybook.demo.model.grammar.language.intents.intent import World
from daybook.demo.model.grammar.language.intents.past import Forget, Remember
from daybook.demo.model.grammar.language.reading import understand
from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import ShopTalk

DIALOGUES = """
## goods that are named before what is asked of them are not added
: said I need waterproof hiking boots under 150
ok the Fern Gully. how many left ~ 14 in stock &
the Pine Hollow. is it waterproof? &
hm the Alder Ridge... how heavy is it ~ 450 g &
the third one. what does it cost? ~ 149.00 USD &
alright, the Fern Gully. any reviews? ->> get_reviews &
ok the Fern Gully & BOOT-007 x1
## what goes "in the cart" is what was spoken of, beside what is named with it
: said tell me about BOOT-004
in the cart plus one pair of the Fern Gully boots & BOOT-004 x1, BOOT-007 x1
into my basket, and the Fern Gully boot & BOOT-004 x1, BOOT-007 x1
in the cart and two SOCK-012 & BOOT-004 x1, SOCK-012 x2
to the cart, along with POLE-002 & BOOT-004 x1, POLE-002 x1
what is in the cart ~ empty &
## sets are counted as pairs are
two sets of the Fern Gully boots please & BOOT-007 x2
i'd like 3 sets of POLE-002 & POLE-002 x3
add one set of the Pine Hollow boots & BOOT-001 x1
## a model behind its kind says which is meant
I'd like one pole, the Larch & POLE-002 x1
one boot, the Fern Gully & BOOT-007 x1
two leather, sorry i mean waterproof, boots: the Alder Ridge & BOOT-004 x2
## what goods cost, or bear, is no count of them
: cart SOCK-012 x2
brass ones? can be up to 35 & SOCK-012 x2
they may cost up to 40 & SOCK-012 x2
others? up to 35 & SOCK-012 x2
synthetic sleeping bags good to zero & SOCK-012 x2
bags that go down to zero, what do they cost? & SOCK-012 x2
set the socks to zero &
set them to 1 & SOCK-012 x1
## how the goods shall be is not lost behind what there is to spend
I need boots, must be impermeable, my budget is maximum 100 dollars ~> 'query': 'waterproof boots' ~> 'max_price': 10000
boots, waterproof, my budget is 100 dollars ~> 'query': 'waterproof boots'
tent, should be light, my budget is 300 ~> 'query': 'light tent'
boots, not leather, my budget is 100 dollars ~> 'query': 'boots'
poles with shock absorbers ~> shock-absorbing
backpack with a rain cover ~> 'query': 'backpack with rain cover'
brightest headlamp you've got, waterproof, I don't care about money... well, under 100 ~> 'query': 'long-range waterproof headlamp'
hiking boots not waterproof, for hot summer, less than 80 dollars ~> 'query': 'hiking boots summer'
tents, for bad winter weather ->> search_products
## what he complains of is none of the goods
my husband complains about being cold, so I thought a down jacket, up to 170 ~> 'max_price': 17000
my knees keep complaining, poles up to 90 please ~> 'max_price': 9000
tell me about BOOT-004 / what do people complain about? ->> get_reviews
## what one could get is looked for
: said jackets
fine what can i get that keeps rain out for under 70 ~> 'max_price': 7000
what could we buy for 50 ~> 'max_price': 5000
what can I have under 80? ~> 'max_price': 8000
## what others think of goods is read, however it is called
Please give opinions of the Fern Gully boot ->> search_products get_reviews
show me the feedback on BOOT-004 ->> get_reviews
any impressions about BOOT-004? ->> get_reviews
## what all of it costs is told of the cart
: cart SOCK-012 x3
how much i pay for all three ~ 36.00 USD
what do I have to pay for everything ~ 36.00 USD
and how much will i pay for all of them? ~ 36.00 USD
how much do I pay for shipping ->> get_policy
## a size that something begins at is asked
: said tell me about BOOT-004
at what size does it start? ~ size
the Alder Ridge begins at which size? ~ size
## "first" before a question says when, and not which
: said tell me about BOOT-004
Sorry, I wanted to ask first: how heavy is it? ~ 450 g
one thing first: is it waterproof? ~ waterproof
## lists that were seen are opened again by what they hold
boots / socks / what were the boots you showed me before? forgot the names ~ BOOT-007
boots / socks / which boots did you show me earlier? ~ BOOT-007
boots / socks / what were the boots you found ~ BOOT-007
## that somebody else is right is said beside the wish
: said tell me about BOOT-004
ok he wins. add it & BOOT-004 x1
my wife wins. two SOCK-012 please & SOCK-012 x2
fine, you have a point. what does it cost? ~ 129.00 USD
he wins &
## help is given where it is asked for, and nothing is added
: said boots
help me choose one ->> start_interview &
could you help me pick the right one? ->> start_interview &
"""


@dialogues(DIALOGUES)
def test_what_is_meant_is_done_or_asked_about(lines: list[str]):
    held(lines, ShopTalk())


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("delete that about the jacket, i am on a diet", Forget("jacket")),
        ("remove what you have about wool", Forget("wool")),
        ("erase that regarding my boots", Forget("boots")),
        (
            "hey please remember i have size 43 feet, i always forget to say",
            Remember("shoe size", "43"),
        ),
        ("my feet are size 43", Remember("shoe size", "43")),
        ("im always cold my bf calls me the lizard", Remember("always cold", "yes")),
        ("we hike in winter and our friends say we are mad", Remember("hike in winter", "yes")),
    ],
)
def test_what_is_told_of_oneself_is_kept_or_struck(said: str, meant: World):
    assert meant in understand(said)


@pytest.mark.parametrize("said", ["delete that jacket", "remove that jacket please"])
def test_goods_are_taken_out_of_the_cart(said: str):
    assert isinstance(understand(said)[0], Remove)


def test_a_text_in_which_everything_is_done_together_asks_for_no_sum():
    talk = ShopTalk()
    talk.say(
        "we do everything together and now we want matching poles, aluminium, under 50 dollars each"
    )
    assert talk.calls
    assert not talk.cart


@pytest.mark.parametrize(
    "said",
    [
        "phew thanks, so nothing is coming now right?",
        "so the order won't be sent, correct?",
        "nothing will be delivered now, right?",
    ],
)
def test_whether_an_order_is_off_is_told(said: str):
    talk = ShopTalk(orders=["DB-10001 placed 129.00"])
    talk.say("cancel order DB-10001")
    assert "cancelled" in talk.say(said)
    assert not talk.calls


@pytest.mark.parametrize("said", ["take the socks down to 1", "bring it to 3", "up it to 4"])
def test_counts_that_are_said_stay_counts(said: str):
    talk = ShopTalk(cart={"SOCK-012": 2})
    talk.say("what is in my cart")
    talk.say(said)
    assert talk.cart == {"SOCK-012": int(said[-1])}


def test_the_name_tells_which_of_the_blue_ones_is_meant():
    talk = ShopTalk(cart={"BOOT-004": 1})
    talk.say("And now she says the blue one was nicer after all. So, Fern Gully. I'm sorry.")
    assert "BOOT-007" in talk.say("yes please") or "BOOT-007" in str(talk.cart)


@pytest.mark.parametrize(
    "said",
    [
        "which goes down to 0 degrees",
        "which ones are rated down to 5 degrees?",
        "any that go down to 2 degrees?",
    ],
)
def test_how_cold_it_may_be_names_no_down(said: str):
    (found,) = understand(said)
    assert isinstance(found, Search)
    assert (found.query, [one.name for one in found.measures]) == ("", ["comfort"])
