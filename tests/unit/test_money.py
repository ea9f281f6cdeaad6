"""Integer cents with a currency."""

import pytest
from pydantic import ValidationError

from daybook.state.money import Money


@pytest.mark.parametrize("currency", ["usd", "US", "USDX", "", "US1", "USD\n"])
def test_a_currency_is_a_code_of_three_capitals(currency: str):
    with pytest.raises(ValidationError):
        Money(amount=1, currency=currency)


@pytest.mark.parametrize("amount", [1.5, "1.5", None])
def test_an_amount_is_whole_cents(amount: object):
    with pytest.raises(ValidationError):
        Money.model_validate({"amount": amount, "currency": "USD"})
