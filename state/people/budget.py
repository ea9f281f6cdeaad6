"""Budgets of model usage: tokens and cost of a thread, a user or a tenant. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from daybook.state.money import Money

MOST_DAYS = 366

_MILLION = 1_000_000

_Cents = Annotated[Decimal, Field(ge=0)]


@dataclass(frozen=True)
class Usage:
    """Tokens that a call of a model took, or several calls of one model.

    Attributes:
        input: of the prompt; the cached ones are among them.
        call_id: names one call.
        is_estimated: the provider reported nothing.
    """

    model: str
    input: int
    cached: int
    output: int
    call_id: str = ""
    is_estimated: bool = False

    @property
    def tokens(self) -> int:
        """Return input and output together."""
        return self.input + self.output


class Price(BaseModel):
    """What a million tokens of a model cost, in cents of a currency, or parts of one.

    Attributes:
        cached: of input that the provider had cached; as any input where it is left out.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: _Cents
    output: _Cents
    cached: _Cents | None = None
    currency: str = Field(pattern="^[A-Z]{3}$")

    def cents(self, used: Usage) -> Decimal:
        """Return what some usage costs."""
        cached = self.input if self.cached is None else self.cached
        plain = (used.input - used.cached) * self.input
        return (plain + used.cached * cached + used.output * self.output) / _MILLION


class Budget(BaseModel):
    """Limit the usage of models: when it is used up, no model is called and the turn stops.

    Usage is known after a call, so each call in progress may exceed the budget.

    Example:
        >>> Budget(name="tokens a day", per="user", days=1, tokens=200_000).warn
        0.8

    Attributes:
        name: shown in messages and metrics.
        per: whose usage is added up.
        days: how far back it counts; for a thread, by default everything.
        tokens: input and output, as the provider reports them.
        cost: by the prices of the policy.
        warn: the share from which a warning is given.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, max_length=100)
    per: Literal["thread", "user", "tenant"]
    days: int | None = Field(default=None, ge=1, le=MOST_DAYS)
    tokens: int | None = Field(default=None, ge=1)
    cost: Money | None = None
    warn: float = Field(default=0.8, gt=0, le=1)

    @model_validator(mode="after")
    def _limits_something_in_some_time(self) -> Budget:
        if self.tokens is None and self.cost is None:
            raise ValueError("it sets no limit: give tokens or cost")
        if self.cost is not None and self.cost.amount < 1:
            raise ValueError("a cost must be at least one cent")
        if self.days is None and self.per != "thread":
            raise ValueError(f"a budget per {self.per} needs a period: give days")
        return self

    def __str__(self) -> str:
        within = {None: "", 1: " in a day"}.get(self.days, f" in {self.days} days")
        most = [f"{self.tokens} tokens"] if self.tokens is not None else []
        most += [str(self.cost)] if self.cost is not None else []
        return f"{' and '.join(most)} per {self.per}{within}"


@dataclass(frozen=True)
class Standing:
    """How much of a budget is used.

    Attributes:
        cents: None if it is not known.
        unpriced: models that have no price in the currency of the budget.
    """

    budget: Budget
    tokens: int
    cents: Decimal | None
    unpriced: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """Return the used share, of what is used most; what is not known is never little."""
        shares = [0.0]
        if self.budget.tokens is not None:
            shares.append(self.tokens / self.budget.tokens)
        if self.budget.cost is not None:
            known = self.cents is not None
            shares.append(float(self.cents or 0) / self.budget.cost.amount if known else 1.0)
        return max(shares)

    @property
    def is_over(self) -> bool:
        """Tell whether no model may be called any more."""
        return self.share >= 1

    @property
    def warns(self) -> bool:
        """Tell whether it is to be warned of."""
        return self.share >= self.budget.warn

    @property
    def about(self) -> str:
        """Name the budget as the sentences do that are said of it."""
        return f'The budget "{self.budget.name}" allows {self.budget}'

    def __str__(self) -> str:
        if self.unpriced:
            return f"{self.about}, and {', '.join(self.unpriced)} has no price in that currency"
        used = [f"{self.tokens} tokens"] if self.budget.tokens is not None else []
        if self.budget.cost is not None:
            used.append(in_money(self.cents or Decimal(), self.budget.cost.currency))
        return f"{self.about}, and {' and '.join(used)} are used"

    @property
    def stop(self) -> str:
        """Say why a turn stops, and how it goes on."""
        later = " or its days have passed" if self.budget.days is not None else ""
        until = "there is one" if self.unpriced else f"the budget is raised{later}"
        return f"Stopped. {self}. Nothing was lost; once {until}, reply to continue."


def standing_of(
    budget: Budget, prices: Mapping[str, Price], used: Iterable[Usage], model: str | None = None
) -> Standing:
    """Say how much of a budget is used.

    Args:
        used: what counts against it.
        model: that is to be called next; None for none.
    """
    used = [*used]
    tokens = sum(one.tokens for one in used)
    if budget.cost is None:
        return Standing(budget, tokens, None)
    models = {one.model for one in used} | ({model} if model is not None else set())
    currency = budget.cost.currency
    good = {name: price for name, price in prices.items() if price.currency == currency}
    if unpriced := tuple(sorted(models - good.keys())):
        return Standing(budget, tokens, None, unpriced)
    return Standing(budget, tokens, sum((good[u.model].cents(u) for u in used), Decimal()))


def usage_line(prices: Mapping[str, Price], used: Iterable[Usage]) -> str:
    """Write what models took, and what it cost where that is known."""
    used = [*used]
    cents: dict[str, Decimal] = {}
    for one in used:
        if (price := prices.get(one.model)) is not None:
            cents[price.currency] = cents.get(price.currency, Decimal()) + price.cents(one)
    costs = [in_money(amount, currency) for currency, amount in sorted(cents.items())]
    unpriced = sorted({one.model for one in used} - prices.keys()) if costs else []
    costs += [f"no price for {', '.join(unpriced)}"] if unpriced else []
    return ", ".join([f"{sum(one.tokens for one in used):,} tokens", *costs])


def in_money(cents: Decimal, currency: str) -> str:
    """Write cents, or parts of one, as money; never less than it is."""
    return str(Money(amount=int(cents.to_integral_value(ROUND_CEILING)), currency=currency))
