"""A product that was taken out stays away, however it is spelled, and nothing else goes with it."""

from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from daybook.demo.shop.seeded.catalogue import PRODUCTS, Product
from daybook.state.shop.cart import Cart, CartLine, Removed, Traits, add, remove
from daybook.state.shop.state import Checkout
from daybook.tools.shop.named.mentions import traits_of
from daybook.tools.shop.named.removed import (
    NOTHING_ELSE,
    question_before_adding,
    removed_hits,
    sieve_of,
)
from daybook.tools.shop.named.wanted import asked_for
from tests.unit.shop_parts import line

EMPTY = Cart(cart_id="usd-1", currency="USD")

BOOTS = CartLine(
    sku="BOOT-001",
    name="Pebble Strand Waterproof Hiking Boot",
    category="hiking-boots",
    quantity=1,
    unit_price=9_890,
    traits=Traits(
        brand="Altura Works",
        words=("waterproof", "mid", "leather", "vibram", "sole", "sealed", "membrane", "unisex"),
        rating=4.7,
    ),
)


def state_after(row: CartLine = BOOTS, turn: str = "before") -> dict[str, Any]:
    """Make a state in which a product was taken out in an earlier turn, or in this one."""
    return {
        "cart": remove(add(EMPTY, row), row.sku, turn),
        "turn": {"turn_id": "now"},
        "checkout": Checkout(),
    }


def without_removed(state: dict[str, Any], words: str, text: str) -> str:
    """Pass a whole answer through the sieve."""
    sieve = sieve_of(state, words)
    return text if sieve is None else sieve.feed(text) + sieve.end()


RECOMMENDED = [
    # its sku
    "Take BOOT-001.",
    "Take boot-001.",
    "Take BOOT\u2011001.",
    "Take BOOT\u2010001.",
    "Take BOOT\u2013001.",
    "Take BOOT\u2014001.",
    "Take BOOT\u2212001.",
    "Take BOOT001.",
    "Take BOOT 001.",
    "Take BOOT - 001.",
    "Take BOOT_001.",
    "Take BOOT-\n001.",
    "Take **BOOT**-001.",
    "Take `BOOT-001`!",
    "Take BOOT\\-001.",
    "Take BO\u200bOT-001.",
    "Take \uff22\uff2f\uff2f\uff34-001.",
    "See [these](https://shop.example/products/BOOT-001).",
    "BOOT-001s are great.",
    "A BOOT-001's sole lasts.",
    "Take BOOT #1.",
    "Boot number 1 is the best.",
    "Item B-O-O-T-0-0-1 is a steal.",
    # its name
    "P e b b l e S t r a n d boots are the best.",
    "P\u00e9bble Str\u00e1nd boots are the best.",
    "The Pebble Stand boots are the best.",
    "The Peble Strand is my pick.",
    "The Pebble Strand Waterproof Hiking Boot is my favourite.",
    "the pebble strand waterproof hiking boot would do",
    "PEBBLE STRAND WATERPROOF HIKING BOOT",
    "Pebble-Strand Waterproof Hiking-Boots are on offer.",
    "Pebble\u2011Strand boots are on offer.",
    "PebbleStrand waterproof hiking boot",
    "Pebble\nStrand Waterproof\nHiking Boot is a good choice.",
    "**Pebble** _Strand_ Waterproof Hiking Boot",
    "Peb**ble** Str*and* boots",
    "`Pebble Strand` Waterproof Hiking Boot",
    "[Pebble Strand](https://shop.example/p/1) is worth it.",
    "[Pebble](a) [Strand](b) boots",
    "<b>Pebble</b>&nbsp;Strand boots",
    "The Pebble Strands are what I would buy.",
    "Strand Pebble boots keep your feet dry.",
    "Hiking boot, waterproof: Strand, Pebble.",
    "Waterproof Hiking Boot (Pebble Strand)",
    "I would go for the Pebble Strand.",
    "How about Pebble Strand?",
    "My pick: the Pebble boots.",
    "The Strand hiking boots are best.",
    "the strand hiking boots are best",
    "My pick: strand boots.",
    "Have you considered the Pebble Strand pair again?",
    "Socks would go with the Pebble Strand.",
    "Spare laces for the Pebble Strand cost 5.00.",
    # its brand and kind
    "The Altura Works boots are what you need.",
    "The Altura-Works waterproof boots would suit you.",
    "I like the ALTURA WORKS hiking boots.",
    "What about the boots by Altura Works?",
    "The boots from **Altura Works** are dry.",
    "That Altura Works pair is still here.",
    "The Altura Works ones cost 98.90.",
    "The Altura Works model is rated 4.7 of 5.",
    # what it is like
    "The waterproof leather boots with the Vibram sole, 4.7 stars, 98.90, are the best.",
    "Those waterproof leather boots with the Vibram sole are still the best.",
    "The leather boots at 98.90 would fit.",
    "The boots with 4.7 of 5 and a sealed membrane are it.",
    "A waterproof boot for $98.90 with 4.7 stars is here.",
    "The waterproof pair at 98.90 USD, rated 4.7 of 5.",
    "There are boots, 4.7 stars, in leather, with a Vibram sole.",
    "The mid boots with membrane, Vibram sole and leather are a good choice.",
    # without any name
    "The pair you removed would be the best.",
    "The boots you took out are still the best.",
    "I still like the ones you dropped.",
    "The boots that you removed are worth another look.",
    "Laces for the boots you took out cost 5.00 and would fit.",
    "The previous pair was better, you could add it.",
    "The ones you rejected are our bestsellers.",
    "The boots you decided against have the best reviews.",
    "The boots you didn't want are still the best.",
    "What you took out is still the best we have.",
    "Gaiters would go perfectly with what you removed.",
    "The pair from before would still be my first choice.",
    "I'd go back to your original choice, honestly.",
    "Your first choice was the best one.",
    "The boot at $98.9 is the best.",
    # behind signs, tags, other scripts, and misspelt
    "Pebble Strand\u2122 boots",
    "Pebble Strand\u00ae is the best.",
    "See <a href='/p/BOOT-001'>these</a>.",
    '<img alt="Pebble Strand"> is it.',
    "Take BOOT%2D001.",
    "Take BOOT(001).",
    "Take BOOT:001.",
    "B00T-001 is the best.",
    "BOOT-OO1 is the best.",
    "B\u041e\u041eT-001 is the best.",
    "\u0420ebble Strand boots are the best.",
    "Pebbel Strand boots are the best.",
    "The Pebble Strnad boots are the best.",
    "Get the Strand!",
    "Consider Pebble.",
    "The Altura boots are what you need.",
    "Altura's waterproof boot is unbeatable.",
    "The $98 boots are the best.",
    "The 99 dollar boots are the best.",
    "The boots for ninety-eight ninety are the best.",
    "The boots that were in your cart a moment ago are still the best.",
    "What you had in your cart was the best choice.",
    "Shall I put the boots back?",
    "I suggest adding them back.",
    "Nothing beats the boots that were in your cart.",
    "The two you took out are our bestsellers.",
    "Everything you removed is still on sale.",
    "All that you took out is still available.",
    "Shall I add both again?",
    "You should undo the removal.",
    "You'll regret removing those boots.",
    "You made a mistake removing them.",
    "Those boots you removed? Best in class.",
    "The boots you took out are still the best. They are dry.",
    # not only told as gone
    "You removed BOOT-001, but it is still the best.",
    "I removed BOOT-001, shall I add it back?",
    "<table><tr><td>BOOT-001</td><td>98.90</td></tr></table>",
    "<ul><li>BOOT-001<li>dry</ul>",
    "BOOT-001 was removed; it would be perfect for you.",
    "You took the Pebble Strand out, which is a pity: it is great.",
]

INNOCENT = [
    # others of the kind and the brand, by name
    "Take BOOT-010.",
    "Take BOOT-0012 or BOOT-011.",
    "Take BOOT-100.",
    "BOOT-002 | Kestrel Edge Light Waterproof Hiking Boot | 78.50 USD | 4.7 of 5 (3)",
    "The Juniper Bend Waterproof Hiking Boot costs 114.50.",
    "The Juniper Bend Waterproof Hiking Boot costs 98.90.",
    "The Altura Works Heather Top Hiking Boot is light.",
    "Altura Works also makes the Heather Top Hiking Boot.",
    "BOOT-003, a hiking boot by Altura Works, costs 63.50.",
    "The Heather Top Hiking Boot by Altura Works costs 63.50.",
    "The Altura Works socks are warm.",
    "The Altura Works hiking socks are warm, and go with all boots.",
    "Pebble Strand Merino Wool Hiking Socks are warm.",
    "The Pebble Strand Rechargeable Headlamp costs 28.95.",
    "There are other boots by Altura Works.",
    "We have several Altura Works boots.",
    "The Pebble Creek Hiking Boot is light.",
    "The Red Strand Trail Shoe is low.",
    # boots in general
    "Hiking boots should be a size larger.",
    "What kind of boots do you want: waterproof, light, or warm?",
    "Waterproof leather boots keep feet dry.",
    "A Vibram sole holds well on wet rock.",
    "Boots with a membrane are warm in summer.",
    "Good boots have a firm sole.",
    "Which size of boots do you wear?",
    "I can show you other waterproof hiking boots.",
    "Here are some boots without leather.",
    "Leather boots need care; a membrane needs less.",
    "The boots should be waterproof, with a leather upper and a Vibram sole.",
    "There are 29 hiking boots, from 59.00 to 288.90.",
    "The best boots for you depend on the trail.",
    "Here are the best waterproof boots:",
    "You have no boots in your cart.",
    # prices and numbers that are alike
    "Your total is 98.90 USD.",
    "The tent costs 98.90.",
    "Boots start from 98.90 USD.",
    "The socks at 98.90 have 4.7 of 5.",
    "Shipping is free over 98.90.",
    "The waterproof boots at 114.50 are rated 4.2 of 5.",
    "Your order DB-10001 was 98.90 USD.",
    # words of the name as words
    "Walk along the strand, where each pebble is wet.",
    "The beach has pebble and strand alike.",
    "the golden strand boots are light",
    "the strand creek boots are light",
    "Walk the strand in boots.",
    "On a pebble beach boots are too much.",
    "What you remove from the cart is not suggested again.",
    "Your first choice should be a dry sock.",
    "Your first choice of socks, SOCK-002, is still in the cart.",
    "The Pebble Island Hiking Boot is light.",
    "It comes in sizes a, b, c and d.",
    "Boots: 1. Kestrel Edge, 2. Juniper Bend",
    "boot: 1 pair",
    "The Kestrel Edge boots cost 98 dollars.",
    "The tent for $98 is light.",
    "Get the Kestrel Edge!",
    "Try the Juniper Bend.",
    "If Altura has another one, I will say so.",
    "What was in your cart is now ordered.",
    "You should undo the laces before taking boots off.",
    "Shall I add the socks again?",
    "Everything you removed is gone.",
    "Anything you order you can send back within 30 days. We take it back within that time.",
    # that it went
    "I removed BOOT-001 from your cart.",
    "I removed the Pebble Strand Waterproof Hiking Boot from your cart.",
    "Removed: Pebble Strand Waterproof Hiking Boot.",
    "Done, the Pebble Strand boots are out of your cart.",
    "I have taken the Altura Works boots out of your cart.",
    "BOOT-001 is no longer in your cart.",
    "BOOT-001 is not in your cart.",
    "Great, I removed BOOT-001 (98.90 USD).",
    "I removed BOOT-001 and will not suggest it again.",
    "I won't recommend the Pebble Strand again.",
    "I removed BOOT-001 and added BOOT-002, a great choice for wet trails.",
    "I removed BOOT-001 and recommend BOOT-002 instead.",
    "Your order DB-10001 holds the Pebble Strand Waterproof Hiking Boot.",
    "I won't suggest the boots you took out.",
    "You took out the boots, so here is something else.",
]


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


# -- only what is about it ------------------------------------------------------------------------


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


# -- unless it is asked for -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "wants"),
    [
        ("is BOOT-001 back?", True),
        ("boot 001 please", True),
        ("tell me about the Pebble Strand", True),
        ("I want the Altura Works boots after all", True),
        ("put the boots back", True),
        ("show me hiking boots again", True),
        ("not the tent, BOOT-001!", True),
        ("the waterproof leather boots with the Vibram sole, 4.7 stars", True),
        ("what are the best boots?", False),
        ("hiking boots?", False),
        ("show me more", False),
        ("anything but BOOT-001", False),
        ("don't show me the Pebble Strand again", False),
        ("show me boots other than BOOT-001", False),
        ("no Pebble Strand please, what else?", False),
        ("is BOOT-010 in stock?", False),
        ("", False),
    ],
)
def test_it_is_asked_for_by_name_and_not_by_its_kind_or_where_it_is_refused(words, wants):
    (item,) = state_after()["cart"].removed
    assert asked_for(item, words) is wants
    hits = {"hits": [{"sku": "BOOT-001"}, {"sku": "BOOT-002"}]}
    assert removed_hits(state_after(), words, hits) == (() if wants else ("BOOT-001",))


def test_what_is_no_search_has_no_hits_to_hide():
    for result in (None, [], {"orders": []}, "text"):
        assert removed_hits(state_after(), "", result) == ()


def test_whoever_names_it_or_asks_what_went_or_wants_it_back_is_told():
    said = "BOOT-001 is 98.90. It is dry."
    for words in ("what about BOOT-001?", "what did I remove from the cart?", "put it back"):
        assert without_removed(state_after(), words, said) == said
    for words in (
        "what else? remove nothing",
        "what do you suggest to take",
        "which took off?",
        "What do you have? I dropped the boots.",
        "what boots have you got now that I removed those",
    ):
        assert without_removed(state_after(), words, said) == NOTHING_ELSE


def talked(*said: str) -> dict[str, Any]:
    """Make a state in which a product was taken out before a person said these things."""
    messages = [HumanMessage("remove the boots", id="before")]
    return {**state_after(), "messages": [*messages, *(HumanMessage(one) for one in said)]}


@pytest.mark.parametrize(
    "said",
    [
        ("what is BOOT-001?", "is it waterproof?"),
        ("what is BOOT-001?", "and what does it cost?", "in 43?"),
        ("tell me about the Pebble Strand", "do the boots run small?"),
    ],
)
def test_what_goes_on_about_a_product_that_was_named_names_it_too(said: tuple[str, ...]):
    answer = "The Pebble Strand is 98.90 USD, and dry."
    hits = {"hits": [{"sku": "BOOT-001"}]}
    assert without_removed(talked(*said), said[-1], answer) == answer
    assert removed_hits(talked(*said), said[-1], hits) == ()


@pytest.mark.parametrize(
    "said",
    [
        ("what is BOOT-001?", "ok, and what are the best boots?"),
        ("what is BOOT-001?", "no, not that one"),
        ("what is BOOT-001?", "any socks?", "how much are they?"),
        ("what is BOOT-001?", "show me boots"),
        ("what else is there?", "is it waterproof?"),
    ],
)
def test_who_goes_on_to_something_else_is_told_of_it_no_more(said: tuple[str, ...]):
    answer = "The Pebble Strand is 98.90 USD, and dry."
    assert without_removed(talked(*said), said[-1], answer) == NOTHING_ELSE


def test_its_name_before_it_was_removed_is_no_wish_for_it():
    state = talked("is it dry?")
    state["messages"].insert(0, HumanMessage("what is BOOT-001?"))
    assert without_removed(state, "is it dry?", "BOOT-001 is dry.") == NOTHING_ELSE


def test_in_the_turn_of_its_removal_its_name_is_no_wish_for_it():
    said = "BOOT-001 is out. It is the best boot we have. Take BOOT-002."
    told = "BOOT-001 is out. Take BOOT-002."
    assert without_removed(state_after(turn="now"), "remove BOOT-001", said) == told


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


def test_who_wants_all_of_it_back_names_each_of_it():
    cart = add(state_after()["cart"], line("TENT-1"))
    state = {**state_after(), "cart": remove(cart, "TENT-1", "before")}
    said = "The Pebble Strand boots are dry."
    for words in ("put both back", "add all of them again", "I want everything back"):
        assert without_removed(state, words, said) == said
    for words in ("put it back", "show me all tents again", "add all the socks again"):
        assert without_removed(state, words, said) == NOTHING_ELSE
