"""What a budget counts, when it warns, and when no model is called any more."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatResult
from pydantic import ValidationError

from daybook import Money, Policy
from daybook.nodes.running.budgets import call_of, model_name
from daybook.state.people.budget import Budget, Price, Usage, standing_of, usage_line

PRICES = {
    "small": Price(input=15, cached="7.5", output=60, currency="USD"),
    "large": Price(input=200, output=800, currency="USD"),
    "theirs": Price(input=1, output=1, currency="EUR"),
}

TWO_DOLLARS = Budget(name="cost", per="user", days=30, cost=Money(amount=200, currency="USD"))


def tokens(most: int, **more: Any) -> Budget:
    return Budget(name="tokens", per="thread", tokens=most, **more)


def test_tokens_of_all_models_add_up_to_a_warning_and_to_a_stop():
    used = [Usage("small", 50, 40, 20), Usage("large", 9, 0, 0)]
    assert not standing_of(tokens(100), {}, used).warns
    warns = standing_of(tokens(98), {}, [*used, Usage("small", 1, 0, 0)])
    assert (warns.warns, warns.is_over) == (True, False)
    over = standing_of(tokens(79), {}, used)
    assert over.is_over
    assert '"tokens" allows 79 tokens per thread, and 79 tokens are used' in over.stop
    assert "Nothing was lost" in over.stop


def test_cached_input_has_a_price_of_its_own_where_one_is_given():
    # Input, cached and output at their prices of a million.
    used = [Usage("small", 2_000_000, 1_000_000, 1_000_000), Usage("large", 500_000, 500_000, 0)]
    standing = standing_of(TWO_DOLLARS, PRICES, used)
    assert standing.cents == Decimal("182.5")
    assert standing.share == 0.9125
    assert "2.00 USD per user in 30 days, and 1.83 USD are used" in str(standing)
    assert usage_line(PRICES, [*used, Usage("theirs", 1, 0, 0)]) == (
        "3,500,001 tokens, 0.01 EUR, 1.83 USD"
    )


@pytest.mark.parametrize("model", ["unheard-of", "theirs"])
def test_what_has_no_price_in_the_budgets_currency_is_never_cheap(model: str):
    """A call that was made, and one that is to be made."""
    for standing in (
        standing_of(TWO_DOLLARS, PRICES, [Usage(model, 1, 0, 0)]),
        standing_of(TWO_DOLLARS, PRICES, [], model),
    ):
        assert standing.is_over
        assert f"{model} has no price in that currency" in standing.stop
    # Tokens are known.
    assert not standing_of(tokens(9), PRICES, [Usage(model, 1, 0, 0)], model).is_over


@pytest.mark.parametrize(
    "wrong",
    [
        {"per": "thread"},
        {"per": "user", "tokens": 1},
        {"per": "thread", "tokens": 1, "warn": 80},
        {"per": "thread", "tokens": 1, "days": 400},
        {"per": "thread", "cost": {"amount": 0, "currency": "USD"}},
    ],
)
def test_a_budget_that_is_none_is_refused(wrong: Any):
    with pytest.raises(ValidationError):
        Budget(name="x", **wrong)


def test_a_policy_refuses_a_cost_without_any_price_and_two_budgets_of_one_name():
    with pytest.raises(ValidationError, match="no model has a price in"):
        Policy(budgets=(TWO_DOLLARS,), prices={"theirs": PRICES["theirs"]})
    with pytest.raises(ValidationError, match="two budgets have the same name"):
        Policy(budgets=(tokens(1), tokens(2)))
    own = Policy(budgets=(tokens(1),), prices=PRICES)
    both = own.before(Policy(budgets=(TWO_DOLLARS, tokens(2)), prices=PRICES))
    assert both.budgets == (tokens(1), TWO_DOLLARS)


counts = st.integers(-5, 2**70)


@given(counts, counts, counts)
def test_whatever_a_provider_reports_can_be_written_down(input_: int, cached: int, output: int):
    about: Any = {"input_tokens": input_, "output_tokens": output, "total_tokens": 0}
    about |= {"input_token_details": {"cache_read": cached}}
    used = call_of(AIMessage("Hello.", usage_metadata=about), "m", lambda: 12)
    assert 0 <= used.cached <= used.input < 2**63 > used.output >= 0
    assert used.is_estimated == (input_ == 0)


def test_a_call_without_usage_counts_by_an_estimate():
    calls: Any = [{"name": "f", "args": {"a": "twelve boots"}, "id": "c"}]
    for answer in (AIMessage("Hello there.", tool_calls=calls), AIMessage("Hello.")):
        used = call_of(answer, "m", lambda: 12)
        assert used.is_estimated
        assert used.input == 12
        assert used.output > 1


def test_a_model_that_declares_no_kind_is_named_by_its_class():
    class Words(BaseChatModel):
        _llm_type = "words"

        def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
            raise AssertionError

    assert model_name(Words()) == "Words"
