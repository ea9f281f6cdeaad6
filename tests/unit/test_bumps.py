"""One question before a costly step: never twice about a slot, and never about what is known."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from daybook.nodes.planning.bump import Question, question_before
from daybook.state.agent import Decision
from daybook.state.people.facts import Fact
from daybook.state.shop.brief import Brief
from daybook.state.shop.cart import Cart, add, remove
from daybook.state.shop.state import Checkout, OrderSeen
from daybook.tools.bumps import Bump
from tests.unit.shop_parts import a_domain, line

DOMAIN = a_domain()

EMPTY = Cart(cart_id="usd-1", currency="USD")
LARGE = add(EMPTY, line("TENT-1", 2, 60_000))
SMALL = add(EMPTY, line("BOOT-1"))
ONE_PIECE = add(EMPTY, line("TENT-1", 1, 150_000))

FIRST, SECOND, THIRD = (
    OrderSeen(order_id=f"DB-{n}", status="placed", total=total, currency="USD")
    for n, total in ((1, 20_000), (2, 30_000), (3, 30_000))
)
TWO_ORDERS = Checkout(orders=(FIRST, SECOND))


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


@pytest.mark.parametrize(
    "said", ["", "boots under 150", "where is DB-10002", "add TENT-2000 x2"], ids=str
)
def test_a_large_cart_without_a_budget_is_asked_about_and_no_total_told(said: str):
    """CONTEXT: a total stands in the tail and nowhere else; the question stays.

    The price of one search is no budget of the cart, nor is the number of an order.
    """
    question = asked(state(said, "check out", cart=LARGE), CHECKOUT)
    assert question is not None
    assert question.slot == "budget"
    assert "limit" in question.text
    assert not any(sign.isdigit() for sign in question.text)


@pytest.mark.parametrize(
    "given",
    [
        *(state("check out", cart=cart) for cart in (EMPTY, SMALL, ONE_PIECE)),
        state("check out", cart=LARGE, facts=(budget(),)),
        state("check out", cart=LARGE, brief=Brief(goal="tents", max_price=70_000)),
    ],
)
def test_a_small_cart_one_piece_at_its_price_and_a_known_budget_are_not_asked_about(given):
    assert asked(given, CHECKOUT) is None


# -- cancellations --------------------------------------------------------------------------------

CANCEL = ("cancel_order", {"order_id": "DB-1"})


@pytest.mark.parametrize("before", [(), ("where is DB-1?", "show me boots")], ids=str)
def test_which_of_several_orders_is_asked_before_one_is_cancelled(before: tuple[str, ...]):
    """Words of long ago do not name the order."""
    question = asked(state(*before, "cancel my order", checkout=TWO_ORDERS), CANCEL)
    assert question == Question(
        "order of DB-1, DB-2",
        "Which of your orders shall be cancelled: DB-1 (200.00 USD), DB-2 (300.00 USD)?",
    )


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        ((), ["cancel my order"]),
        ((FIRST,), ["cancel my order"]),
        ((FIRST, SECOND.model_copy(update={"status": "cancelled"})), ["cancel my order"]),
        ((FIRST.model_copy(update={"total": 9_999}), SECOND), ["cancel my order"]),
        ((FIRST, SECOND), ["cancel DB-1"]),
        ((FIRST, SECOND), ["cancel db-1 please"]),
        ((FIRST, SECOND), ["show me order DB-1", "cancel it"]),
    ],
)
def test_without_a_choice_for_a_small_order_or_one_that_was_named_nothing_is_asked(orders, said):
    assert asked(state(*said, checkout=Checkout(orders=orders)), CANCEL) is None


# -- decisions ------------------------------------------------------------------------------------


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
        if question.slot.startswith("order"):
            assert "cancel DB-2" not in said[-2:]


# -- removed products -----------------------------------------------------------------------------

GONE = remove(add(EMPTY, line("BOOT-1")), "BOOT-1", "1")
ADD = ("add_to_cart", {"sku": "boot-1"})


def answered(*spoken: tuple[str, str]) -> dict[str, Any]:
    """Make the state of a thread in which BOOT-1 was removed, and of what was said since."""
    kinds = {"human": HumanMessage, "ai": AIMessage}
    said = [("human", "add BOOT-1"), ("human", "remove BOOT-1"), *spoken]
    messages = [kinds[who](text, id=str(at)) for at, (who, text) in enumerate(said)]
    return {**state(cart=GONE), "messages": messages}


def question_about(given: dict[str, Any], call: tuple[str, dict[str, Any]]) -> str:
    question = asked(given, call)
    assert question is not None
    assert question.slot == ""
    return question.text


@pytest.mark.parametrize("words", ["what are the best boots?", "add it", "add the boots back"])
def test_a_removed_product_is_asked_about_before_it_is_added_again(words: str):
    assert "Name of BOOT-1" in question_about(answered(("human", words)), ADD)


@pytest.mark.parametrize(
    ("answer", "is_added"),
    [
        *(("yes", True), ("Ja bitte!", True), ("no", False), ("don't add it", False)),
        *(("socks", False), ("yes, and two socks", False)),
    ],
)
def test_it_is_added_by_a_plain_yes_to_the_question(answer: str, is_added: bool):
    given = answered(("human", "add some boots"))
    talk = [("human", "add some boots"), ("ai", question_about(given, ADD)), ("human", answer)]
    assert (asked(answered(*talk), ADD) is None) is is_added
    later = [*talk, ("ai", "Fine."), ("human", "yes")]
    assert asked(answered(*later), ADD) is not None, "a yes to something else agrees to nothing"


MAIL = ("send_email", {"subject": "Tips", "body": "Take the Name of BOOT-1."})


def test_a_mail_that_names_a_removed_product_is_asked_about():
    question = question_about(answered(("human", "mail me your tips")), MAIL)
    talk = [("human", "mail me your tips"), ("ai", question)]
    assert asked(answered(*talk, ("human", "yes")), MAIL) is None
    assert asked(answered(*talk, ("human", "what tips?")), MAIL) is not None
