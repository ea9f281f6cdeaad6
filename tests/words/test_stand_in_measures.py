"""The stand-in on measures: in another unit, and the difference of two."""

import pytest

from daybook.demo.model.grammar.language.intents.goods import Differ, Times
from daybook.demo.model.grammar.language.intents.references import It, Named, Nth
from daybook.demo.model.grammar.language.reading import understand
from daybook.demo.model.grammar.units import told_in_units
from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import ShopTalk


@pytest.mark.parametrize(
    ("key", "value", "word", "told"),
    [
        ("weight_g", "922", "pounds", "2.0 lbs"),
        ("weight_g", "922", "oz", "32.5 oz"),
        ("weight_g", "5650", "kilos", "5.65 kg"),
        ("weight_g", "922", "grams", ""),
        ("height_cm", "185", "feet", "6.1 ft"),
        ("height_cm", "185", "inches", "72.8 in"),
        ("reach_metre", "100", "feet", "328.1 ft"),
        ("capacity_litre", "0.7", "pints", "1.5 US pints"),
        ("capacity_litre", "0.7", "fl", "23.7 US fl oz"),
        ("comfort", "-18 C", "fahrenheit", "-0.4 F"),
        ("comfort", "-10 C", "f", "14 F"),
        ("comfort", "-10 C", "celsius", ""),
        ("colour", "ink", "pounds", ""),
        ("capacity_litre", "0.7", "pounds", ""),
    ],
)
def test_a_measure_is_told_in_the_unit_that_is_asked_for(
    key: str, value: str, word: str, told: str
):
    assert told_in_units(key, value, frozenset({word})) == told


TENT = Named(("thistle", "dale", "family", "tent"), definite=True)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("how much heavier is it than the Thistle Dale family tent?", ("weight", (It(), TENT))),
        ("is it any taller than the thistle dale family tent", ("height", (It(), TENT))),
        ("how much cheaper is the thistle dale family tent?", ("price", (It(), TENT))),
        (
            "is the first one brighter than the second?",
            ("brightness", (Nth(1), Nth(2))),
        ),
        ("difference in weight?", ("weight", ())),
        ("which one boils quicker", ("time", ())),
        ("whats the price difference then", ("price", ())),
    ],
)
def test_a_question_for_a_difference(said: str, meant: tuple):
    (found,) = understand(said)
    assert isinstance(found, Differ)
    assert (found.by, found.items) == meant


@pytest.mark.parametrize(
    "said",
    [
        "is there anything cheaper than that?",
        "how much more is in stock",
        "is it cheaper than 50",
        "do you have something warmer than this",
        "make it cheaper",
        "how much is the second",
    ],
)
def test_what_asks_for_no_difference(said: str):
    assert not any(isinstance(one, Differ) for one in understand(said))


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("what would 3 of the elk meadow vacuum flasks cost?", 3),
        ("how much for six pairs of the kestrel edge heavy wool socks", 6),
        ("if we took four of the swift river sleeping bags what would that be", 4),
        ("what if i only got 2", 2),
        ("and three would be?", 3),
        ("what would it be with 5?", 5),
        ("cost of 5 of them?", 5),
        ("what would the total be if I added the second?", 1),
    ],
)
def test_a_sum_that_is_only_supposed(said: str, count: int):
    (found,) = understand(said)
    assert isinstance(found, Times)
    assert found.count == count


DIALOGUES = """
# pounds are of weight where weight was spoken of
BOOTS / how heavy is the second one ~ 450 g
what's that in pounds? ~ 1.0 lbs !-> get_policy
and in ounces ~ 15.9 oz

# pounds are money where a price was spoken of
BOOTS / how much is the second one
what's that in pounds? ->> get_policy

# what is asked of the cart, however it is counted
: cart BOOT-004 x2
per pair and in total? ~ 129.00 USD each ~ Total: 258.00 USD
so how many boots is that? ~ x2
how many have i got ~ x2
only two boots? ~ x2
what would it be with one less ~ With 1 fewer your cart would come to 129.00 USD & BOOT-004 x2
do you even have that many? ~ 14 in stock

# whether there are so many comes before that there shall be
BOOTS / tell me about the second one
could I add five? I mean do you have that many ~ Shall I put BOOT-004 &

# whether it goes into a dishwasher, and whether it does for the cold, is asked of its page
BOOTS / tell me about the second one
can it go in the dishwasher? ->> get_product get_reviews
would it do for minus 15? !-> add_to_cart

# how far two differ
BOOTS / how much dearer is the third than the first? ~ The difference is 50.00 USD
is the second heavier than the third? ~ That is the same for both
"""


@dialogues(DIALOGUES)
def test_measures_in_a_dialogue(lines: list[str], talk: ShopTalk):
    held(lines, talk)
