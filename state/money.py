"""Money is an integer of a currency's smallest unit, its cents, with the currency."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

CENTS = frozenset({"amount", "total", "unit_price", "price", "refunded"})
"""Names under which arguments and results hold integer cents, beside a currency."""


class Money(BaseModel):
    """An amount in integer minor units with its ISO 4217 currency (yen have none)."""

    model_config = ConfigDict(frozen=True)

    amount: int = Field(description="integer cents")
    currency: str = Field(pattern="^[A-Z]{3}$", description="ISO 4217 code")

    def __str__(self) -> str:
        return f"{in_units(self.amount, self.currency)} {self.currency}"


def money_in(args: Mapping[str, Any], cents: str, currency: str) -> Money | None:
    """Read the money that arguments hold; None if that cannot be read as money.

    What is named so need not be money, and a model may have written it.

    Args:
        cents: the argument that holds the amount.
        currency: the one that holds the currency, or a currency.
    """
    try:
        given = {"amount": args.get(cents), "currency": args.get(currency, currency)}
        return Money.model_validate(given, strict=True)
    except ValidationError:
        return None


_NONE = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
_THREE = "BHD IQD JOD KWD LYD OMR TND"
_DECIMALS = dict.fromkeys(_NONE.split(), 0) | dict.fromkeys(_THREE.split(), 3) | {"CLF": 4}
"""Currencies whose smallest unit is no hundredth (ISO 4217, list one)."""


HUNDREDTHS = {currency: 10.0 ** (2 - decimals) for currency, decimals in _DECIMALS.items()}
"""How many hundredths the smallest unit of a currency is, where it is not one."""


def in_units(cents: int, currency: str = "") -> str:
    """Write cents as units, such as `129.00`: with the currency's own number of decimals.

    Example:
        >>> in_units(12_900), in_units(12_900, "JPY"), in_units(-12_900, "KWD")
        ('129.00', '12900', '-12.900')
    """
    decimals = _DECIMALS.get(currency, 2)
    units, rest = divmod(abs(cents), 10**decimals)
    sign = "-" if cents < 0 else ""
    return f"{sign}{units}.{rest:0{decimals}d}" if decimals else f"{sign}{units}"
