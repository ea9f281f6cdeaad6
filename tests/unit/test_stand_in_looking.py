"""The stand-in on products: searching, pointing, asking."""

from typing import Any

import pytest

from tests.unit.shop_talk import BOOTS, Goods, ShopTalk, with_boots_and_socks


@pytest.fixture
def talk() -> ShopTalk:
    return ShopTalk()


@pytest.fixture
def filled() -> ShopTalk:
    return with_boots_and_socks()


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("wool socks", {"query": "wool socks"}),
        ("show me tents under $250", {"query": "tents", "max_price": 25000}),
        ("a rucksack", {"query": "backpacks", "category": "backpacks"}),
        ("boots over 100", {"query": "boots", "limit": 20}),
    ],
)
def test_a_search_is_called_with_what_was_asked(talk: ShopTalk, text: str, args: dict[str, Any]):
    talk.say(text)
    assert talk.calls == [("search_products", args)]


def test_a_lower_bound_leaves_rows_out_and_keeps_their_numbers(talk: ShopTalk):
    answer = talk.say("boots between 110 and 200")
    assert "BOOT-001" not in answer
    assert "2. **Alder Ridge" in answer
    talk.say("add number 2")
    assert talk.calls == [("add_to_cart", {"sku": "BOOT-004", "quantity": 1})]


def test_a_bound_alone_narrows_the_search_before(talk: ShopTalk):
    talk.say("I need hiking boots")
    talk.say("under 100 please")
    assert talk.calls == [("search_products", {"query": "hiking boots", "max_price": 10000})]


def test_cheaper_means_cheaper_than_the_list_on_view(talk: ShopTalk):
    talk.say(BOOTS)
    talk.say("anything cheaper?")
    assert talk.calls[0][1]["max_price"] == 9899


def test_more_asks_for_more_of_the_same_search(talk: ShopTalk):
    talk.say(BOOTS)
    talk.say("show me more")
    assert talk.calls == [
        (
            "search_products",
            {"query": "waterproof hiking boots", "max_price": 15000, "limit": 20},
        )
    ]


def test_cheap_names_the_cheapest_and_another_currency_is_told_apart(talk: ShopTalk):
    assert "number 1 is the cheapest, at 99.00 USD" in talk.say("cheap boots")
    assert "Prices here are in USD" in talk.say("boots under 140 euros")


def test_a_search_without_hits_says_so(talk: ShopTalk):
    assert talk.say("do you sell kayaks") == "I found nothing for “kayaks”."


def test_a_search_without_words_and_without_a_search_before_asks(talk: ShopTalk):
    assert "What shall I look for?" in talk.say("under 100")
    assert talk.calls == []


def test_the_list_on_view_is_shown_again(talk: ShopTalk):
    assert "No list is on view" in talk.say("show me the list again")
    talk.say(BOOTS)
    answer = talk.say("show me the list again")
    assert talk.calls == []
    assert "3. **Fern Gully" in answer


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("tell me more about the first one", ("get_product", {"sku": "BOOT-001"})),
        ("show me the last one", ("get_product", {"sku": "BOOT-007"})),
        ("what do people say about number 2", ("get_reviews", {"sku": "BOOT-004"})),
        ("is the third one waterproof", ("get_product", {"sku": "BOOT-007"})),
        ("the alder ridge", ("get_product", {"sku": "BOOT-004"})),
        ("how much is TENT-001", ("get_product", {"sku": "TENT-001"})),
    ],
)
def test_a_product_on_view_can_be_pointed_at(talk: ShopTalk, text: str, call: Any):
    talk.say(BOOTS)
    talk.say(text)
    assert talk.calls == [call]


def test_it_is_what_was_spoken_of_last(talk: ShopTalk):
    talk.say(BOOTS)
    talk.say("tell me more about the second one")
    talk.say("what do people say about it")
    assert talk.calls == [("get_reviews", {"sku": "BOOT-004"})]
    talk.say("add it")
    assert talk.calls == [("add_to_cart", {"sku": "BOOT-004", "quantity": 1})]


def test_it_after_a_list_of_several_is_asked_for(talk: ShopTalk):
    talk.say(BOOTS)
    answer = talk.say("is it waterproof")
    assert talk.calls == []
    assert answer.endswith("Which one do you mean?")
    talk.say("the second one")
    assert talk.calls == [("get_product", {"sku": "BOOT-004"})]


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


def test_two_products_are_compared_by_their_pages(talk: ShopTalk):
    talk.say(BOOTS)
    answer = talk.say("compare the first and the third")
    assert talk.calls == [
        ("get_product", {"sku": "BOOT-001"}),
        ("get_product", {"sku": "BOOT-007"}),
    ]
    assert talk.model_calls == 2
    assert "Pine Hollow" in answer
    assert "Fern Gully" in answer


def test_the_best_and_the_cheapest_of_a_list_need_no_call(talk: ShopTalk):
    talk.say(BOOTS)
    assert "BOOT-007" in talk.say("which one is the best?")
    assert talk.calls == []
    answer = talk.say("which one is the cheapest")
    assert answer.endswith("Shall I put BOOT-001 into your cart?")
    talk.say("yes please")
    assert talk.calls == [("add_to_cart", {"sku": "BOOT-001", "quantity": 1})]


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("yes", {"BOOT-004": 1}),
        ("two of them", {"BOOT-004": 2}),
        ("the third one", {"BOOT-007": 1}),
        ("the dearest one", {"BOOT-007": 1}),
        ("no", {}),
        ("is it waterproof", {}),
    ],
)
def test_an_offer_can_be_taken_changed_and_refused(
    talk: ShopTalk, text: str, added: dict[str, int]
):
    talk.say(BOOTS)
    assert talk.say("the second one").endswith("Shall I put BOOT-004 into your cart?")
    talk.say(text.replace("dearest", "most expensive"))
    assert talk.cart == added


def test_reviews_of_an_unclear_product_are_given_once_it_is_clear(talk: ShopTalk):
    talk.say(BOOTS)
    assert talk.say("any reviews?").endswith("Which one do you want reviews of?")
    talk.say("number 3")
    assert talk.calls == [("get_reviews", {"sku": "BOOT-007"})]


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("tell me about trekking poles", ["search_products", "get_product"]),
        ("tell me about wool socks", ["search_products"]),
        ("tell me about kayaks", ["search_products"]),
        ("what do people say about the tent", ["search_products", "get_reviews"]),
        ("show me the cheapest wool socks", ["search_products", "get_product"]),
    ],
)
def test_a_product_that_is_not_on_view_is_searched_first(
    talk: ShopTalk, text: str, calls: list[str]
):
    talk.say(text)
    assert [name for name, _ in talk.calls] == calls


def test_words_that_fit_nothing_on_view_are_asked_about(talk: ShopTalk):
    talk.say(BOOTS)
    assert "“purple”" in talk.say("add the purple ones")
    assert "I did not understand “purple”" in talk.say("the purple one")
    assert talk.calls == []


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


def test_how_much_is_that_means_the_cart_where_no_product_is_meant(filled: ShopTalk):
    filled.say("wool socks")
    assert "Total: 153.00 USD" in filled.say("how much is that")
    assert filled.calls == []


def test_a_suggestion_for_a_purpose_is_a_search(talk: ShopTalk):
    talk.say("what would you recommend for hiking")
    assert talk.calls == [("search_products", {"query": "hiking"})]


def test_a_price_that_is_out_of_date_is_read_again(talk: ShopTalk):
    talk.say(BOOTS)
    talk.say("how much is the second one")
    assert talk.calls == []
    talk.superseded = "r1 r4"
    talk.say("how much is the second one")
    assert talk.calls == [("get_product", {"sku": "BOOT-004"})]
    talk.say("how much is it")
    assert talk.calls == []


def test_the_cheapest_of_a_list_of_cart_lines_is_looked_up(filled: ShopTalk):
    filled.say("make it three")
    filled.say("which one is the cheapest")
    assert filled.calls == [("get_product", {"sku": "SOCK-012"})]


def test_reviews_name_the_product_of_the_cart(filled: ShopTalk):
    assert "Merino Wool Hiking Socks" in filled.say("reviews of SOCK-012")


def test_a_price_is_told_from_what_is_known(filled: ShopTalk):
    answer = filled.say("how much are the socks")
    assert filled.calls == []
    assert "12.00 USD each" in answer
    assert "Total: 153.00 USD" in filled.say("what's my total")
    filled.say("what does TENT-001 cost")
    assert filled.calls == [("get_product", {"sku": "TENT-001"})]


@pytest.mark.parametrize(
    ("text", "sku"),
    [
        ("add the second one", "BOOT-007"),
        ("add the 2nd", "BOOT-007"),
        ("add the first one", "BOOT-004"),
        ("add number 3", "BOOT-007"),
        ("add #2", "BOOT-004"),
        ("add 3", "BOOT-007"),
    ],
)
def test_where_rows_are_left_out_a_place_is_counted_as_shown(talk: ShopTalk, text: str, sku: str):
    talk.say("show me boots over 120")
    talk.say(text)
    assert talk.cart == {sku: 1}
