"""What people ask so or so is read as what they mean; what only looks like it does nothing."""

import pytest

from daybook.demo.model.grammar.language.chat.wording.asking import asked_plainly
from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    ClearCart,
    Doubtful,
    Remove,
    SetQuantity,
    ShowCart,
    Swap,
)
from daybook.demo.model.grammar.language.intents.goods import (
    AskKinds,
    AskProperty,
    Details,
    Pick,
    Reviews,
    Search,
    ShowList,
    Suggest,
    Times,
)
from daybook.demo.model.grammar.language.intents.orders import (
    AskPolicy,
    CancelOrder,
    Checkout,
    OrderNews,
    ShowOrders,
)
from daybook.demo.model.grammar.language.intents.past import Advise, Remember
from daybook.demo.model.grammar.language.intents.references import Every, Extreme, It, Named
from daybook.demo.model.grammar.language.intents.talk import Talk
from daybook.demo.model.grammar.language.reading import understand
from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import ShopTalk

VALLEY = Named(("quiet", "valley"), definite=True)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        # How cold it may be, and what is asked in the same breath.
        ("whats the quiet valley go down to", (AskProperty(VALLEY, ("comfort",)),)),
        ("what does the Quiet Valley go down to?", (AskProperty(VALLEY, ("comfort",)),)),
        ("what's the quiet valley rated down to", (AskProperty(VALLEY, ("comfort",)),)),
        (
            "how low does the quiet valley go and how heavy is it",
            (AskProperty(VALLEY, ("comfort",)), AskProperty(VALLEY, ("weight",))),
        ),
        # How many there are.
        ("how many u got left", (AskProperty(It(), ("stock",)),)),
        ("how many of those have you still got in stock?", (AskProperty(It(), ("stock",)),)),
        # What people say.
        ("What do people make of it?", (Reviews(It()),)),
        ("show me whats bad about it", (Reviews(It()),)),
        ("whats the catch with it", (Reviews(It()),)),
        ("what do other campers reckon about that one", (Reviews(It()),)),
        # Others that have more of something.
        ("is there one that is lighter?", (Search("light", narrows=True),)),
        ("any others that are warmer", (Search("warm", narrows=True),)),
        ("got others a bit cheaper", (Search(cheap=True),)),
        ("are there lighter ones", (Search("light", narrows=True),)),
        ("what do you have that's warmer", (Search("warm", narrows=True),)),
        # Two, side by side.
        ("How do the first two differ?", (Details(Every(2)),)),
        ("What's the difference between the first two?", (Details(Every(2)),)),
        (
            "is it any better than the Quiet Valley",
            (Details(It()), Details(VALLEY)),
        ),
        # Sizes that are told anew.
        ("Right, scrap the shoe size, it's a 45", (Remember("shoe size", "45", "fact"),)),
        ("save my shoe size please, im a 38", (Remember("shoe size", "38", "fact"),)),
        # What it all comes to.
        ("hows it all add up", (ShowCart(),)),
        ("what does everything add up to", (ShowCart(),)),
        ("what am i paying", (ShowCart(),)),
        ("wait whats the total i only have 100 bucks", (ShowCart(),)),
        ("Is that still within the 400?", (ShowCart(),)),
        ("right where were we what did i have", (ShowCart(),)),
        # Orders.
        ("Could you confirm the order number for my records?", (ShowOrders(),)),
        ("last time I bought sleeping bags what did I pay", (ShowOrders(),)),
        ("so i never actually bought the bag last week?", (ShowOrders(),)),
        ("omg did that actually work", (OrderNews("placed"),)),
        ("how long til its in my account", (AskPolicy("returns"),)),
        ("i bought a tent from u last month and the pole snapped", (AskPolicy("warranty"),)),
        ("is that covered?", (AskPolicy("warranty"),)),
        ("what would you suggest for her first overnight hike?", (Suggest(),)),
        # More of a list, and what it has.
        ("next 5", (Search(more=True),)),
        ("other colours?", (AskProperty(It(), ("colors",)),)),
        ("ip rating?", (AskProperty(It(), ("waterproof",)),)),
        ("hang on what did you just add", (OrderNews("done"),)),
        # What there is.
        ("do u have like a list of what u sell", (AskKinds(),)),
        ("sort by rating", (ShowList(),)),
        ("can you sort them by stars", (ShowList(),)),
        # Talk.
        ("bored on the 7.42 again, just looking really", (Talk("looking"),)),
        ("would 2 make sense (n+1 rule haha)", (Talk("advice"),)),
        ("could i still change it to 3 later", (Talk("how to change"),)),
        ("who am i talking to", (Talk("identity"),)),
    ],
)
def test_what_is_asked_so_or_so_is_read(said: str, meant: tuple[object, ...]):
    found = understand(said)
    assert found[-len(meant) :] == meant
    assert not any(isinstance(one, Add | Remove | SetQuantity | Doubtful) for one in found)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("do you have the socks that dont pass water", "waterproof"),
        ("boots which do not let the rain in", "waterproof"),
        ("do u hav water bottels, plastic, must be cheep, 15 of them", "plastic"),
        ("I need a warm jacket for woman, with hood, for the winter in city", "hood"),
        ("Resoleable boots, men's, what's available", "resoleable"),
        ("boots that can be re-soled", "resoleable"),
        ("something smaller on gas, under 40", "stove"),
        ("i need something to cook on", "stove"),
        ("anything to drink out of?", "bottle"),
        ("this is the third shop i try and nobody has kids sleeping bags", "sleeping"),
        ("hi on my break so quick - merino socks, what do you have under 20", "merino"),
        ("with my dog, a tent for two", "tent"),
        ("low trail shoes, not the Birch Hollow, had those, fell apart", "trail"),
        ("a sleeping bag that packs away small", "sleeping"),
    ],
)
def test_goods_are_looked_for_by_what_is_said_of_them(said: str, words: str):
    found = understand(said)
    assert [type(one) for one in found] == [Search]
    assert words in found[0].query.split()
    assert found[0].category != "backpacks"


@pytest.mark.parametrize(
    ("said", "most"),
    [
        ("four man tents, 3 of em. budget 700 for the lot", 23_333),
        ("We need six daypacks, and the budget is 400 dollars in total for all of them.", 6_666),
        ("looking for 4 wool socks, 80 dollars altogether", 2_000),
        ("show me two headlamps, max 90 for both", 4_500),
        # What each may cost is shared by none, and one tent is one.
        ("I want two headlamps under 60 each", 6_000),
        ("two person tent under 200 in total", 20_000),
        ("a tent under 200 in total for two people", 20_000),
        ("Insulated boots, less than £150 I mean dollars", 15_000),
        ("boots <= 100", 10_000),
        ("socks between 10 and 15 dollars", 1_500),
    ],
)
def test_money_for_several_is_shared_out(said: str, most: int):
    limits = [one.max_price for one in understand(said) if isinstance(one, Search)]
    assert limits == [most]


@pytest.mark.parametrize(
    ("said", "measure"),
    [
        ("a 45L pack, <1.25kg, with rain cover", ("weight_g", None, 1250.0)),
        ("headlamps, >=500 lm", ("lumen", 500.0, None)),
        ("folding poles that pack down to 36 centimetres or shorter", ("folded_cm", None, 36.0)),
        ("which of these would suit minus 15?", ("comfort", None, -15.0)),
        ("comfort zero or lower", ("comfort", None, 0.0)),
    ],
)
def test_measures_are_read_however_they_are_written(
    said: str, measure: tuple[str, float | None, float | None]
):
    (found,) = understand(said)
    assert isinstance(found, Search)
    assert found.max_price is None
    assert [(one.name, one.least, one.most) for one in found.measures] == [measure]


@pytest.mark.parametrize(
    ("said", "most"),
    [
        ("whats ur cheapest sleeping bag for a grown up", Extreme("cheapest", ("sleeping", "bag"))),
        ("the cheapest sleeping bag, but not for kids", Extreme("cheapest", ("sleeping", "bag"))),
        (
            "2 burner stove for the patrol kitchen, whats the best rated?",
            Extreme("best", ("two-burner", "stove")),
        ),
    ],
)
def test_the_most_of_goods_has_no_words_of_what_it_is_for(said: str, most: Extreme):
    assert understand(said) == (Pick(most),)


def test_what_to_wear_is_advised():
    (found,) = understand("what do i wear when it rains but its hot out")
    assert isinstance(found, Advise)


@pytest.mark.parametrize(
    "said",
    [
        "would a pair of the Quiet Valley socks take me over 120?",
        "would two of the Quiet Valley socks push me past my budget",
    ],
)
def test_what_would_go_over_a_limit_is_summed_and_not_had(said: str):
    (found,) = understand(said)
    assert isinstance(found, Times)


def test_a_wrong_card_is_told_before_an_order_is_cancelled():
    assert understand("sorry wrong card mate can you cancel that order") == (CancelOrder(),)


@pytest.mark.parametrize(
    "said",
    [
        "if the card was wrong how would you cancel that order",
        "should I say it was the wrong card and have you cancel the order?",
        "what happens if i used the wrong card, can you cancel the order?",
        "forget the 38 reasons why",
        "i packed down to the river with 36 people",
        "how many would you have left if I took six",
        "is it worse than the Quiet Valley",
        "put the Quiet Valley next to the Moss Bridge, which is lighter?",
        "he only works with pounds of flour",
        "there is nobody who has an idea here",
        "what would the total be, I only have 50",
        "on my way home, any tents under 90",
        "where were we",
        "I want a tent, with porch, for the summer",
        "just looking at the second, is it warm?",
    ],
)
def test_what_only_looks_like_a_wish_changes_nothing(said: str):
    acts = Add | Remove | SetQuantity | ClearCart | Swap | Checkout | CancelOrder
    assert not any(isinstance(one, acts) for one in understand(said))


@pytest.mark.parametrize(
    "said",
    [
        "put the second in my cart next to the tent",
        "two of the Moss Bridge please",
        "I will pack it in",
        "make it thirty of them",
        "twenty two person tents please",
    ],
)
def test_what_asks_nothing_is_left_as_it_stands(said: str):
    assert asked_plainly(said) == said


DIALOGUES = """
## what was asked is asked again of another
boots / how heavy is the first / same question for the third ~ BOOT-00
# what is asked of them right after a short list is asked of all of it
boots / what are they made of !~ Which one do you mean
boots / and the weight of each? !~ Which one do you mean
# nothing is looked for that is only asked of them
boots / can you iron them? !-> search_products
# do you have any is asked of what was looked for
boots / do you have any? ~> boots
# what stands before a question of it is no wish to have it, though something was just offered
boots / tell me about the first / the third, how heavy is it? !-> add_to_cart
boots / tell me about the first / second one, does it have good grip !-> add_to_cart
boots / tell me about the first / number 2 - is it waterproof !-> add_to_cart
boots / tell me about the first / the second one, reviews? !-> add_to_cart
# a wish for it is one still
boots / tell me about the first / the second one please ->> add_to_cart
# a size that is known goes by its number
my shoe size is 38 / forget the 38 ->> forget
# a part that is only named is asked of what was told of
boots / tell me about the first / rain cover? !-> search_products
# where nothing else is said, the search goes on
boots / tell me about the first / anything cheaper? ->> search_products
# a weight is told in the unit that somebody knows
tell me about BOOT-004 / I am afraid I only understand pounds ~ lbs
# one more of what was counted
what would two of BOOT-004 cost / and if I got a third one? ~ so 3 would be
# where no cart is, only some of a kind are looked for
socks / only boots ~> boots
"""


@dialogues(DIALOGUES)
def test_what_is_asked_after_something_else(lines: list[str], talk: ShopTalk):
    held(lines, talk)
