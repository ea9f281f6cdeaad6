"""One question before a costly step: never twice about a slot, and never about what is known."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from daybook.nodes.planning.bump import Question, question_before
from daybook.state.agent import Decision
from daybook.state.people.facts import Fact
from daybook.state.shop.brief import Brief
from daybook.state.shop.cart import Cart, add
from daybook.state.shop.state import Checkout, OrderSeen
from daybook.tools.bumps import Bump
from tests.unit.shop_parts import a_domain, line

DOMAIN = a_domain()

EMPTY = Cart(cart_id="usd-1", currency="USD")
LARGE = add(EMPTY, line("TENT-1", 2, 60_000))
SMALL = add(EMPTY, line("BOOT-1"))
ONE_PIECE = add(EMPTY, line("TENT-1", 1, 150_000))

TWO_ORDERS = Checkout(
    orders=(
        OrderSeen(order_id="DB-1", status="placed", total=20_000, currency="USD"),
        OrderSeen(order_id="DB-2", status="placed", total=30_000, currency="USD"),
    )
)
NEXT_ORDER = OrderSeen(order_id="DB-3", status="placed", total=30_000, currency="USD")


def state(*said: str, **more: Any) -> dict[str, Any]:
    """Make the state of a thread in which a person said something, the oldest first."""
    messages = [HumanMessage(text, id=str(at)) for at, text in enumerate(said)]
    return {"cart": EMPTY, "checkout": Checkout(), "messages": messages, **more}


def asked(given: dict[str, Any], *calls: tuple[str, dict[str, Any]]) -> Question | None:
    """Return what is asked before the calls of a decision."""
    decision = Decision(
        ordinal=0, calls=[{"name": n, "args": a} for n, a in calls], text="", refused={}
    )
    return question_before(decision, given, DOMAIN)


CHECKOUT = ("checkout", dict[str, Any]())


def budget(value: str = "2000 dollars") -> Fact:
    at = datetime(2031, 5, 6, tzinfo=UTC)
    return Fact(subject="budget", value=value, kind="constraint", source="t", at=at)


# -- checkout -------------------------------------------------------------------------------------


def test_a_large_cart_without_a_budget_is_asked_about_and_no_total_told():
    """CONTEXT: a total stands in the tail and nowhere else; the question stays."""
    question = asked(state("check out", cart=LARGE), CHECKOUT)
    assert question is not None
    assert question.slot == "budget"
    assert "limit" in question.text
    assert not any(sign.isdigit() for sign in question.text)


@pytest.mark.parametrize("cart", [EMPTY, SMALL, ONE_PIECE])
def test_a_small_cart_or_one_piece_that_was_chosen_at_its_price_is_not(cart: Cart):
    assert asked(state("check out", cart=cart), CHECKOUT) is None


@pytest.mark.parametrize(
    "known",
    [
        state("check out", cart=LARGE, facts=(budget(),)),
        state("check out", cart=LARGE, brief=Brief(goal="tents", max_price=70_000)),
        state("my budget is 800", "check out", cart=LARGE),
        state("I can spend about 900 in all", "and now?", "check out", cart=LARGE),
        state("1,200 is fine, check out", cart=LARGE),
        state("check out, whatever it costs", cart=LARGE),
    ],
)
def test_a_budget_that_is_known_is_not_asked_for(known: dict[str, Any]):
    assert asked(known, CHECKOUT) is None


@pytest.mark.parametrize("said", ["boots under 150", "where is DB-10002", "add TENT-2000 x2"])
def test_the_price_of_one_search_is_no_budget_of_the_cart_and_no_number_of_an_order(said: str):
    given = state(said, "check out", cart=LARGE)
    assert asked(given, CHECKOUT) is not None


# -- searches -------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["something nice", "gear for a trip", "gifts", "outdoor stuff"])
def test_a_search_for_nothing_in_particular_is_asked_about(query: str):
    question = asked(state(query), ("search_products", {"query": query}))
    assert question is not None
    assert question.slot == "kind of goods"


@pytest.mark.parametrize(
    "args",
    [
        {"query": "hiking boots"},
        {"query": "red jacket"},
        {"query": "waterproof"},
        {"query": "Alder Ridge"},
        {"query": "something nice", "category": "tents"},
        {"query": "something nice", "max_price": 5_000},
        {"query": ""},
        {"query": "something nice", "limit": 99},
    ],
)
def test_a_search_that_says_something_or_cannot_be_run_is_not(args: dict[str, Any]):
    assert asked(state("what do you have?"), ("search_products", args)) is None


@pytest.mark.parametrize(
    "known",
    [
        state("show me nice boots"),
        state("something nice", brief=Brief(goal="warm sleeping bags")),
        state("something nice", brief=Brief(goal="sleep well", category="sleeping-bags")),
    ],
)
def test_a_kind_that_the_person_named_is_not_asked_for(known: dict[str, Any]):
    assert asked(known, ("search_products", {"query": "something nice"})) is None


# -- cancellations --------------------------------------------------------------------------------

CANCEL = ("cancel_order", {"order_id": "DB-1"})


def test_which_of_several_orders_is_asked_before_one_is_cancelled():
    question = asked(state("cancel my order", checkout=TWO_ORDERS), CANCEL)
    assert question == Question(
        "order of DB-1, DB-2",
        "Which of your orders shall be cancelled: DB-1 (200.00 USD), DB-2 (300.00 USD)?",
    )


@pytest.mark.parametrize(
    "known",
    [
        state("cancel DB-1", checkout=TWO_ORDERS),
        state("cancel db-1 please", checkout=TWO_ORDERS),
        state("show me order DB-1", "cancel it", checkout=TWO_ORDERS),
        state("cancel the last one", checkout=TWO_ORDERS),
        state("cancel both", checkout=TWO_ORDERS),
    ],
)
def test_an_order_that_the_person_named_is_not_asked_about(known: dict[str, Any]):
    assert asked(known, CANCEL) is None


def test_words_of_long_ago_do_not_name_the_order():
    given = state("where is DB-1?", "show me boots", "cancel my order", checkout=TWO_ORDERS)
    assert asked(given, CANCEL) is not None


def test_with_another_order_it_is_another_question():
    before = state("cancel my order", checkout=TWO_ORDERS, bumps=("order of DB-1, DB-2",))
    assert asked(before, CANCEL) is None
    three = Checkout(orders=(*TWO_ORDERS.orders, NEXT_ORDER))
    assert asked({**before, "checkout": three}, CANCEL) is not None


@pytest.mark.parametrize(
    "checkout",
    [
        Checkout(),
        Checkout(orders=TWO_ORDERS.orders[:1]),
        Checkout(
            orders=(
                TWO_ORDERS.orders[0],
                TWO_ORDERS.orders[1].model_copy(update={"status": "cancelled"}),
            )
        ),
        Checkout(
            orders=(TWO_ORDERS.orders[0].model_copy(update={"total": 9_999}), TWO_ORDERS.orders[1])
        ),
    ],
)
def test_without_a_choice_or_for_a_small_order_nothing_is_asked(checkout: Checkout):
    assert asked(state("cancel my order", checkout=checkout), CANCEL) is None


# -- decisions ------------------------------------------------------------------------------------


def test_the_first_costly_call_of_a_decision_is_asked_about():
    given = state("buy it", cart=LARGE, checkout=TWO_ORDERS)
    question = asked(given, ("get_cart", {}), CHECKOUT, CANCEL)
    assert question is not None
    assert question.slot == "budget"


def test_a_call_that_cannot_be_run_is_not_asked_about():
    decision = Decision(
        ordinal=0, calls=[{"name": "checkout", "args": {}}], text="", refused={"0": "not here"}
    )
    assert question_before(decision, state("buy it", cart=LARGE), DOMAIN) is None
    assert asked(state("buy it", cart=LARGE), ("checkout", {"gift_wrap": True})) is None


def test_a_fault_of_a_bump_asks_nothing(caplog: pytest.LogCaptureFixture):
    faulty = Bump(
        tool="checkout",
        slot=lambda state, args: "budget",
        threshold=1,
        cost=lambda state, args: int(state["no such key"]),
        is_known=lambda state, args, said: False,
        question=lambda state, args: "?",
    )
    decision = Decision(ordinal=0, calls=[{"name": "checkout", "args": {}}], text="", refused={})
    assert question_before(decision, state("buy"), replace(DOMAIN, bumps=(faulty,))) is None
    assert "KeyError" in caplog.text


CALLS = st.one_of(
    st.just(CHECKOUT),
    st.builds(lambda i: ("cancel_order", {"order_id": f"DB-{i}"}), st.integers(1, 4)),
    st.builds(
        lambda query, known: ("search_products", {"query": query, **known}),
        st.sampled_from(["something", "boots", "gear", ""]),
        st.sampled_from([{}, {"category": "tents"}, {"max_price": 5_000}]),
    ),
    st.just(("get_cart", dict[str, Any]())),
)
TURNS = st.lists(
    st.tuples(
        st.sampled_from(["go on", "my budget is 2,000", "boots please", "cancel DB-2", "all"]),
        st.lists(CALLS, min_size=1, max_size=3),
    ),
    max_size=8,
)


@given(
    turns=TURNS,
    cart=st.sampled_from([EMPTY, SMALL, LARGE]),
    checkout=st.sampled_from([Checkout(), TWO_ORDERS]),
    facts=st.sampled_from([(), (budget(),)]),
)
def test_a_slot_is_asked_about_once_and_never_when_it_is_known(turns, cart, checkout, facts):
    said: list[str] = []
    slots: list[str] = []
    for words, calls in turns:
        said.append(words)
        given = state(*said, cart=cart, checkout=checkout, facts=facts, bumps=tuple(slots))
        question = asked(given, *calls)
        if question is None:
            continue
        assert question == asked(given, *calls)
        assert question.slot not in slots
        slots.append(question.slot)
        if question.slot == "budget":
            assert not facts
            assert not any("budget" in one for one in said)
        if question.slot.startswith("order"):
            assert not {"cancel DB-2", "all"} & set(said[-2:])
        if question.slot == "kind of goods":
            assert "boots" not in words
