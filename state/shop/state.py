"""The shop's part of the state: cart, checkout and brief."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from daybook.state.agent import AgentState
from daybook.state.shop.brief import Brief
from daybook.state.shop.cart import Cart, Frozen, Name


class OrderSeen(Frozen):
    """An order that this thread placed or cancelled."""

    order_id: Name = Field(description="order number, such as DB-10001")
    status: str = Field(description="placed or cancelled")
    total: int = Field(description="integer cents")
    currency: str = Field(description="ISO 4217 code")


class Checkout(Frozen):
    """What was chosen for checking out, and the outcome. Ids only, no card and no address."""

    card_id: str | None = Field(default=None, description="chosen or used last")
    address_id: str | None = Field(default=None, description="chosen or used last")
    orders: tuple[OrderSeen, ...] = Field(default=(), description="oldest first")


class ShopState(AgentState, total=False):
    """The state of a shopping thread."""

    cart: Annotated[Cart, Field(title="Cart", description="lines, revision, what was removed")]
    checkout: Annotated[Checkout, Field(title="Checkout", description="choices and orders")]
    brief: Annotated[Brief, Field(title="Brief", description="what the interviewer found out")]
