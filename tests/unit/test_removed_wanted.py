"""Whether a removed product is asked for: by name, as what was spoken of, or as wanted back."""

from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from daybook.state.shop.cart import add, remove
from daybook.tools.shop.named.removed import NOTHING_ELSE, removed_hits
from daybook.tools.shop.named.wanted import asked_for
from tests.unit.shop_parts import line
from tests.unit.taken_out import state_after, without_removed


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


def test_who_wants_all_of_it_back_names_each_of_it():
    cart = add(state_after()["cart"], line("TENT-1"))
    state = {**state_after(), "cart": remove(cart, "TENT-1", "before")}
    said = "The Pebble Strand boots are dry."
    for words in ("put both back", "add all of them again", "I want everything back"):
        assert without_removed(state, words, said) == said
    for words in ("put it back", "show me all tents again", "add all the socks again"):
        assert without_removed(state, words, said) == NOTHING_ELSE
