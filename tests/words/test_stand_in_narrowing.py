"""The stand-in on what goods shall be: what they may cost, weigh, hold, and be made of."""

import pytest

from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import Goods, ShopTalk

DIALOGUES = """
## a limit of price is taken, however it is said
gas stoves, price ceiling $70 ~> 'max_price': 7000
tents, 200 each at most ~> 'max_price': 20000
sleeping bags capped at 100 ~> 'max_price': 10000
show me headlamps, 40 is as high as I go ~> 'max_price': 4000
hiking boots, 100 or thereabouts max ~> 'max_price': 10000
socks 15 a pair at the most ~> 'max_price': 1500
need a daypack, wallet says 50 ~> 'max_price': 5000
a down jacket, i can stretch to 170 ~> 'max_price': 17000
a sleeping bag round 60ish no more ~> 'max_price': 6000
kids headlamp, fifteen dollars is my limit ~> 'max_price': 1500
my max for a stove is 50 ~> 'max_price': 5000
wanting a headtorch, 35 at the outside ~> 'max_price': 3500
a daypack that wont break the bank, say 55 ~> 'max_price': 5500
# a limit that is said before anything is looked for is one for all of it
nothing over 40 please / a daypack? ~> 'max_price': 4000
and headlamps ~> 'max_price': 4000
money is no object now, show me stoves -> search_products query=stoves
# a limit for each thing is one for all of them
wool socks / max 90 per item for all of it / tents? ~> 'max_price': 9000
# a limit of what is looked for is no limit of what comes then
boots under 100 / jackets -> search_products query=jackets
# what something that is looked for may cost is not what there is to spend
I'd like boots, and I should not like to spend more than forty dollars !-> remember
# nor is what another sentence tells of it
Good evening. I was hoping to find boots. I would rather not pay more than sixty dollars. ~> 'max_price': 6000 !-> remember
Could you show me a few backpacks? I'd not want to go beyond 120. ~> 'max_price': 12000
I'm after a tent for two. I won't spend over $250. ~> 'max_price': 25000
hiking boots, please / I should prefer not to spend more than 120 dollars. ~> 'max_price': 12000
# a budget of all that is bought is noted, and is a limit too
I have 150 dollars for everything. Boots first. ~> 'max_price': 15000 ~ Noted
# nor is how it shall be lost behind the money that there is for it
I have 150 for a sleeping bag, three season ~> 'query': 'three season sleeping bag' ~> 'max_price': 15000
We have 80 dollars for boots, waterproof ~> 'query': 'waterproof boots'
hi, I've got only 120 for a two person tent ~> 'query': 'two person tent'
i have 60 to spend on a headlamp, rechargeable please ~> 'query': 'rechargeable headlamp'
I have 200 for a jacket, my wife has 100 ~> 'query': 'jacket'
## what is wanted to have so much of something is looked for without that in its words
headlamps with at least 400 lumens ~> 'query': 'long-range headlamps'
two person tent under 2 kg ~> 'query': 'ultralight two person tent two person'
sleeping bag good to minus 10 ~> 'query': 'winter sleeping bag'
winter boots for minus twenty ~> 'query': 'insulated winter winter boots'
## what is not wanted is left out of the words
jackets in any colour but black ~> 'query': 'jackets'
socks, anything but wool ~> 'query': 'socks'
a non-leather boot ~> 'query': 'boot'
sleeping bag rather synthetic than down !~ Added
## what people call otherwise is looked for by the shop's word
a warm jumper ~> 'query': 'warm fleece jacket'
raincoats ~> 'query': 'rain jackets'
puffer jacket ~> 'query': 'down jacket'
i look for a rain jacket, with the capuche, how you say, hood ~> hood
# what burns a fuel narrows the search before
stoves / only ones that burn wood ~> 'query': 'wood burning stoves'
# a model that is not wanted is left out of the search before
: said I need waterproof hiking boots under 150
not the Alder Ridge, what else ~> 'query': 'waterproof hiking boots' !~ BOOT-004
## what is there beside the goods is read wherever it stands
my budget is 150 dollars / add BOOT-004 / show me socks that still fit my budget ~> 'max_price': 2100
my budget is 150 dollars / add BOOT-004 / would that stretch to a pair of socks? ~> 'max_price': 2100
my budget is 150 dollars / add BOOT-004 / how much have I left to spend? ~ 21.00 USD is left
my budget is 150 dollars / add BOOT-004 / and that leaves me how much of the 150? ~ 21.00 USD is left
add BOOT-004 / What is the total now, and how much of the 300 is left? ~ 171.00 USD is left & BOOT-004 x1
add BOOT-004 / do I stay under 200 altogether? ->> & BOOT-004 x1
add BOOT-004 / that's over ninety now, isn't it? ->> & BOOT-004 x1
add BOOT-004 / is it empty now? ~ BOOT-004
I have four friends to thank. Nothing may cost more than 30 dollars. Bottles? / and what about headlamps? ~> 'max_price': 3000
tents / ok so two person, max 270 ~> 'max_price': 27000
let's have a look at the tents first -> search_products query=tents
Then let us start with an overview of your departments, please ->>  ~ hiking boots
I search a warm jacket, with hood ~> hood
## near misses change nothing and look for nothing else
: said I need waterproof hiking boots under 150
is the first one under 2 kg? -> get_product sku=BOOT-001
add the second one, under 140 that is & BOOT-004 x1
"""


@dialogues(DIALOGUES)
def test_a_dialogue_about_what_goods_shall_be(lines: list[str], talk: ShopTalk):
    held(lines, talk)


LAMPS = (
    Goods("LAMP-001", "Fern Gully Compact Headlamp", 2_000, "4.9 of 5 (9)", 5, "x", "lumen=150"),
    Goods("LAMP-002", "Red Gorge Headlamp", 6_000, "4.5 of 5 (9)", 5, "x", "lumen=400"),
    Goods("LAMP-003", "Lark Rise Headlamp", 9_000, "4.1 of 5 (9)", 0, "x", "lumen=1000"),
)


@pytest.mark.parametrize(
    ("said", "fitting"),
    [
        ("headlamps with at least 400 lumens", {"LAMP-002", "LAMP-003"}),
        ("headlamps over 400 lumens", {"LAMP-003"}),
        ("headlamps, not less than 1000 lumen", {"LAMP-003"}),
        ("headlamps with 150 lm or less", {"LAMP-001"}),
        ("headlamps between 200 and 500 lumens", {"LAMP-002"}),
        ("headlamps with 4.5 stars or more", {"LAMP-001", "LAMP-002"}),
    ],
)
def test_what_has_too_little_or_too_much_is_left_out(said: str, fitting: set[str]):
    answer = ShopTalk(goods=LAMPS).say(said)
    assert {one.sku for one in LAMPS if one.sku in answer} == fitting


def test_a_list_is_narrowed_by_a_measure_and_by_what_is_in_stock():
    talk = ShopTalk(goods=LAMPS)
    talk.say("headlamps")
    answer = talk.say("at least 400 lumens")
    assert "LAMP-001" not in answer
    assert "LAMP-003" in answer
    assert "LAMP-003" not in talk.say("only the ones in stock")


POLES = (
    Goods("POLE-001", "Moss Bridge Trekking Poles", 4_000, attributes="lock=twist lock, grip=cork"),
    Goods("POLE-002", "Lark Rise Trekking Poles", 5_000, attributes="lock=lever lock, grip=foam"),
    Goods("POLE-003", "Fox Hollow Trekking Poles", 6_000, attributes="lock=twist lock, grip=foam"),
)


def test_which_of_a_list_has_something_is_told_from_the_pages():
    talk = ShopTalk(goods=POLES)
    talk.say("trekking poles")
    answer = talk.say("The lock matters to me. Which one has the lever lock?")
    assert answer.startswith("That is **Lark Rise Trekking Poles** (POLE-002)")
    assert talk.cart == {}
    talk.say("yes")
    assert talk.cart == {"POLE-002": 1}


def test_which_of_a_list_have_something_keeps_the_numbers_of_the_list():
    talk = ShopTalk(goods=POLES)
    talk.say("trekking poles")
    answer = talk.say("which of those are twist lock?")
    assert "1. **Moss Bridge" in answer
    assert "3. **Fox Hollow" in answer
    talk.say("add number 3")
    assert talk.cart == {"POLE-003": 1}


COATS = (
    Goods(
        "COAT-001", "Alder Ridge Rain Jacket", 9_000, "4.1 of 5 (3)",
        attributes="hood=yes, sizes=S-XL, colour=yellow, fit=men, weight_g=300",
    ),
    Goods(
        "COAT-002", "Fern Gully Rain Jacket", 12_000, "4.8 of 5 (3)",
        attributes="hood=no, sizes=XS-XXL, colour=ocean, fit=women, weight_g=450",
    ),
    Goods(
        "COAT-003", "Pine Hollow Rain Jacket", 15_000, "3.6 of 5 (3)",
        attributes="hood=yes, sizes=S-XXL, colour=moss, fit=unisex, weight_g=500",
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("said", "so"),
    [
        ("are any of them for women", {"COAT-002", "COAT-003"}),
        ("which ones have a hood", {"COAT-001", "COAT-003"}),
        ("which of these come in XXL", {"COAT-002", "COAT-003"}),
        ("not the yellow ones", {"COAT-002", "COAT-003"}),
        ("only those under 400 grams", {"COAT-001"}),
        ("show me the ones over 4 stars", {"COAT-001", "COAT-002"}),
        ("the ones under 130 please", {"COAT-001", "COAT-002"}),
        ("which ones are blue", {"COAT-002"}),
        ("any of these in green?", {"COAT-003"}),
        ("the women's one how much", {"COAT-002"}),
        ("the yellow one, what does it weigh", {"COAT-001"}),
    ],
)
def test_which_of_those_on_view_are_so_is_told(said: str, so: set[str]):
    talk = ShopTalk(goods=COATS)
    talk.say("rain jackets")
    answer = talk.say(said)
    named = {one.sku for one in COATS if one.sku in answer or one.name in answer}
    assert named == so, answer
    assert talk.cart == {}


@pytest.mark.parametrize(
    ("said", "cart"),
    [
        ("add the yellow one", {"COAT-001": 1}),
        ("which one has a hood? add it", {}),
        ("which of them would you take", {}),
        ("the others", {}),
        ("the yellow ones can go", {}),
    ],
)
def test_those_on_view_are_told_apart_and_none_is_guessed(said: str, cart: dict[str, int]):
    talk = ShopTalk(goods=COATS)
    talk.say("rain jackets")
    talk.say(said)
    assert talk.cart == cart


SOCKS = (
    Goods("SOCK-001", "Juniper Bend Merino Wool Socks", 1_000, attributes="wool=yes"),
    Goods("SOCK-002", "Mill Brook Camp Socks", 1_100, attributes="material=cotton, colour=black"),
    Goods("SOCK-003", "Arrow Pass Trail Socks", 1_200, attributes="material=nylon, colour=red"),
    Goods("SOCK-004", "Dark Fen Crew Socks", 1_300, attributes="material=65% merino wool"),
)


@pytest.mark.parametrize(
    ("known", "left"),
    [
        ("remember that I can't stand wool, it makes me itch", {"SOCK-002", "SOCK-003"}),
        ("I'm vegan", {"SOCK-002", "SOCK-003"}),
        ("i hate the colour black", {"SOCK-001", "SOCK-003", "SOCK-004"}),
        ("I love wool", {"SOCK-001", "SOCK-002", "SOCK-003", "SOCK-004"}),
    ],
)
def test_what_a_person_does_not_have_is_left_out_of_searches(known: str, left: set[str]):
    talk = ShopTalk(goods=SOCKS)
    talk.answers["remember"] = lambda args: f"memory: {args['subject']}: {args['value']}"
    talk.say(known)
    answer = talk.say("socks")
    assert {one.sku for one in SOCKS if one.sku in answer} == left


def test_goods_that_are_called_otherwise_answer_no_question_which_to_add():
    goods = (
        Goods("SBAG-001", "Salt Marsh Kids Sleeping Bag", 6_000),
        Goods("COAT-001", "Salt Marsh Down Jacket", 9_000),
    )
    talk = ShopTalk(goods=goods)
    assert talk.say("add the salt marsh one").endswith("Which one shall I add?")
    talk.say("now a quilt, sub 550 g")
    talk.say("a quilt")
    assert talk.cart == {}


BAGS = (
    Goods(
        "SBAG-001", "Quiet Fell Winter Down Sleeping Bag", 30_000,
        attributes="fill=800-fill goose down, seasons=4, comfort=-15 C, weight_g=1100",
    ),
    Goods(
        "SBAG-002", "Silver Fell Three-Season Synthetic Sleeping Bag", 13_000,
        attributes="fill=synthetic fibre, seasons=3, comfort=-2 C, weight_g=1400",
    ),
    Goods(
        "SBAG-003", "Swift Fell Three-Season Synthetic Sleeping Bag", 9_000,
        attributes="fill=hollow synthetic fibre, seasons=3, comfort=0 C, weight_g=1600",
    ),
)  # fmt: skip
DOWN = (
    BAGS[0],
    Goods(
        "SBAG-004", "Crane Fell Winter Down Sleeping Bag", 40_000,
        attributes="fill=850-fill goose down, seasons=4, comfort=-18 C, weight_g=1300",
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    "said",
    [
        "what's the lightest of the three season synthetic ones",
        "lightest one of the synthetic ones?",
        "whats the lightest synthetic one",
        "The warmest of the synthetic ones, please?",
    ],
)
def test_the_most_is_of_those_that_are_so(said: str):
    talk = ShopTalk(goods=BAGS)
    talk.say("sleeping bags")
    answer = talk.say(said)
    assert "SBAG-002" in answer
    assert "SBAG-001" not in answer
    assert talk.cart == {}


@pytest.mark.parametrize(
    "said",
    [
        "what's the lightest of the synthetic ones",
        "I'll take the lightest of the synthetic ones",
        "add the cheapest synthetic one",
        "I'd like the warmest synthetic one please",
    ],
)
def test_where_none_is_so_none_is_the_most_and_none_is_added(said: str):
    talk = ShopTalk(goods=DOWN)
    talk.say("sleeping bags")
    answer = talk.say(said)
    assert "Shall I put" not in answer
    assert talk.cart == {}
    talk.say("yes")
    assert talk.cart == {}


@pytest.mark.parametrize(
    "said", ["which one packs down smallest?", "lightest, going down in price?"]
)
def test_down_is_a_filling_only_where_it_is_said_of_goods(said: str):
    talk = ShopTalk(goods=BAGS)
    talk.say("synthetic sleeping bags")
    talk.say(said)
    assert talk.cart == {}
    assert not any("down" in str(args.get("query")) for _, args in talk.calls)


def test_feathers_are_down():
    talk = ShopTalk(goods=BAGS)
    talk.say("sleeping bags")
    answer = talk.say("synthetic please, no feathers")
    assert "SBAG-002" in answer
    assert "SBAG-001" not in answer
