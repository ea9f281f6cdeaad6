"""The stand-in on products: searching, pointing, asking."""

import pytest

from tests.unit.dialogue import dialogues, held
from tests.unit.shop_talk import BOOTS, Goods, ShopTalk

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
do you sell kayaks == I found nothing for “kayaks”.
# a search without words and without a search before asks
under 100 -> ~ What shall I look for?
# the list on view is shown again
show me the list again ~ No list is on view
BOOTS / show me the list again -> ~ 3. **Fern Gully
# more about the first one
BOOTS / tell me more about the first one -> get_product sku=BOOT-001
# the last one
BOOTS / show me the last one -> get_product sku=BOOT-007
# what is said about a number
BOOTS / what do people say about number 2 -> get_reviews sku=BOOT-004
# a question about one of a list
BOOTS / is the third one waterproof -> get_product sku=BOOT-007
# one of a list by its name
BOOTS / the alder ridge -> get_product sku=BOOT-004
# one that is not in the list
BOOTS / how much is TENT-001 -> get_product sku=TENT-001
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
# an offer is taken
BOOTS / the second one ~ ...Shall I put BOOT-004 into your cart?
yes & BOOT-004 x1
# two of an offer are taken
BOOTS / the second one / two of them & BOOT-004 x2
# an offer is changed to another place
BOOTS / the second one / the third one & BOOT-007 x1
# an offer is changed to the dearest
BOOTS / the second one / the most expensive one & BOOT-007 x1
# an offer is refused
BOOTS / the second one / no &
# a question takes no offer
BOOTS / the second one / is it waterproof &
# reviews of an unclear product are given once it is clear
BOOTS / any reviews? ~ ...Which one do you want reviews of?
number 3 -> get_reviews sku=BOOT-007
# a product that is not on view is searched first
tell me about trekking poles ->> search_products get_product
# of several hits none is opened
tell me about wool socks ->> search_products
# without hits nothing is opened
tell me about kayaks ->> search_products
# reviews of what is not on view are searched first
what do people say about the tent ->> search_products get_reviews
# the cheapest of several hits is opened
show me the cheapest wool socks ->> search_products get_product
# words that fit nothing on view are asked about
BOOTS / add the purple ones ~ “purple”
the purple one -> ~ I did not understand “purple”
# reviews of what is not on view are not compared
BOOTS / compare the reviews of the purple ones -> ~ nothing on view that is “purple”
# a suggestion for a purpose is a search
what would you recommend for hiking -> search_products query=hiking
# where rows are left out, a place is counted as shown
show me boots over 120 / add the second one & BOOT-007 x1
# where rows are left out, a place in figures is counted as shown
show me boots over 120 / add the 2nd & BOOT-007 x1
# where rows are left out, the first is the first that is shown
show me boots over 120 / add the first one & BOOT-004 x1
# where rows are left out, a number is that of its row
show me boots over 120 / add number 3 & BOOT-007 x1
# where rows are left out, a number with a sign is that of its row
show me boots over 120 / add #2 & BOOT-004 x1
# where rows are left out, a bare number is that of its row
show me boots over 120 / add 3 & BOOT-007 x1
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
        ("does it have a hood", "says nothing about “hood”"),
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
    ("tool_name", "text"),
    [
        ("get_product", "tell me about BOOT-004"),
        ("get_reviews", "reviews of BOOT-004"),
        ("get_product", "is BOOT-004 waterproof"),
        ("add_to_cart", "add BOOT-004"),
        ("get_order", "where is my order DB-10001"),
    ],
)
def test_a_result_of_an_unknown_form_is_passed_on(talk: ShopTalk, tool_name: str, text: str):
    talk.answers[tool_name] = lambda args: "the shop burned down"
    assert "the shop burned down" in talk.say(text)


@pytest.mark.parametrize(
    ("tool_name", "text"),
    [
        ("search_products", "wool socks"),
        ("get_product", "tell me about BOOT-004"),
        ("get_reviews", "reviews of BOOT-004"),
        ("list_orders", "show my orders"),
        ("get_order", "where is my order DB-10001"),
        ("send_email", "mail me a summary"),
        ("cancel_order", "cancel order DB-10001"),
    ],
)
def test_a_refused_call_tells_its_sentence(talk: ShopTalk, tool_name: str, text: str):
    talk.answers[tool_name] = lambda args: f"{tool_name} refused: The shop is closed."
    assert "The shop is closed." in talk.say(text)


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


def test_a_price_that_is_out_of_date_is_read_again(talk: ShopTalk):
    talk.say(BOOTS)
    talk.say("how much is the second one")
    assert talk.calls == []
    talk.superseded = "r1 r4"
    talk.say("how much is the second one")
    assert talk.calls == [("get_product", {"sku": "BOOT-004"})]
    talk.say("how much is it")
    assert talk.calls == []
