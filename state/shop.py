"""The shop's part of the state: cart and checkout."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from state.agent import AgentState
from state.cart import Cart


class OrderSeen(BaseModel):
    """An order that this thread placed or cancelled."""

    model_config = ConfigDict(frozen=True)

    order_id: str
    status: str = Field(description="placed or cancelled")
    total: int = Field(description="integer cents")
    currency: str


class Checkout(BaseModel):
    """What was chosen for checking out, and what came of it. Ids only, no card and no address."""

    model_config = ConfigDict(frozen=True)

    checkout_id: str | None = None
    card_id: str | None = None
    address_id: str | None = None
    orders: tuple[OrderSeen, ...] = ()


class ShopState(AgentState, total=False):
    """The state of a shopping thread."""

    cart: Annotated[Cart, Field(title="Cart", description="lines, revision, what was removed")]
    checkout: Annotated[Checkout, Field(title="Checkout", description="choices and orders")]
