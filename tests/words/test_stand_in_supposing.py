"""What so many would cost, and what goods measure, is told in whatever order it is asked."""

import pytest

from daybook.demo.model.grammar.language.chat.wording.plainly import plainly
from daybook.demo.model.grammar.language.intents.cart import Add, Swap
from daybook.demo.model.grammar.language.intents.goods import AskPrice, AskProperty, Reviews, Times
from daybook.demo.model.grammar.language.intents.references import Extreme, It
from daybook.demo.model.grammar.language.intents.talk import Talk
from daybook.demo.model.grammar.language.reading import understand
from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import ShopTalk


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("what if I took 2 of those would that be over 200", 2),
        ("suppose we go with 4 of them, how much is that", 4),
        ("lets say i grab 3, whats that run me", 3),
        ("I'm just curious: if we ordered 12, what would we owe?", 12),
        ("And 6, in case the leaders sleep separately?", 6),
        ("hm and what would it be if i got two, one for my boyfriend?", 2),
        ("And if I bought one for him and one for me, what would that be?", 2),
        ("what if i got one for each of my 3 kids, whats the total?", 3),
        ("what if we got a second one for her friend, how much then", 1),
        ("if i grabbed three of the Fox Hollow plastic bottles whats the damage", 3),
        ("4 of the Lark Rise daypack comes to how much?", 4),
        ("Price for 25 of the Fox Hollow light plastic bottle?", 25),
        ("cost for a dozen of the Juniper Bend socks?", 12),
        ("what are 3 of these gonna set me back", 3),
        ("what would be the damage for me and my two mates, so three?", 3),
        ("if we took the otter ford ones, 2 of them, how much", 2),
        ("if i were to get 2 pairs would i still be under 60?", 2),
        ("price of the lot if I get 4", 4),
        ("If I raised this to 10, what would the sum be?", 10),
        ("what would be the cost if I buy five?", 5),
    ],
)
def test_what_so_many_would_cost_is_told(said: str, count: int):
    found = understand(said)
    assert [type(one) for one in found] == [Times]
    assert found[0].count == count


@pytest.mark.parametrize(
    ("said", "item"),
    [
        ("and both together are how much", (None, ())),
        ("what would two pairs of the light ones come to?", Extreme("lightest")),
    ],
)
def test_what_is_counted_may_be_pointed_at(said: str, item: object):
    (found,) = understand(said)
    assert isinstance(found, Times)
    assert found.item == item or (getattr(found.item, "most", 0), found.item.words) == item


@pytest.mark.parametrize(
    "said",
    [
        "add two and tell me the total",
        "put 3 in, what does it come to",
        "if it fits add 2 please",
        "I'll take two if they are under 50",
        "If I get 2 do I get a discount?",
        "what does it cost to ship 2 of these",
        "what if I return one of them?",
        "how much do 3 of these weigh",
        "tent for two, price under 100",
        "how much is the second one",
        "what would you recommend if i had 200 to spend",
    ],
)
def test_what_asks_for_no_sum_of_so_many_is_none(said: str):
    assert not any(isinstance(one, Times) for one in understand(said))


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("birch hollow shoe wt?", [("weight",)]),
        ("fox hollow stove wt in oz?", [("weight", "oz")]),
        ("lark rise poles folded length?", [("folded",)]),
        ("timber line rain jkt wt + px", [("weight",), "price"]),
        ("price & weight snow finch merino socks", ["price", ("weight",)]),
        ("the lone pine, its weight please", [("weight",)]),
        ("kestrel edge boot colour", [("color",)]),
        ("The Lark Rise, how many litres?", [("litres",)]),
        ("crane lake lamp - lumens, battery?", [("lumens",), ("battery",)]),
        ("how warm's the Cedar Fork bag, my wife is always freezing", [("comfort",)]),
        ("whats the capacity on that Hazel Bank daypack", [("capacity",)]),
        ("what does the Old Quarry weigh, in pounds", [("weigh", "pounds")]),
        ("Old Quarry: price?", ["price"]),
        ("hazel bank rating?", ["reviews"]),
        ("the Silver Birch sleeping bag, hows it rate", ["reviews"]),
        ("i was gonna get the elk meadow stove but the reviews are soo bad right?", ["reviews"]),
        ("how many grams is the second", [("weight", "grams")]),
        ("number 2 price", ["price"]),
        ("In ounces how much is?", [("weight", "ounces")]),
        ("whats the batery in it", [("battery",)]),
        ("how about the swift river boots thats unisex right?", [("unisex",)]),
        ("Weight of the Granite Bay boot against the Timber Line.", [("weight",), ("weight",)]),
    ],
)
def test_goods_and_a_word_of_an_attribute_are_a_question_of_it(said: str, asked: list[object]):
    told = [
        one.words
        if isinstance(one, AskProperty)
        else {AskPrice: "price", Reviews: "reviews"}.get(type(one))
        for one in understand(said)
    ]
    assert told == asked


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("the weight is fine, add the lark rise", Add),
        ("lark rise daypack x2", Add),
        ("take the lighter one", Add),
        ("swap the lark rise for the hazel bank", Swap),
        ("Lark Rise please", Add),
    ],
)
def test_a_wish_beside_a_word_of_an_attribute_is_a_wish(said: str, kind: type):
    assert kind in [type(one) for one in understand(said)]


@pytest.mark.parametrize(
    "said",
    [
        "2.3 kilos ugh. ok let me think",
        "would go great w my moka pot",
        "not buyin yet mate just havin a squiz",
        "got that 1 already lol",
        "One of them looks fake to me.",
    ],
)
def test_talk_that_wants_nothing_is_talk(said: str):
    assert all(isinstance(one, Talk) for one in understand(said))


def test_two_questions_in_one_sentence_are_both_read():
    found = understand("whats ur return policy and also how much is the crane lake rain jacket")
    assert [type(one).__name__ for one in found] == ["AskPolicy", "AskPrice"]


def test_a_degree_in_two_words_is_one():
    assert understand("And the most cheap?") == understand("and the cheapest?")
    assert understand("Which are more light?") == understand("which are lighter?")


def test_it_is_what_was_spoken_of():
    (found,) = understand("and if I made it five?")
    assert found == Times(5, It())


DIALOGUES = """
# what so many more would come to is told with what is in the cart
: cart SOCK-012 x1
what if we got a second one, how much then ~ On top of what is in your cart
if I raised this to 10, what would the sum be? !~ On top of what is in your cart & SOCK-012 x1

# several of several
what would 3 of the alder ridge waterproof hiking boots cost? ~ 3 would be 387.00 USD
and if I took two, one for my sister? ~ 2 would be 258.00 USD

# a sum of everything that is there is the cart
: cart SOCK-012 x2
and both together are how much ~ Total
Then it must be 104.20 now. Correct? ~ Total
i said no. still in cart? ~ Total
"""


@dialogues(DIALOGUES)
def test_sums_beside_the_cart(lines: list[str], talk: ShopTalk):
    held(lines, talk)


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ("put the compact headlamp from long scree in my cart",
         "put the long scree compact headlamp in my cart"),
        ("what would ten steel bottles by arrow pass cost?",
         "what would ten arrow pass steel bottles cost?"),
        ("Lark Rise Daypack, qty 4", "Lark Rise Daypack x4"),
        ("Fox Hollow Light Plastic Water Bottle x 14 please",
         "Fox Hollow Light Plastic Water Bottle x14 please"),
        ("Item code LAMP-013, qty 10", "LAMP-013 x10"),
        ("four lark rise daypacks please, one for each of us", "four lark rise daypacks please"),
        ("what would it cost if i took two pairs, one for each of us?",
         "what would it cost with two pairs?"),
        ("ok neither of those two then", "neither of them, thanks"),
        ("and with 2?", "what would it cost with 2?"),
        ("have I kept within my eighty dollars?", "am i still within my budget?"),
        ("what remains of the budget?", "how much of my budget is left?"),
        ("and how many have you got left?", "how many are left?"),
        ("stats on the granite bay long-range headlamp pls",
         "tell me about the granite bay long-range headlamp pls"),
    ],
)  # fmt: skip
def test_what_is_said_in_another_order_means_the_same(said: str, same: str):
    assert understand(said) == understand(same)


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("that one, two for each of us", "that one"),
        ("one lark rise daypack, two for each of us", "one lark rise daypack"),
        ("set TENT-001 quantity 4", "TENT-001 x4"),
        ("is the parcel from arrow pass here", "is the arrow pass parcel here"),
    ],
)
def test_what_only_looks_the_same_is_not_written_so(said: str, other: str):
    assert plainly(said) != plainly(other)
