"""One question before a costly step: never twice about a slot, and never about what is known."""

from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from daybook.nodes.planning.refusals import Question, question_before
from daybook.state.agent import Decision
from daybook.state.people.facts import Fact
from daybook.state.shop.brief import Brief
from daybook.state.shop.cart import Cart, add
from daybook.state.shop.state import Checkout
from tests.unit.shop_parts import a_domain, line

DOMAIN = a_domain()

EMPTY = Cart(cart_id="usd-1", currency="USD")
LARGE = add(EMPTY, line("TENT-1", 2, 60_000))
SMALL = add(EMPTY, line("BOOT-1"))
ONE_PIECE = add(EMPTY, line("TENT-1", 1, 150_000))


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
