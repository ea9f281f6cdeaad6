"""The stand-in on products: searching, pointing, asking."""

from typing import Any

import pytest

from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import Goods, ShopTalk

DIALOGUES = """
# a search is called with what was asked
wool socks -> search_products query=wool socks
show me tents under $250 -> search_products query=tents, max_price=25000
a rucksack -> search_products query=backpacks, category=backpacks
boots over 100 -> search_products query=boots, limit=20
# a lower bound leaves rows out and keeps their numbers
boots between 110 and 200 !~ BOOT-001 ~ 2. **Alder Ridge
add number 2 -> add_to_cart sku=BOOT-004, quantity=1
# a bound alone narrows the search before
I need hiking boots / under 100 please -> search_products query=hiking boots, max_price=10000
# cheaper means cheaper than the list on view
BOOTS / anything cheaper? -> search_products query=waterproof hiking boots, max_price=9899
# more asks for more of the same search
BOOTS
show me more -> search_products query=waterproof hiking boots, max_price=15000, limit=20
# cheap names the cheapest, and another currency is told apart
cheap boots ~ number 1 is the cheapest, at 99.00 USD
boots under 140 euros ~ Prices here are in USD
# a search without hits says so
do you sell kayaks ~ I found no “kayaks”: this shop does not sell it ~ ...Which of these are you after?
# a search without words and without a search before asks
under 100 -> ~ What shall I look for?
# the list on view is shown again
show me the list again ~ No list is on view
BOOTS / show me the list again -> ~ 3. **Fern Gully
## what is asked about one of a list
: said I need waterproof hiking boots under 150
tell me more about the first one -> get_product sku=BOOT-001
show me the last one -> get_product sku=BOOT-007
what do people say about number 2 -> get_reviews sku=BOOT-004
is the third one waterproof -> get_product sku=BOOT-007
the alder ridge -> get_product sku=BOOT-004
how much is TENT-001 -> get_product sku=TENT-001
# it is what was spoken of last
BOOTS / tell me more about the second one / what do people say about it -> get_reviews sku=BOOT-004
add it -> add_to_cart sku=BOOT-004, quantity=1
# it after a list of several is asked for
BOOTS / is it waterproof -> ~ ...Which one do you mean?
the second one -> get_product sku=BOOT-004
# two products are compared by their pages
BOOTS
compare the first and the third -> get_product sku=BOOT-001; get_product sku=BOOT-007 ~ Pine Hollow ~ Fern Gully * 2
# the best and the cheapest of a list need no call
BOOTS / which one is the best? -> ~ BOOT-007
which one is the cheapest ~ ...Shall I put BOOT-001 into your cart?
yes please -> add_to_cart sku=BOOT-001, quantity=1
## an offer is taken, changed or left
: said I need waterproof hiking boots under 150; said the second one
yes & BOOT-004 x1
two of them & BOOT-004 x2
the third one & BOOT-007 x1
the most expensive one & BOOT-007 x1
yes / wait no -> ~ ...Shall I take BOOT-004 out of your cart?
wait no -> !~ understand
buy it ..-> checkout
no &
is it waterproof &
# reviews of an unclear product are given once it is clear
BOOTS / any reviews? ~ ...Which one do you want reviews of?
number 3 -> get_reviews sku=BOOT-007
## a product that is not on view is searched first, and opened where there is one
tell me about trekking poles ->> search_products get_product
tell me about wool socks ->> search_products
tell me about kayaks ->> search_products
what do people say about the tent ->> search_products get_reviews
show me the cheapest wool socks ->> search_products get_product
# words that fit nothing on view are asked about
BOOTS / add the purple ones ~ purple
the purple one ~ I found nothing for “purple hiking boots”
# reviews of what is not on view are not compared
BOOTS / compare the reviews of the purple ones !-> compare_reviews ~ purple
# a suggestion for a purpose is a search
what would you recommend for hiking -> search_products query=hiking
## where rows are left out, a place is counted as shown and a number is that of its row
: said show me boots over 120
add the second one & BOOT-007 x1
add the 2nd & BOOT-007 x1
add the first one & BOOT-004 x1
add number 3 & BOOT-007 x1
add #2 & BOOT-004 x1
add 3 & BOOT-007 x1
# a price that is out of date is read again
BOOTS / how much is the second one ->
: superseded r1 r4
how much is the second one -> get_product sku=BOOT-004
how much is it ->
## a result of an unknown form is passed on
= get_product the shop burned down
= get_reviews the shop burned down
= add_to_cart the shop burned down
= get_order the shop burned down
tell me about BOOT-004 ~ the shop burned down
reviews of BOOT-004 ~ the shop burned down
is BOOT-004 waterproof ~ the shop burned down
add BOOT-004 ~ the shop burned down
where is my order DB-10001 ~ the shop burned down
## a refused call tells its sentence
= search_products search_products refused: The shop is closed.
= get_product get_product refused: The shop is closed.
= get_reviews get_reviews refused: The shop is closed.
= list_orders list_orders refused: The shop is closed.
= get_order get_order refused: The shop is closed.
= send_email send_email refused: The shop is closed.
= cancel_order cancel_order refused: The shop is closed.
wool socks ~ The shop is closed.
tell me about BOOT-004 ~ The shop is closed.
reviews of BOOT-004 ~ The shop is closed.
show my orders ~ The shop is closed.
where is my order DB-10001 ~ The shop is closed.
mail me a summary ~ The shop is closed.
cancel order DB-10001 ~ The shop is closed.
# both are told where the price and the weight are asked for
what does BOOT-004 cost and weigh ~ 129.00 USD ~ 450 g
BOOTS / how much does the second one cost and weigh ~ 129.00 USD ~ 450 g
# a property of what is named is no search
BOOTS / exact weight of the alder ridge hiking boots in grams? ..-> get_product sku=BOOT-004 ~ 450 g
# what it is rated to is no question for reviews
BOOTS / what's the alder ridge one rated to -> get_product sku=BOOT-004; get_reviews sku=BOOT-004
# a capacity is no stock
tell me about BOOT-004 / how many liters is it ~ says nothing about “liters”
# the best of them is told where one alone is wanted
BOOTS / ok but just tell me which ONE ~ The best rated is **Fern Gully
"""

FILLED = """
# how much is that means the cart where no product is meant
wool socks / how much is that -> ~ Total: 153.00 USD
# the cheapest of a list of cart lines is looked up
make it three / which one is the cheapest -> get_product sku=SOCK-012
# reviews name the product of the cart
reviews of SOCK-012 ~ Merino Wool Hiking Socks
# a price is told from what is known
how much are the socks -> ~ 12.00 USD each
what's my total ~ Total: 153.00 USD
what does TENT-001 cost -> get_product sku=TENT-001
"""


@dialogues(DIALOGUES)
def test_a_dialogue_about_products(lines: list[str], talk: ShopTalk):
    held(lines, talk)


@dialogues(FILLED)
def test_a_dialogue_about_products_with_boots_and_socks_in_the_cart(lines, filled):
    held(lines, filled)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("is it waterproof", "Yes. Alder Ridge Waterproof Hiking Boot: waterproof: yes."),
        ("how heavy is it", "Alder Ridge Waterproof Hiking Boot: weight: 450 g."),
        ("how much does it weigh", "Alder Ridge Waterproof Hiking Boot: weight: 450 g."),
        ("is it in stock", "14 in stock"),
        ("is it for the trail", "“A thing for the trail.”"),
        ("does it come in green", "Yes. Alder Ridge Waterproof Hiking Boot: colour: moss green."),
        ("is it insulated", "No. Alder Ridge Waterproof Hiking Boot: insulated: no."),
    ],
)
def test_a_question_is_answered_from_the_page_alone(question: str, answer: str):
    text = "waterproof=yes, weight_g=450, colour=moss green, insulated=no"
    goods = Goods("BOOT-004", "Alder Ridge Waterproof Hiking Boot", 12_900, attributes=text)
    talk = ShopTalk(goods=(goods,))
    talk.say("tell me about BOOT-004")
    assert answer in talk.say(question)
    assert talk.calls == [("get_product", {"sku": "BOOT-004"})]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("does it have a hood", "says nothing about “hood”"),
        ("does it have a hood", "Its reviews do not tell it either."),
        (
            "does it give blisters",
            "A customer says of Alder Ridge Waterproof Hiking Boot: “No blis",
        ),
    ],
)
def test_what_the_page_does_not_tell_is_looked_for_in_the_reviews(question: str, answer: str):
    talk = ShopTalk()
    talk.say("tell me about BOOT-004")
    assert answer in talk.say(question)
    assert [name for name, _ in talk.calls] == ["get_product", "get_reviews"]


def test_a_product_without_reviews_or_description_is_told():
    talk = ShopTalk(goods=(Goods("BOOT-004", "Alder Boot", 100, description="", attributes=""),))
    talk.answers["get_reviews"] = lambda args: "r1 get_reviews ok: 0 reviews of BOOT-004"
    assert "**Alder Boot** (BOOT-004), 1.00 USD" in talk.say("tell me about BOOT-004")
    assert talk.say("any reviews?") == "There are no reviews of Alder Boot yet."


def test_long_reviews_are_cut_and_counted(talk: ShopTalk):
    rows = "\n".join(["5 of 5 | Good | " + "very " * 200] * 8)
    talk.answers["get_reviews"] = lambda args: f"r1 get_reviews ok: 8 reviews of BOOT-004\n{rows}"
    answer = talk.say("reviews of BOOT-004")
    assert len(answer) < 2_000
    assert "Not shown: 3 more." in answer


@pytest.mark.parametrize("said", ["what is the cheapest stove", "add the cheapest stove"])
def test_the_cheapest_is_looked_for_below_what_a_full_search_gives(said: str):
    goods = tuple(Goods(f"STOV-{n:03}", f"Gas Stove {n}", 9_000 - 100 * n) for n in range(1, 31))

    def searched(args: dict[str, Any]) -> str:
        cheap = [one for one in goods if one.price <= args.get("max_price", 10**9)]
        rows = [f"{n}. {one.row}" for n, one in enumerate(cheap[: args["limit"]], 1)]
        return "\n".join([f"r1 search_products ok: {len(rows)} hits", *rows])

    talk = ShopTalk(goods=goods)
    talk.answers["search_products"] = searched
    assert "Gas Stove 30" in talk.say(said)


def test_the_best_of_a_list_is_one_of_the_measure_that_is_asked_for():
    goods = (
        Goods("PACK-001", "Small Backpack", 9_000, "4.9 of 5 (9)", attributes="capacity_litre=45"),
        Goods("PACK-002", "Large Backpack", 9_500, "4.1 of 5 (9)", attributes="capacity_litre=60"),
    )
    talk = ShopTalk(goods=goods)
    talk.say("backpacks")
    assert "The best rated is **Large Backpack**" in talk.say("which of the 60l ones is best rated")
