"""The stand-in on the cart: adding, changing, removing, and suggesting."""

import pytest

from tests.unit.shop_talk import ASSORTMENT, BOOTS, Goods, ShopTalk, with_boots_and_socks


@pytest.fixture
def talk() -> ShopTalk:
    return ShopTalk()


@pytest.fixture
def filled() -> ShopTalk:
    return with_boots_and_socks()


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ("add the first and the third", {"BOOT-001": 1, "BOOT-007": 1}),
        ("add 2 of the first and 1 of the third", {"BOOT-001": 2, "BOOT-007": 1}),
        ("add all of them", {"BOOT-001": 1, "BOOT-004": 1, "BOOT-007": 1}),
        ("add the first two", {"BOOT-001": 1, "BOOT-004": 1}),
        ("add the cheapest one", {"BOOT-001": 1}),
        ("add the cheap one", {"BOOT-001": 1}),
        ("add the fern gully boots", {"BOOT-007": 1}),
        ("add TENT-001", {"TENT-001": 1}),
        ("add the best rated one and POLE-002 x2", {"BOOT-007": 1, "POLE-002": 2}),
    ],
)
def test_what_is_on_view_is_added(talk: ShopTalk, text: str, added: dict[str, int]):
    talk.say(BOOTS)
    talk.say(text)
    assert talk.cart == added


def test_what_a_sentence_looks_for_can_be_added_by_it(talk: ShopTalk):
    talk.say("find trekking poles and add the first one")
    assert talk.cart == {"POLE-002": 1}


def test_the_cheapest_of_a_kind_is_searched_for_and_added(talk: ShopTalk):
    talk.say("add the cheapest wool socks")
    assert talk.cart == {"SOCK-012": 1}


def test_a_bound_of_what_is_added_reaches_the_search(talk: ShopTalk):
    talk.say("add a tent under 100")
    assert talk.calls == [("search_products", {"query": "tent", "max_price": 10000})]
    assert talk.cart == {}


def test_adding_what_the_shop_does_not_have_says_so(talk: ShopTalk):
    answer = talk.say("add a kayak and BOOT-004")
    assert talk.cart == {"BOOT-004": 1}
    assert "I found nothing for “kayak”" in answer
    assert "Total: 129.00 USD" in answer


def test_definite_words_that_fit_several_rows_are_asked_about(talk: ShopTalk):
    talk.say(BOOTS)
    answer = talk.say("add two of the boots")
    assert talk.calls == []
    assert answer.endswith("Which one shall I add (quantity 2)?")
    talk.say("the third one")
    assert talk.calls == [("add_to_cart", {"sku": "BOOT-007", "quantity": 2})]


def test_an_ordinal_without_a_list_is_asked_about(talk: ShopTalk):
    assert "no list is on view" in talk.say("add the second one")
    assert talk.calls == []


def test_a_number_that_the_list_does_not_have_is_told(talk: ShopTalk):
    talk.say(BOOTS)
    assert "There is no number 9 in the list" in talk.say("add number 9")
    assert talk.calls == []


def test_an_ordinal_with_a_kind_means_the_list_of_that_kind(talk: ShopTalk):
    talk.say(BOOTS)
    talk.say("wool socks")
    talk.say("add the second boot")
    assert talk.cart == {"BOOT-004": 1}


def test_what_was_just_added_can_be_changed_in_the_same_sentence(filled: ShopTalk):
    filled.say("add POLE-002 and make it three")
    assert filled.cart == {"BOOT-004": 1, "SOCK-012": 2, "POLE-002": 3}


@pytest.mark.parametrize(
    ("text", "cart"),
    [
        ("remove the socks", {"BOOT-004": 1}),
        ("take the hiking boots out of my cart", {"SOCK-012": 2}),
        ("remove one pair of socks", {"BOOT-004": 1, "SOCK-012": 1}),
        ("remove two pairs of socks", {"BOOT-004": 1}),
        ("remove BOOT-004", {"SOCK-012": 2}),
        ("remove the second one", {"BOOT-004": 1}),
        ("remove the cheapest one", {"BOOT-004": 1}),
        ("remove the boots and the socks", {}),
        ("clear the cart", {}),
        ("remove both", {}),
        ("change the boots to 2", {"BOOT-004": 2, "SOCK-012": 2}),
        ("make the socks five", {"BOOT-004": 1, "SOCK-012": 5}),
        ("double the socks", {"BOOT-004": 1, "SOCK-012": 4}),
        ("set SOCK-012 to 0", {"BOOT-004": 1}),
        ("add two more socks", {"BOOT-004": 1, "SOCK-012": 4}),
        ("remove the socks and add TENT-001", {"BOOT-004": 1, "TENT-001": 1}),
    ],
)
def test_the_cart_is_changed(filled: ShopTalk, text: str, cart: dict[str, int]):
    filled.say(text)
    assert filled.cart == cart
    assert filled.model_calls == 2


def test_make_it_three_changes_what_was_added_last(filled: ShopTalk):
    filled.say("add POLE-002")
    filled.say("make it three")
    assert filled.calls == [("set_quantity", {"sku": "POLE-002", "quantity": 3})]


def test_make_it_three_of_what_is_not_in_the_cart_changes_nothing(filled: ShopTalk):
    filled.say("tell me about TENT-001")
    assert "in your cart" in filled.say("make it three")
    assert filled.calls == []


def test_make_it_three_right_after_a_list_is_asked_about(talk: ShopTalk):
    talk.cart = {"BOOT-004": 1}
    talk.say("wool socks")
    assert talk.say("make it three").endswith("Which one shall I change (quantity 3)?")
    assert talk.calls == []


def test_doubling_with_several_lines_asks_and_doubles(filled: ShopTalk):
    assert filled.say("double it").endswith("Which one shall I double?")
    filled.say("the second one")
    assert filled.cart == {"BOOT-004": 1, "SOCK-012": 4}


def test_both_means_the_two_that_are_on_view(filled: ShopTalk):
    filled.say("trekking poles")
    filled.say("add the first one")
    filled.say("show me hiking boots or socks")
    filled.say("show me wool socks")
    filled.say("add SOCK-003")
    filled.say("remove both")
    assert filled.cart == {"BOOT-004": 1, "POLE-002": 1}


def test_the_socks_are_those_in_the_cart_where_the_list_has_none(filled: ShopTalk):
    filled.say(BOOTS)
    filled.say("what do people say about the socks")
    assert filled.calls == [("get_reviews", {"sku": "SOCK-012"})]


def test_make_it_three_with_several_lines_asks_and_takes_the_answer(filled: ShopTalk):
    assert filled.say("make it three").endswith("Which one shall I change (quantity 3)?")
    assert filled.calls == []
    filled.say("the socks")
    assert filled.cart == {"BOOT-004": 1, "SOCK-012": 3}


def test_two_lines_of_a_kind_are_asked_about_before_one_goes(talk: ShopTalk):
    talk.cart = {"SOCK-003": 1, "SOCK-012": 1}
    answer = talk.say("remove the socks")
    assert answer.endswith("Which one shall I remove?")
    talk.say("the second one")
    assert talk.cart == {"SOCK-003": 1}


def test_what_is_not_in_the_cart_is_not_removed(filled: ShopTalk):
    assert "nothing like “tent” in your cart" in filled.say("remove the tent")
    assert filled.calls == []


def test_an_empty_cart_is_told(talk: ShopTalk):
    assert talk.say("what's in my cart") == "Your cart is empty."
    assert talk.say("clear the cart") == "Your cart is empty already."
    assert talk.say("remove the socks") == "Your cart is empty."
    assert "nothing to check out" in talk.say("check out")
    assert talk.calls == []


def test_the_sentence_of_a_refusal_is_passed_on(talk: ShopTalk):
    talk.answers["add_to_cart"] = lambda args: "add_to_cart refused: Only 1 of it is in stock."
    answer = talk.say("add BOOT-004 x5")
    assert answer == "I could not add to the cart: Only 1 of it is in stock."


def test_a_removed_product_and_its_kind_are_never_suggested(filled: ShopTalk):
    filled.say("remove the socks")
    for _ in range(6):
        answer = filled.say("anything else you would suggest?")
        assert "sock" not in answer.lower()
        assert "BOOT-004" not in answer
        assert all("sock" not in str(args) for _, args in filled.calls)


def test_suggestions_go_on_to_the_next_kind(filled: ShopTalk):
    first = filled.say("anything else you would suggest?")
    second = filled.say("anything else?")
    assert "POLE-002" in first
    assert "POLE-002" not in second


def test_a_kind_without_hits_or_stock_is_passed_over(talk: ShopTalk):
    talk.cart = {"TENT-001": 1}
    answer = talk.say("any suggestions?")
    assert "LAMP-005" not in answer
    assert talk.model_calls <= 4


def test_without_anything_to_go_by_a_suggestion_asks_first(talk: ShopTalk):
    assert "what you are after" in talk.say("what do you recommend")
    assert talk.calls == []


def test_a_suggestion_follows_the_list_on_view_while_the_cart_is_empty(talk: ShopTalk):
    talk.say(BOOTS)
    talk.say("anything else?")
    assert talk.calls[0][1]["category"] == "socks"


def test_a_twin_of_what_was_removed_is_not_suggested(filled: ShopTalk):
    filled.goods = (*ASSORTMENT, Goods("POLE-099", "Larch Trekking Poles", 7_800))
    filled.say("add POLE-002")
    filled.say("remove POLE-002")
    for _ in range(4):
        assert "Larch" not in filled.say("anything else you would suggest?")


def test_what_was_removed_is_left_out_of_suggestions_whatever_the_result_holds(filled: ShopTalk):
    filled.say("remove the socks")
    names = ("SOCK-003", "BOOT-004", "SOCK-012", "POLE-002")
    rows = [next(goods for goods in ASSORTMENT if goods.sku == sku).row for sku in names]
    listed = "\n".join(f"{n}. {row}" for n, row in enumerate(rows, 1))
    filled.answers["search_products"] = lambda args: f"r9 search_products ok: 4 hits\n{listed}\n."
    answer = filled.say("anything else you would suggest?")
    assert [sku for sku in names if sku in answer] == ["POLE-002"]


def test_only_what_was_removed_is_left_to_find(filled: ShopTalk):
    filled.say("remove the socks")
    answer = filled.say("show me merino")
    assert answer == "For “merino” I found only what you took out of your cart before."


def test_a_removed_product_comes_back_when_it_is_asked_for(filled: ShopTalk):
    filled.say("remove the socks")
    filled.say("add the socks back")
    assert filled.calls == [("add_to_cart", {"sku": "SOCK-012", "quantity": 1})]


def test_another_product_is_added_where_the_best_hit_was_removed(filled: ShopTalk):
    filled.say("remove the socks and add wool socks")
    assert "SOCK-003" in filled.cart
    assert "SOCK-012" not in filled.cart


def test_a_search_leaves_out_what_was_removed_unless_its_kind_is_named(filled: ShopTalk):
    filled.say("remove the socks")
    assert "SOCK-012" not in filled.say("show me merino wool")
    assert "SOCK-012" in filled.say("show me wool socks")
