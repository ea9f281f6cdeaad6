"""What the machine says beside an answer: a budget that is passed, what a person must not have."""

from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from daybook.state.people.facts import Fact
from daybook.state.shop.cart import Cart, CartLine, Traits, add
from daybook.tools.shop.spoken.warnings import budget_of, warnings

EMPTY = Cart(cart_id="usd-1", currency="USD")


def a_line(name: str, held: tuple[str, ...] = (), price: int = 10_000, **more: Any) -> CartLine:
    """Make a line of the cart; `words` are of the description."""
    words = (*held, *more.pop("words", ()))
    return CartLine(
        sku=more.pop("sku", "SBAG-1"),
        name=name,
        category=more.pop("category", "sleeping-bags"),
        quantity=1,
        unit_price=price,
        traits=Traits(words=words, held=held),
    )


def known(subject: str, value: str, kind: Any = "constraint") -> Fact:
    at = datetime(2031, 5, 6, tzinfo=UTC)
    return Fact(subject=subject, value=value, kind=kind, source="t", at=at)


def state(*facts: Fact, lines: tuple[CartLine, ...] = (), said: tuple[str, ...] = ()) -> Any:
    cart = EMPTY
    for line in lines:
        cart = add(cart, line)
    messages = [HumanMessage(text, id=str(at)) for at, text in enumerate(said)]
    return {"cart": cart, "facts": facts, "messages": messages}


def told(given: Any, text: str = "", *results: Any) -> list[str]:
    return [one.text for one in warnings(given, text, results)]


# -- the budget -----------------------------------------------------------------------------------

DEAR = (a_line("Tent", price=35_000, sku="TENT-1", category="tents"),)


@pytest.mark.parametrize(
    ("facts", "said", "budget"),
    [
        ((known("budget", "300 dollars in all"),), (), 30_000),
        ((known("budget", "$1,200"),), (), 120_000),
        ((known("spending limit", "no more than 300"),), (), 30_000),
        ((known("budget", "between 200 and 300"),), (), 30_000),
        ((known("budget", "none, no limit"),), (), None),
        ((known("budget", "300 euros"),), (), None),
        ((known("shoe size", "43"),), (), None),
        ((), ("Keep it below 300 dollars in all.",), 30_000),
        ((), ("My budget is 300.", "My budget is 400 now."), 40_000),
        ((), ("Boots under 150 please.",), None),
        ((), ("My budget for boots is 150.",), None),
        ((known("budget", "500"),), ("My budget is 300.",), 50_000),
        ((), ("I have 80 to spend.",), 8_000),
        ((), ("80 dollars is all I've got.",), 8_000),
        ((), ("my limit is 80 bucks",), 8_000),
        ((), ("keep the total under 80",), 8_000),
        ((), ("no more than 80 all told",), 8_000),
        ((), ("I can only afford 80",), 8_000),
        ((), ("max 80 for everything",), 8_000),
        ((), ("My budget is 400.", "Let's say 300."), 30_000),
        ((), ("My limit is 2 kg.",), None),
        ((), ("I can spend 80 on socks.",), None),
        ((), ("My budget is 300.", "Money is no object."), None),
        ((), ("I have no limit.",), None),
        # in other words
        ((known("budget", "eighty dollars"),), (), 8_000),
        ((known("budget", "1.2k"),), (), 120_000),
        ((known("budget", "2 grand"),), (), 200_000),
        ((known("budget", "80 (was 150)"),), (), 8_000),
        ((known("budget", "under 80 dollars for 120 days"),), (), 8_000),
        ((known("can afford", "80 dollars"),), (), 8_000),
        ((), ("My budget is eighty dollars.",), 8_000),
        ((), ("I've got a hundred dollars to spend in total.",), 10_000),
        ((), ("I only have 80 dollars.",), 8_000),
        ((), ("I only have eighty dollars.",), 8_000),
        ((), ("Don't go over 80 dollars.",), 8_000),
        ((), ("I won't pay more than 80.",), 8_000),
        ((), ("Keep the cart under 80.",), 8_000),
        ((), ("80 dollars max, everything included.",), 8_000),
        ((), ("80 is my max.",), 8_000),
        ((), ("I don't go above 3000 m.",), None),
        ((), ("I have $80.",), 8_000),
        ((), ("I have $80 off with a voucher.",), None),
        ((), ("80 is the most I can spend.",), 8_000),
        ((), ("Not a cent over 80.",), 8_000),
        ((), ("My budget is 80 per item.",), None),
        ((), ("Budget: 80 each.",), None),
        ((known("budget", "80 dollars per item"),), (), None),
        ((known("budget per item", "80"),), (), None),
        ((), ("I don't want to carry more than 15.",), None),
    ],
)
def test_a_budget_is_read_as_it_is_remembered_or_was_said(facts: Any, said: Any, budget: Any):
    assert budget_of(state(*facts, said=said)) == budget


def test_more_than_anybody_has_is_no_budget():
    assert budget_of(state(known("budget", "9" * 400))) in (None, 0)


def test_a_cart_beyond_the_budget_is_said_once_for_each_change_of_it():
    given = state(known("budget", "300 dollars in all"), lines=DEAR)
    (warned,) = warnings(given, "", ())
    assert warned.text == "What is in your cart now comes to more than your budget of 300.00 USD."
    changed = {**given, "cart": add(given["cart"], a_line("Bag", price=1_000))}
    (again,) = warnings(changed, "", ())
    assert again.key != warned.key
    assert told(state(known("budget", "350"), lines=DEAR)) == []


@pytest.mark.parametrize("budget", ["300 euros", "\u20ac300", "300 CHF"])
def test_of_a_budget_in_other_money_it_is_said_once_that_it_cannot_be_held_against_the_cart(
    budget: str,
):
    given = state(known("budget", budget), lines=DEAR)
    (warned,) = warnings(given, "", ())
    assert warned.text == (
        f"I cannot tell whether your cart is within your budget ({budget}): its prices are in USD."
    )
    changed = {**given, "cart": add(given["cart"], a_line("Bag", price=1_000))}
    assert warnings(changed, "", ()) == (warned,)
    assert told(state(known("budget", budget))) == []


# -- what a person must not have ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fact", "line"),
    [
        (known("allergy", "goose down"), a_line("Winter Down Sleeping Bag")),
        (known("allergy", "goose down"), a_line("Winter Bag", ("goose", "down"))),
        (known("allergic to", "wool", "fact"), a_line("Merino Wool Hiking Socks")),
        (known("skin", "allergic to latex", "fact"), a_line("Shoe", ("latex",))),
        (known("material", "no leather"), a_line("Boot", ("nubuck", "leather"))),
        (known("diet", "vegan"), a_line("Boot", ("leather",))),
        (known("diet", "vegan", "preference"), a_line("Boot", ("leather",))),
        (known("materials", "no animal products"), a_line("Boot", ("leather",))),
        (known("leather allergy", "severe", "fact"), a_line("Boot", ("leather",))),
        (known("leather", "allergic", "fact"), a_line("Boot", ("leather",))),
        (known("colours", "never red or orange"), a_line("Jacket", ("orange",))),
        (known("brand", "not Hollow Oak"), a_line("Hollow Oak Jacket")),
        (
            known("stove fuel", "gas canisters only"),
            a_line("Alcohol Stove", ("alcohol",), category="stoves"),
        ),
        # by what else it is called, and in other words
        (known("allergy", "feathers"), a_line("Winter Down Bag")),
        (known("feather allergy", "yes"), a_line("Winter Bag", ("goose", "down"))),
        (known("health", "allergic to bird feathers"), a_line("Winter Down Bag")),
        (known("allergy", "lanolin"), a_line("Merino Socks", ("merino",))),
        (known("allergy", "wool"), a_line("Merino Socks", ("merino",))),
        (known("allergy", "leather"), a_line("Boot", ("suede",))),
        (known("allergy", "latex"), a_line("Boot", ("rubber",))),
        (known("leather", "never"), a_line("Boot", ("leather",))),
        (known("materials to avoid", "leather"), a_line("Boot", ("leather",))),
        (known("material", "no leather", "preference"), a_line("Boot", ("leather",))),
        (known("skin", "wool causes rash", "fact"), a_line("Wool Socks")),
        (known("animal products", "never"), a_line("Boot", ("leather",))),
        (known("material", "leather-free"), a_line("Boot", ("leather",))),
        (known("material", "leather-free only"), a_line("Boot", ("leather",))),
        (known("must not contain", "leather"), a_line("Boot", ("leather",))),
    ],
)
def test_what_is_barred_is_warned_of_in_the_cart_and_in_an_answer(fact: Fact, line: CartLine):
    (said,) = told(state(fact, lines=(line,)))
    assert (
        said
        == f"Mind what I know of you ({fact.subject}: {fact.value}): {line.name} may not "
        + ("fit that.")
    )
    row = {
        "sku": line.sku,
        "name": line.name,
        "category": line.category,
        "attributes": {"made of": " ".join(line.traits.held)},
    }
    assert told(state(fact), f"Take {line.sku}.", {"hits": [row]}) == [said]
    assert told(state(fact), "Take something else.", {"hits": [row]}) == []


@pytest.mark.parametrize(
    ("fact", "line"),
    [
        (known("allergy", "goose down"), a_line("Summer Bag", ("synthetic",), words=("down",))),
        (known("material", "no leather"), a_line("Boot", ("synthetic",), words=("leather",))),
        (known("material", "likes leather", "preference"), a_line("Boot", ("leather",))),
        (known("luggage", "one bag of 20 kilos"), a_line("Sleeping Bag")),
        (known("returns", "no final sales"), a_line("Sleeping Bag")),
        (
            known("stove fuel", "gas canisters only"),
            a_line("Gas Canister Stove", ("gas",), category="stoves"),
        ),
        (known("stove fuel", "gas canisters only"), a_line("Sleeping Bag")),
        (known("budget", "no more than 300"), a_line("Sleeping Bag")),
        (known("boots allergy", "none", "fact"), a_line("Sleeping Bag")),
        (known("allergy", "wool"), a_line("Winter Down Bag")),
        (known("material", "likes wool", "preference"), a_line("Wool Socks")),
        (known("material", "leather-free"), a_line("Boot", ("synthetic",))),
        (known("material", "PFC-free"), a_line("Jacket", ("pfc", "free"))),
    ],
)
def test_nothing_else_is_warned_of(fact: Fact, line: CartLine):
    assert told(state(fact, lines=(line,))) == []


LEATHER = a_line("Boot", ("nubuck", "leather"))


@pytest.mark.parametrize(
    "said",
    [
        "I'm allergic to leather.",
        "I am vegan, by the way.",
        "no leather for me please",
        "I can't wear leather",
        "I get a rash from leather.",
        "Leather gives me a rash.",
        "I react badly to leather",
        "I don't wear leather.",
        "I never wear leather",
        "no leather",
        "I avoid leather",
        "I'm against leather.",
        "Leather is out of the question.",
        "animal-free only",
        "I don't use anything from animals.",
        "no animal skin",
        "i'm alergic to leather",
        "leather gives me hives",
        "Leather makes me itch.",
        "I'm sensitive to leather.",
        "nothing made of leather",
        "leather-free only",
        "I don't want anything with leather.",
        "Leather must not be in it.",
        "My skin can't take leather.",
    ],
)
def test_what_a_person_said_by_the_way_that_they_must_not_have_is_warned_of(said: str):
    (warned,) = told(state(said=(said, "show me boots"), lines=(LEATHER,)))
    stated = said.removesuffix(".")
    assert warned == f"Mind what you said ({stated}): Boot may not fit that."


@pytest.mark.parametrize(
    "said",
    [
        ("I like leather.",),
        ("I'm allergic to wool.",),
        ("Is leather bad for allergies?",),
        ("I'm not allergic to leather.",),
        ("I have no allergies, leather or not.",),
        ("I can't wear leather.", "Leather is fine after all."),
        ("Nothing with a hood beats leather.",),
        ("It must not be heavy.", "I like leather."),
        ("I don't want anything with zips.",),
    ],
)
def test_what_was_not_barred_or_is_no_longer_is_not_warned_of(said: tuple[str, ...]):
    assert told(state(said=said, lines=(LEATHER,))) == []


def test_what_is_remembered_and_said_is_warned_of_once():
    facts = known("allergy", "leather")
    assert len(told(state(facts, said=("I'm allergic to leather.",), lines=(LEATHER,)))) == 1
