"""Integer cents with a currency."""

import pytest
from pydantic import ValidationError

from daybook.state.money import Money, in_units


@pytest.mark.parametrize(
    ("cents", "units"),
    [
        (0, "0.00"),
        (5, "0.05"),
        (99, "0.99"),
        (100, "1.00"),
        (12_900, "129.00"),
        (-5, "-0.05"),
        (-250, "-2.50"),
    ],
)
def test_cents_are_written_as_units_with_two_decimals(cents: int, units: str):
    assert in_units(cents) == units


@pytest.mark.parametrize("currency", ["usd", "US", "USDX", "", "US1", "USD\n"])
def test_a_currency_is_a_code_of_three_capitals(currency: str):
    with pytest.raises(ValidationError):
        Money(amount=1, currency=currency)


@pytest.mark.parametrize("amount", [1.5, "1.5", None])
def test_an_amount_is_whole_cents(amount: object):
    with pytest.raises(ValidationError):
        Money.model_validate({"amount": amount, "currency": "USD"})
