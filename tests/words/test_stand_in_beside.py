"""The stand-in on what strangers say around a wish: why, where it stands, that they must go."""

import pytest

from daybook.demo.model.grammar.language.intents.cart import Doubtful, Remove, ShowCart
from daybook.demo.model.grammar.language.intents.goods import AskKinds, Mention, Search, Times
from daybook.demo.model.grammar.language.intents.orders import AskPolicy, Checkout
from daybook.demo.model.grammar.language.intents.past import AskKnown, Forget
from daybook.demo.model.grammar.language.reading import understand
from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import ShopTalk

DIALOGUES = """
## a purchase is made beside a hurry
: cart TENT-001 x1
buy it, i havent got all day ->> checkout
im not getting any younger, order it ->> checkout
pay. no time for more ->> checkout
check me out please, dear ->> checkout
That will do. Please proceed with the purchase. ->> checkout
thats us. pay and we're off ->> checkout
## what is doubted, or means something else, buys nothing
: cart TENT-001 x1
buy it, i have not decided ->
buy it, i am not sure ->
order it, i dont have the money though ->
I don't want to buy it, no time ->
And with 2? -> & TENT-001 x1
with 1 -> & TENT-001 x1
check it out -> ~ shall I check out? & TENT-001 x1
check this out lol !-> remove_from_cart & TENT-001 x1
check it out, is it any good? !-> checkout & TENT-001 x1
## an order is cancelled beside what is told of it
: order DB-10001 placed 10.00 USD
aaand my mom saw the card notification. cancel it -> cancel_order order_id=DB-10001
Oh no, I just heard he already has one!! Please cancel the order. -> cancel_order order_id=DB-10001
Oh no. I found my old one. Cancel it please, if it isn't too late -> cancel_order order_id=DB-10001
oh no my card is overdrawn. cancel it pls -> cancel_order order_id=DB-10001
cancel it, i dont need it -> cancel_order order_id=DB-10001
## what others say of it, or a no, cancels nothing
: order DB-10001 placed 10.00 USD
My sister says to cancel it. I won't !-> cancel_order
my sister says to cancel it !-> cancel_order
he thinks i should cancel it !-> cancel_order
no. dont cancel it !-> cancel_order
if it rains i'll cancel the order !-> cancel_order
# a list that a search for other goods overtook in vain is asked about
show me boots
show me tents under 20 dollars ~ I found nothing
add the first -> ~ Shall I put BOOT-001 into your cart?
"""


@dialogues(DIALOGUES)
def test_what_stands_beside_a_wish(lines: list[str], talk: ShopTalk):
    held(lines, talk)


@pytest.mark.parametrize(
    ("said", "subject"),
    [
        ("Shoe size you can forget, I bought shoes from somewhere else", "shoe size"),
        ("The wool thing you can forget, it was my sister", "wool"),
        ("actually scratch the cotton thing you can forget that", "cotton"),
        ("The doctor says it isn't the wool after all, so please forget that", "wool"),
        ("On reflection, kindly strike out the remark about wool.", "wool"),
        ("what I told you about leather can be forgotten", "leather"),
        ("my budget you may forget, got a bonus", "budget"),
    ],
)
def test_what_shall_be_forgotten_may_stand_first(said: str, subject: str):
    assert understand(said) == (Forget(subject),)


@pytest.mark.parametrize(
    "said",
    [
        "shoe size you should not forget",
        "the wool thing you must not forget",
        "the socks you can forget",
        "it isn't the best, forget it",
    ],
)
def test_what_is_no_note_or_shall_be_kept_is_not_forgotten(said: str):
    assert not any(isinstance(one, Forget) for one in understand(said))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Next on the list: 'wool hiking socks, max $20/pair'", Search),
        ('First line on my list: "water bottles, light, plastic"', Search),
        ("then last on my shopping list: a headlamp, rechargeable", Search),
        ("I need a sleeping bag which can handle minus 10 degress.", Search),
        ("got any sox for hiking under 15", Search),
        ("what have you got in the way of warm jackets", Search),
        ("one of those thanks and im outta here", Mention),
        ("two of those please, gotta run", Mention),
        ("It is possible to pay by invoice?", AskPolicy),
        ("What shoe size I have?", AskKnown),
        ("So what sizes do you have written down for us?", AskKnown),
        ("Have I kept within my eighty dollars?", ShowCart),
        ("can you recommend what to bring for a week in scotland", AskKinds),
        ("and with 2?", Times),
        ("check that out", Doubtful),
        ("minus 2 please", Remove),
        ("both have to go", Remove),
        ("all of them must leave", Remove),
        ("pay now please bye", Checkout),
    ],
)
def test_what_is_wanted_is_read_beside_the_rest(said: str, meant: type):
    assert [type(one) for one in understand(said)] == [meant]


def test_thousands_are_numbers():
    (found,) = understand("i need headlamps with at least a thousand lumens")
    assert isinstance(found, Search)
    assert [one.least for one in found.measures] == [1000]
