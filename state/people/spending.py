"""Limits over several plans: money and calls in a number of days. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from daybook.state.effects.keys import canonical, digest
from daybook.state.money import Money

_OF_EVERYBODY = "tenant"


class SpendingLimit(BaseModel):
    """Limit the money that tools move, or their calls, over all threads.

    A step counts from the moment its plan is opened until it is known to have had no effect or
    was undone. A step whose amount is unknown or in another currency is never treated as small.

    Example:
        >>> SpendingLimit(name="daily refunds", tools=("refund_payment",), days=1,
        ...               money=Money(amount=50_000, currency="EUR"), over="clerk").per
        'user'

    Attributes:
        name: recorded in the ledger with what it decided, and shown in refusals.
        per: "user" (of the thread), "tenant", or the name of an argument, such as "card_id".
        days: how far back it counts.
        money: the maximum amount, in cents of one currency. calls: the maximum number of steps.
        over: who must approve what exceeds it; "refuse" refuses it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, max_length=100)
    tools: tuple[str, ...] = Field(min_length=1)
    per: str = "user"
    days: int = Field(ge=1, le=366)
    money: Money | None = None
    calls: int | None = Field(default=None, ge=1)
    over: Literal["customer", "clerk", "operator", "refuse"] = "refuse"

    @model_validator(mode="after")
    def _limits_something(self) -> SpendingLimit:
        if self.money is None and self.calls is None:
            raise ValueError("it sets no limit: give money or calls")
        return self

    @property
    def since(self) -> timedelta:
        """Return how far back it counts."""
        return timedelta(days=self.days)

    def whose(self, user: str, args: Mapping[str, Any]) -> str | None:
        """Return for whom or what it counts; None if an argument is not known yet."""
        if self.per == _OF_EVERYBODY:
            return ""
        if self.per == "user":
            return user
        # Arguments may be personal: the count needs no more than that they are the same.
        return digest([canonical(args[self.per])]) if self.per in args else None


@dataclass(frozen=True)
class Use:
    """Say what one step takes of a limit.

    Attributes:
        whose: None if that is not known.
        amount: None if that is not known.
    """

    limit: SpendingLimit
    whose: str | None
    op: str
    gen: int
    amount: Money | None


@dataclass(frozen=True)
class Spent:
    """What counts against a limit already: cents in its currency, and steps."""

    cents: int
    calls: int


def passed(uses: Sequence[Use], spent: Spent) -> str:
    """Say why steps of one plan pass their limit, or nothing.

    Args:
        uses: of one limit, for the same.
        spent: before them.
    """
    limit = uses[0].limit
    about = f'The limit "{limit.name}"'
    within = "a day" if limit.days == 1 else f"{limit.days} days"
    if uses[0].whose is None:
        return f"{about} counts by {limit.per}, which is not known yet"
    if limit.calls is not None and spent.calls + len(uses) > limit.calls:
        many = "call" if limit.calls == 1 else "calls"
        return f"{about} allows {limit.calls} {many} in {within}; already counted: {spent.calls}"
    if limit.money is None:
        return ""
    amounts = [one.amount for one in uses if one.amount is not None]
    known = [one for one in amounts if one.currency == limit.money.currency and one.amount >= 0]
    if len(known) < len(uses):
        return f"{about} is in {limit.money.currency}, and this amount is not known in it"
    wanted = sum(one.amount for one in known)
    if spent.cents + wanted <= limit.money.amount:
        return ""
    before = Money(amount=spent.cents, currency=limit.money.currency)
    return f"{about} allows {limit.money} in {within}; already counted: {before}"
