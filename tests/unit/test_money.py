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


def test_money_is_written_with_its_currency():
    assert str(Money(amount=9_890, currency="USD")) == "98.90 USD"


@pytest.mark.parametrize("currency", ["usd", "US", "USDX", "", "US1", "USD\n"])
def test_a_currency_is_a_code_of_three_capitals(currency: str):
    with pytest.raises(ValidationError):
        Money(amount=1, currency=currency)


@pytest.mark.parametrize("amount", [1.5, "1.5", None])
def test_an_amount_is_whole_cents(amount: object):
    with pytest.raises(ValidationError):
        Money.model_validate({"amount": amount, "currency": "USD"})


def test_money_does_not_change():
    with pytest.raises(ValidationError):
        Money(amount=1, currency="USD").amount = 2


def test_the_same_amount_in_another_currency_is_other_money():
    assert Money(amount=1, currency="USD") != Money(amount=1, currency="EUR")
