"""Money is integer cents with a currency."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

CENTS = frozenset({"amount", "total", "unit_price", "price", "refunded"})
"""Names under which arguments and results hold integer cents, beside a currency."""


class Money(BaseModel):
    """An amount in integer cents with its ISO 4217 currency."""

    model_config = ConfigDict(frozen=True)

    amount: int = Field(description="integer cents")
    currency: str = Field(pattern="^[A-Z]{3}$", description="ISO 4217 code")

    def __str__(self) -> str:
        return f"{in_units(self.amount)} {self.currency}"


def in_units(cents: int) -> str:
    """Write cents as units with two decimals, such as `129.00`."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"
