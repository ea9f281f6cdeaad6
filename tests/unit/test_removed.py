"""A product that was taken out stays away, however it is spelled, and nothing else goes with it."""

import pytest

from daybook.demo.shop.seeded.catalogue import PRODUCTS, Product
from daybook.state.shop.cart import CartLine, Removed
from daybook.tools.shop.named.removed import NOTHING_ELSE, question_before_adding
from daybook.tools.shop.named.traits import traits_of
from tests.unit.removed_phrasings import INNOCENT, RECOMMENDED
from tests.unit.shop_parts import line
from tests.unit.taken_out import EMPTY, state_after, without_removed


@pytest.mark.parametrize("sentence", RECOMMENDED)
def test_it_is_recommended_in_no_form(sentence: str):
    assert without_removed(state_after(), "what else is there?", sentence) == NOTHING_ELSE


@pytest.mark.parametrize("sentence", INNOCENT)
def test_what_is_about_something_else_stays_as_it_was_written(sentence: str):
    for turn in ("before", "now"):
        assert without_removed(state_after(turn=turn), "remove the boots", sentence) == sentence


def _row(product: Product) -> CartLine:
    return CartLine(
        sku=product.sku,
        name=product.name,
        category=product.category,
        quantity=1,
        unit_price=product.price,
        traits=traits_of(
            {
                "brand": product.brand,
                "description": product.description,
                "attributes": product.attributes,
                "rating": 4.1,
            }
        ),
    )


@pytest.mark.parametrize("gone", ["BOOT-001", "BOOT-013", "SOCK-005", "COAT-002", "TENT-001"])
def test_no_other_product_of_the_shop_goes_with_one_that_was_removed(gone: str):
    """Neither as the model is shown them, nor as it says them, with sku or without."""
    state = state_after(_row(next(one for one in PRODUCTS if one.sku == gone)))
    for one in PRODUCTS:
        price = f"{one.price / 100:.2f}"
        said = [
            f"1. {one.sku} | {one.name} | {price} USD | 4.1 of 5 (7) | 3 in stock",
            f"The {one.name} by {one.brand} ({one.sku}) costs {price}. {one.description}",
            f"- **{one.name}** \u2013 {price} USD, {one.brand}",
            f"The {one.name} is what I would take.",
        ]
        for text in said:
            left = without_removed(state, "what else?", text)
            assert left == (NOTHING_ELSE if one.sku == gone else text), text


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            "Two ideas:\n1. BOOT-001, warm\n2. BOOT-002, dry\n3. Pebble Strand again",
            "Two ideas:\n1. BOOT-002, dry",
        ),
        (
            "1. BOOT-002\n2. BOOT-001\n3. BOOT-004\n4. BOOT-005\n\nWhich one?",
            "1. BOOT-002\n2. BOOT-004\n3. BOOT-005\n\nWhich one?",
        ),
        ("1) BOOT-001\n2) BOOT-004", "1) BOOT-004"),
        ("a) BOOT-001\nb) BOOT-004", "b) BOOT-004"),
        ("(1) BOOT-001\n(2) BOOT-004", "(2) BOOT-004"),
        ("1\ufe0f\u20e3 BOOT-001\n2\ufe0f\u20e3 BOOT-004", "2\ufe0f\u20e3 BOOT-004"),
        ("\U0001f449 BOOT-001\n\U0001f449 BOOT-004", "\U0001f449 BOOT-004"),
        ("BOOT-001, 98.90\nBOOT-002, 78.50\nBOOT-004, 114.50", "BOOT-002, 78.50\nBOOT-004, 114.50"),
        (
            "Kestrel Edge: 78.50 USD\nPebble Strand: 98.90 USD\nJuniper Bend: 114.50 USD",
            "Kestrel Edge: 78.50 USD\nJuniper Bend: 114.50 USD",
        ),
        (
            "```\nBOOT-001  Pebble Strand  98.90\nBOOT-002  Kestrel Edge  78.50\n```",
            "```\nBOOT-002  Kestrel Edge  78.50\n```",
        ),
        (
            "1. **Pebble Strand** boots\n   - waterproof\n   - 98.90\n2. BOOT-004\n   - leather",
            "1. BOOT-004\n   - leather",
        ),
        ("Take BOOT-001. BOOT-002 is dry. Good luck!", "BOOT-002 is dry. Good luck!"),
        ("BOOT-002 is dry. Take BOOT-001. Good luck!", "BOOT-002 is dry. Good luck!"),
        ("BOOT-002 is dry. BOOT-001 too. It costs 98.90. Ask me.", "BOOT-002 is dry. Ask me."),
        ("BOOT-002 or BOOT-001 would do. They are dry.", NOTHING_ELSE),
        ("BOOT-002 is dry, e.g. on moss. BOOT-001 is not.", "BOOT-002 is dry, e.g. on moss."),
        ("My pick:\n- BOOT-001\n\nTell me your size.", "Tell me your size."),
        ("My pick:\n- BOOT-001\n- BOOT-002", "My pick:\n- BOOT-002"),
        ("### Pebble Strand\n\nDry and light.\n\n### BOOT-002\n\nDry.", "### BOOT-002\n\nDry."),
        ("**Pebble Strand**\n- dry\n- light\n\nTell me your size.", "Tell me your size."),
        ("| sku | price |\n|---|---|\n| BOOT-001 | 98.90 |\n| BOOT-002 | 78.50 |",
         "| sku | price |\n|---|---|\n| BOOT-002 | 78.50 |"),
        ("| make | of | price |\n|---|---|---|\n| Altura Works | boot | 98.90 |\n| Kestrel | boot | 78.50 |",
         "| make | of | price |\n|---|---|---|\n| Kestrel | boot | 78.50 |"),
        ("Take the Pebble.\n\nStrand boots are dry. I mean it.", "I mean it."),
        ("First paragraph.\n\nBOOT-001 is dry.\n\nLast.", "First paragraph.\n\nLast."),
        (" Nothing here. \n\n", " Nothing here. \n\n"),
        ("I removed BOOT-001. The boots are great, though.", "I removed BOOT-001."),
        ("I removed BOOT-001. Laces for it cost 5.00.", "I removed BOOT-001."),
        ("I removed BOOT-001. Do you need laces for them?", "I removed BOOT-001."),
        ("I removed BOOT-001. Your cart is empty; it holds nothing.",
         "I removed BOOT-001. Your cart is empty; it holds nothing."),
        ("I removed BOOT-001. Shall I look for others like it?",
         "I removed BOOT-001. Shall I look for others like it?"),
        ("I removed BOOT-001.\n\nCart:\n- 2 x SOCK-001, 27.00\n\nTotal: 27.00 USD",
         "I removed BOOT-001.\n\nCart:\n- 2 x SOCK-001, 27.00\n\nTotal: 27.00 USD"),
    ],
)  # fmt: skip
def test_only_the_sentence_that_is_about_it_goes(answer: str, told: str):
    assert without_removed(state_after(), "ideas?", answer) == told


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("They are out. Laces for them cost 5.00.", "They are out."),
        ("Done. They are great boots, though.", "Done."),
        ("Done. You could still buy the pair.", "Done."),
        ("Done. It would be a good present.", "Done."),
        ("Done. Shall I add it back?", "Done."),
        ("Done. Is it worth another look?", "Done."),
        ("Done. Do you need socks for them?", "Done."),
        ("Done. Is there anything else?", "Done. Is there anything else?"),
        ("Done. What else do you need?", "Done. What else do you need?"),
    ],
)
def test_in_its_own_turn_no_word_of_it_is_needed_to_mean_it(answer: str, told: str):
    assert without_removed(state_after(turn="now"), "remove the boots", answer) == told


@pytest.mark.parametrize(
    "answer",
    [
        "Done \u2013 I removed the Pebble Strand Waterproof Hiking Boot from your cart. Your cart is "
        "now empty. Let me know if you'd like to look at other boots!",
        "Removed. Your cart now has 2 x wool socks (27.00). They are a good match for cold days.",
        "Removed. Your total is now 27.00 USD. Would you like me to find a different pair of boots?",
        "I've taken them out. Your cart has nothing in it now.",
        "It's gone. If you want, I can search for lighter ones.",
        "Okay, those are removed. Was it the price or the fit?",
        "They are out. That brings it to 27.00 USD in all.",
        "I removed it. The socks are still there, and a good choice.",
        "The pair of socks you put in before is still there.",
        "It is out. Here are three others. They are all waterproof, and good.",
        "They will not be suggested again. What shall I look for instead of them?",
        "Done. I can show you others like them, or something lighter. It depends on the trail.",
    ],
)
def test_what_a_shop_says_after_a_removal_stays(answer: str):
    assert without_removed(state_after(turn="now"), "remove the boots", answer) == answer


def test_the_machine_may_ask_whether_to_add_it_again():
    (item,) = state_after()["cart"].removed
    asks = question_before_adding(item)
    assert without_removed(state_after(), "add something", asks) == asks


def test_a_product_of_an_earlier_release_or_of_the_shops_page_is_known_by_its_name():
    item = Removed.model_validate({"sku": "BOOT-1", "name": "Ridge Boots", "turn_id": "t"})
    state = {"cart": EMPTY.model_copy(update={"removed": (item,)}), "turn": {"turn_id": "now"}}
    for said in ("Take the Ridge boots.", "Take BOOT-1.", "The Ridge is dry."):
        assert without_removed(state, "", said) == NOTHING_ELSE
    for said in ("Walk the ridge in boots.", "Take BOOT-10.", "These boots are dry.", "Boots!"):
        assert without_removed(state, "", said) == said


def test_two_of_the_same_place_are_told_apart():
    state = state_after(line("BOOT-1"))
    assert without_removed(state, "", "Take the Name of BOOT-1.") == NOTHING_ELSE
    assert without_removed(state, "", "Take the Name of BOOT-2.") == "Take the Name of BOOT-2."
